// A page of figures follows the table: its main part is loaded again when the game has changed, and when somebody sees
// the page again. Meanwhile whoever fills in a form, or reads why it was refused, is left alone.

import { isChanged } from "./form_fields.js";
import { redraw } from "./server.js";
import { follow } from "./stream.js";

/** What the table showed last. */
let shown = "";
let isOutdated = false;

const isInUse = () =>
  document.querySelector("meta[name=answers-form], :is(input, select):focus") !== null ||
  [...document.querySelectorAll("form :is(input, select, textarea)")].some(isChanged);

async function update() {
  if (!isOutdated || isInUse() || !(await redraw(isInUse))) return;
  isOutdated = false;
  document.dispatchEvent(new Event("redrawn"));
}

/** What such a page shows of the table: no discard changes it. */
function figuresOf({ keeping, sheet, adjustments, changeovers, camera, seats }) {
  const { game, order, rules, fouls, is_over: isOver } = keeping;
  return JSON.stringify([game, order, rules, fouls, isOver, sheet, adjustments, changeovers, camera, seats.map(({ player, score }) => [player, score])]);
}

follow((table) => {
  const latest = figuresOf(table);
  if (shown && latest !== shown) isOutdated = true;
  shown = latest;
  document.body.dataset.version = table.version;
  return update();
});

document.addEventListener("focusout", () => setTimeout(update)); // somebody only looked into a field
document.addEventListener("visibilitychange", () => {
  isOutdated ||= !document.hidden;
  update();
});
