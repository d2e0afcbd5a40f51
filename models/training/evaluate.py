"""Prints every figure of the model card: `python -m models.training.evaluate`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from models.training import reading

ROOT: Final = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Judges the shipped models on whatever labelled material is there, and prints Markdown."""
    parser = argparse.ArgumentParser(prog="models.training.evaluate")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with art/ and photos/")
    asked = parser.parse_args(arguments)
    print("## Reading\n")
    print(reading.report(asked.shared))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
