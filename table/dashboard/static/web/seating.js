// Who sits where, so that an entry counts for the people for whom it was made.

/** Longer than a table keeps silent while people set its rules, and shorter than a game. */
const SLEPT_MS = 300_000;

/** Who sits where in a state of the table, and when the page heard of it: now. */
export const seatingOf = ({ keeping, seats }) => ({ game: keeping.game, rules: keeping.rules, order: keeping.order.join(), names: seats.map((seat) => seat.player), heardAt: Date.now() });

/** Whether people have changed seats: seats were swapped, or a name is now at another seat. */
export function haveMoved(before, now) {
  const isSwapped = before.game === now.game && before.order !== now.order;
  return isSwapped || now.names.some((name, seat) => name && name !== before.names[seat] && before.names.includes(name));
}

/** Whether a page heard nothing for so long that a whole game may have been played meanwhile. */
const hasSlept = (before, now) => Math.abs(now.heardAt - before.heardAt) > SLEPT_MS;

/** Whether an entry in a game is still meant in the one opened since: it has other rules, and no hand had ended before. */
export const hasOnlyOtherRules = (before, now, hand) => hand === 0 && before.rules !== now.rules && !areOthers(before, now) && !hasSlept(before, now);

/** Whether other people sit at the table, or the same people at other seats. */
export const areOthers = (before, now) => haveMoved(before, now) || before.names.join("\n") !== now.names.join("\n");
