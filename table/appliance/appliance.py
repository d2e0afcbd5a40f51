"""The whole appliance: table, page, camera, panel, backups and watchdog, from one configuration.

Whatever is missing or broken, the table can be kept by hand: a missing camera is retried again and again, an unusable
panel is left out, and the health reports both.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from flask import Blueprint

from table.appliance import table_server
from table.appliance.configured_panel import panel_of
from table.appliance.data_folder import CLIPS, JOURNAL, SECRETS, made_folder
from table.appliance.desk_link import DeskLink
from table.appliance.device_control import DeviceControl
from table.appliance.journal_upkeep import JournalUpkeep
from table.appliance.page_pulse import check_page
from table.appliance.private_files import closed_files
from table.appliance.setup.owner_choices import FILE as CHOICES
from table.appliance.setup.owner_choices import ChoicesFile
from table.appliance.setup.setup_wizard import SetupWizard, last_rehearsal
from table.appliance.watchdog import Watchdog
from table.camera.clips.clip_folder import ClipFolder
from table.camera.clips.clip_recorder import ClipRecorder
from table.camera.correction_learning import CorrectionLearning
from table.camera.live_camera import LiveCamera
from table.camera.table_place.table_calibration import stored_calibration
from table.config import Config, Loaded
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.dashboard.owner.clip_pages import MEGABYTE
from table.dashboard.owner.clip_pages import blueprint as clip_pages
from table.dashboard.owner.correction_page import blueprint as correction_pages
from table.dashboard.owner.device_page import blueprint as device_pages
from table.dashboard.owner.health_page import health_page
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.network_address import phone_address
from table.dashboard.wizard.setup_pages import blueprint as wizard_pages
from table.game.game_commands import Press
from table.game.journal.recovery.journal_backup import BACKUPS
from table.game.journal.recovery.journal_opening import OpenedJournal, open_journal
from table.game.journal.storage.journal_lock import lock_journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.health.health_report import CalibrationStatus, Health, JournalStatus, PanelStatus, rounded
from table.health.log_buffer import LogBuffer
from table.health.machine import read_machine
from table.health.overlay import memory_warnings
from table.health.systemd import Notifier
from table.mqtt.mqtt_messages import appeals_message
from table.mqtt.publisher import MqttPublisher, TournamentPart
from table.panel.panel_driver import PanelDriver
from table.panel.panel_port import Panel
from table.rulebook import rules_named
from table.runtime.clock import Clock, SystemClock, stamp
from table.runtime.table_errors import ConfigError, PressError
from vision.recording.frame_buffer import FrameBuffer

ANSWER_S: Final = 0.5
"""Delay of a requested end, so that the page that requested it still gets an answer."""
_log = logging.getLogger(__name__)


class Appliance:
    """A running appliance with its parts and their health."""

    def __init__(self, loaded: Loaded, opened: OpenedJournal, clock: Clock) -> None:
        """Takes the configuration, the opened journal, and the repairs made to it."""
        self.config = loaded.config
        self.journal = opened.journal
        self.table = _table(loaded.config, opened, clock)
        self.log_buffer = LogBuffer()
        self.port = 0
        self.ended = threading.Event()
        """Set when the appliance should end."""
        self.restart_requested = False
        """Whether to restart once the appliance has ended."""
        self.loop: TableLoop | None = None
        self.live_camera: LiveCamera | None = None
        self.learning: CorrectionLearning | None = None
        folder = loaded.config.folder
        self._problems = [*loaded.problems, *loaded.warnings, *closed_files(folder, secrets=SECRETS)]
        self._problems.extend(memory_warnings(folder))
        self.vault = _vault(folder / SECRETS, self._problems)
        self.panel: PanelDriver | None = None
        self.setup_wizard: SetupWizard | None = None
        self.clip_recorder: ClipRecorder | None = None
        clips = loaded.config.clips
        self.clips = ClipFolder(loaded.config.folder / CLIPS, days=clips.days, most_bytes=clips.disk_mb * MEGABYTE)
        self.publisher: MqttPublisher | None = None
        file_config = loaded.file_config or loaded.config
        self.choices_file = ChoicesFile(loaded.config.folder / CHOICES, file_config)
        self.device = DeviceControl(
            self.choices_file,
            file_config,
            self.table.board,
            live_camera=lambda: self.live_camera,
            request_restart=self.request_restart,
            own_log=lambda: self.log_buffer.lines,
        )
        self._clock = clock
        self._desk = DeskLink(self.table, clock, lambda: self.loop)
        trouble = self.table.start_trouble
        self.upkeep = JournalUpkeep(
            self.journal,
            loaded.config.folder / JOURNAL,
            notes=(*opened.notes, trouble) if trouble else opened.notes,
            backups=loaded.config.folder / BACKUPS,
            keep=loaded.config.table.backups,
            clock=clock,
            end=self._end_after_answer,
        )

    def health(self) -> Health:
        """Returns the current health."""
        panel = PanelStatus()
        if self.panel is not None:
            faults = {str(button): fault.value for button, fault in self.panel.faults.items()}
            panel = PanelStatus(kind=self.config.panel.kind, faults=faults, left_out=self.panel.left_out)
        return Health(
            name=self.config.table.name,
            now=self._clock.utc(),
            machine=read_machine(self.config.folder),
            journal=JournalStatus.of(self.journal, self.upkeep.notes, self.upkeep.newest),
            problems=tuple(filter(None, (*self._problems, "" if self.publisher is None else self.publisher.refusal))),
            camera=None if self.live_camera is None else rounded(self.live_camera.camera_thread.status),
            calibration=CalibrationStatus.of(
                stored_calibration(self.config) if self.live_camera is None else self.live_camera.table_finder.stored
            ),
            sight=None if self.live_camera is None else self.live_camera.visibility(),
            panel=panel,
            rehearsed=last_rehearsal(self.config.folder),
            broker=None if self.publisher is None else "connected" if self.publisher.is_connected else "away",
        )

    def _end_after_answer(self) -> None:
        later = threading.Timer(ANSWER_S, self.ended.set)
        later.daemon = True
        later.start()

    @property
    def will_restart(self) -> bool:
        """Whether a restart was requested."""
        return self.upkeep.chosen is not None or self.restart_requested

    def request_restart(self) -> None:
        """Requests a restart, which `run_appliance`'s caller carries out."""
        self.restart_requested = True
        self._end_after_answer()

    def pages(self) -> list[Blueprint]:
        """Returns the appliance's pages, in addition to the table's own."""
        table = self.table
        pages = [
            health_page(self.health, self.log_buffer, self.upkeep, self.clips),
            device_pages(self.device),
            wizard_pages(table.board, self.vault, lambda: self.setup_wizard),
        ]
        if self.config.camera.source != "none":
            pages += [camera_page(self), correction_pages(lambda: self.learning)]
            if self.config.clips.seconds:
                pages.append(clip_pages(self.flag, self.clips))
        return pages

    def flag(self, by: str) -> float:
        """Saves the camera's last minutes as a clip; returns its length in seconds.

        Raises:
            PressError: nothing has been seen yet, or clips are turned off.
        """
        if self.clip_recorder is None:
            raise PressError("expected a camera and [clips] seconds above 0, got no pictures to keep", says="no_moment")
        return self.clip_recorder.flag(by)

    def picture(self) -> bytes | None:
        """Returns the camera's latest view as a JPEG, with standing hands painted over."""
        return None if self.live_camera is None else self.live_camera.picture()

    def tile_picture(self, number: int) -> bytes | None:
        """Returns one lying tile as a JPEG."""
        return None if self.live_camera is None else self.live_camera.tile_picture(number)

    def take_parts(self, loop: TableLoop, panel: Callable[[], Panel] | None) -> None:
        """Opens the configured panel, camera and broker; `panel` makes a different panel."""
        config = self.config
        if panel is not None or config.panel.kind != "none":
            self.take_panel(loop.handle, panel or partial(panel_of, config.panel))
        if config.camera.source != "none":
            self.clip_recorder = self._moments(loop) if config.clips.seconds else None
            observers = () if self.clip_recorder is None else (self.clip_recorder.observe,)
            self.live_camera = LiveCamera(
                config, loop, self._clock, observers=observers, is_between_hands=self._is_between_hands
            )
            self.table.board.call_on_change(self.live_camera.camera_thread.pace.wake)
            self.learning = CorrectionLearning(
                self.table.board,
                loop.entries,
                self.live_camera.tile_sets,
                example=self.live_camera.example,
                after=self.journal.last,
            )
        if config.mqtt.host:
            self.take_broker()
        self.setup_wizard = SetupWizard(
            config,
            self.choices_file,
            self.table.board,
            live_camera=self.live_camera,
            panel=self.panel,
            play_as=loop.send,
            handle=loop.handle,
        )

    def _moments(self, loop: TableLoop) -> ClipRecorder:
        clips, tiles = self.config.clips, self.config.tiles
        return ClipRecorder(
            FrameBuffer(seconds=clips.seconds, most_bytes=clips.memory_mb * MEGABYTE, fps=clips.fps),
            self.clips,
            fps=clips.fps,
            tile=tiles.size,
            red=tiles.red,
            board=self.table.board,
            inbox=loop,
            crop=self.tile_picture,
        )

    def _is_between_hands(self) -> bool:
        hand = self.table.board.latest.game.live
        return hand is None or hand.discards == 0

    def take_panel(self, press: Callable[[Press], None], make_panel: Callable[[], Panel]) -> None:
        """Opens a panel, or leaves it out if it cannot be used."""
        settings = self.config.panel
        try:
            panel = make_panel()
        except ConfigError as error:
            _log.error("the panel is left out: %s", error)
            self._problems.append(f"the panel is left out: {error}")
            return
        self.panel = PanelDriver(
            panel,
            self.table.board,
            press,
            flag=lambda seat: self.flag(f"seat {int(seat)}"),
            hold_s=settings.hold_s,
            brightness=settings.brightness,
        )

    def take_broker(self) -> None:
        """Connects the configured broker, or leaves it out if paho-mqtt is not installed."""
        try:
            self.publisher = MqttPublisher(
                self.config.mqtt,
                self.config.table.name,
                self.table.board,
                self.health,
                self.tournament_part(),
                place=str(self.config.folder.resolve()),
            )
        except ConfigError as error:
            _log.error("the broker is left out: %s", error)
            self._problems.append(f"the broker is left out: {error}")

    def tournament_part(self) -> TournamentPart:
        """Returns what the table reports to a tournament's desk, and does at its request."""
        keeps_clips = self.config.camera.source != "none" and bool(self.config.clips.seconds)
        page = self.config.page
        scheme = "https" if page.tls_cert else "http"
        return TournamentPart(
            earlier=self._desk.earlier_games,
            appeals=lambda: (
                appeals_message(phone_address(page.host, self.port, scheme), self.clips.clips())
                if keeps_clips
                else None
            ),
            hear=self._desk.hear,
        )


