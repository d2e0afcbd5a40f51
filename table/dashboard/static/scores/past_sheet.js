// Whether a settling sheet is out of date: the table has gone on meanwhile, or somebody has edited the same hand.

import { haveMoved, seatingOf } from "../web/seating.js";

/** The hand that the sheet edits, as the table has it now. */
export const rowOf = (draft, latest) => (draft.isEdit ? JSON.stringify(latest.sheet[draft.hand] ?? null) : "");

/** Why the sheet is out of date: the key of the sentence that says so; empty if it is not. */
export function pastKeyOf(draft, latest) {
  const { game, hand } = latest.keeping;
  if (game !== draft.game) return "otherGame";
  if (haveMoved(draft.seating, seatingOf(latest))) return "reseated";
  if (draft.isEdit) return draft.hand >= hand ? "undone" : rowOf(draft, latest) === draft.row ? "" : "edited";
  return hand === draft.hand ? "" : hand < draft.hand ? "undone" : "past";
}
