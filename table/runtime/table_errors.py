"""What can go wrong around the rules.

TachiaiError
├── UsageError     a command line that cannot be meant                (also a ValueError)
├── PressError     a press that cannot be read or is not allowed now  (also a ValueError)
├── JournalError   a journal that cannot be read or written           (also an OSError)
├── ConfigError    a configuration key, value or file                 (also a ValueError)
└── RecordError    a game record or recording that cannot be read     (also a ValueError)
"""


class TachiaiError(Exception):
    """Base of everything that the table raises on purpose; its text is fit for people."""


class UsageError(TachiaiError, ValueError):
    """A command line that cannot be meant, whatever lies on the disk: values or flags that exclude each other."""


class PressError(TachiaiError, ValueError):
    """A press that cannot be read or is not allowed now.

    `says` names the text ``refused.SAYS`` of the catalogue that tells it to players; `values` are its placeholders.
    """

    def __init__(self, message: str, *, says: str = "", **values: object) -> None:
        """Takes what was expected and what came, and how it is told to players, where the catalogue has it."""
        super().__init__(message)
        self.says, self.values = says, values


class JournalError(TachiaiError, OSError):
    """A journal that cannot be read or written."""


class ConfigError(TachiaiError, ValueError):
    """A configuration that cannot be used: file, key, value and what is allowed."""


class RecordError(TachiaiError, ValueError):
    """A game record or recording that cannot be read: file, place, expected, got."""
