// The winners of a hand that several won, in the settling sheet: the one whose value is entered is selected.

import { find, make, nameOf } from "../web/tools.js";

/** Draws the winners, each with what `worthTextOf` returns for it; `select` gets the seat that is tapped. */
export function drawWinnerTabs(winners, selected, worthTextOf, select) {
  find("whose").hidden = winners.length < 2;
  const tabs = winners.map((winner) => {
    const tab = make("button", { type: "button", "aria-pressed": winner.seat === selected }, make("b", { dir: "auto", textContent: nameOf(winner) }), make("span", { textContent: worthTextOf(winner) }));
    tab.onclick = () => select(winner.seat);
    return tab;
  });
  find("whose").replaceChildren(find("whose").firstElementChild, ...tabs);
}
