"""A script: hands with every tile known, written to be played before a camera. Not a record of any real game.

One act a line, `#` begins a comment::

    hand E1 honba 0 sticks 0 dora 3s ura 9p pace 1.6      (also `pot 1000`: penalty points of earlier hands)
    deal 0 123m456p789s1122z      (one seat a line; the dealer draws the fourteenth like any other tile)
    0 4p 9m                       seat 0 draws 4p and discards 9m; `0 4p` discards what was drawn
    0 4p r9m                      the same, declaring riichi: the tile lies sideways, the stick follows
    2 pon 55z 1m                  calls the last discard with two own tiles, discards 1m (likewise `chi`)
    2 open_kan 555z               the replacement draw is a line of its own, as after other kans
    2 4p closed_kan 1111z
    2 5z added_kan 5z
    1 foul 2                      the panel names the house's second quick foul for seat 1, the table's button confirms
    dora 4s 6m                    another indicator, with the ura indicator below it
    1 tsumo 4p | 1 ron | draw 0 2     the end; a draw names the seats that show a tenpai hand
    abort nine_terminals 2 | abort four_riichi 0 1 2 3    an abortive draw, and who shows a hand
    scores 25000 25000 25000 25000    the scores afterwards
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from table.rules.events import CallKind
from table.rules.terms.results import AbortReason, Deltas
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from table.runtime.table_errors import RecordError


class ScriptError(RecordError):
    """A script that cannot be read or cannot be played; the message names the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A tile goes from the wall to a hand; nobody sees it."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """A tile goes from a hand to the river."""

    seat: Seat
    tile: Tile
    riichi: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The last discard and own tiles become a meld."""

    seat: Seat
    kind: CallKind
    own: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KanFromHand:
    """Four own tiles become a closed kan, or one tile joins an own pon."""

    seat: Seat
    tiles: tuple[Tile, ...]
    """Four, or the one that is added."""

    @property
    def is_closed(self) -> bool:
        """Whether all four came from the hand."""
        return len(self.tiles) == 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Dora:
    """Another indicator is turned."""

    tile: Tile
    ura: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul:
    """A seat's foul button is pressed until it shows this quick foul of the house, and the table's button confirms."""

    seat: Seat
    quick: int
    """Counted from 1, as the light blinks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsumo:
    """A win on the own draw."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Ron:
    """A win on the last tile laid."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class WallOut:
    """Nobody won; these seats show a tenpai hand."""

    tenpai: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Abort:
    """An abortive draw; nine terminals are declared, the others follow from what was seen."""

    reason: AbortReason
    showing_seats: tuple[Seat, ...]
    """The seats that show a hand; for nine terminals, the seat that declared them."""


Act = Draw | Discard | Call | KanFromHand | Dora | Foul | Tsumo | Ron | WallOut | Abort


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedHand:
    """One hand of a script."""

    round: Round
    honba: int
    sticks: int
    """Number of riichi sticks on the table beforehand."""
    pot: int = 0
    """Penalty points in the pot beforehand."""
    dora: Tile
    ura: Tile
    pace_s: float
    """Seconds from one discard to the next."""
    deals: tuple[tuple[Tile, ...], ...]
    """Thirteen tiles by seat."""
    acts: tuple[Act, ...]
    scores: Deltas
    """By seat, after the hand."""

    @property
    def dealer(self) -> Seat:
        """The dealer; seat 0 deals the first hand of every wind."""
        return SEATS[self.round.number - 1]


_CALLS: Final = {kind.value: kind for kind in CallKind}


def parse_script(text: str) -> tuple[ScriptedHand, ...]:
    """Reads a script's lines, without checking that it can be played (`table.camera.simulation.script_check`).

    Raises:
        ScriptError: a line is not part of the notation; the message names it.
    """
    return tuple(_hand(part) for part in _parts(text))


_NumberedWords = tuple[int, list[str]]
"""The words of a line, with its number."""


def _lines(text: str) -> Iterator[_NumberedWords]:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            yield number, words


def _parts(text: str) -> list[list[_NumberedWords]]:
    parts: list[list[_NumberedWords]] = []
    for number, words in _lines(text):
        if words[0] == "hand":
            parts.append([])
        if not parts:
            raise ScriptError(f"expected the script to begin with a hand, got {' '.join(words)!r} in line {number}")
        parts[-1].append((number, words))
    return parts


def _hand(lines: list[_NumberedWords]) -> ScriptedHand:
    deals: dict[int, tuple[Tile, ...]] = {}
    acts: list[Act] = []
    scores: Deltas | None = None
    for number, words in lines[1:]:
        try:
            if words[0] == "deal":
                deals[int(words[1])] = parse_tiles(words[2])
            elif words[0] == "scores":
                scores = _scores(words)
            else:
                acts += _acts(words)
        except (RulesError, ValueError, IndexError, KeyError) as error:
            raise ScriptError(
                f"expected a line of a script, got {' '.join(words)!r} in line {number}: {error}"
            ) from error
    if scores is None or sorted(deals) != [0, 1, 2, 3]:
        raise ScriptError(f"expected four deals and the scores, got less in the hand of line {lines[0][0]}")
    return _with_head(lines[0], tuple(deals[seat] for seat in SEATS), tuple(acts), scores)


def _with_head(
    line: _NumberedWords, deals: tuple[tuple[Tile, ...], ...], acts: tuple[Act, ...], scores: Deltas
) -> ScriptedHand:
    number, words = line
    values = dict(zip(words[2::2], words[3::2], strict=False))
    try:
        return ScriptedHand(
            round=Round.parse(words[1]),
            honba=int(values["honba"]),
            sticks=int(values["sticks"]),
            pot=int(values.get("pot", 0)),
            dora=Tile(values["dora"]),
            ura=Tile(values["ura"]),
            pace_s=float(values["pace"]),
            deals=deals,
            acts=acts,
            scores=scores,
        )
    except (RulesError, ValueError, KeyError, IndexError) as error:
        raise ScriptError(f"expected a hand line, got {' '.join(words)!r} in line {number}: {error}") from error


def _scores(words: list[str]) -> Deltas:
    east, south, west, north = (int(word) for word in words[1:])
    return east, south, west, north


def _acts(words: list[str]) -> list[Act]:
    if words[0] == "draw":
        return [WallOut(tenpai=_seats(words[1:]))]
    if words[0] == "abort":
        return [Abort(reason=AbortReason(words[1]), showing_seats=_seats(words[2:]))]
    if words[0] == "dora":
        return [Dora(tile=Tile(words[1]), ura=Tile(words[2]))]
    (seat,) = _seats(words[:1])
    if words[1] == "foul":
        return [Foul(seat=seat, quick=int(words[2]))]
    if words[1] == "ron":
        return [Ron(seat=seat)]
    if words[1] == "tsumo":
        return [Tsumo(seat=seat, tile=Tile(words[2]))]
    if words[1] in _CALLS:
        return [Call(seat=seat, kind=_CALLS[words[1]], own=parse_tiles(words[2])), *_discard(seat, words[3:])]
    draw = Draw(seat=seat, tile=Tile(words[1]))
    if words[2:3] in (["closed_kan"], ["added_kan"]):
        return [draw, KanFromHand(seat=seat, tiles=parse_tiles(words[3]))]
    return [draw, *_discard(seat, words[2:] or [words[1]])]


def _seats(words: list[str]) -> tuple[Seat, ...]:
    if wrong := [word for word in words if word not in ("0", "1", "2", "3")]:
        raise ValueError(f"expected a seat from 0 to 3, got {wrong[0]!r}")
    return tuple(SEATS[int(word)] for word in words)


def _discard(seat: Seat, words: list[str]) -> list[Act]:
    if not words:
        return []
    (word,) = words
    return [Discard(seat=seat, tile=Tile(word.removeprefix("r")), riichi=word.startswith("r"))]
