"""Announcements as sentences: seats become names or winds, tiles become words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, cast

from table.game.journal.entries import NOBODY
from table.i18n.message_catalogue import Catalogue
from table.rules.state import GameState
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.seats import SEATS, Round, Seat, seat_wind, seats_from
from table.rules.terms.tiles import UNKNOWN

SEAT_ARGS: Final = frozenset({"expected", "from", "points_at", "dealer", "first", "second", "asker"})
"""The arguments of announcements that are seats."""
OWNER: Final = "owner"
"""The value of those arguments for the owner, who has no seat; other texts are names."""
VARIANTS: Final[Mapping[AnnouncementId, str]] = {
    AnnouncementId.HAND_STARTED: "honba",
    AnnouncementId.RIICHI_ACCEPTED: "stick",
    AnnouncementId.RIICHI_VOID: "by",
    AnnouncementId.RIICHI_UPRIGHT: "by",
    AnnouncementId.OPEN_RIICHI: "known",
    AnnouncementId.IPPATSU_CLOSED: "by",
    AnnouncementId.WIN_VOID: "why",
    AnnouncementId.FURITEN: "kind",
    AnnouncementId.ILLEGAL_CLOSED_KAN: "why",
    AnnouncementId.CAMERA_LOST: "why",
    AnnouncementId.GAME_RESUMED: "opening",
    AnnouncementId.TIME_SIGNAL: "last",
    AnnouncementId.SEAT_TAKEN: "way",
    AnnouncementId.SEATS_SWAPPED: "what",
    AnnouncementId.LATER_HANDS: "what",
    AnnouncementId.DOUBT: "kind",
    AnnouncementId.SETTLEMENT_PROPOSED: "kind",
    AnnouncementId.SETTLEMENT_CONFIRMED: "kind",
}
"""Announcements whose text depends on an argument: the text's key ends with its value."""
_FOULS: Final = (AnnouncementId.FOUL_LOGGED, AnnouncementId.FOUL_CANCELLED)
"""Announcements whose text names the payments if points move at once."""
_WITH_MISSING_FACTS: Final = (AnnouncementId.SETTLED_WITHOUT, AnnouncementId.HAND_LEFT_OPEN)
"""Announcements whose text names the facts that nobody reported."""
_LATER: Final = ("after_uma", "unit_deduct", "lower_rank")
"""The arguments of a settlement that say what fouls cost at the end of the game."""
_PLUS: Final = {"pay.lower_rank": ""}
"""The sign before positive numbers that are not points, by the key of their text."""
PENALTY: Final = "penalty"
"""The argument that replaces the kind of a settlement if a penalty ended the hand."""


class SeatNumber(str):
    """What a seat without a name is called whatever its wind; unlike a name it has no form of address."""

    __slots__ = ()


def addressed(name: str, texts: Catalogue) -> str:
    """Returns a name with the language's form of address, as after a Japanese one; the number of a seat as it is."""
    return name if isinstance(name, SeatNumber) else texts.text("seat.person", name=name)


def seat_name(seat: int, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY) -> str:
    """Returns the name of a seat's player; without a name, the seat's wind in a hand dealt by `dealer`."""
    if names[seat]:
        return addressed(names[seat], texts)
    return texts.name("seat", seat_wind(SEATS[seat], dealer).letter)


def lasting_name(name: str, seat: int, texts: Catalogue) -> str:
    """Returns the name of a seat's player; without one the seat's number, since its wind changes with the hands."""
    return name or SeatNumber(texts.text("page.seat_number", number=seat + 1))


def lasting_names(names: Sequence[str], texts: Catalogue) -> tuple[str, ...]:
    """Returns what each seat is called whatever its wind: its player's name, or its number."""
    return tuple(lasting_name(name, seat, texts) for seat, name in zip(SEATS, names, strict=True))


def tile_name(tile: str, texts: Catalogue) -> str:
    """Returns a face in words: `5m` is "5 man", `?` an unreadable tile."""
    return texts.name("tile", tile)


