"""Reads the forms of the desk's owner: each field is validated, and an invalid one named."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from table.config import TABLE_NAME
from table.mqtt.desk_signal import DESK
from table.mqtt.tournament.acts import (
    AppealDecided,
    GameMoved,
    PenaltyCancelled,
    PenaltyGiven,
    PlayerReplaced,
    ResultTold,
    TournamentOpened,
)
from table.mqtt.tournament.book_penalties import book_penalties
from table.mqtt.tournament.seating import kept_rounds, seated
from table.mqtt.tournament.tournament import MOST_MINUTES, MOST_POINTS
from table.mqtt.tournament.tournament_csv import (
    MOST_LETTERS_OF_NAME,
    MOST_ROUNDS,
    CsvError,
    Fault,
    Seating,
    is_seating,
    read_players,
    read_seating,
)
from table.mqtt.tournament.tournament_rules import rules_to_store, tournament_rules
from table.rulebook import known_rules
from table.rules.ruleset import Ruleset
from table.rules.terms.seats import four
from table.runtime.person_name import checked_name
from table.runtime.table_errors import ConfigError, PressError
from table.runtime.whole_number import whole_number

Form = Mapping[str, str]
MOST_LETTERS: Final = 200
draw_lots: Final[Callable[[list[str]], None]] = random.SystemRandom().shuffle
"""Draws at random which player gets which number."""


def whole(form: Form, name: str, least: int, most: int) -> int:
    """Returns a whole number from a form.

    Raises:
        PressError: it is not a whole number from `least` to `most`.
    """
    text = form.get(name, "").strip()
    number = whole_number(text, least, most)
    if number is None:
        raise PressError(
            f"expected {name} from {least} to {most}, got {text!r}",
            says="desk_number",
            least=least,
            most=most,
            got=text[:20] or "–",
        )
    return number


def words(form: Form, name: str) -> str:
    """Returns a text from a form, cut at `MOST_LETTERS`."""
    return " ".join(form.get(name, "").split())[:MOST_LETTERS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A tournament as entered in a form."""

    opened: TournamentOpened
    """Without rounds if those have to be searched for."""
    searched: int
    """Number of rounds to search for; 0 if all are given."""


