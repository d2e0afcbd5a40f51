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
    let kept = place;
    while (kept && !isSame(kept, part)) kept = kept.nextElementSibling;
    if (!kept) {
      old.insertBefore(part, place);
      continue;
    }
    while (place !== kept) place = removed(place);
    place = kept.nextElementSibling;
    if (!kept.isEqualNode(part)) renew(kept, part);
  }
  while (place) place = removed(place);
}

/** Removes an element; returns the next one. */
function removed(/** @type {Element} */ node) {
  const next = node.nextElementSibling;
  node.remove();
  return next;
}
