"""The notation of events as people learn it: every form with what it says and an example that can be played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table.rules.terms.results import ABORTS

INTRODUCTION: Final = """\
One event a line, or several parted by ";"; what follows "#" is a remark.
SEAT is 0 to 3 counter-clockwise, so that seat 1 plays after seat 0. Tiles are 1m-9m 1p-9p 1s-9s, 1z-4z for E S W N,
5z 6z 7z for white, green and red dragon, 0m 0p 0s for red fives, ? for a tile that nobody could read; 123m77z is five
tiles, - is none. What stands in [ ] may be left out. A text with spaces, ";" or "#" stands in quotes: note='too late'.
Own draws are never written: they follow from the tile before having passed, or from what the seat does next.
Without a "start" before them, events belong to the first hand of a game: E1, seat 0 deals; where another seat discards
first, those before it have discarded what nobody tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to write an event."""

    written: str
    """Words in capitals stand for what is filled in; what is in brackets may be left out."""
    says: str
    example: str


def _form(written: str, says: str, example: str) -> Form:
    return Form(written=written, says=says, example=example)


FORMS: Final = (
    _form(
        "start ROUND scores=N,N,N,N [dealer=SEAT] [honba=N] [deposits=N] [pot=N] [dora=TILE]",
        "a hand is dealt: E1 to N4, points by seat, sticks of 1000 and other points in the pot, the indicator",
        "start E1 scores=25000,25000,25000,25000 honba=1 dora=1z",
    ),
    _form(
        "SEAT discards TILE [sideways] [drawn|hand]",
        "a tile is laid in the river; sideways declares riichi or replaces a called riichi tile",
        "0 discards 5z sideways drawn",
    ),
    _form("pass", "nobody claims the last tile any more", "pass"),
    _form(
        "SEAT chi TILE from SEAT with TILES [points SEAT]",
        "a call, with the caller's own tiles; points: the seat that the turned tile points at",
        "1 chi 3m from 0 with 24m points 0",
    ),
    _form("SEAT pon TILE from SEAT with TILES [points SEAT]", "likewise", "2 pon 5z from 1 with 55z"),
    _form("SEAT kan TILE from SEAT with TILES [points SEAT]", "an open kan", "1 kan 5s from 0 with 550s"),
    _form("SEAT adds TILE", "the fourth tile is laid to an own pon", "2 adds 5z"),
    _form("SEAT closed TILES", "a closed kan", "1 closed 1111m"),
    _form("dora TILE", "a dora indicator is turned", "dora 3p"),
    _form("SEAT ura TILES", "a winner turns the ura indicators", "1 ura 3p4s"),
    _form("SEAT riichi", "riichi is said", "1 riichi"),
    _form("SEAT opens TILES", "the tiles that show the wait of a riichi are laid open", "1 opens 45m"),
    _form("SEAT stick", "a stick of 1000 is laid", "1 stick"),
    _form("SEAT stick-back", "it is taken away again", "1 stick-back"),
    _form("SEAT riichi-told", "people say that the riichi stands, where nobody saw its tile", "1 riichi-told"),
    _form(
        "SEAT ron [from SEAT] [han=N] [fu=N]",
        "a win on another's tile is claimed; han and fu, such as a hand can have, where none is shown",
        "1 ron from 0 han=3 fu=40",
    ),
    _form("SEAT tsumo [han=N] [fu=N]", "a win on the own draw is claimed", "1 tsumo"),
    _form("SEAT withdraws", "the claimed win is taken back", "1 withdraws"),
    _form(
        "SEAT shows TILES [with TILE]",
        "a hand is laid open without its melds; with: the winning tile, apart",
        "1 shows 123456789m11p45s with 6s",
    ),
    _form("SEAT waits TILES", "a seat tells its own wait, in private", "1 waits 36m"),
    _form("SEAT tenpai", "tenpai is said at a draw", "1 tenpai"),
    _form("SEAT noten", "noten is said at a draw", "1 noten"),
    _form("draw", "the wall is used up", "draw"),
    _form(
        "abort REASON [by SEAT]",
        f"an abortive draw is called: {', '.join(reason.value for reason in ABORTS)}",
        "abort nine_terminals by 1",
    ),
    _form("confirm", "people confirm what lies open: the hand is settled, or what is missing is named", "confirm"),
    _form("SEAT puts-back", "the last discard is taken back", "1 puts-back"),
    _form("SEAT puts-back-meld", "the last meld is put back", "1 puts-back-meld"),
    _form("SEAT exposes TILES", "tiles of a hand or of the wall were seen by others", "1 exposes 5z1m"),
    _form(
        "SEAT foul CLAUSE [option=LETTER] [facts=FACT,FACT] [note=TEXT] [by=WHO] [hand=N]",
        "people decide that a foul happened: a clause, an article or a requirement; another option than the rule "
        "set's; what was so, such as deliberate, 'not restorable', exposed=3; the hand of the game that it is about, "
        "from 0",
        "1 foul 'EMA 6.4.3' facts='deliberate,not restorable' note='drew twice' by=owner hand=0",
    ),
    _form(
        "cancel-foul N reason=TEXT [by=WHO] [hand=N]",
        "a logged foul is withdrawn: N counts the fouls of its hand from 0, hand= counts hands from 0",
        "cancel-foul 0 reason='it was misread' by=owner hand=0",
    ),
    _form(
        "told KIND [winN=SEAT:FROM:HAN:FU:YAKUMAN:YAKU:LIABLE] [reason=REASON] [tenpai=SEATS] [nagashi=SEATS] "
        "[riichi=SEATS] [chipsN=N]",
        "people say how the hand ended, payments follow: ron, tsumo, draw or abort; with a yakuman han and fu are -; "
        "each yaku once; chips of each payer, where the rules have any",
        "told ron win0=2:1:3:30:0:riichi+1,dora+2: riichi=02",
    ),
    _form(
        "settled KIND N,N,N,N [winN=SEAT:FROM:HAN:FU:YAKUMAN:POINTS:YAKU] [reason=REASON] [tenpai=SEATS] [deposits=N] "
        "[pot=N] [next=stays] [honba=N] [chips=N,N,N,N]",
        "people end the hand with these payments by seat; what stays on the table, who deals next, its counters",
        "settled ron 0,-3900,3900,0 win0=2:1:3:30:0:3900:tanyao+1,dora+2",
    ),
    _form("time-signal", "time is called: the rules say which hand is the last", "time-signal"),
    _form(
        "end-game [reason=TEXT]", "people end the game here; a hand in play does not count", "end-game reason='late'"
    ),
)
"""Every event that there is."""
EXAMPLE: Final = "1 discards 9s sideways; 1 stick; 2 discards 2z; 3 ron from 1; 3 foul 7-05-14"
"""A question in one line: what becomes of a riichi whose tile is ronned one discard late?"""
