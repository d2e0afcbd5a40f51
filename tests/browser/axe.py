"""What axe, the accessibility checker, complains about on a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")


def complaints(page: Page) -> list[str]:
    """What axe holds to be serious, with the places."""
    page.wait_for_load_state()  # its colours and sizes come with its styles
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]}" for each in found if each["impact"] in SERIOUS for node in each["nodes"]
    ]
