// To and from the server: snapshots come by a stream, what people do goes by posts.

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

async function request(path, body) {
  if (!body) return fetch(`/api/${path}`);
  token ??= (await (await fetch("/api/session")).json()).token;
  const headers = { "Content-Type": "application/json", "X-Tachiai-Token": token };
  return fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Draws this page's main part anew; returns whether the server gave one, else the old part stays. */
export async function redraw() {
  try {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const main = page.querySelector("main");
    if (main) document.querySelector("main").replaceWith(main);
    return Boolean(main);
  } catch {
    return false;
  }
}

/** Sends a file; answers as `ask` does. */
export async function upload(path, file) {
  try {
    token ??= (await (await fetch("/api/session")).json()).token;
    const answer = await fetch(`/api/${path}`, { method: "POST", headers: { "X-Tachiai-Token": token }, body: file });
    return [answer.ok, await answer.json()];
  } catch {
    return [false, { said: words.offline }];
  }
}

/** Asks the server; returns whether it agreed and what it said, nothing where it cannot be reached. */
export async function ask(path, body) {
  try {
    let answer = await request(path, body);
    if (answer.status === 403 && body) {
      token = null;
      answer = await request(path, body);
    }
    return [answer.ok, await answer.json()];
  } catch {
    return [false, { said: words.offline }];
  }
}

const newMark = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-");

/** Why something was refused, in the words that the server has for people; what it says to programs is not shown. */
export const refusal = ({ said }) => said ?? words.refused;

const TAKEN_MS = [15];
const REFUSED_MS = [40, 60, 40];

/** Lets a phone be felt that can shake; browsers allow it once somebody has tapped. */
export function shake(pattern) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

/** Sends what somebody does; its mark makes it count once, however often a bad network makes us send it. */
export async function post(path, body) {
  const [isTaken, said] = await ask(path, { ...body, mark: newMark() });
  shake(isTaken ? TAKEN_MS : REFUSED_MS);
  toast(isTaken ? "" : refusal(said));
  return isTaken;
}

/** Sends a press. */
export const send = (press) => post("press", press);

let toastEnds = 0;

/** Shows a message for a while; none for an empty one. */
export function toast(text) {
  const box = find("toast");
  if (!box) return;
  setText(box, text);
  clearTimeout(toastEnds);
  if (text) toastEnds = setTimeout(() => toast(""), 6000);
}
