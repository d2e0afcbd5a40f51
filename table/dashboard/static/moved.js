// What Confirm would move, said on it: who pays, an arrow, who gets.

import { nameOf } from "./felt.js";
import { make } from "./tools.js";

const part = (seat, text) => make("span", {}, make("b", { textContent: nameOf(seat) }), ` ${text}`);

/** Names everybody whose points an outcome changes, those who pay first; leaves the place empty where nobody's change. */
export function drawMoved(place, outcome, seats) {
  const moved = (sign) => seats.filter((seat) => Math.sign(outcome?.deltas?.[seat.seat] ?? 0) === sign);
  const parts = (sign) => moved(sign).map((seat) => part(seat, outcome.delta_texts[seat.seat]));
  const [paying, winning] = [parts(-1), parts(1)];
  const all = [...paying, ...(paying.length && winning.length ? [make("i", { textContent: "→" })] : []), ...winning];
  place.replaceChildren(...all.flatMap((each) => [each, " "])); // spaces are for those who hear it
  place.hidden = !all.length;
}