def round_name(place: Round, texts: Catalogue) -> str:
    """Returns a round in words: `E1` is "East 1"."""
    return texts.text("round.name", wind=texts.name("wind", place.wind.letter), number=place.number)


def hand_name(place: Round, honba: int, texts: Catalogue) -> str:
    """Returns a hand by its round, and by its honba if it has any: "East 1, 2 honba"."""
    name = round_name(place, texts)
    return texts.text("stands.hand", round=name, honba=honba) if honba else name


def short_round(place: Round, texts: Catalogue) -> str:
    """Returns the short name of a round for a row of a score sheet: "E1", 東1."""
    return texts.text(f"round.{place.wind.letter}", number=place.number)


def announcement_sentence(
    announcement: Announcement, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY
) -> str:
    """Returns an announcement of a hand dealt by `dealer` as a sentence; `names` are the players' names by seat.

    Raises:
        MissingTextError: the catalogue lacks the text, or the announcement lacks an argument of the text.
    """
    values = {name: _word(name, value, dealer, texts, names) for name, value in announcement.args.items()}
    if "deltas" in announcement.args:
        args = announcement.args
        values["payments"] = payments_text(
            cast(Sequence[int], args["deltas"]),
            dealer,
            texts,
            names,
            sticks=cast(Sequence[int], args.get("riichi", ())),
            later={name: cast(Sequence[int], args[name]) for name in _LATER if name in args},
        )
    if announcement.id is AnnouncementId.SEAT_ASKED:
        values.setdefault("asker", texts.text("seat.other_phone"))
        if announcement.args.get("is_entered"):
            values["asker"] = texts.text("seat.named_phone", name=announcement.args["asker"])
    if announcement.id is AnnouncementId.POINTS_ADJUSTED:
        values["what"] = _adjustment_sentence(announcement, dealer, texts, names)
    if announcement.id in _WITH_MISSING_FACTS:
        values["facts"] = texts.list_text(_missing_facts(announcement, dealer, texts, names))
    seat = announcement.seat
    name = texts.text("seat.somebody") if seat is None else seat_name(seat, dealer, texts, names)
    return texts.text(_key(announcement, texts), **{**values, "seat": name})


def announcement_dealer(announcement: Announcement, hand: int | None, game: GameState, default: Seat) -> Seat:
    """Returns the dealer by whose winds an announcement names seats.

    Args:
        announcement: the announcement; the start of a hand names its dealer itself, and a foul its hand if that was
            settled before.
        hand: the number of its hand in the game, from 0; None without one.
        game: the game after it, with its finished hands.
        default: the dealer if its hand is not finished.
    """
    if announcement.id is AnnouncementId.HAND_STARTED and announcement.seat is not None:
        return announcement.seat
    hand = hand if announcement.earlier_hand is None else announcement.earlier_hand
    return game.history[hand].dealer if hand is not None and hand < len(game.history) else default


