// Who sits where, so that what is being entered counts for the people whom it was entered for.

/** Who sits where in a state of the table. */
export const seatingOf = ({ keeping, seats }) => ({ game: keeping.game, order: keeping.order.join(), names: seats.map((seat) => seat.player) });

/** Whether people have other seats than before: seats were swapped, or a name stands at another seat. */
export function haveMoved(before, now) {
  const isSwapped = before.game === now.game && before.order !== now.order;
  return isSwapped || now.names.some((name, seat) => name && name !== before.names[seat] && before.names.includes(name));
}

/** Whether other people sit at the table, or the same ones elsewhere. */
export const areOthers = (before, now) => haveMoved(before, now) || before.names.join("\n") !== now.names.join("\n");