@contextmanager
def run_appliance(
    loaded: Loaded,
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
    with ExitStack() as stack:
        stack.enter_context(lock_journal(made_folder(config.folder) / JOURNAL))
        opened = open_journal(config.folder / JOURNAL, config.folder / BACKUPS, stamp=stamp(clock))
        stack.enter_context(opened.journal)
        appliance = Appliance(loaded, opened, clock)
        logging.getLogger().addHandler(appliance.log_buffer)
        stack.callback(logging.getLogger().removeHandler, appliance.log_buffer)
        for note in (*appliance._problems, *appliance.upkeep.notes):
            _log.error("%s", note)
        loop = _serve(appliance, stack)
        appliance.take_parts(loop, panel)
        camera_thread = None if appliance.live_camera is None else appliance.live_camera.camera_thread
        for part in (
            appliance.clip_recorder,
            appliance.panel,
            appliance.live_camera,
            appliance.learning,
            appliance.publisher,
            appliance.upkeep.full_check,
        ):
            if part is not None:
                stack.enter_context(part)
        pulse = partial(check_page, replace(config.page, port=appliance.port))
        stack.enter_context(Watchdog(loop, camera_thread, notifier, appliance.upkeep.back_up, check_page=pulse))
        notifier.notify("READY=1", f"STATUS=the table is kept at port {appliance.port}")
        stack.callback(lambda: None if appliance.will_restart else notifier.notify("STOPPING=1"))
        yield appliance


def _serve(appliance: Appliance, stack: ExitStack) -> TableLoop:
    """Starts loop and page."""
    page = appliance.config.page
    live = stack.enter_context(
        table_server.serve_table(
            appliance.table,
            host=page.host,
            port=page.port,
            secrets=appliance.vault,
            tls=table_server.page_tls(page),
            more=appliance.pages(),
        )
    )
    appliance.port, appliance.loop = live.port, live.loop
    return live.loop


def _table(config: Config, opened: OpenedJournal, clock: Clock) -> Table:
    return Table(
        journal=opened.journal,
        referee=Referee(),
        ruleset=rules_named(config.table.ruleset).play,
        clock=clock,
        mode=config.mode,
        notices=opened.notices,
    )


def _vault(path: Path, problems: list[str]) -> Vault:
    """Returns the table's secrets; temporary ones if the file is damaged or cannot be written."""
    try:
        return Vault(path)
    except ConfigError as error:
        if path.exists():
            problems.append(f"{error}: there is no owner until the file is repaired, or deleted and a new PIN chosen")
            _log.error("%s", problems[-1])
            return Vault.shut()
        _log.error("%s: all phones have to join again after the next start", error)
        return Vault(None)
