"""Who pays whom can be read in the drawing: no label covers a name, another label, or most of an arrow."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.browser.by_hand import press

pytestmark = pytest.mark.browser
NAMES: Final = ("Łucja Brzęczyszczykiewic", "Bartholomäus-Maximilian", "欧阳司马诸葛欧阳司马", "김수한무거북이")
DRAWN: Final = """async ([names, letters]) => {
  const { drawArrows, FELT } = await import("/static/scores/arrows.js");
  document.documentElement.style.fontSize = `${letters}%`;
  const seated = names.map((player, seat) => ({ seat, player, name: "" }));
  const others = (seat) => [0, 1, 2, 3].filter((each) => each !== seat);
  const ron = (to) => others(to).map((from) => [[from, to, "48,000"], [null, to, "1,000"]]);
  const tsumo = (to) => [[...others(to).map((from) => [from, to, "16,000"]), [null, to, "2,000"]], others(to).map((from) => [from, to, "2,000"])];
  const twice = (from) => others(from).map((spared) => [...others(from).filter((to) => to !== spared).map((to) => [from, to, "12,000"]), [from, null, "1,000"]]);
  const both = (from) => others(from).flatMap((to) => others(from).filter((other) => other !== to).map((other) => [[other, null, "1,000"], [from, to, "12,000"], [from, other, "8,000"], [null, to, "1,000"]]));
  const chased = (from) => others(from).flatMap((to) => others(to).map((riichi) => [[riichi, null, "1,000"], [from, to, "12,000"], [null, to, "2,000"]]));
  const noten = (from) => [others(from).map((to) => [from, to, "1,000"])];
  const tenpai = [[0, 1], [1, 2], [0, 2], [1, 3]].map((two) => two.flatMap((from) => [0, 1, 2, 3].filter((to) => !two.includes(to)).slice(0, 2).map((to) => [from, to, "1,500"])).slice(0, 4));
  const cases = [...[0, 1, 2].flatMap((seat) => [...ron(seat), ...tsumo(seat), ...twice(seat), ...both(seat), ...chased(seat), ...noten(seat)]), ...tenpai, [[0, 1, "8,000"], [0, 1, "1,000"]]];
  const found = [];
  const size = (node) => parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a;
  const inkOf = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const less = Math.max(0, (bottom - top - 0.8 * size(node)) / 2);
    return { text: node.textContent, left, right, top: top + less, bottom: bottom - less };
  };
  const look = (svg, pot, layout, flows) => {
    const outcome = { flows: flows.map(([from, to, text]) => ({ from, to, text })), delta_texts: ["+48,300", "−48,300", "0", "−16,000"] };
    drawArrows(svg, outcome, seated, pot, layout);
    const said = `${letters} % ${svg.id} ${JSON.stringify(flows)}: `;
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text, tspan")].filter((node) => !node.querySelector("tspan")).map(inkOf);
    texts.forEach((one, at) => {
      if (one.left < frame.left - 1 || one.right > frame.right + 1 || one.top < frame.top - 1 || one.bottom > frame.bottom + 1) found.push(`${said}${one.text} leaves the drawing`);
      for (const other of texts.slice(at + 1)) {
        const [x, y] = [Math.min(one.right, other.right) - Math.max(one.left, other.left), Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)];
        if (x > 1 && y > 1) found.push(`${said}${one.text} and ${other.text} cover each other by ${x.toFixed(1)} x ${y.toFixed(1)}`);
      }
    });
    for (const path of svg.querySelectorAll(".flow")) {
      const long = path.getTotalLength();
      const covering = (part) => {
        const { x, y } = path.getPointAtLength(long * part).matrixTransform(path.getScreenCTM());
        return texts.find((text) => x > text.left && x < text.right && y > text.top && y < text.bottom);
      };
      const over = Array.from({ length: 21 }, (_, at) => covering(at / 20)).filter(Boolean);
      if (over.length > 7 || covering(1)) found.push(`${said}${over.length} of 21 points of an arrow are covered by ${[...new Set(over.map((text) => text.text))]}${covering(1) ? ", its tip" : ""}`);
      if (long < 10) found.push(`${said}an arrow is ${long.toFixed(1)} long`);
    }
    const least = Math.min(...[...svg.querySelectorAll(".name, .paid")].map(size));
    if (least < 10.5) found.push(`${said}letters of ${least}`);
  };
  const [felt, sheet] = [document.getElementById("paid"), document.getElementById("settle")];
  felt.removeAttribute("hidden");
  felt.style.cssText = "position: static; display: block; width: 308px; height: 308px";
  document.body.append(felt, sheet);
  document.getElementById("preview").classList.remove("undrawn");
  // All else stays, unseen, for the page goes on drawing it.
  for (const other of document.querySelectorAll("body > :not(#paid, #settle), #settle form > :not(.foot), #settle .foot > :not(#preview)")) other.style.display = "none";
  for (const flows of cases) {
    look(document.getElementById("paying"), "Deposits", undefined, flows);
    if (letters === 100) look(felt, "", FELT, flows);
  }
  return found;
}"""  # noqa: E501


def test_no_label_of_a_payment_covers_a_name_another_label_or_an_arrow(page: Page) -> None:
    press(page, "Win")
    found: list[str] = []
    for width, letters in ((320, 100), (390, 200)):
        page.set_viewport_size({"width": width, "height": 568})
        found += page.evaluate(DRAWN, [NAMES, letters])
    assert not found, "\n".join(found)
