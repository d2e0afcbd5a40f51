"""Tells the process of `tests.browser.filmed` how far to play, and does what people do on its page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.places import ROOT


class FilmedEvening:
    """A process that plays the evening as far as it is told to."""

    def __init__(self, folder: Path, port: int, first: float) -> None:
        command = [sys.executable, "-m", "tests.browser.filmed", str(folder), str(port), str(first)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.port = int(self._next_line())

    def play(self, second: float) -> float:
        """Plays until all that lies at rest in that second of the film is judged; returns the second reached."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{second}\n")
        self._process.stdin.flush()
        return float(self._next_line())

    def kill(self) -> None:
        """Pulls the plug."""
        self._process.kill()
        self._process.communicate()

    def _next_line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@contextmanager
def filmed_evening(folder: Path, port: int = 0, first: float = 0) -> Iterator[FilmedEvening]:
    evening = FilmedEvening(folder, port, first)
    try:
        yield evening
    finally:
        evening.kill()


def take_seat(page: Page, port: int, seat: int) -> None:
    page.goto(f"http://127.0.0.1:{port}/join")
    page.locator(".sitting button").nth(seat).click()
    expect(page.locator("body[data-version] #undo")).to_be_attached()


def claim(page: Page, wind: str, how: str) -> None:
    page.locator(f".card:has(img[alt='{wind}'])").click()
    press_and_wait(page, page.get_by_role("button", name=how, exact=True))


def press_and_wait(page: Page, button: Locator) -> None:
    """Presses it, and returns once the table has heard of it: the film runs on only then."""
    with page.expect_response("**/api/press"):
        button.click()
