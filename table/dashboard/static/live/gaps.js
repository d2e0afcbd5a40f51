// A tap on a seat's score shows the others' differences to it; any other tap, or some seconds, brings the scores back.

import { toast } from "../web/server.js";
import { find, nameOf, withValues } from "../web/tools.js";

const seats = find("seats");
const { compared: words, gap } = seats.dataset;
const SHOWN_MS = 15000;
let comparedSeat = null;
let resetTimer = 0;

const signed = (points) => `${points > 0 ? "+" : points < 0 ? "−" : "±"}${Math.abs(points).toLocaleString("en")}`;

/** The seats with their difference to the compared seat instead of their scores. */
export function withGaps(all) {
  if (comparedSeat === null) return all;
  const base = all[comparedSeat];
  return all.map((seat) => {
    if (seat.seat === comparedSeat) return { ...seat, is_compared: true };
    return { ...seat, score_text: signed(seat.score - base.score), is_gap: true, score_label: withValues(gap, { seat: nameOf(base) }) };
  });
}

/** Handles taps on scores; `seatAt` returns the seat of a card, `redraw` draws the table again. */
export function followGaps(seatAt, redraw) {
  const compare = (seat) => {
    comparedSeat = seat;
    clearTimeout(resetTimer);
    if (seat !== null) resetTimer = window.setTimeout(compare, SHOWN_MS, null); // as long as the message that explains the numbers
    toast(seat === null ? "" : withValues(words, { seat: nameOf(seatAt(seat)) }), SHOWN_MS);
    redraw();
  };
  const onTap = (event) => {
    const score = /** @type {HTMLElement} */ (event.target).closest(".score[role]");
    if (!score?.textContent) return comparedSeat === null ? undefined : compare(null); // without a number, the tap is meant for the seat
    event.preventDefault();
    event.stopPropagation();
    const seat = Number(score.dataset.seat);
    return compare(seat === comparedSeat ? null : seat);
  };
  document.addEventListener("click", onTap, { capture: true });
  seats.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      if (/** @type {HTMLElement} */ (event.target).matches(".score[role]")) onTap(event);
    } else if (event.key === "Escape" && comparedSeat !== null) compare(null);
  });
}
