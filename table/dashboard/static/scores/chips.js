// The chips that each winner gets from each payer, in the settling sheet.

import { fill, find, make, nameOf } from "../web/tools.js";

/** Draws one field for each winner, by name; `enter` gets a winner's seat and what was typed, undefined for nothing. */
export function drawChips(winners, chips, enter) {
  const place = find("chips");
  place.hidden = !winners.length;
  fill(place.lastElementChild, winners, () => make("label", {}, make("span"), make("input", { type: "number", inputMode: "numeric", min: "0", max: "99", autocomplete: "off" })), (label, winner) => {
    const input = label.querySelector("input");
    label.querySelector("span").textContent = nameOf(winner);
    if (document.activeElement !== input) input.value = chips[winner.seat] ?? "";
    input.oninput = () => enter(winner.seat, input.validity.badInput ? "" : input.value === "" ? undefined : input.valueAsNumber);
  });
}
