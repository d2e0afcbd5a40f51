"""The rights for commands from browsers. Every seat may give any command that is not listed here.

The panel and recordings need no rights: their buttons are pressed in front of everybody. The game's writer checks which
hand of which game a command refers to (`table.game.new_entries.amendments`), since another phone may have been faster.
"""

from __future__ import annotations

from typing import Final

from table.dashboard.web.access.roles import Role, Visitor
from table.game.commands import game_commands as commands
from table.game.commands.game_commands import Command
from table.game.snapshot import Mode
from table.runtime.table_errors import PressError

OWNERS: Final = (commands.OpenGame, commands.EndGame, commands.CallTime)
"""Commands of the table's owner."""


def least_role(kind: type[Command]) -> Role:
    """Returns the role that a command of this kind requires at least, whatever it contains."""
    return Role.OWNER if kind in OWNERS else Role.SEAT


def may_adjust(role: Role, mode: Mode) -> bool:
    """Returns whether a visitor may correct points by hand: at home anybody at the table, else only the owner."""
    return role is Role.OWNER or (role is Role.SEAT and mode is Mode.HOME)


def refusal(command: Command, visitor: Visitor, mode: Mode = Mode.HOME) -> PressError | None:
    """Returns why a visitor at the table may not give a command in this mode; None if nothing forbids it."""
    match command:
        case commands.LogFoul() | commands.CancelFoul() | commands.PressFoulButton() | commands.PressTableButton():
            return PressError(
                f"expected a command that a single phone may send, got {command.word!r}: name the foul instead",
                says="name_foul",
            )
        case commands.DeclareWait(seat=seat) if seat is not visitor.seat:
            return PressError("expected a seat to declare its own wait, got another seat", says="own_wait")
        case commands.AdjustPoints() if not may_adjust(visitor.role, mode):
            return PressError("expected the owner of the table for correcting points", says="owner")
        case _ if least_role(type(command)) is Role.OWNER and not visitor.is_owner:
            return PressError("expected the owner of the table for this", says="owner")
        case _:
            return None
