// The tile keyboard: people enter which tile a discard really was.

import { send } from "../web/server.js";
import { find, labelled, setText, setTile } from "../web/tools.js";

const REACH_PX = 34; // CSS pixels: tiles are smaller than fingers, so a tap selects the nearest one

let discards = [];
let selected = 0;

/** All discards in the rivers, in the order in which they were laid, each with its seat. */
const discardsOf = (table) =>
  table.seats
    .flatMap((seat) => seat.river.map((tile, place) => ({ ...tile, title: `${seat.labels.discard} ${place + 1}` })))
    .sort((one, other) => one.index - other.index);

function nearest(event) {
  const distanceTo = (node) => {
    const box = node.getBoundingClientRect();
    return Math.hypot(event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2);
  };
  const tiles = [...document.querySelectorAll(".river .tile")].map((node) => [distanceTo(node), Number(node.dataset.index)]);
  const [distance, index] = tiles.sort((one, other) => one[0] - other[0])[0] ?? [Infinity];
  return distance <= REACH_PX ? discards.findIndex((tile) => tile.index === index) : -1;
}

function draw() {
  const tile = discards[selected];
  setTile(find("corrected"), tile.face, tile.name);
  setText(find("which"), labelled(tile.title, tile.name));
  find("before").disabled = selected === 0;
  find("after").disabled = selected === discards.length - 1;
}

/** Opens the keyboard for the discard with this index, for the one that was tapped, or for the last one. */
export function openKeyboard(table, event = null, index = null) {
  discards = table ? discardsOf(table) : [];
  const requested = discards.findIndex((tile) => tile.index === index);
  const found = index !== null ? requested : event ? nearest(event) : discards.length - 1;
  if (found < 0) return;
  selected = found;
  draw();
  find("keyboard").showModal();
}

/** Follows the table while the keyboard is open; the selected discard stays the same. */
export function redrawKeyboard(table) {
  if (!find("keyboard")?.open) return;
  const index = discards[selected].index;
  discards = discardsOf(table);
  selected = discards.findIndex((tile) => tile.index === index);
  if (selected < 0) find("keyboard").close("");
  else draw();
}

if (find("keyboard")) {
  const moveBy = (/** @type {number} */ by) => () => {
    selected += by;
    draw();
  };
  find("before").onclick = moveBy(-1);
  find("after").onclick = moveBy(1);
  find("keyboard").onclose = () => {
    const box = find("keyboard");
    if (box.returnValue && selected >= 0) send({ press: "correct", discard: discards[selected].index, to: box.returnValue });
    box.returnValue = "";
  };
}
