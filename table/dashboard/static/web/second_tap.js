// A finger that taps twice means what its first tap hit. Once that tap has sent a command or opened a page, another
// control may be in its place: "Undo" grows over "Redo", "Cancel" replaces "Ron", and the next entry takes the place of a
// removed one.

import { remember, takeOut } from "./browser_memory.js";

const TWICE_MS = 400;
const NEAR_PX = 40;
let pointer = "";
/** The last tap that was handled, and the one that sent the last command or opened this page, with its place and time. */
let lastTap = null;
let sentTap = JSON.parse(takeOut("tap"));

const isSecond = (/** @type {MouseEvent} */ tap) =>
  sentTap !== null && (pointer !== "mouse" || tap.detail > 1) && Math.abs(Date.now() - sentTap.at) < TWICE_MS && Math.hypot(tap.clientX - sentTap.x, tap.clientY - sentTap.y) < NEAR_PX;

addEventListener("pointerup", (event) => (pointer = event.pointerType), { capture: true });

addEventListener("click", (event) => {
  if (!event.detail) return; // a click by a key
  const tap = { at: Date.now(), x: event.clientX, y: event.clientY };
  if (!isSecond(event)) return void (lastTap = tap);
  sentTap = tap; // ignores a third tap, too
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

/** From now on, ignores a second tap that soon follows the last one at its place. */
export function skipSecondTap() {
  sentTap = lastTap;
}

addEventListener("pagehide", () => remember("tap", JSON.stringify(lastTap), "sessionStorage"));
