// Values that were counted from tiles. They are valid only for the riichi, discarder and indicators with which they were
// counted. When one of these changes, the hand is counted again; if its tiles are unknown, people are asked.

import { askAgain, refusal } from "../web/server.js";
import { labelled, listText } from "../web/tools.js";

/** A value of `/api/value` as the sheet keeps it. */
export const valueOf = ({ yakuman, han, fu, yaku, title, yaku_texts: names }) => ({ ...(yakuman ? { yakuman } : { han, fu }), yaku, said: labelled(title, listText(names)) });

/** The request for a hand's value by the present facts: riichi as ticked, and only with it what requires riichi. */
function currentQuery(query, { from, riichi, dora }) {
  return { ...query, from, riichi: riichi ? Math.max(query.riichi, 1) : 0, ippatsu: riichi && query.ippatsu === true, dora: dora ?? query.dora };
}

/**
 * What is known of a counted value: the value, the facts with which it was counted, and the request that counted it,
 * if its tiles are known.
 */
export const countedWith = (value, facts, query = null) => ({ value, query, first: JSON.stringify(facts), last: JSON.stringify(facts), reason: "" });

/** Counts again if the facts have changed since; returns whether they have. `value` is null if the hand cannot win so. */
export async function countAgain(counted, facts, isWanted, lostText) {
  const now = JSON.stringify(facts);
  if (now === counted.last) return false;
  const isAsBefore = now === counted.first;
  const [isWon, answer] = isAsBefore || !counted.query ? [false, /** @type {any} */ ({ said: lostText })] : await askAgain("value", currentQuery(counted.query, facts), isWanted);
  if (!isWanted()) return false;
  Object.assign(counted, { last: now, now: isAsBefore ? counted.value : isWon ? valueOf(answer) : null });
  counted.reason = counted.now ? "" : refusal(answer);
  return true;
}
