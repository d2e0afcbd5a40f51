// How a hand ended, from what was entered in the settling sheet.

import { find } from "../web/tools.js";

/** The seats ticked in a row of the sheet. */
export const chosen = (id) => [...find(id).querySelectorAll("input:checked:not([value=nobody])")].map((input) => Number(input.value));

/** Whether a row of the sheet says which seats it is about, or that it is none; a row that is not shown need not. */
export const isSaid = (id) => find(id).hidden || find(id).querySelector("input:checked") !== null;

/** The result as the server reads it, or null while something is missing. */
export function resultOf(told) {
  const riichi = chosen("riichi");
  if (told.kind === "draw" && !(isSaid("tenpai") && isSaid("nagashi"))) return null;
  if (told.kind === "draw") return { kind: "draw", tenpai: chosen("tenpai"), nagashi: chosen("nagashi"), riichi };
  if (told.kind === "abort") return told.reason ? { kind: "abort", reason: told.reason, riichi } : null;
  const complete = told.winners.length && told.from !== null && told.winners.every((seat) => told.values[seat]);
  if (!complete) return null;
  const wins = told.winners.map((seat) => {
    const { said, ...value } = told.values[seat];
    return { seat, from: told.from, ...value, ...paoOf(told, seat), ...(seat in told.chips && { chips: told.chips[seat] }) };
  });
  return { kind: told.winners.includes(told.from) ? "tsumo" : "ron", wins, riichi };
}

function paoOf(told, seat) {
  const pao = told.paos[seat] ?? {};
  return told.values[seat].yakuman && Object.keys(pao).length ? { pao } : {};
}

/** The hands that were entered tile by tile, with their melds. */
export const handsOf = (told, wins = []) => wins.filter(({ seat }) => told.hands[seat]).map(({ seat }) => ({ seat, ...told.hands[seat] }));

/** What a request says of the result: of which hand it is, and why it is edited. */
export const requestOf = (told, result) => ({ game: told.game, hand: told.hand, result, ...(told.isEdit && { edit: true, why: find("why").querySelector("input").value }) });
