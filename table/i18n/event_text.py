"""Events as sentences: what happened, without its consequences."""

from __future__ import annotations

from typing import Final

from table.i18n.announcement_text import adjustment_text, round_name, seat_name, tile_name
from table.i18n.message_catalogue import Catalogue
from table.rules import events
from table.rules.events import Event
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, tiles_text

_CALLS: Final = {events.CallKind.CHI: "chi", events.CallKind.PON: "pon", events.CallKind.OPEN_KAN: "kan"}
_KEYS: Final[dict[type, str]] = {
    events.SightLost: "unseen",
    events.SightProven: "seen",
    events.TilePassed: "passes",
    events.StickPlaced: "stick",
    events.StickTakenBack: "stick_back",
    events.RiichiVoiced: "riichi",
    events.RiichiReported: "riichi_told",
    events.WinWithdrawn: "withdraws",
    events.DrawReached: "draw",
    events.ClaimsConfirmed: "confirm",
    events.HandSettled: "settled",
    events.ResultDeclared: "told",
    events.GameEnded: "ended",
    events.TimeSignal: "time_signal",
}
"""The text key of each kind of event whose text has no variants."""


def event_sentence(event: Event, dealer: Seat, texts: Catalogue, title: str) -> str:
    """Returns an event of a hand dealt by `dealer` as a sentence; `title` is the title of a logged foul."""
    key, values = _wording(event, dealer, texts)
    seat = getattr(event, "seat", None)
    name = "" if seat is None else seat_name(int(seat), dealer, texts)
    return texts.text(f"event.{key}", **{"seat": name, "title": title, **values})


def _wording(event: Event, dealer: Seat, texts: Catalogue) -> tuple[str, dict[str, object]]:
    """Returns the text's key, and the values of its placeholders other than the seat."""
    match event:
        case events.HandStarted(round=place, honba=honba):
            return "started", {"round": round_name(place, texts), "honba": honba}
        case (
            events.ClosedKan()
            | events.UraTurned()
            | events.WaitDeclared()
            | events.RiichiOpened()
            | events.TilesExposed()
            | events.HandShown()
        ):
            return _tiles_wording(event)
        case events.WinClaimed(kind=kind, from_seat=from_seat):
            return _claim_wording(kind, from_seat, dealer, texts)
        case events.AbortCalled(reason=reason):
            return "abort", {"reason": texts.name("abort", reason.value)}
        case events.PointsAdjusted(points=points, sticks=sticks, honba=honba, reason=reason):
            text = adjustment_text(points, dealer, texts, sticks=sticks, honba=honba)
            return "adjusted", {"what": text, "reason": reason or "–"}
        case events.FoulLogged(clause=clause):
            return "foul", {"clause": clause}
        case events.FoulCancelled(foul=number, reason=reason):
            return "foul_cancelled", {"number": number + 1, "reason": reason or "–"}
    return _play_wording(event, dealer, texts)


def _play_wording(event: Event, dealer: Seat, texts: Catalogue) -> tuple[str, dict[str, object]]:
    match event:
        case events.Discarded(tile=tile, sideways=sideways):
            return "discards_sideways" if sideways else "discards", _tile(tile, texts)
        case events.Called(tile=tile, kind=kind, from_seat=from_seat):
            values = {"call": texts.text(f"page.{_CALLS[kind]}"), "from": seat_name(int(from_seat), dealer, texts)}
            return "calls", {**values, **_tile(tile, texts)}
        case events.AddedKan(tile=tile) | events.DoraTurned(indicator=tile):
            return "dora" if isinstance(event, events.DoraTurned) else "adds", _tile(tile, texts)
        case events.TenpaiStated(is_tenpai=is_tenpai):
            return "tenpai" if is_tenpai else "noten", {}
        case events.PutBack(meld=meld):
            return "puts_back_meld" if meld else "puts_back", {}
    return _KEYS[type(event)], {}


def _tiles_wording(
    event: events.ClosedKan
    | events.UraTurned
    | events.WaitDeclared
    | events.RiichiOpened
    | events.TilesExposed
    | events.HandShown,
) -> tuple[str, dict[str, object]]:
    match event:
        case events.ClosedKan(tiles=tiles):
            return "closed_kan", {"tiles": tiles_text(tiles)}
        case events.UraTurned(indicators=tiles):
            return "ura", {"tiles": tiles_text(tiles) or "–"}
        case events.WaitDeclared(tiles=tiles):
            return "waits", {"tiles": tiles_text(tiles) or "–"}
        case events.RiichiOpened(tiles=tiles):
            return "opens", {"tiles": tiles_text(tiles)}
        case events.TilesExposed(tiles=tiles):
            return "exposes", {"tiles": tiles_text(tiles) or "–"}
        case events.HandShown(tiles=tiles, winning_tile=winning, melds=melds):
            hand_text = tiles_text(tiles) or "–"
            text = hand_text if winning is None else f"{hand_text} + {winning}"
            return "shows", {"tiles": " ".join((text, *(meld.text for meld in melds)))}


def _claim_wording(
    kind: events.WinKind, from_seat: Seat | None, dealer: Seat, texts: Catalogue
) -> tuple[str, dict[str, object]]:
    if kind is events.WinKind.TSUMO:
        return "tsumo", {}
    if from_seat is None:
        return "ron", {}
    return "ron_from", {"from": seat_name(int(from_seat), dealer, texts)}


def _tile(tile: Tile, texts: Catalogue) -> dict[str, object]:
    return {"tile": tile_name(tile.text, texts)}
