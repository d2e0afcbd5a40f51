"""A real Chromium, the distribution's own, without a connection to anything but the page's server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from table.dashboard import create_app, serve
from table.dashboard.web import base_page
from table.dashboard.web.access.vault import Vault
from table.dashboard.wizard.setup_pages import blueprint
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.rulebook import rules_named
from table.rulebook.ruleset_reader import SHIPPED
from table.runtime.clock import LogicalClock
from tests.browser.by_hand import INVITED, KeptTable, NewTable, sit
from tests.fakes.setup_tools import FakeTools
from tests.places import BROWSERS

OFF = (
    "WebUIOmniboxPopup",  # the browser's own popups, two processes for every phone
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",  # a process in stock
    "DestroyProfileOnBrowserClose",  # from here on what Playwright switches off, since only one list counts
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
)
"""Features of the browser that these tests do without."""
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
)
PATIENCE_MS = 60_000
"""How long a page may take to show something; long, for a machine that does much else."""


def chromium_path() -> str | None:
    """The distribution's browser; None where it is absent."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        pytest.skip("NO CHROMIUM: the distribution's browser is absent, so the pages are not driven")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """An empty page of a phone's size; the test fails on any script error or complaint in its console."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    page.unroute_all(behavior="ignoreErrors")  # an answer that a test's route still fetches would fail the next test
    context.close()
    expected = ("Failed to load resource", "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING")
    assert [each for each in complaints if not any(known in each for known in expected)] == []


@pytest.fixture
def kept_table() -> Iterator[KeptTable]:
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        loop = stack.enter_context(TableLoop(table))
        port = stack.enter_context(serve(create_app(table.board, loop), port=0))
        yield KeptTable(table=table, address=f"http://127.0.0.1:{port}")


@pytest.fixture
def page(kept_table: KeptTable, phone: Page) -> Page:
    """The page of the first seat."""
    return sit(phone, kept_table, 0)


@pytest.fixture
def new_table() -> Iterator[NewTable]:
    tools = FakeTools(has_camera=False, trial=None, guide=None, rules=SHIPPED)
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        loop, vault = stack.enter_context(TableLoop(table)), Vault()
        app = create_app(table.board, loop, vault)
        app.register_blueprint(blueprint(table.board, vault, tools))
        base_page.keep_phone_address(app, lambda: INVITED)
        port = stack.enter_context(serve(app, port=0))
        yield NewTable(table=table, address=f"http://127.0.0.1:{port}", tools=tools)
