"""Everything that a table can show or people can say: the only input of the rules.

Events never contain hidden information. Time, source and confidence are in the journal's envelope, never here.
Events check their own fields when made; `table.rules.advance` decides whether one *can* happen now.
"""

from __future__ import annotations

from table.rules.events.decision_events import FoulCancelled, FoulLogged, GameEnded, PointsAdjusted, TimeSignal
from table.rules.events.event_fields import CallKind, Origin, WinKind
from table.rules.events.hand_end_events import (
    AbortCalled,
    ClaimsConfirmed,
    DrawReached,
    HandSettled,
    HandShown,
    ResultDeclared,
    TenpaiStated,
    WaitDeclared,
    WinClaimed,
    WinWithdrawn,
)
from table.rules.events.play_events import (
    AddedKan,
    Called,
    ClosedKan,
    Discarded,
    DoraTurned,
    HandStarted,
    PutBack,
    SightLost,
    SightProven,
    TilePassed,
    TilesExposed,
    UraTurned,
)
from table.rules.events.riichi_events import RiichiOpened, RiichiReported, RiichiVoiced, StickPlaced, StickTakenBack

__all__ = [
    "AbortCalled",
    "AddedKan",
    "CallKind",
    "Called",
    "ClaimsConfirmed",
    "ClosedKan",
    "Discarded",
    "DoraTurned",
    "DrawReached",
    "Event",
    "FoulCancelled",
    "FoulLogged",
    "GameEnded",
    "HandSettled",
    "HandShown",
    "HandStarted",
    "Origin",
    "PointsAdjusted",
    "PutBack",
    "ResultDeclared",
    "RiichiOpened",
    "RiichiReported",
    "RiichiVoiced",
    "SightLost",
    "SightProven",
    "StickPlaced",
    "StickTakenBack",
    "TenpaiStated",
    "TilePassed",
    "TilesExposed",
    "TimeSignal",
    "UraTurned",
    "WaitDeclared",
    "WinClaimed",
    "WinKind",
    "WinWithdrawn",
]

Event = (
    HandStarted
    | Discarded
    | SightLost
    | SightProven
    | TilePassed
    | Called
    | AddedKan
    | ClosedKan
    | DoraTurned
    | UraTurned
    | RiichiVoiced
    | RiichiOpened
    | StickPlaced
    | StickTakenBack
    | RiichiReported
    | WinClaimed
    | WinWithdrawn
    | HandShown
    | WaitDeclared
    | TenpaiStated
    | DrawReached
    | AbortCalled
    | ClaimsConfirmed
    | PutBack
    | TilesExposed
    | FoulLogged
    | FoulCancelled
    | ResultDeclared
    | HandSettled
    | TimeSignal
    | PointsAdjusted
    | GameEnded
)
"""Every event, as one closed union, in the order in which the notation lists their forms."""
