"""What axe, the accessibility checker, complains about on a page: on a light phone and, of colours, a dark tablet."""

from __future__ import annotations

from typing import Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

SERIOUS = ("serious", "critical")
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
TABLET: Final[ViewportSize] = {"width": 820, "height": 1180}
ALL: Final = {"resultTypes": ["violations"]}
COLOURS: Final = {**ALL, "runOnly": ["color-contrast", "scrollable-region-focusable"]}
"""What else axe asks has the same answer in any light and on any screen."""
LOOKS: Final[tuple[tuple[str, ViewportSize, Literal["light", "dark"], dict[str, list[str]]], ...]] = (
    ("dark tablet", TABLET, "dark", COLOURS),
    ("light phone", PHONE, "light", ALL),
)


def complaints(page: Page, options: dict[str, list[str]] = ALL) -> list[str]:
    """What axe holds to be serious, with the places."""
    page.wait_for_load_state()  # its colours and sizes come with its styles
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]}" for each in found if each["impact"] in SERIOUS for node in each["nodes"]
    ]


def complaints_in_both(page: Page) -> list[str]:
    """What axe complains about on a light phone, as which the page is left, and of the colours of a dark tablet."""
    found = list[str]()
    for name, size, scheme, options in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found += [f"axe, {name}: {each}" for each in complaints(page, options)]
    return found
