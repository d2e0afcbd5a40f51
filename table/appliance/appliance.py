"""The whole appliance: table, page, camera, panel, backups and watchdog, from one configuration.

Whatever is missing or broken, the table can be kept by hand: a missing camera is retried again and again, an unusable
panel is left out, and the health reports both.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial

from flask import Blueprint

from table.appliance import table_server
from table.appliance.configured_panel import panel_of
from table.appliance.desk_link import DeskLink
from table.appliance.files.data_folder import JOURNAL, create_folder
from table.appliance.machine.page_pulse import check_page
from table.appliance.machine.watchdog import Watchdog
from table.appliance.parts.appliance_basis import ApplianceBasis, appliance_basis
from table.appliance.parts.appliance_health import appliance_health
from table.appliance.parts.appliance_parts import Parts, make_parts
from table.config import LoadedConfig
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.dashboard.owner.clip_pages import blueprint as clip_pages
from table.dashboard.owner.correction_page import blueprint as correction_pages
from table.dashboard.owner.device_page import blueprint as device_pages
from table.dashboard.owner.health_page import health_page
from table.dashboard.web.addresses.network_address import phone_address
from table.dashboard.wizard.setup_pages import blueprint as wizard_pages
from table.game.journal.recovery.journal_backup import BACKUPS
from table.game.journal.recovery.journal_opening import open_journal
from table.game.journal.storage.journal_lock import lock_journal
from table.health.health_report import Health
from table.health.log_buffer import LogBuffer
from table.health.systemd import Notifier
from table.mqtt.mqtt_messages import Message, appeals_message
from table.mqtt.publisher import MqttPublisher, TournamentPart
from table.panel.panel_port import Panel
from table.runtime.clock import Clock, SystemClock, stamp
from table.runtime.memory import give_back_freed_memory
from table.runtime.table_errors import ConfigError

_log = logging.getLogger(__name__)


class Appliance:
    """A running appliance with its parts and their health."""

    def __init__(self, basis: ApplianceBasis, parts: Parts, log_buffer: LogBuffer) -> None:
        """Takes the table, its devices, and the log lines since this start."""
        self._basis, self._parts = basis, parts
        self.log_buffer = log_buffer
        self.config, self.vault, self.clips = basis.config, basis.vault, basis.clips
        self.table, self.loop = basis.table, basis.loop
        self.journal, self.upkeep = basis.table.journal, basis.upkeep
        self.live_camera, self.clip_recorder = parts.live_camera, parts.clip_recorder
        self.setup_wizard, self.device = parts.setup_wizard, parts.device
        self.end_requested = basis.program_end.end_requested
        """Set when the appliance should end."""
        self.port = 0
        """The port of its page; 0 until the page is served."""
        self._problems = (*basis.problems, *parts.problems)
        self._desk = DeskLink(basis.table, basis.clock, basis.loop, name=basis.config.table.name)
        self.publisher = self._new_publisher() if basis.config.mqtt.host else None

    def health(self) -> Health:
        """Returns the current health."""
        return appliance_health(self._basis, self._parts, self.publisher, self._problems)

    @property
    def is_restart_requested(self) -> bool:
        """Whether to restart once the appliance has ended."""
        return self._basis.program_end.is_restart_requested

    @property
    def will_restart(self) -> bool:
        """Whether it will restart, because somebody asked for that or for a backup."""
        return self.upkeep.chosen is not None or self.is_restart_requested

    def pages(self) -> list[Blueprint]:
        """Returns the appliance's pages, in addition to the table's own."""
        parts = self._parts
        pages = [
            health_page(self.health, self.log_buffer, self.upkeep, self.clips),
            device_pages(parts.device),
            wizard_pages(self.table.board, self.vault, parts.setup_wizard),
        ]
        if parts.live_camera is not None:
            pages.append(camera_page(parts.live_camera))
        if parts.learning is not None:
            pages.append(correction_pages(parts.learning))
        if parts.clip_recorder is not None:
            pages.append(clip_pages(parts.clip_recorder.flag, self.clips))
        return pages

    def tournament_part(self) -> TournamentPart:
        """Returns what the table reports to a tournament's desk, and does at its request."""
        return TournamentPart(
            earlier_games=self._desk.earlier_games, appeals=self._appeals, receive_signal=self._desk.receive_signal
        )

    def _appeals(self) -> Message | None:
        """Returns the flagged moments and the address of the pages; None if no clips are kept."""
        if self.clip_recorder is None:
            return None
        page = self.config.page
        scheme = "https" if page.tls_cert else "http"
        return appeals_message(phone_address(page.host, self.port, scheme), self.clips.clips())

    def _new_publisher(self) -> MqttPublisher | None:
        """Returns the connection to the configured broker; None if paho-mqtt is not installed."""
        try:
            return MqttPublisher(
                self.config.mqtt,
                self.config.table.name,
                self.table.board,
                self.health,
                self.tournament_part(),
                place=str(self.config.folder.resolve()),
            )
        except ConfigError as error:
            _log.error("the broker is left out: %s", error)
            self._problems += (f"the broker is left out: {error}",)
            return None