def payments_text(
    deltas: Sequence[int],
    dealer: Seat,
    texts: Catalogue,
    names: Sequence[str] = NOBODY,
    *,
    sticks: Sequence[int] = (),
    later: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> str:
    """Returns who receives and then who pays how much, now and at the end of the game, in turn order.

    Seats without payments are left out. `sticks` are the seats whose points contain the riichi stick of this hand,
    which is said with them; `later` is what fouls cost at the end of the game, as `game_end_costs` returns it.
    """
    seats = [seat for seat in seats_from(dealer) if deltas[seat] or seat in sticks]
    seats.sort(key=lambda seat: deltas[seat] < 0)
    now = [("pay.with_stick" if seat in sticks else "pay.seat", seat, deltas[seat]) for seat in seats]
    late = [
        (f"pay.{key}", seat, cost[seat]) for key, cost in later.items() for seat in seats_from(dealer) if cost[seat]
    ]
    parts = [
        texts.text(key, seat=seat_name(seat, dealer, texts, names), points=signed(points, plus=_PLUS.get(key, "+")))
        for key, seat, points in (*now, *late)
    ]
    return texts.list_text(parts) or texts.text("pay.nobody")


def adjustment_text(
    points: Sequence[int],
    dealer: Seat,
    texts: Catalogue,
    names: Sequence[str] = NOBODY,
    *,
    sticks: int = 0,
    honba: int | None = None,
) -> str:
    """Returns a correction of points in words: payers, receivers, the sticks on the table, the honba."""
    seats = sorted((seat for seat in seats_from(dealer) if points[seat]), key=lambda seat: points[seat] > 0)
    changes = [f"{seat_name(seat, dealer, texts, names)} {signed(points[seat])}" for seat in seats]
    parts = [" → ".join(changes) if _is_exchange(points) else texts.list_text(changes)] if changes else []
    if sticks:
        parts.append(texts.text("adjust.sticks", count=signed(sticks)))
    if honba is not None:
        parts.append(texts.text("adjust.honba", count=honba))
    return texts.list_text(parts)


def _is_exchange(points: Sequence[int]) -> bool:
    """Returns whether one seat pays another."""
    return sum(points) == 0 and sum(bool(each) for each in points) == 2


def signed(points: int, plus: str = "+") -> str:
    """Returns points with thousands separators and a typographic minus sign; `plus` precedes positive numbers."""
    sign = "−" if points < 0 else plus if points > 0 else ""
    return f"{sign}{abs(points):,}"


def _adjustment_sentence(announcement: Announcement, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    args = cast(Mapping[str, Any], announcement.args)
    deltas, sticks, honba = args.get("deltas", (0,) * 4), args.get("sticks", 0), args.get("honba")
    return adjustment_text(deltas, dealer, texts, names, sticks=sticks, honba=honba)


def _missing_facts(announcement: Announcement, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> Iterator[str]:
    """Yields in words each fact that nobody reported."""
    args = cast(Mapping[str, Any], announcement.args)
    for fact in args.get("missing", ()):
        kind, _, seat = str(fact).partition(" ")
        values = texts.list_text(texts.text(f"page.{part}") for part in args.get("unseen", {}).get(seat, ()))
        name = seat_name(int(seat), dealer, texts, names) if seat else ""
        yield texts.text(f"missing.{kind}", seat=name, what=values)


def _key(announcement: Announcement, texts: Catalogue) -> str:
    key = f"say.{announcement.id.value}"
    if announcement.id in _FOULS and "deltas" in announcement.args:
        return f"{key}.paid"
    value = announcement.args.get(PENALTY, announcement.args.get(VARIANTS.get(announcement.id, "")))
    if announcement.id is AnnouncementId.DOUBT and announcement.args.get("tile") in (None, UNKNOWN.text):
        value = "unread"
    variant = f"{key}.{str(value).lower()}"
    return variant if variant in texts.texts else key


def _word(name: str, value: Any, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> object:
    if name in SEAT_ARGS and isinstance(value, int):
        return seat_name(value, dealer, texts, names)
    if value == OWNER and name in SEAT_ARGS:
        return texts.text("fouls.owner")
    if isinstance(value, str) and name in SEAT_ARGS:
        return texts.text("seat.person", name=value)
    if name == "round":
        return round_name(Round.parse(str(value)), texts)
    if name == "hands" and isinstance(value, list):
        return texts.texts["page.between_hands"].join(
            hand_name(Round.parse(place), honba, texts) for place, honba in value
        )
    if name == "tile":
        return tile_name("?" if value is None else str(value), texts)
    if name == "seats" and isinstance(value, list | tuple):
        return texts.list_text(seat_name(seat, dealer, texts, names) for seat in value)
    if name == "tiles" and isinstance(value, list | tuple):
        return texts.list_text(tile_name(str(face), texts) for face in value)
    return value
