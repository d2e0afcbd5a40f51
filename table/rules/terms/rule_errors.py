"""What can go wrong inside the rules.

RulesError
├── NotationError         text that is no tile, round, hand …          (also a ValueError)
├── InvalidValueError     a value made with fields that cannot be      (also a ValueError)
└── ImpossibleEventError  an event that cannot have happened: state is left as it was (also a ValueError)

Irregular acts that hands *can* do (out of turn, a wrong meld …) are no errors: they return a suspicion.
"""


class RulesError(Exception):
    """Base of everything that the rules raise on purpose.

    `says` names how it is told to players, where that is known; `values` are what the sentence needs.
    """

    def __init__(self, message: str, *, says: str = "", **values: object) -> None:
        """Takes what was expected and what came."""
        super().__init__(message)
        self.says, self.values = says, values


class NotationError(RulesError, ValueError):
    """Text that cannot be read: the message says what was expected and what came."""


class InvalidValueError(RulesError, ValueError):
    """A value built from fields that contradict each other or lie outside their range."""


class ImpossibleEventError(RulesError, ValueError):
    """An event that cannot lie on a table; nothing was changed."""
