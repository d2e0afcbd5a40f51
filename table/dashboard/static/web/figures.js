// What the table shows of a game: pages of figures change with it.

import { follow } from "./stream.js";

/** What such a page shows of the table: no discard changes it. */
function figuresOf({ keeping, sheet, adjustments, changeovers, camera, seats }) {
  const { game, order, rules, fouls, is_over: isOver, undo, redo } = keeping;
  const players = seats.map(({ player, score }) => [player, score]);
  return JSON.stringify([game, order, rules, fouls, isOver, undo, redo, sheet, adjustments, changeovers, camera, players]);
}

/** Calls `update` whenever the table is heard of, with whether it now shows something else than before. */
export function followFigures(/** @type {(isNew: boolean) => unknown} */ update) {
  let shown = "";
  follow((table) => {
    const latest = figuresOf(table);
    const isNew = shown !== "" && latest !== shown;
    shown = latest;
    document.body.dataset.version = table.version;
    return update(isNew);
  });
}
