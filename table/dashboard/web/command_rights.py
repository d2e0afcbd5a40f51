"""The rights for commands from browsers. Every seat may give any command that is not listed here.

The panel and recordings need no rights: their buttons are pressed in front of everybody. The game's writer checks which
hand of which game a command refers to (`table.game.amendments`), since another phone may have been faster.
"""

from __future__ import annotations

from typing import Final

from table.dashboard.web.roles import Role, Visitor
from table.game import game_commands as commands
from table.game.game_commands import Command
from table.game.snapshot import Mode
from table.runtime.table_errors import PressError

OWNERS: Final = (commands.OpenGame, commands.EndGame, commands.CallTime)
"""Commands of the table's owner."""


def least_role(kind: type[Command]) -> Role:
    """Returns what a browser must be at least for a command of this kind, whatever it says."""
    return Role.OWNER if kind in OWNERS else Role.SEAT


def may_adjust(role: Role, mode: Mode) -> bool:
    """Whether somebody may put points right by hand: at home whoever sits there, else the owner alone."""
    return role is Role.OWNER or (role is Role.SEAT and mode is Mode.HOME)


def refusal(command: Command, visitor: Visitor, mode: Mode = Mode.HOME) -> PressError | None:
    """Returns why somebody at the table may not give a command in that mode; None where nothing stands against it."""
    match command:
        case commands.LogFoul() | commands.CancelFoul() | commands.PressFoulButton() | commands.PressTableButton():
            return PressError(
                f"expected a press that one phone may send, got {command.word!r}: name the foul instead",
                says="name_foul",
            )
        case commands.DeclareWait(seat=seat) if seat is not visitor.seat:
            return PressError("expected the seat itself to tell its wait, got another one", says="own_wait")
        case commands.AdjustPoints() if not may_adjust(visitor.role, mode):
            return PressError("expected the owner of the table to put points right", says="owner")
        case _ if least_role(type(command)) is Role.OWNER and visitor.role is not Role.OWNER:
            return PressError("expected the owner of the table for this", says="owner")
        case _:
            return None
