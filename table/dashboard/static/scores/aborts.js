// The abortive draws that the rules of a table know, in the settling sheet.

import { find, make } from "../web/tools.js";

/** Shows among the kinds of result whether there are abortive draws at all. */
export function drawKinds(hasAborts) {
  find("kinds").querySelector("label:last-child").toggleAttribute("hidden", !hasAborts);
  find("kinds").classList.toggle("three", hasAborts);
  find("kinds").classList.toggle("two", !hasAborts);
}

/** Draws the abortive draws, one of them chosen, if any; `choose` gets the one that is tapped. */
export function drawAborts(aborts, chosen, choose) {
  const list = aborts.map(({ reason, text }) => {
    const input = make("input", { type: "radio", name: "reason", value: reason, checked: chosen === reason });
    input.onchange = () => choose(reason);
    return make("label", {}, input, make("span", {}, make("b", { textContent: text })));
  });
  find("aborts").replaceChildren(find("aborts").firstElementChild, ...list);
}
