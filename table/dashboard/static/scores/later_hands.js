// What else changes if an earlier hand is edited, in the settling sheet.

import { find, listedName, make } from "../web/tools.js";

/** Shows what else an edit changes: everybody's points, and later hands, to which somebody has to agree. */
export function drawLater(later) {
  const place = find("later");
  const [scores, hands, consent] = /** @type {HTMLCollectionOf<HTMLElement>} */ (place.children);
  const tick = consent.querySelector("input");
  const mark = JSON.stringify(later?.hands ?? []);
  if (place.dataset.mark !== mark) tick.checked = false;
  place.dataset.mark = mark;
  place.hidden = !later;
  hands.hidden = consent.hidden = !later?.hands.length;
  tick.required = !consent.hidden;
  hands.replaceChildren(...(later?.hands ?? []).map((text) => make("li", { textContent: text })));
  scores.replaceChildren(...(later?.scores ?? []).map(({ name, before, after }) =>
    make("li", {}, listedName(name), make("s", { textContent: before, hidden: before === after }), make("b", { textContent: after }))));
}
