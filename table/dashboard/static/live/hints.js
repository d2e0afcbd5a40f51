// What only this phone's seat may see: its declared wait, and what follows from it.

import { send } from "../web/server.js";
import { fill, find, make, setText } from "../web/tools.js";

const box = find("waits");
const seat = Number(document.body.dataset.seat);

let hand = "";
let clearKeys = () => {};

/** Shows this seat's hints; other pages get none. */
export function drawHints({ hints = [], keeping }) {
  const handKey = [keeping.game, keeping.hand].join();
  if (hand !== handKey) clearKeys(); // a wait belongs to one hand
  hand = handKey;
  if (!find("hints")) return;
  find("hints").hidden = !hints.length;
  fill(find("hints"), hints, () => make("p"), (line, hint) => setText(line, hint.text));
  if (!find("wait")) return;
  find("wait").hidden = !keeping.may_hint || !keeping.is_watched;
  find("open-riichi").hidden = !keeping.may_open_riichi;
}

if (box && find("wait")) {
  const keys = [...box.querySelectorAll(".keys button")];
  let press = "wait";
  const setCount = (key, count) => {
    key.setAttribute("aria-pressed", String(count > 0));
    if (count > 1) key.dataset.count = String(count);
    else delete key.dataset.count;
  };
  const countOf = (key) => Number(key.dataset.count ?? (key.getAttribute("aria-pressed") === "true" ? 1 : 0));
  /** A wait contains each tile once; of visible tiles, there may be several copies. */
  for (const key of keys) key.onclick = () => setCount(key, (countOf(key) + 1) % (press === "open" ? 4 : 2));
  clearKeys = () => keys.forEach((key) => setCount(key, 0));
  const openWaits = (kind, title) => () => {
    if (kind !== press) clearKeys();
    press = kind;
    setText(find("waits-title"), title);
    box.showModal();
  };
  find("wait").onclick = openWaits("wait", find("wait").textContent.trim());
  find("open-riichi").onclick = openWaits("open", find("open-riichi").dataset.hint);
  box.onclose = () => {
    const tiles = keys.flatMap((key) => Array(countOf(key)).fill(key.value));
    if (box.returnValue === "tell") send({ press, seat, tiles });
    box.returnValue = "";
  };
}
