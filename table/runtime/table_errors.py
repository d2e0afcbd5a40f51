"""The errors of the table, outside the rules.

TachiaiError
├── UsageError     a command line that makes no sense                 (also a ValueError)
├── PressError     a press that cannot be read or is not allowed now  (also a ValueError)
├── JournalError   a journal that cannot be read or written           (also an OSError)
│   └── NewerJournalError   a journal that a newer version wrote
├── ConfigError    a configuration key, value or file                 (also a ValueError)
└── RecordError    a game record or recording that cannot be read     (also a ValueError)
"""

from __future__ import annotations


class TachiaiError(Exception):
    """Base class of the table's errors; the text is meant for users."""


class UsageError(TachiaiError, ValueError):
    """A command line that is contradictory, such as flags that exclude each other."""


class PressError(TachiaiError, ValueError):
    """A press that cannot be read or is not allowed now.

    `says` names the catalogue text ``refused.SAYS`` that explains it to players; `values` fill its placeholders.
    """

    def __init__(self, message: str, *, says: str = "", **values: object) -> None:
        """Takes the message, and the catalogue text for players, if there is one."""
        super().__init__(message)
        self.says, self.values = says, values


class JournalError(TachiaiError, OSError):
    """A journal that cannot be read or written."""


class NewerJournalError(JournalError):
    """A journal written by a newer version of Tachiai; it was neither read nor changed.

    The text is one sentence for the owner. `found` is the journal's format; `backup` is the name of the newest backup
    that this version can read, empty if there is none. Restoring it keeps the newer journal beside it.
    """

    def __init__(self, path: str, *, found: int, newest: int, backup: str = "") -> None:
        """Takes the file, its format, the newest format that this version reads, and the backup's name."""
        instead = f" or restore the backup {backup}" if backup else "; there is no backup in an older format"
        super().__init__(
            f"expected a journal of format {newest} in {path}, got format {found}, which a newer version of Tachiai "
            f"wrote: install that version again{instead}"
        )
        self.path, self.found, self.newest, self.backup = path, found, newest, backup

    def with_backup(self, name: str) -> NewerJournalError:
        """Returns the same error with the name of the backup to restore."""
        return NewerJournalError(self.path, found=self.found, newest=self.newest, backup=name)


class ConfigError(TachiaiError, ValueError):
    """A configuration that cannot be used; the text names file, key, value and what is allowed."""


class RecordError(TachiaiError, ValueError):
    """A game record or recording that cannot be read; the text names file, place, expected and got."""
