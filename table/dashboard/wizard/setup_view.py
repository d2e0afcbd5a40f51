"""The content of the set-up pages, in the catalogue's words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.dashboard.web.view import View, face_view
from table.dashboard.wizard.setup_port import (
    GuideState,
    GuideStatus,
    GuideStep,
    ScanStatus,
    SeenEvent,
    SetupPort,
    TablePlace,
)
from table.i18n import Catalogue, tile_name
from table.rules.terms.seats import Seat

OPTIONAL_STEPS: Final = ("pin", "mode")
"""Optional pages, listed in the last step."""
STEPS: Final = (
    "language",
    "rules",
    "names",
    "camera",
    "place",
    "tiles",
    "panel",
    "rehearsal",
    "invite",
    *OPTIONAL_STEPS,
)


def applicable_steps(tools: SetupPort) -> tuple[str, ...]:
    """Returns the steps that apply, in order: four, and those of the camera and the panel if there are any."""
    absent = {*OPTIONAL_STEPS, *(() if tools.has_camera else ("camera", "place", "tiles", "rehearsal"))}
    absent |= {"panel"} if tools.trial is None else set()
    return tuple(step for step in STEPS if step not in absent)


def steps_view(tools: SetupPort, texts: Catalogue) -> list[View]:
    """Returns every step that applies, with its name and state."""
    states = {step: tools.steps.get(step, "open") for step in applicable_steps(tools)}
    return [
        {
            "step": step,
            "name": texts.text(f"wizard.step_{step}"),
            "state": state,
            "said": texts.text(f"wizard.state_{state}"),
        }
        for step, state in states.items()
    ]


def unmarked_view(place: TablePlace | None, texts: Catalogue) -> str:
    """Returns why the table was found by its felt; empty if it was not, or if no marker was seen at all."""
    if place is None or not place.unmarked:
        return ""
    corners = " · ".join(texts.text(f"wizard.corner_{corner}") for corner in place.unmarked)
    return texts.text("wizard.place_felt", corners=corners)


def scan_view(status: ScanStatus, texts: Catalogue) -> View:
    """Returns the state of the scan, with sentences about confused faces."""

    def each(key: str, face: str, other: str, **fields: str) -> str:
        return texts.text(key, face=tile_name(face, texts), other=tile_name(other, texts), **fields)

    readiness = status.readiness
    is_ready = readiness is not None and readiness.is_ready
    verdict = "ready" if is_ready else "not_ready"
    confused = () if readiness is None else readiness.confused
    return {
        "looks": status.scans,
        "ready": is_ready,
        "verdict": ""
        if readiness is None
        else texts.text(f"wizard.tiles_{verdict}", share=_percentage(readiness.score)),
        "lines": [
            each("wizard.tiles_confused", face, other, share=_percentage(part)) for face, other, part in confused
        ],
        "misreadings": [each("wizard.tiles_misread", face, other) for face, other in status.misread],
    }


def rehearsal_view(status: GuideStatus, texts: Catalogue) -> View:
    """Returns the state of the rehearsal: what to do, what was seen instead, results so far, what to trust."""
    steps = [_step_view(step, texts) for step in status.steps]
    is_going = status.state is GuideState.GOING and status.done < len(steps)
    return {
        "state": status.state.value,
        "number": status.done,
        "count": len(steps),
        "present": steps[status.done] if is_going else None,
        "doubt": None if status.doubt is None else _seen_view(status.doubt, texts),
        "is_taking_back": status.is_taking_back,
        "done": steps[: status.done],
        "trust": [
            {
                "name": texts.text(f"wizard.ability_{name}"),
                "trust": trust or "none",
                "said": texts.text(f"wizard.trust_{trust or 'none'}"),
            }
            for name, trust in status.trust.items()
        ],
        "advice": [texts.text(f"wizard.advice_{advice}") for advice in status.advice],
        "needs": needed_tiles(status.steps),
    }


def needed_tiles(steps: Sequence[GuideStep]) -> list[str]:
    """Returns the tiles needed, in the usual order."""
    tiles = [tile for step in steps for tile in step.tiles]
    return sorted(tiles, key=lambda tile: (tile[1], tile[0]))


def _step_view(step: GuideStep, texts: Catalogue) -> View:
    seen = step.seen
    return {
        "what": step.kind,
        "seat": step.seat,
        "tiles": [face_view(tile, texts) for tile in step.tiles],
        "do": _sentence(f"wizard.do_{step.kind}", step.seat, texts),
        "how": step.result,
        "said": "" if step.result is None else texts.text(f"wizard.how_{step.result}"),
        "seen": None if seen is None or step.result == "right" else _seen_view(seen, texts),
        "surety": "" if seen is None else _percentage(seen.surety),
        "seconds": "" if seen is None or seen.seconds is None else f"{seen.seconds:.1f}",
    }


def _seen_view(event: SeenEvent, texts: Catalogue) -> View:
    return {
        "said": _sentence(f"wizard.saw_{event.kind}", event.seat, texts),
        "tiles": [face_view(tile, texts) for tile in event.tiles],
        "surety": _percentage(event.surety),
    }


def _sentence(key: str, seat: Seat | None, texts: Catalogue) -> str:
    return texts.text(key, seat="" if seat is None else texts.text("page.seat_number", number=seat + 1))


def _percentage(part: float) -> str:
    return f"{100 * part:.0f} %"
