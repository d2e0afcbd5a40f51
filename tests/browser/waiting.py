"""What a test does only once a page is ready for it, however slow the page is."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, Route, expect


def press_enter(what: Locator) -> None:
    """Presses Enter on what is shown and enabled by now: a key, unlike a click, does not wait for that."""
    expect(what).to_be_visible()
    expect(what).to_be_enabled()
    what.press("Enter")


@dataclass
class Held:
    """Requests of a page to addresses like `pattern` that wait until they are let through."""

    page: Page
    pattern: str
    routes: list[Route] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.route(self.pattern, self.hold)

    def hold(self, route: Route) -> None:
        self.routes.append(route)

    def let_through(self) -> None:
        """Lets all requests through, once there is one; a page may have given up the first and asked again."""
        while not self.routes:
            self.page.wait_for_timeout(20)
        self.page.unroute(self.pattern, self.hold)
        for route in self.routes:
            route.continue_()
