"""Reads the health of an appliance: of its journal, its parts, and the machine."""

from __future__ import annotations

from collections.abc import Sequence

from table.appliance.parts.appliance_basis import ApplianceBasis
from table.appliance.parts.appliance_parts import Parts
from table.appliance.setup.setup_wizard import last_rehearsal
from table.camera.live_camera import LiveCamera
from table.camera.table_place.table_calibration import stored_calibration
from table.health.health_report import CalibrationStatus, Health, JournalStatus, PanelStatus, rounded_status
from table.health.machine import read_machine
from table.mqtt.publisher import MqttPublisher
from table.panel.panel_driver import PanelDriver


def appliance_health(
    basis: ApplianceBasis, parts: Parts, publisher: MqttPublisher | None, problems: Sequence[str]
) -> Health:
    """Returns the current health.

    Args:
        basis: the table and its journal.
        parts: the devices.
        publisher: the connection to the broker; None without one.
        problems: what is wrong with the configuration, and which parts are left out.
    """
    config, upkeep, camera = basis.config, basis.upkeep, parts.live_camera
    table = basis.table
    return Health(
        name=config.table.name,
        now=basis.clock.utc(),
        machine=read_machine(config.folder),
        journal=JournalStatus.of(table.journal, upkeep.notes, upkeep.newest, notices=table.board.latest.notices),
        problems=tuple(filter(None, (*problems, "" if publisher is None else publisher.refusal))),
        camera=None if camera is None else rounded_status(camera.camera_thread.status),
        calibration=_calibration(basis, camera),
        sight=None if camera is None else camera.visibility(),
        panel=PanelStatus() if parts.panel is None else _panel_status(config.panel.kind, parts.panel),
        rehearsed=last_rehearsal(config.folder),
        broker=None if publisher is None else "connected" if publisher.is_connected else "away",
    )


def _panel_status(kind: str, panel: PanelDriver) -> PanelStatus:
    faults = {str(button): fault.value for button, fault in panel.faults.items()}
    return PanelStatus(kind=kind, faults=faults, left_out=panel.left_out)


def _calibration(basis: ApplianceBasis, camera: LiveCamera | None) -> CalibrationStatus | None:
    if camera is None:
        return CalibrationStatus.of(stored_calibration(basis.config))
    return CalibrationStatus.of(camera.table_finder.place, away_mm=camera.table_finder.away_mm)
