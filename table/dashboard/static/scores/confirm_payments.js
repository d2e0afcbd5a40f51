// The payments that Confirm would make, shown on the button: payers, an arrow, receivers.

import { make, nameOf } from "../web/tools.js";

const part = (seat, text) => make("span", {}, make("b", { dir: "auto", textContent: nameOf(seat) }), ` ${text}`);

/** Names everybody whose points or chips an outcome changes, payers first; leaves the place empty if nobody's change. */
export function drawPayments(place, outcome, seats) {
  const change = (seat) => (outcome?.deltas?.[seat.seat] || outcome?.chips?.[seat.seat]) ?? 0;
  const changed = (sign) => seats.filter((seat) => Math.sign(change(seat)) === sign);
  const text = ({ seat }) => [outcome.deltas[seat] && outcome.delta_texts[seat], outcome.chip_texts?.[seat]].filter(Boolean).join(" · ");
  const parts = (sign) => changed(sign).map((seat) => part(seat, text(seat)));
  const [payers, receivers] = [parts(-1), parts(1)];
  const all = [...payers, ...(payers.length && receivers.length ? [make("i", { textContent: "→" })] : []), ...receivers];
  place.replaceChildren(...all.flatMap((each) => [each, " "])); // spaces are for screen readers
  place.hidden = !all.length;
}