@contextmanager
def run_appliance(
    loaded: LoadedConfig,
    *,
    panel: Callable[[], Panel] | None = None,
    clock: Clock | None = None,
    notifier: Notifier | None = None,
) -> Iterator[Appliance]:
    """Runs an appliance while the context is open.

    Args:
        loaded: the configuration, with its mistakes.
        panel: makes the panel, in place of the configured one.
        clock: the source of the time of day.
        notifier: the connection to systemd.

    Raises:
        ConfigError: the address cannot be used.
        JournalError: another program uses the journal.
    """
    loaded = table_server.with_usable_page(loaded)
    config, clock, notifier = loaded.config, clock or SystemClock(), notifier or Notifier.from_environment()
    if panel is None and config.panel.kind != "none":
        panel = partial(panel_of, config.panel)
    with ExitStack() as stack:
        stack.enter_context(lock_journal(create_folder(config.folder) / JOURNAL))
        opened_journal = open_journal(config.folder / JOURNAL, config.folder / BACKUPS, stamp=stamp(clock))
        stack.enter_context(opened_journal.journal)
        basis, log_buffer = appliance_basis(loaded, opened_journal, clock), LogBuffer()
        logging.getLogger().addHandler(log_buffer)
        stack.callback(logging.getLogger().removeHandler, log_buffer)
        for note in (*basis.problems, *basis.upkeep.notes):
            _log.error("%s", note)
        give_back_freed_memory()
        parts = make_parts(basis, panel, stack, own_log=lambda: log_buffer.lines)
        appliance = Appliance(basis, parts, log_buffer)
        appliance.port = _serve(appliance, stack)
        _start(appliance, parts, notifier, stack)
        yield appliance


def _serve(appliance: Appliance, stack: ExitStack) -> int:
    """Starts loop and page; returns the page's port."""
    page = appliance.config.page
    running = table_server.serve_table(
        appliance.table,
        loop=appliance.loop,
        host=page.host,
        port=page.port,
        secrets=appliance.vault,
        tls=table_server.page_tls(page),
        extra_pages=appliance.pages(),
    )
    return stack.enter_context(running).port


def _start(appliance: Appliance, parts: Parts, notifier: Notifier, stack: ExitStack) -> None:
    """Starts the parts and the watchdog, and notifies systemd."""
    workers = (
        parts.clip_recorder,
        parts.panel,
        parts.live_camera,
        parts.learning,
        appliance.publisher,
        appliance.upkeep.full_check,
    )
    for part in workers:
        if part is not None:
            stack.enter_context(part)
    camera_thread = None if parts.live_camera is None else parts.live_camera.camera_thread
    pulse = partial(check_page, replace(appliance.config.page, port=appliance.port))
    stack.enter_context(Watchdog(appliance.loop, camera_thread, notifier, appliance.upkeep.back_up, check_page=pulse))
    notifier.notify("READY=1", f"STATUS=the table is kept at port {appliance.port}")
    stack.callback(lambda: None if appliance.will_restart else notifier.notify("STOPPING=1"))
