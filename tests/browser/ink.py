"""Whether what a page writes can be read: text that is covered, cut, shrunk to nothing, or runs over something."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

FAULTS: Final = """() => {
  const root = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const found = new Set();
  const said = (text) => `'${text.trim().slice(0, 30)}'`;
  const named = (node) => `${node.tagName.toLowerCase()}#${node.id}.${node.getAttribute("class") ?? ""}`;
  const above = (node, until = document.body) => {
    const all = [];
    for (let each = node; each && each !== until.parentElement; each = each.parentElement) all.push(each);
    return all;
  };
  const styles = new Map();
  const styled = (node) => styles.get(node) ?? styles.set(node, getComputedStyle(node)).get(node);
  const isTurned = (node) => above(node).filter((each) => styled(each).rotate.endsWith("90deg")).length % 2 === 1;
  const isSeen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  /** The ink of a line: its font's ascent and descent reach beyond its letters, least with those of the East. */
  const ink = ({ left, top, right, bottom }, text, size, turned) => {
    const high = size * (/[\u1100-\ud7ff]/.test(text) ? 1 : 0.9);
    const [x, y] = turned ? [Math.max(0, (right - left - high) / 2), 0] : [0, Math.max(0, (bottom - top - high) / 2)];
    return { left: left + x, top: top + y, right: right - x, bottom: bottom - y };
  };
  const overlap = (one, other) => [
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  ];
  const cropped = (one, by) => ({ left: Math.max(one.left, by.left), top: Math.max(one.top, by.top), right: Math.min(one.right, by.right), bottom: Math.min(one.bottom, by.bottom) });
  const isPainted = (style) => style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.backgroundImage !== "none" || parseFloat(style.borderTopWidth) > 0;

  /** What can be seen of a line, after its frames were looked at; null where nobody is to see it. */
  const framed = (box, node, text, turned) => {
    let seen = box;
    const [near, far, side, end] = turned ? ["left", "right", "top", "bottom"] : ["top", "bottom", "left", "right"];
    for (const frame of above(node)) {
      const style = styled(frame);
      if (style.clipPath !== "none" && frame.clientWidth <= 1) return null;
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (style.display === "inline" || frame.namespaceURI.endsWith("svg")) continue;
      const by = frame.getBoundingClientRect();
      if (by.width < 2 || by.height < 2) return null;
      const isScrolled = [style.overflowX, style.overflowY].some((each) => each === "auto" || each === "scroll");
      if (!isScrolled) {
        const isClamped = style.webkitLineClamp !== "none";
        const isOut = seen[near] > by[far] - 0.5 || seen[far] < by[near] + 0.5;
        if (isOut && isClamped) return null;
        if (seen[side] > by[end] - 1 || seen[end] < by[side] + 1) return null; // meant to be hidden
        if (isOut) found.add(`${said(text)} is hidden by ${named(frame)}`);
        else if (seen[near] < by[near] - 1 || seen[far] > by[far] + 1) found.add(`${said(text)} is cut by ${named(frame)}`);
        const isLong = seen[side] < by[side] - 1 || seen[end] > by[end] + 1;
        if (isLong && !isClamped && style.textOverflow !== "ellipsis") found.add(`${said(text)} is cut at its side by ${named(frame)}`);
        if (isLong && style.textOverflow === "ellipsis" && by[end] - by[side] < 3 * parseFloat(style.fontSize)) found.add(`${said(text)} is shrunk to ${Math.round(by[end] - by[side])}`);
      }
      seen = cropped(seen, by);
      if (seen.right - seen.left < 1 || seen.bottom - seen.top < 1) return null;
    }
    return seen;
  };
  /** The nearest box with a ground or border of its own, which its text must not leave. */
  const boxed = (box, node, text) => {
    for (const each of above(node, root)) {
      const style = styled(each);
      if (style.overflowX !== "visible" || style.position === "absolute" || each.namespaceURI.endsWith("svg")) return;
      if (style.display === "inline" || !isPainted(style)) continue;
      const by = each.getBoundingClientRect();
      if (box.left < by.left - 1 || box.right > by.right + 1 || box.top < by.top - 1 || box.bottom > by.bottom + 1) {
        found.add(`${said(text)} runs out of ${named(each)}`);
      }
      return;
    }
  };

  const pieces = [];
  const put = (node, box, text) => pieces.push({ node, box, text, layer: node.closest("#paid, #saying, #toast, .photo-large") ?? above(node).find((each) => ["fixed", "sticky"].includes(styled(each).position)) });
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let at = walk.currentNode; at; at = walk.nextNode()) {
    const node = at.nodeType === 3 ? at.parentElement : at;
    if (!isSeen(node) || ["SCRIPT", "STYLE", "OPTION", "TITLE"].includes(node.tagName)) continue;
    if (at.nodeType === 3 && at.data.trim()) {
      const range = document.createRange();
      range.selectNodeContents(at);
      const isDrawn = node.namespaceURI.endsWith("svg");
      const [size, turned] = [parseFloat(styled(node).fontSize), isTurned(node)];
      const scale = isDrawn ? Math.hypot(node.getScreenCTM().a, node.getScreenCTM().b) : 1;
      for (const line of isDrawn ? [node.getBoundingClientRect()] : range.getClientRects()) {
        if (line.width < 1) continue;
        const written = ink(line, at.data, size * scale, turned);
        const seen = framed(written, node, at.data, turned);
        if (!seen) continue;
        if (!isDrawn) boxed(seen, node, at.data);
        put(node, seen, at.data);
      }
    } else if (at.nodeType === 1 && (at.tagName === "IMG" || (!at.childNodes.length && isPainted(styled(at)) && !["INPUT", "TEXTAREA", "CANVAS"].includes(at.tagName)))) {
      const box = at.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || at.namespaceURI.endsWith("svg")) continue;
      const seen = framed(box, at.parentElement, "", false);
      if (seen) put(at, seen, "");
    }
  }
  pieces.forEach((one, at) => {
    for (const other of pieces.slice(at + 1)) {
      if (one.node === other.node || !(one.text || other.text) || one.layer !== other.layer) continue;
      if (one.node.contains(other.node) && !other.text) continue;
      const [x, y] = overlap(one.box, other.box);
      if (x > 1 && y > 1) found.add(`${one.text ? said(one.text) : named(one.node)} and ${other.text ? said(other.text) : named(other.node)} cover each other by ${Math.round(x)} x ${Math.round(y)}`);
    }
  });
  return [...found];
}"""  # noqa: E501


def unreadable(page: Page) -> list[str]:
    """Returns what cannot be read as it was written: nothing, where all is plain to see."""
    found: list[str] = page.evaluate(FAULTS)
    return found
