// A finger that taps twice means what its first tap hit. Once that has sent a command, something else may lie in its
// place: "Undo" grows over "Redo", "Cancel" stands where "Ron" was, and where an entry was removed lies the next one.

const TWICE_MS = 400;
const NEAR_PX = 40;
let pointer = "";
/** The last tap that was heard, and the one that sent the last command: where and when. */
let lastTap = null;
let sentTap = null;

const isSecond = (/** @type {MouseEvent} */ tap) =>
  sentTap !== null && (pointer !== "mouse" || tap.detail > 1) && Date.now() - sentTap.at < TWICE_MS && Math.hypot(tap.clientX - sentTap.x, tap.clientY - sentTap.y) < NEAR_PX;

addEventListener("pointerup", (event) => (pointer = event.pointerType), { capture: true });

addEventListener("click", (event) => {
  if (!event.detail) return; // by a key
  const tap = { at: Date.now(), x: event.clientX, y: event.clientY };
  if (!isSecond(event)) return void (lastTap = tap);
  sentTap = tap; // for a third one
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

/** Lets nothing hear a second tap that soon follows the last one in its place. */
export function skipSecondTap() {
  sentTap = lastTap;
}
