"""A phone whose browser is as old as those that the pages promise to work in: iOS 15.4 and Firefox 115 in one."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page, Route

UNKNOWN_IN_STYLES: Final = (
    "cqw",
    "cqh",
    "container:",
    "container-type:",
    "@container",
    "color-mix(",
    "light-dark(",
    ":has(",
    ":modal",
    "overflow: clip",
)
"""What one of the two does not know; such a declaration, rule or block is left out by a browser."""
FORGET: Final = """(() => {
  delete AbortSignal.timeout;
  for (const name of Object.getOwnPropertyNames(Element.prototype)) {
    if (/^(aria[A-Z].*|role)$/.test(name)) delete Element.prototype[name];
  }
  for (const part of [Document.prototype, DocumentFragment.prototype, Element.prototype]) {
    for (const name of ["querySelector", "querySelectorAll", "matches", "closest"]) {
      const known = part[name];
      part[name] &&= function (selector) {
        if (/:(has|modal)/.test(selector)) throw new SyntaxError(`unknown selector ${selector}`);
        return known.call(this, selector);
      };
    }
  }
})()"""


def make_old(page: Page) -> Page:
    """Lets the page's browser know nothing that is newer; returns the page."""
    page.add_init_script(FORGET)
    page.route("**/*.css*", _without_news)
    return page


def _without_news(route: Route) -> None:
    answer = route.fetch()
    style = answer.text()
    for each in UNKNOWN_IN_STYLES:
        style = style.replace(each, unknown(each))
    route.fulfill(response=answer, body=style)


def unknown(name: str) -> str:
    """The name as no browser knows it: `:has(` becomes `:zhas(`, `overflow: clip` becomes `overflow: zclip`."""
    start = 10 if name.startswith("overflow") else len(name) - len(name.lstrip("@:"))
    return f"{name[:start]}z{name[start:]}"
