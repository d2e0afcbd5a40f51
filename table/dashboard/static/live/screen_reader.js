// What a screen reader says of the announcements: each new sentence once, in the order in which they happened.

import { find, make } from "../web/tools.js";

let knownMarks = null;

/** Names a sentence; the start of a hand keeps its name once it is recorded, which changes only the last part of its key. */
const markOf = ({ id, key, text }) => `${id === "hand_started" ? key.slice(0, key.lastIndexOf(".")) : key} ${text}`;

/** Puts the sentences that are new in `news`, newest first, where screen readers hear them; none when the page opens. */
export function announceNew(news) {
  const marks = news.map(markOf);
  const before = knownMarks;
  knownMarks = new Set(marks);
  if (!before) return;
  const last = marks.findLastIndex((mark) => before.has(mark)); // below it, older ones came back into sight
  const newItems = news.filter((_, at) => !before.has(marks[at]) && (at < last || last < 0));
  if (newItems.length) find("heard").replaceChildren(...newItems.reverse().map(({ text }) => make("p", { textContent: text })));
}
