// The preview in the settling sheet: the payments of the result as entered, or why there are none.

import { drawArrows } from "./arrows.js";
import { drawPayments } from "./confirm_payments.js";
import { drawLater } from "./later_hands.js";
import { keepFingersOff } from "../web/tap_target.js";
import { find, runningText, setText } from "../web/tools.js";

const NOTEN_RIICHI = "7-05-07";
const confirmButton = () => find("settle").querySelector(".confirm");

/** Disables confirming until the payments of the present entries are known. */
export function closePreview(seats) {
  find("to-fouls").hidden = true;
  find("preview").classList.remove("again");
  confirmButton().disabled = true;
  drawPayments(confirmButton().querySelector(".moved"), null, seats);
}

/** Tells styles whether there are arrows: not every browser has `:has(svg:empty)`. */
const markDrawn = (svg) => find("preview").classList.toggle("undrawn", !svg.childElementCount);

/** Keeps the place of arrows that are still to come, which would move what a finger is about to tap. */
export function keepPlace() {
  find("preview").classList.remove("undrawn");
}

/** Shows a reason instead of payments; an empty one for a result that is not complete yet. */
export function drawNoPayments(reason) {
  const [svg, line] = find("preview").children;
  find("preview").classList.toggle("refused", Boolean(reason));
  svg.replaceChildren();
  markDrawn(svg);
  drawLater(null);
  setText(line, reason);
}

/** Shows the payments of an outcome, which can then be confirmed; as arrows between these `seats` if it `hasArrows`. */
export function drawOutcome(outcome, seats, { note, hasArrows }) {
  const [svg, line] = find("preview").children;
  find("preview").classList.remove("refused");
  drawPayments(confirmButton().querySelector(".moved"), outcome, seats);
  drawLater(outcome.later);
  keepPlace(); // what is hidden cannot be measured
  if (hasArrows) drawArrows(svg, outcome, seats, find("settle").dataset.pot);
  else svg.replaceChildren();
  markDrawn(svg);
  setText(line, runningText([note, outcome.lost, ...outcome.notes, outcome.next]));
  confirmButton().disabled = false;
}

/** Keeps a finger from confirming what nobody can have read: a sheet just opened, or changed by another phone. */
export const keepUnconfirmed = () => keepFingersOff(confirmButton());

/** Shows why there are no payments from the server, or none yet. */
export function drawRefused(reason) {
  find("preview").classList.add("refused");
  setText(find("preview").lastElementChild, reason);
}

/** Shows why nothing was settled, and the payments that a settlement would make now, if it is possible. */
export function drawUnsettled(reason) {
  if (confirmButton().disabled) return drawRefused(reason);
  find("preview").classList.add("again");
  return setText(find("preview").lastElementChild, reason);
}

/** Offers the page of fouls with the foul of a seat that is in riichi without being tenpai; `hand` is a finished one. */
export function drawFoulLink(seat, hand) {
  find("to-fouls").hidden = seat === undefined;
  find("to-fouls").search = seat === undefined ? "" : String(new URLSearchParams({ seat, clause: NOTEN_RIICHI, ...hand }));
}