def draft_in(form: Form, text: str, shuffle: Callable[[list[str]], None] = draw_lots) -> Draft:
    """Returns the tournament that a form opens.

    Args:
        form: its fields.
        text: the players or their seating, as CSV.
        shuffle: draws which player gets which number.

    Raises:
        CsvError: the players or their seating cannot be read.
        PressError: another field cannot be read.
    """
    seating, searched = _seating_in(form, text, shuffle)
    opened = TournamentOpened(
        title=words(form, "title"),
        rules=_rules(form.get("rules", "")),
        players=seating.players,
        rounds=seating.rounds,
        tables=_tables(form.get("tables", ""), len(seating.players) // 4),
        minutes=whole(form, "minutes", 0, MOST_MINUTES),
        event=secrets.token_hex(4),
        house=rules_to_store(form.get("rules", "")),
    )
    return Draft(opened=opened, searched=searched)


def _seating_in(form: Form, text: str, shuffle: Callable[[list[str]], None]) -> tuple[Seating, int]:
    """Returns the players with their rounds, or with the number of rounds to search for."""
    if is_seating(text):
        return read_seating(text), 0
    players = list(read_players(text))
    rounds = whole(form, "rounds", 1, MOST_ROUNDS)
    shuffle(players)
    if rounds > kept_rounds(len(players)):
        return Seating(players=tuple(players), rounds=()), rounds
    return Seating(players=tuple(players), rounds=tuple(seated(len(players), rounds))), 0


def _rules(name: str) -> str:
    try:
        known_rules(name)
    except ConfigError as error:
        raise PressError(str(error), says="rules_gone") from error
    return name


def _tables(text: str, count: int) -> tuple[str, ...]:
    """The tables' names, one a line; tables without a name are entered by hand."""
    names, faults = list[str](), list[Fault]()
    for line, name in enumerate(map(str.strip, text.splitlines()), 1):
        if name and (not re.fullmatch(TABLE_NAME, name) or name == DESK):
            faults.append(Fault(line=line, expects="table_name", got=name[:40]))
        elif name and name in names:
            faults.append(Fault(line=line, expects="once", got=name, values={"line": names.index(name) + 1}))
        names.append(name)
    named = [name for name in names if name]
    if not faults and len(named) > count:
        faults.append(Fault(line=0, expects="tables", got=str(len(named)), values={"tables": count}))
    if faults:
        raise CsvError(faults)
    return (*named, *[""] * (count - len(named)))


def result_in(form: Form, rules: Ruleset | None) -> ResultTold:
    """Returns a table's result; four empty fields withdraw it.

    Raises:
        PressError: a field cannot be read, or the points do not add up to those of the rules and nobody has confirmed
            this sum: sticks may be left over, and a foul may be paid to nobody at the table.
    """
    round_, table = whole(form, "round", 1, MOST_ROUNDS) - 1, whole(form, "table", 1, 1000) - 1
    fields = [f"score{wind}" for wind in range(4)]
    if not any(form.get(name, "").strip() for name in fields):
        return ResultTold(round=round_, table=table, scores=None)
    scores = four(whole(form, name, -MOST_POINTS, MOST_POINTS) for name in fields)
    total = sum(scores) if rules is None else 4 * rules.starting_points
    if sum(scores) != total and form.get("sure") != str(sum(scores)):
        raise PressError(
            f"expected points of {total} in all, got {sum(scores)}", says="desk_sum", total=total, got=sum(scores)
        )
    return ResultTold(round=round_, table=table, scores=scores)


def penalty_in(form: Form, opened: TournamentOpened) -> PenaltyGiven:
    """Returns a penalty: by an article of the tournament's rule set, or by the points entered.

    Raises:
        PressError: a field cannot be read.
    """
    house = tournament_rules(opened)
    found = {f"{each.article} {each.points}": each for each in (() if house is None else book_penalties(house))}
    article = found.get(form.get("article", ""))
    player, why = whole(form, "player", 0, 1000), words(form, "why")
    if article is None:
        return PenaltyGiven(player=player, points=whole(form, "points", 1, MOST_POINTS), why=why)
    times = whole(form, "times", 1, 100) if article.per else 1
    named = f"{article.article} × {times}" if article.per else article.article
    return PenaltyGiven(player=player, points=article.cost(times), why=f"{named}: {why}" if why else named)


def cancelled_in(form: Form) -> PenaltyCancelled:
    """Returns which penalty is cancelled.

    Raises:
        PressError: a field cannot be read.
    """
    return PenaltyCancelled(penalty=whole(form, "penalty", 0, 100_000), why=words(form, "why"))


def replaced_in(form: Form) -> PlayerReplaced:
    """Returns who substitutes for whom.

    Raises:
        PressError: a field cannot be read, or the substitute's name cannot be seen or is too long.
    """
    points = None if not form.get("points", "").strip() else whole(form, "points", -MOST_POINTS, MOST_POINTS)
    entered = form.get("by", "")
    by = checked_name(entered, most=MOST_LETTERS_OF_NAME)
    if entered.strip() and not by:
        raise PressError("expected a name that can be seen, got an invisible one", says="name_unseen")
    return PlayerReplaced(
        round=whole(form, "round", 1, MOST_ROUNDS) - 1,
        player=whole(form, "player", 0, 1000),
        by=by,
        points=points,
    )


def moved_in(form: Form) -> GameMoved:
    """Returns which round a game counts for.

    Raises:
        PressError: a field cannot be read.
    """
    round_ = whole(form, "round", 0, MOST_ROUNDS)
    game = whole(form, "game", 0, 99_999_999)
    opened = form.get("opened", "")[:40]
    return GameMoved(table=form.get("table", ""), game=game, round=round_ - 1 if round_ else None, opened=opened)


def decided_in(form: Form) -> AppealDecided:
    """Returns the referee's ruling on an appeal."""
    return AppealDecided(table=form.get("table", "")[:40], clip=form.get("clip", "")[:60], ruling=words(form, "ruling"))
