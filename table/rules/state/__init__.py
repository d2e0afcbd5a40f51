"""The known state of a game and of the hand being played: immutable, made anew by each event.

The state contains only what was seen on the table or said by people, and what follows from it: no hidden tiles. What
depends on nobody claiming a tile waits in `HandState.claimable_tile` until it has passed (see `table.rules.advance`).
"""

from table.rules.state.game_state import Adjustment, FinishedHand, GameState, Step
from table.rules.state.hand_state import HandState, Phase, VoidCall
from table.rules.state.laid_tiles import DRAWS, Claim, LaidKind, LaidTile, Pao, RiverTile
from table.rules.state.logged_foul import LoggedFoul
from table.rules.state.missing_fact import FactKind, MissingFact
from table.rules.state.riichi_status import Furiten, Ippatsu, Riichi, RiichiStage
from table.rules.state.seen_play import Gap, SeenPlay

__all__ = [
    "DRAWS",
    "Adjustment",
    "Claim",
    "FactKind",
    "FinishedHand",
    "Furiten",
    "GameState",
    "Gap",
    "HandState",
    "Ippatsu",
    "LaidKind",
    "LaidTile",
    "LoggedFoul",
    "MissingFact",
    "Pao",
    "Phase",
    "Riichi",
    "RiichiStage",
    "RiverTile",
    "SeenPlay",
    "Step",
    "VoidCall",
]
