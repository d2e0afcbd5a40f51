"""The errors of the rules.

RulesError
├── NotationError         text that is not a tile, round, hand …       (also a ValueError)
├── InvalidValueError     a value made with impossible fields          (also a ValueError)
└── ImpossibleEventError  an event that cannot have happened; the state is unchanged (also a ValueError)

Irregular acts that are physically possible (out of turn, a wrong meld …) are no errors: they return a suspicion.
"""


class RulesError(Exception):
    """Base class of the errors that the rules raise.

    `says` names the sentence shown to players, if there is one; `values` are the sentence's arguments.
    """

    def __init__(self, message: str, *, says: str = "", **values: object) -> None:
        """Takes a message that names what was expected and what was found."""
        super().__init__(message)
        self.says, self.values = says, values


class NotationError(RulesError, ValueError):
    """Text that cannot be read; the message names what was expected and what was found."""


class InvalidValueError(RulesError, ValueError):
    """A value whose fields contradict each other or are out of range."""


class ImpossibleEventError(RulesError, ValueError):
    """An event that is physically impossible; nothing was changed."""
