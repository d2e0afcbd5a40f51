// Brings a part of the page up to date. Unchanged elements stay: a finger may be on one, or somebody may type in it.

const isGroup = (/** @type {Element} */ node) => node.matches("section, ol, ul");

/** Whether both are details under the same line, which somebody may have opened. */
const areSameDetails = (/** @type {Element} */ old, /** @type {Element} */ latest) =>
  old.matches("details") && latest.matches("details") && old.firstElementChild.isEqualNode(latest.firstElementChild);

/** An element without its members, and as it was before `focusAgain` focused it. */
function frameOf(/** @type {Element} */ node) {
  const frame = /** @type {Element} */ (node.cloneNode());
  frame.removeAttribute("tabindex");
  return frame;
}

/** Whether two elements are equal, or belong to the same group, whose members may differ. */
const isSame = (/** @type {Element} */ old, /** @type {Element} */ latest) =>
  old.isEqualNode(latest) || areSameDetails(old, latest) || (isGroup(old) && frameOf(old).isEqualNode(frameOf(latest)));

/** What a control does, whatever it says now, and for whichever place in a sequence. */
function deedOf(/** @type {HTMLElement} */ control) {
  if (Object.keys(control.dataset).length) return JSON.stringify({ ...control.dataset, number: "" });
  return [control.matches("button") && control.getAttribute("value"), control.getAttribute("aria-label") ?? control.textContent].join(" ");
}

/**
 * Focuses a control of a part again once it can be pressed, or the one that now does the same, or else the part: the
 * next control may do something that whoever presses twice does not want.
 * @param {HTMLElement} part
 * @param {HTMLElement} control
 */
export function focusAgain(part, control) {
  if (document.activeElement !== document.body) return; // somebody has moved on
  const same = /** @type {HTMLElement[]} */ ([...part.querySelectorAll(control.localName)]).find((each) => deedOf(each) === deedOf(control));
  if (!same) part.tabIndex = -1;
  (same ?? part).focus({ preventScroll: true });
}

/**
 * Gives an element the children of another one, and keeps its own children that are the same, and the focus.
 * @param {HTMLElement} old
 * @param {Element} latest
 */
export function renew(old, latest) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const isInside = old.contains(focused);
  renewChildren(old, latest);
  if (isInside && !focused.isConnected) focusAgain(old, focused);
}

function renewChildren(/** @type {Element} */ old, /** @type {Element} */ latest) {
  let place = old.firstElementChild;
  for (const part of [...latest.children]) {
    let match = place;
    while (match && !isSame(match, part)) match = match.nextElementSibling;
    if (!match) {
      old.insertBefore(part, place);
      continue;
    }
    while (place !== match) place = removeNode(place);
    place = match.nextElementSibling;
    if (!match.isEqualNode(part)) renewChildren(match, part);
  }
  while (place) place = removeNode(place);
}

/** Removes an element; returns the next one. */
function removeNode(/** @type {Element} */ node) {
  const next = node.nextElementSibling;
  node.remove();
  return next;
}
