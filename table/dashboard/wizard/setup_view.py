"""What the pages of the first start show, in words of the catalogue. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from table.dashboard.wizard.setup_port import Tools
from table.i18n import Catalogue, tile_name

STEPS: Final = ("language", "pin", "mode", "rules", "camera", "place", "tiles", "panel", "rehearsal")
View = dict[str, Any]


def steps_view(tools: Tools, has_pin: bool, texts: Catalogue) -> list[View]:
    """Returns every step with its name and how it is."""
    kept = {**tools.steps, **({"pin": "done"} if has_pin else {})}
    absent = set() if tools.has_camera else {"camera", "place", "tiles", "rehearsal"}
    absent |= {"panel"} if tools.trial is None else set()
    states = {step: "absent" if step in absent else kept.get(step, "open") for step in STEPS}
    return [
        {
            "step": step,
            "name": texts.text(f"begin.step_{step}"),
            "state": states[step],
            "said": texts.text(f"begin.state_{states[step]}"),
        }
        for step in STEPS
    ]


def scan_view(told: Mapping[str, Any], texts: Catalogue) -> View:
    """Returns how the scan stands, with sentences about what is or was confused."""
    share = "" if told["readiness"] is None else _share(told["readiness"])
    verdict = "ready" if told["ready"] else "not_ready"
    return {
        **told,
        "verdict": texts.text(f"begin.tiles_{verdict}", share=share) if share else "",
        "lines": [
            texts.text(
                "begin.tiles_confused", face=tile_name(face, texts), other=tile_name(other, texts), share=_share(part)
            )
            for face, other, part in told["confused"]
        ],
        "misreadings": [
            texts.text("begin.tiles_misread", face=tile_name(face, texts), other=tile_name(other, texts))
            for face, other in told["misread"]
        ],
    }


def rehearsal_view(told: Mapping[str, Any], texts: Catalogue) -> View:
    """Returns how the rehearsal stands: what to do, what was seen instead, how each step went, what to trust."""
    steps = [_step_view(step, texts) for step in told["steps"]]
    is_going = told["state"] == "going" and told["step"] < len(steps)
    return {
        "state": told["state"],
        "number": told["step"],
        "count": len(steps),
        "present": steps[told["step"]] if is_going else None,
        "doubt": None if told["doubt"] is None else _seen_view(told["doubt"], texts),
        "is_taking_back": told["is_taking_back"],
        "steps": steps,
        "done": steps[: told["step"]],
        "trust": [
            {
                "name": texts.text(f"begin.ability_{name}"),
                "trust": trust or "none",
                "said": texts.text(f"begin.trust_{trust or 'none'}"),
            }
            for name, trust in told["trust"].items()
        ],
        "advice": [texts.text(f"begin.advice_{each}") for each in told["advice"]],
        "needs": needs(told["steps"]),
    }


def needs(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Returns the tiles that have to be at hand, in the usual order."""
    tiles = [tile for step in steps for tile in step["tiles"]]
    return sorted(tiles, key=lambda tile: (tile[1], tile[0]))


def _step_view(step: Mapping[str, Any], texts: Catalogue) -> View:
    seen = step["seen"]
    return {
        "what": step["what"],
        "seat": step["seat"],
        "tiles": _tiles(step["tiles"], texts),
        "do": _sentence(f"begin.do_{step['what']}", step, texts),
        "how": step["how"],
        "said": "" if step["how"] is None else texts.text(f"begin.how_{step['how']}"),
        "again": step["again"],
        "seen": None if seen is None or step["how"] == "right" else _seen_view(seen, texts),
        "surety": "" if seen is None else _share(seen["surety"]),
        "seconds": "" if seen is None or seen["seconds"] is None else f"{seen['seconds']:.1f}",
    }


def _seen_view(seen: Mapping[str, Any], texts: Catalogue) -> View:
    return {
        "said": _sentence(f"begin.saw_{seen['what']}", seen, texts),
        "tiles": _tiles(seen["tiles"], texts),
        "surety": _share(seen["surety"]),
    }


def _sentence(key: str, step: Mapping[str, Any], texts: Catalogue) -> str:
    seat = "" if step["seat"] is None else texts.text("page.seat_number", number=step["seat"] + 1)
    return texts.text(key, seat=seat)


def _tiles(tiles: Sequence[str], texts: Catalogue) -> list[View]:
    return [{"face": tile if tile != "?" else "unread", "name": tile_name(tile, texts)} for tile in tiles]


def _share(part: float) -> str:
    return f"{100 * part:.0f} %"
