// Correcting points by hand: shows the change while somebody types, and asks before the sum of all points changes.

import { find, listText, setText, withValues } from "../web/tools.js";

const STICK = 1000;
/** The form, if points can be corrected now; it is replaced when the game changes. */
const findForm = () => /** @type {HTMLFormElement | null} */ (document.querySelector("#adjust form"));
let hint = "";
const field = (name) => /** @type {HTMLInputElement} */ (findForm().elements.namedItem(name));
const change = (name, oldName) => Number(field(name).value) - Number(field(oldName).value);
const signed = (points) => `${points < 0 ? "−" : "+"}${Math.abs(points).toLocaleString("en")}`;

/** Lists the payers first, then the receivers. */
function changesText() {
  const seats = [0, 1, 2, 3].map((seat) => ({ name: field(`points${seat}`).dataset.name, points: change(`points${seat}`, `was${seat}`) }));
  const changed = seats.filter(({ points }) => points).sort((one, other) => one.points - other.points);
  const isExchange = changed.length === 2 && changed[0].points + changed[1].points === 0;
  const parts = changed.map(({ name, points }) => `${name} ${signed(points)}`);
  return isExchange ? parts.join(" → ") : listText(parts);
}

function show() {
  const [form, tick, summary] = [findForm(), find("sum"), find("adjusted")];
  if (!form) return;
  hint ||= summary.textContent;
  const total = [0, 1, 2, 3].reduce((sum, seat) => sum + change(`points${seat}`, `was${seat}`), STICK * change("sticks", "sticks_was"));
  const text = changesText();
  setText(summary, text ? [text, total ? "" : form.dataset.same].filter(Boolean).join(" · ") : hint);
  tick.hidden = !total;
  const box = tick.querySelector("input");
  box.required = Boolean(total);
  if (!total) box.checked = false;
  setText(tick.querySelector("span"), withValues(form.dataset.sum, { points: signed(total) }));
}

document.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.form !== findForm()) return;
  if (input.type === "number") find("sum").querySelector("input").checked = false;
  show();
});
document.addEventListener("redrawn", show);
show();
addEventListener("pageshow", () => {
  show(); // a browser restores what was entered if somebody comes back
  if (findForm() && changesText()) findForm().closest("details").open = true;
});
