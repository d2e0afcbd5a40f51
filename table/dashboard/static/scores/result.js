// How a hand ended, from what was entered in the settling sheet.

import { isAnswered, tickedSeats } from "./seat_rows.js";
import { find } from "../web/tools.js";

/** The result as the server reads it, or null while something is missing. */
export function resultOf(draft) {
  const riichi = tickedSeats("riichi");
  if (draft.kind === "draw" && !(isAnswered("tenpai") && isAnswered("nagashi"))) return null;
  if (draft.kind === "draw") return { kind: "draw", tenpai: tickedSeats("tenpai"), nagashi: tickedSeats("nagashi"), riichi };
  if (draft.kind === "abort") return draft.reason ? { kind: "abort", reason: draft.reason, riichi } : null;
  const isComplete = draft.winners.length && draft.from !== null && draft.winners.every((seat) => draft.values[seat]);
  if (!isComplete) return null;
  const wins = draft.winners.map((seat) => {
    const { said, ...value } = draft.values[seat];
    return { seat, from: draft.from, ...value, ...paoOf(draft, seat), ...(seat in draft.chips && { chips: draft.chips[seat] }) };
  });
  return { kind: draft.winners.includes(draft.from) ? "tsumo" : "ron", wins, riichi };
}

function paoOf(draft, seat) {
  const pao = draft.paos[seat] ?? {};
  return draft.values[seat].yakuman && Object.keys(pao).length ? { pao } : {};
}

/** The hands that were entered tile by tile, with their melds. */
export const handsOf = (draft, wins = []) => wins.filter(({ seat }) => draft.hands[seat]).map(({ seat }) => ({ seat, ...draft.hands[seat] }));

/** The fields of a request besides the result: which hand it settles, and why the hand is edited. */
export const requestOf = (draft, result) => ({ game: draft.game, hand: draft.hand, result, ...(draft.isEdit && { edit: true, why: find("why").querySelector("input").value }) });
