// A page of figures follows the table: its main part is loaded again when the game has changed, and when somebody sees
// the page again. Meanwhile whoever fills in a form, or reads why it was refused, is left alone.

import { followFigures } from "./figures.js";
import { isChanged } from "./form_fields.js";
import { redraw } from "./server.js";

let isOutdated = false;

const isInUse = () =>
  document.querySelector("meta[name=answers-form], :is(input, select):focus, form[data-sent]") !== null ||
  [...document.querySelectorAll("form :is(input, select, textarea)")].some(isChanged);

async function update() {
  if (!isOutdated || isInUse() || !(await redraw(isInUse))) return;
  isOutdated = false;
  document.dispatchEvent(new Event("redrawn"));
}

followFigures((isNew) => {
  isOutdated ||= isNew;
  return update();
});

document.addEventListener("focusout", () => setTimeout(update)); // somebody only looked into a field
document.addEventListener("visibilitychange", () => {
  isOutdated ||= !document.hidden;
  update();
});
