// Communication with the server: snapshots arrive by a stream, commands are sent by POST requests.

import { find, setText } from "./tools.js";

const words = document.body.dataset;
let token = null;

function setLink(state) {
  const link = find("link");
  link.dataset.state = state;
  setText(link.querySelector("b"), link.querySelector("b").dataset[state]);
}

/** Calls `show` with the table now and whenever it changes; reconnects to a server that was away. */
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

/** Reloads this page's main part; returns whether the server sent one, else the old part stays. */
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

/** Requests an address; returns whether it succeeded and the answer, or nothing if the server cannot be reached. */
export async function ask(path, body) {
  try {
    let answer = await request(path, body);
    if (answer.status === 403 && body) {
      token = null;
      answer = await request(path, body);
    }
    return [answer.ok, await answer.json()];
  } catch {
    return [false, { said: words.offline, isUnreached: true }];
  }
}

const AGAIN_MS = 1500;

/** Requests as `ask` does, and again while the server cannot be reached and the answer is wanted; `wait` is told why. */
export async function askAgain(path, body, isWanted, wait) {
  let [isGood, said] = await ask(path, body);
  while (said?.isUnreached && isWanted()) {
    wait?.(said);
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    if (isWanted()) [isGood, said] = await ask(path, body);
  }
  return [isGood, said];
}

const newMark = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-");

/** Why something was refused, in the server's words for people; its message for programs is not shown. */
export const refusal = ({ said }) => said ?? words.refused;

const TAKEN_MS = [15];
const REFUSED_MS = [40, 60, 40];

/** Vibrates a phone that can; browsers allow it once somebody has tapped. */
export function shake(pattern) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

/** Sends a command; its mark makes it count once, however often a bad network makes us send it. */
export async function post(path, body) {
  const [isTaken, said] = await ask(path, { ...body, mark: newMark() });
  shake(isTaken ? TAKEN_MS : REFUSED_MS);
  toast(isTaken ? "" : refusal(said));
  return isTaken;
}

/** Sends a press. */
export const send = (press) => post("press", press);

let toastEnds = 0;

/** Shows a message for a while; hides it for an empty one. */
export function toast(text) {
  const box = find("toast");
  if (!box) return;
  setText(box, text);
  clearTimeout(toastEnds);
  if (text) toastEnds = setTimeout(() => toast(""), 6000);
}
