"""What the page of health shows, in words of the catalogue. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from table.health.health_report import Health
from table.i18n import Catalogue

View = dict[str, Any]
Row = tuple[str, str, bool]
"""A name, what it is now, and whether somebody should look after it."""
_COPY: Final = re.compile(r".+-0*(\d+)-(\d{4}-\d\d-\d\d)\.backup")


def health_view(told: Health, texts: Catalogue) -> View:
    """Returns the health as rows, and what to look after as sentences."""
    return {
        "ok": told["ok"],
        "troubles": [texts.text(f"health.trouble_{trouble}") for trouble in told["troubles"]],
        "problems": [*told["problems"], *told["panel"]["left_out"], *told["journal"]["notes"]],
        "rows": [
            {"name": texts.text(f"health.{name}"), "value": value, "is_bad": is_bad}
            for name, value, is_bad in _rows(told, texts)
        ],
    }


def copies_view(names: Sequence[str], texts: Catalogue) -> list[View]:
    """Returns each backup with its day and its last entry's number."""
    found = [(name, _COPY.fullmatch(name)) for name in names]
    return [
        {
            "name": name,
            "day": match[2],
            "entry": match[1],
            "sure": texts.text("health.restore_sure", day=match[2], entry=match[1]),
        }
        for name, match in found
        if match is not None
    ]


def _rows(told: Health, texts: Catalogue) -> Iterator[Row]:
    none = texts.text("health.none")
    camera, kept, rehearsed = told["camera"], told["calibration"], told["rehearsed"]
    if camera is None:
        yield "camera", none, False
    else:
        yield from _camera(camera, texts)
        yield "calibration", none if kept is None else _found(kept, told["now"], texts), False
        yield "rehearsed", none if rehearsed is None else _rehearsed(rehearsed, texts), False
    yield from _machine(told["machine"], texts)
    panel = told["panel"]
    yield "panel", _panel(panel, texts) or none, bool(panel["faults"] or panel["left_out"])
    yield from _journal(told["journal"], texts)
    if told["broker"] is not None:
        yield "broker", texts.text(f"health.broker_{told['broker']}"), told["broker"] == "away"
    yield "models", " · ".join(f"{name} {found}" for name, found in told["models"].items()), False
    yield "version", told["version"], False


def _camera(camera: Mapping[str, Any], texts: Catalogue) -> Iterator[Row]:
    is_lost = camera["state"] == "lost"
    yield "camera", texts.text(f"health.camera_{camera['state']}", why=camera["why"]), is_lost
    yield "rate", str(camera["fps"]), False
    age = camera["age_s"]
    yield "age", texts.text("health.unknown") if age is None else texts.text("health.ago", seconds=age), is_lost
    yield "look", texts.text("health.ms", ms=camera["look_ms"], most=camera["look_ms_most"]), False


def _found(kept: Mapping[str, Any], now: str, texts: Catalogue) -> str:
    """When and how the table was found, and how many days ago as far as the clocks of then and now can be trusted."""
    said = f"{kept['when'][:16].replace('T', ' ')} {kept['by']}".strip()
    try:
        days = (datetime.fromisoformat(now) - datetime.fromisoformat(kept["when"])).days
    except (TypeError, ValueError):
        return said
    return f"{said}, {texts.text('health.days', days=days)}" if days > 0 else said


def _rehearsed(rehearsed: Mapping[str, Any], texts: Catalogue) -> str:
    return texts.text(
        "health.rehearsed_said",
        right=rehearsed["right"],
        steps=rehearsed["steps"],
        when=str(rehearsed["when"])[:16].replace("T", " "),
    )


def _machine(machine: Mapping[str, Any], texts: Catalogue) -> Iterator[Row]:
    unknown = texts.text("health.unknown")
    heat, disk, memory = machine["heat_c"], machine["disk_free_mb"], machine["memory_mb"]
    power = [texts.text(f"health.{what}") for what in machine["power"]]
    clock = {True: "health.clock_set", False: "health.clock_unset", None: "health.unknown"}[machine["is_clock_set"]]
    yield "computer", machine["model"], False
    yield "heat", unknown if heat is None else f"{heat:.0f} °C", "heat" in machine["troubles"]
    is_weak = any(not what.endswith("_before") for what in machine["power"])
    yield "power", ", ".join(power) or texts.text("health.power_good"), is_weak
    yield "disk", unknown if disk is None else f"{disk / 1000:.1f} GB", "disk" in machine["troubles"]
    yield "memory", unknown if memory is None else f"{memory:.0f} MB", False
    yield "clock", texts.text(clock), False


def _panel(panel: Mapping[str, Any], texts: Catalogue) -> str:
    faults = [texts.text(f"health.fault_{fault}", button=button) for button, fault in panel["faults"].items()]
    return ", ".join([*(() if panel["kind"] == "none" else (panel["kind"],)), *faults])


def _journal(journal: Mapping[str, Any], texts: Catalogue) -> Iterator[Row]:
    said = [texts.text("health.entries", count=journal["entries"])]
    if journal["waiting"]:
        said.append(texts.text("health.waiting", count=journal["waiting"]))
    yield "journal", ", ".join([*said, *([journal["trouble"]] if journal["trouble"] else [])]), bool(journal["trouble"])
