"""What can go wrong around the rules.

TachiaiError
├── UsageError     a command line that cannot be meant                (also a ValueError)
├── PressError     a press that cannot be read or is not allowed now  (also a ValueError)
├── JournalError   a journal that cannot be read or written           (also an OSError)
│   └── NewerJournalError   a journal that a newer version wrote
├── ConfigError    a configuration key, value or file                 (also a ValueError)
└── RecordError    a game record or recording that cannot be read     (also a ValueError)
"""

from __future__ import annotations


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


class NewerJournalError(JournalError):
    """A journal that a newer version of Tachiai wrote: nothing of it was read, and nothing was changed.

    The text is one sentence for the owner. `found` is the journal's format; `backup` is the name of the newest backup
    that this version can read, empty where there is none. Restoring that keeps the newer journal beside it.
    """

    def __init__(self, where: str, *, found: int, read: int, backup: str = "") -> None:
        """Takes the file, its format, the newest format that this version reads, and the backup."""
        instead = f" or restore the backup {backup}" if backup else "; no backup here is of an older one"
        super().__init__(
            f"expected a journal of format {read} in {where}, got format {found}, which a newer version of Tachiai "
            f"wrote: install that version again{instead}"
        )
        self.where, self.found, self.read, self.backup = where, found, read, backup

    def with_backup(self, name: str) -> NewerJournalError:
        """Returns the same with the name of the backup to go back to."""
        return NewerJournalError(self.where, found=self.found, read=self.read, backup=name)


class ConfigError(TachiaiError, ValueError):
    """A configuration that cannot be used: file, key, value and what is allowed."""


class RecordError(TachiaiError, ValueError):
    """A game record or recording that cannot be read: file, place, expected, got."""
