"""Contact sheets of every page as a phone shows it, in every language, by day and by night: for people to look at.

`python -m tests.browser.contact_sheets FOLDER` writes `LANGUAGE-light-1.png` and so on, twelve pages a sheet.
`--pages "by hand" rules` draws only those.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from playwright.sync_api import expect, sync_playwright

from table.i18n import languages
from tests.browser.conftest import PATIENCE_MS, SWITCHES, chromium_path
from tests.browser.shown_pages import PAGES, Tables, open_tables, speak
from vision.arrays import Image

SIZE: Final = (390, 664)
ACROSS, ON_A_SHEET = 4, 12
LABEL_PX: Final = 30
SCALE: Final = 0.75
NAMES: Final = ("Alexander", "さくら", "민지", "欧阳小明")
SCHEMES: Final = ("light", "dark")


def write_sheets(folder: Path, pages: Sequence[str]) -> Iterator[Path]:
    """Writes the sheets of these pages and yields their files.

    Raises:
        SystemExit: there is no Chromium.
    """
    if (path := chromium_path()) is None:
        raise SystemExit("expected Chromium to draw the pages, found none: install it")
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        with open_tables(browser, NAMES) as tables:
            for language in languages():
                yield from _of_language(tables, language, pages, folder)
        browser.close()


def _of_language(tables: Tables, language: str, pages: Sequence[str], folder: Path) -> Iterator[Path]:
    shots: dict[str, list[Image]] = {scheme: [] for scheme in SCHEMES}
    for name in pages:
        speak(tables, language)
        tables.page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
        PAGES[name](tables)
        for scheme in SCHEMES:
            shots[scheme].append(_labelled(_shot(tables, scheme), f"{name}, {language}, {scheme}"))
    for scheme, drawn in shots.items():
        for start in range(0, len(drawn), ON_A_SHEET):
            file = folder / f"{language}-{scheme}-{start // ON_A_SHEET + 1}.png"
            cv2.imwrite(str(file), sheet(drawn[start : start + ON_A_SHEET]))
            yield file


def _shot(tables: Tables, scheme: str) -> Image:
    tables.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    data = np.frombuffer(tables.page.screenshot(animations="disabled"), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _labelled(shot: Image, text: str) -> Image:
    label = np.full((LABEL_PX, shot.shape[1], 3), 255, np.uint8)
    cv2.putText(label, text, (6, LABEL_PX - 9), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack((label, shot))


def sheet(shots: Sequence[Image]) -> Image:
    """Returns shots of one size side by side, row by row, drawn smaller."""
    blank = np.full_like(shots[0], 255)
    filled = [*shots, *[blank] * (-len(shots) % ACROSS)]
    rows = [np.hstack(filled[start : start + ACROSS]) for start in range(0, len(filled), ACROSS)]
    return np.asarray(cv2.resize(np.vstack(rows), None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_AREA), np.uint8)


def main() -> None:
    """Writes the sheets into the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.contact_sheets", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", nargs="+", choices=list(PAGES), default=list(PAGES))
    args = parser.parse_args()
    for file in write_sheets(args.folder, args.pages):
        print(file)


if __name__ == "__main__":
    main()
