"""What an appliance has before any device: with it alone, the table can be kept by hand."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.appliance.files.data_folder import CLIPS, JOURNAL, SECRETS
from table.appliance.files.journal_upkeep import JournalUpkeep
from table.appliance.files.private_files import closed_files
from table.appliance.parts.program_end import ProgramEnd
from table.appliance.setup.owner_choices import FILE as CHOICES
from table.appliance.setup.owner_choices import ChoicesFile
from table.camera.clips.clip_folder import ClipFolder
from table.config import Config, LoadedConfig
from table.dashboard.owner.clip_pages import MEGABYTE
from table.dashboard.web.access.vault import Vault
from table.game.journal.recovery.journal_backup import BACKUPS
from table.game.journal.recovery.journal_opening import OpenedJournal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.health.machine import is_clock_set
from table.health.memory_overlay import memory_warnings
from table.rulebook import rules_named
from table.runtime.clock import Clock
from table.runtime.table_errors import ConfigError

COMPLETE_SOURCES: Final = ("recording", "drawn")
"""Cameras that show every discard of their hands, which are shorter than a wall."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplianceBasis:
    """The table with its journal and loop, and what the owner keeps in the data folder."""

    config: Config
    file_config: Config
    """The configuration without the owner's choices."""
    clock: Clock
    table: Table
    loop: TableLoop
    """The table's thread, which is not started yet."""
    vault: Vault
    choices_file: ChoicesFile
    clips: ClipFolder
    upkeep: JournalUpkeep
    program_end: ProgramEnd
    problems: tuple[str, ...]
    """What is wrong with configuration and data folder."""


def appliance_basis(loaded: LoadedConfig, opened_journal: OpenedJournal, clock: Clock) -> ApplianceBasis:
    """Returns the basis of an appliance.

    Args:
        loaded: the configuration, with its mistakes.
        opened_journal: the open journal, with the repairs made to it.
        clock: the source of the time of day.
    """
    config, program_end = loaded.config, ProgramEnd()
    folder, file_config = config.folder, loaded.file_config or config
    table = _table(config, opened_journal, clock)
    problems = [*loaded.problems, *loaded.warnings, *closed_files(folder, secrets=SECRETS), *memory_warnings(folder)]
    vault, problem = _vault(folder / SECRETS)
    trouble = table.start_trouble
    return ApplianceBasis(
        config=config,
        file_config=file_config,
        clock=clock,
        table=table,
        loop=TableLoop(table),
        vault=vault,
        choices_file=ChoicesFile(folder / CHOICES, file_config),
        clips=ClipFolder(
            folder / CLIPS,
            days=config.clips.days,
            most_bytes=config.clips.disk_mb * MEGABYTE,
            is_clock_set=is_clock_set,
        ),
        upkeep=JournalUpkeep(
            opened_journal.journal,
            folder / JOURNAL,
            notes=(*opened_journal.notes, trouble) if trouble else opened_journal.notes,
            backups=folder / BACKUPS,
            keep=config.table.backups,
            clock=clock,
            end=program_end.end_after_answer,
        ),
        program_end=program_end,
        problems=(*problems, *filter(None, (problem,))),
    )


def _table(config: Config, opened_journal: OpenedJournal, clock: Clock) -> Table:
    return Table(
        journal=opened_journal.journal,
        referee=Referee(is_complete=config.camera.source in COMPLETE_SOURCES),
        ruleset=rules_named(config.table.ruleset).ruleset,
        clock=clock,
        mode=config.mode,
        notices=opened_journal.notices,
    )


def _vault(path: Path) -> tuple[Vault, str]:
    """Returns the table's secrets, temporary ones if the file is damaged or cannot be written, and what is wrong."""
    try:
        return Vault(path), ""
    except ConfigError as error:
        if path.exists():
            problem = f"{error}: there is no owner until the file is repaired, or deleted and a new PIN chosen"
            _log.error("%s", problem)
            return Vault.ownerless(), problem
        _log.error("%s: all phones have to join again after the next start", error)
        return Vault(None), ""
