// Who is liable for a winner's yakuman (pao), in the settling sheet.

import { fill, find, make, nameOf, setText } from "../web/tools.js";

/** Draws the yakuman that can have a liable seat, and the seats to choose from: nobody or `others`; `chosen` is pressed. */
export function drawPao(paos, others, chosen = {}) {
  fill(find("pao-yakuman"), paos, () => make("option"), (option, each) => {
    option.value = each.yakuman;
    setText(option, each.text);
  });
  const liable = [{ seat: "", player: "", name: find("settle").dataset.nobody }, ...others];
  fill(find("pao-seat"), liable, () => make("option"), (option, seat) => {
    option.value = seat.seat;
    setText(option, nameOf(seat));
  });
  const [pao] = Object.entries(chosen);
  if (pao) find("pao-yakuman").value = pao[0];
  find("pao-seat").value = pao ? pao[1] : "";
}

/** The liable seat of each yakuman as entered: the sheet shows the first yakuman, and the others stay as they were. */
export function enteredPaos(before = {}) {
  const [yakuman, liable] = [find("pao-yakuman").value, find("pao-seat").value];
  const [, ...others] = Object.entries(before);
  return Object.fromEntries([...(liable === "" ? [] : [[yakuman, Number(liable)]]), ...others]);
}
