// A part of the page as the server has it now. What is alike stays: a finger may be on it, or somebody types in it.

const isGroup = (/** @type {Element} */ node) => node.matches("section, ol, ul");

/** Whether two elements are alike, or two of the same group, whose members may differ. */
const isSame = (/** @type {Element} */ old, /** @type {Element} */ latest) =>
  old.isEqualNode(latest) || (isGroup(old) && old.cloneNode().isEqualNode(latest.cloneNode()));

/**
 * Gives an element the children of another one, and keeps its own where they are the same.
 * @param {Element} old
 * @param {Element} latest
 */
export function renew(old, latest) {
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
    if (!match.isEqualNode(part)) renew(match, part);
  }
  while (place) place = removeNode(place);
}

/** Removes an element; returns the next one. */
function removeNode(/** @type {Element} */ node) {
  const next = node.nextElementSibling;
  node.remove();
  return next;
}
