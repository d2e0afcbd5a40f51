"""Whether a page fits its screen: what lies beyond its edge, which control a finger misses, and what cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Page

from tests.browser.ink import unreadable

LEAST_PX: Final = 44
"""The least side of a control (WCAG 2.5.5)."""
DENSE_PX: Final = 24
"""The least side of a control where there is no room for more (WCAG 2.5.8)."""
DENSE: Final = (
    ".keys button, .slots .tile button, .news summary, .phone:not(.by-hand) .card :is(input, .score), "
    ".hint a, article a"
)
"""Such controls: keys of tiles, a hand's tiles, lines of news, seats at the felt's edges, links within sentences."""

FAULTS: Final = """([least, dense, denseOnes]) => {
  const faults = [];
  const named = (node) => {
    const words = (node.ariaLabel || node.textContent || node.name || "").trim().slice(0, 30);
    return `${node.tagName.toLowerCase()}#${node.id}.${node.className} '${words}'`;
  };
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  const wide = document.scrollingElement.scrollWidth;
  if (wide > innerWidth) {
    const out = [...document.body.querySelectorAll("*")].filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1);
    faults.push(`the page is ${wide} wide: ${out.slice(-1).map(named)}`);
  }
  const isCut = (node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline"
    && ![node, ...node.querySelectorAll("*")].some((each) => getComputedStyle(each).overflowX !== "visible"
      && (getComputedStyle(each).textOverflow === "ellipsis" || getComputedStyle(each).webkitLineClamp !== "none"));
  for (const node of (dialog ?? document).querySelectorAll("a[href], button, input, select, textarea, summary, [role=button]")) {
    if (node.type === "hidden" || !node.checkVisibility({ visibilityProperty: true })) continue;
    const over = () => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const there = document.elementFromPoint(x + width / 2, y + height / 2);
      const isReached = there && (node.contains(there) || there.contains(node) || label?.contains(there) || there.control === node);
      return isReached ? "" : there ? named(there) : "nothing";
    };
    const label = node.closest("label") ?? node.labels?.[0];
    const isOut = ({ left, right }) => left < -0.5 || right > innerWidth + 0.5;
    if (over() || isOut(node.getBoundingClientRect())) {
      node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    }
    if (over()) faults.push(`${named(node)} lies under ${over()}`);
    const box = node.getBoundingClientRect();
    if (isOut(box)) faults.push(`${named(node)} reaches ${Math.round(box.left)}..${Math.round(box.right)}`);
    const isWritten = node.matches("select, textarea, input:not([type=checkbox], [type=radio], [type=file])");
    const letters = parseFloat(getComputedStyle(node).fontSize);
    if (isWritten && letters < 16) faults.push(`${named(node)} has letters of ${letters} px: an iPhone zooms in on it`);
    const target = label?.control === node && !isWritten ? label.getBoundingClientRect() : box;
    if (Math.min(target.width, target.height) < (node.matches(denseOnes) ? dense : least) - 0.5) faults.push(`${named(node)} is ${target.width} x ${target.height}`);
    if (node.tagName === "BUTTON" && isCut(node)) faults.push(`${named(node)} cuts its words`);
  }
  for (const drawing of document.querySelectorAll("svg")) {
    if (`${drawing.computedStyleMap().get("width")}` === "auto") faults.push(`${named(drawing.parentElement)}: Safari chooses the width of its drawing`);
  }
  for (const cell of document.querySelectorAll(".plain-page td, .plain-page th")) {
    if (cell.checkVisibility() && isCut(cell)) faults.push(`${named(cell)} is wider than its column`);
  }
  return faults;
}"""  # noqa: E501


def faults(page: Page) -> list[str]:
    """Returns what does not fit: nothing, where everything can be read and tapped."""
    page.wait_for_load_state()  # a page is visible before its styles and pictures came
    found: list[str] = page.evaluate(FAULTS, [LEAST_PX, DENSE_PX, DENSE])
    return found + unreadable(page)


@contextmanager
def letters_of(page: Page, percent: int) -> Iterator[None]:
    """Has the browser's own letters that large meanwhile, as people choose in its settings."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 16 * percent // 100}})
    try:
        yield
    finally:
        devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 16}})
        devtools.detach()
