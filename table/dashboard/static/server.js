// To and from the server: snapshots come by a stream, presses go by posts.

import { find, setText } from "./tools.js";

const words = document.body.dataset;
let token = null;

function setLink(state) {
  const link = find("link");
  link.dataset.state = state;
  setText(link.querySelector("b"), link.querySelector("b").dataset[state]);
}

/** Calls `show` with the table now and whenever it changes; finds a server again that went away. */
export function listen(show) {
  const stream = new EventSource("/api/stream");
  stream.onmessage = (event) => {
    setLink("on");
    show(JSON.parse(event.data));
  };
  stream.onerror = () => {
    setLink("off");
    token = null;
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => listen(show), 2000);
  };
  addEventListener("pagehide", () => stream.close(), { once: true });
}

async function post(press) {
  token ??= (await (await fetch("/api/session")).json()).token;
  const headers = { "Content-Type": "application/json", "X-Tachiai-Token": token };
  return fetch("/api/press", { method: "POST", headers, body: JSON.stringify(press) });
}

const newMark = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-");

/** Sends a press; its mark makes it count once, however often a bad network makes us send it. */
export async function send(press) {
  const marked = { ...press, mark: newMark() };
  try {
    let answer = await post(marked);
    if (answer.status === 403) {
      token = null;
      answer = await post(marked);
    }
    const said = await answer.json();
    toast(answer.ok ? "" : said.error ?? words.refused);
  } catch {
    toast(words.offline);
  }
}

let toastEnds = 0;

/** Shows a message for a while; none for an empty one. */
export function toast(text) {
  const box = find("toast");
  if (!box) return;
  setText(box, text);
  clearTimeout(toastEnds);
  if (text) toastEnds = setTimeout(() => toast(""), 6000);
}
