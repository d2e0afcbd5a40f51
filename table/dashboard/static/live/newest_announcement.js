// The newest announcement, shown for a while on the felt at its seat.

import { find, setText } from "../web/tools.js";

const SHOWN_MS = 5000;
let lastMark = null;
let hideTimer = 0;

/** Shows a new line; a line without a seat appears only in the list of announcements. */
export function drawNewest([newest], seats) {
  const mark = newest && `${newest.key} ${newest.text}`;
  const isNew = lastMark !== null && mark && mark !== lastMark;
  lastMark = mark ?? "";
  if (!isNew) return;
  const box = find("saying");
  const place = seats.findIndex((seat) => seat.seat === newest.seat);
  box.hidden = place < 0;
  if (place < 0) return;
  box.dataset.side = String(place);
  setText(box, newest.text);
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => (box.hidden = true), SHOWN_MS);
}
