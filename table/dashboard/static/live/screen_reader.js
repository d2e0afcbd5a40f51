// The announcements for screen readers: each new sentence once, in the order of the events.

import { find, make } from "../web/tools.js";

let knownMarks = null;

/** Identifies a sentence. Recording the start of a hand changes only the last part of its key, so that part is left out. */
const markOf = ({ id, key, text }) => `${id === "hand_started" ? key.slice(0, key.lastIndexOf(".")) : key} ${text}`;

/** Puts the new sentences of `news` (newest first) where screen readers read them; none when the page opens. */
export function announceNew(news) {
  const marks = news.map(markOf);
  const before = knownMarks;
  knownMarks = new Set(marks);
  if (!before) return;
  const last = marks.findLastIndex((mark) => before.has(mark)); // older ones, which reappeared, come after it
  const newItems = news.filter((_, at) => !before.has(marks[at]) && (at < last || last < 0));
  if (newItems.length) find("heard").replaceChildren(...newItems.reverse().map(({ text }) => make("p", { textContent: text })));
}
