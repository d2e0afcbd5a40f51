// What only this phone's seat may know: its wait as it told it, and what follows from that.

import { send } from "./server.js";
import { fill, find, make, setText } from "./tools.js";

const box = find("waits");
const seat = Number(document.body.dataset.seat);

/** Shows this seat's hints; the common pages get none. */
export function drawHints({ hints = [], keeping }) {
  if (!find("hints")) return;
  find("hints").hidden = !hints.length;
  fill(find("hints"), hints, () => make("p"), (line, hint) => setText(line, hint.text));
  if (find("wait")) find("wait").hidden = !keeping.may_hint || !keeping.is_watched;
}

if (box && find("wait")) {
  const keys = [...box.querySelectorAll(".keys button")];
  for (const key of keys) key.onclick = () => key.setAttribute("aria-pressed", String(key.ariaPressed !== "true"));
  find("wait").onclick = () => box.showModal();
  box.onclose = () => {
    const tiles = keys.filter((key) => key.ariaPressed === "true").map((key) => key.value);
    if (box.returnValue === "tell") send({ press: "wait", seat, tiles });
    box.returnValue = "";
  };
}
