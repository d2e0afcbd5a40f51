"""Prints every figure of the model card: `python -m models.training.judge.model_card`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from models.training.judge import locator_figures, metrics, reader_figures, scan_figures
from vision.reading.reader import TileReader

ROOT: Final = Path(__file__).resolve().parents[3]
_FRAMES: Final = 40


def main(arguments: list[str] | None = None) -> int:
    """Evaluates the shipped models on the available labelled material, and prints Markdown."""
    parser = argparse.ArgumentParser(prog="models.training.judge.model_card")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with art/ and photos/")
    parser.add_argument("--diagram", type=Path, metavar="SVG", help="also draw the reliability diagram there")
    options = parser.parse_args(arguments)
    print("## Figures: reading\n")
    results = reader_figures.judge_all(TileReader(), options.shared)
    print(reader_figures.report(results))
    if options.diagram is not None:
        bins, _ = metrics.reliability(*reader_figures.on_photographs(results))
        options.diagram.write_text(metrics.diagram(bins), encoding="utf-8")
    print("\n## Figures: sets not used for training, without and with a scan\n")
    print(scan_figures.report(TileReader(), options.shared))
    print("\n## Figures: locating\n")
    print("\n".join(table(locator_figures.measure(options.shared, model=None, frames=_FRAMES))))
    print("\n## Figures: watching\n")
    watched = locator_figures.measure(options.shared, model=None, frames=_FRAMES, name="watch")
    certainty = watched.pop(locator_figures.REPORTED)
    print("\n".join(table(watched)))
    print("\n{told} tiles reported in {pictures} frames with given corners, {false} of them false.".format(**certainty))
    return 0


def table(measured: Mapping[str, Any], name: str = "") -> list[str]:
    """Returns figures as one Markdown table, with a row per set; sets may be nested."""
    head = [
        "| set | objects | found | right of found | false per 100 pictures | corner error (widths) |",
        "|---|" + "---|" * 5,
    ]
    return head + _rows(measured, name)


def _rows(measured: Mapping[str, Any], name: str) -> list[str]:
    if "recall" not in measured:
        return [row for key, inner in measured.items() for row in _rows(inner, f"{name}, {key}" if name else key)]
    cells = (
        f"{measured['there']:.0f}",
        f"{100 * measured['recall']:.1f} %",
        f"{100 * measured['right_of_found']:.1f} %",
        f"{measured['false_per_100']:.1f}",
        f"{measured['corner_error']:.3f}",
    )
    return [f"| {name} | {' | '.join(cells)} |"]


if __name__ == "__main__":
    raise SystemExit(main())
