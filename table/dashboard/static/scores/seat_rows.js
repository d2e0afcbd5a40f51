// The rows of the settling sheet in which seats are ticked.

import { find, setText, setTile } from "../web/tools.js";

/** Shows these seats in a row; `labelOf` returns the label of a seat. */
export function drawRow(id, seats, labelOf) {
  const labels = [...find(id).querySelectorAll("label")];
  seats.forEach((seat, place) => {
    const [input, span] = labels[place].children;
    input.value = seat.seat;
    setTile(span.querySelector("img"), seat.wind, "");
    setText(span.querySelector("b"), labelOf(seat));
  });
}

/** The seats ticked in a row. */
export const tickedSeats = (id) => [...find(id).querySelectorAll("input:checked:not([value=nobody])")].map((input) => Number(input.value));

/** Whether a row has a ticked seat, or "nobody" is ticked; a hidden row needs neither. */
export const isAnswered = (id) => find(id).hidden || find(id).querySelector("input:checked") !== null;

/** Whether people have said that it is nobody; a hidden row may still have to be answered. */
export const isNobodyTicked = (id) => find(id).querySelector("[value=nobody]:checked") !== null;

/** Ticks these seats; if there are none, ticks "nobody" if people have said so. */
export function tickSeats(id, seats, isNobody = false) {
  for (const input of find(id).querySelectorAll("input")) input.checked = input.value === "nobody" ? isNobody && !seats.length : seats.includes(Number(input.value));
}

/** Unticks the seats if "nobody" was ticked, and "nobody" if a seat was. */
export function untickOthers(id, changedInput) {
  if (!changedInput.checked) return;
  for (const input of find(id).querySelectorAll("input")) if ((input.value === "nobody") !== (changedInput.value === "nobody")) input.checked = false;
}
