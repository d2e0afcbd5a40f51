// Brings a part of the page up to date. Unchanged elements stay: a finger may be on one, or somebody may type in it.

const isGroup = (/** @type {Element} */ node) => node.matches("section, ol, ul");

/** Whether two elements are equal, or belong to the same group, whose members may differ. */
const isSame = (/** @type {Element} */ old, /** @type {Element} */ latest) =>
  old.isEqualNode(latest) || (isGroup(old) && old.cloneNode().isEqualNode(latest.cloneNode()));

/**
 * Gives an element the children of another one, and keeps its own children that are the same.
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
