"""What a test does only once a page is ready for it, however slow the page is."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from playwright.sync_api import Locator, Page, Route, expect

from tests.fakes.waiting import PATIENCE_S

LEAVE: Final = "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))"
COME_BACK: Final = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
"""What Safari does with a page that it shows again as it was left."""


def stop_clock(page: Page, at: float = 1_800_000_000) -> None:
    """Lets the page's clock stand still at a time in seconds: a slow machine's own time would pass in it, too.

    It stops from an earlier time on, since it cannot go back by what passes meanwhile.
    """
    page.clock.install(time=at - 600)
    page.clock.pause_at(at)


def press_enter(control: Locator) -> None:
    """Presses Enter on what is shown and enabled by now: a key, unlike a click, does not wait for that."""
    expect(control).to_be_visible()
    expect(control).to_be_enabled()
    control.press("Enter")


def wait_until_drawn(page: Page) -> None:
    """Returns once the page has done what it does at once, and drawn it."""
    # `evaluate` would wait for ever for a page that draws no more
    page.wait_for_function("() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0, true)))")


@dataclass
class HeldRequests:
    """Requests of a page to addresses like `pattern` that wait until they are let through."""

    page: Page
    pattern: str
    waiting: list[Route] = field(default_factory=list)
    is_over: bool = False

    def __post_init__(self) -> None:
        self.page.route(self.pattern, self.hold)

    def hold(self, route: Route) -> None:
        if self.is_over:
            route.continue_()
        else:
            self.waiting.append(route)

    def let_through(self) -> None:
        """Lets all requests through, once there is one; a page may have given up the first and asked again."""
        self.wait()
        self.is_over = True
        for route in self.waiting:
            route.continue_()

    def refuse(self, reason: str) -> None:
        """Refuses the first request, once there is one, and lets those pass that come later."""
        self.wait()
        self.is_over = True
        self.waiting[0].fulfill(status=409, json={"said": reason})

    def wait(self) -> None:
        """Returns once there is one."""
        deadline = time.monotonic() + PATIENCE_S
        while not self.waiting:
            assert time.monotonic() < deadline, f"expected a request to {self.pattern}, got none"
            self.page.wait_for_timeout(20)
