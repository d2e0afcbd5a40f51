// Communication with the server: snapshots arrive by a stream, commands are sent by POST requests.

import { skipSecondTap } from "./second_tap.js";
import { follow } from "./stream.js";
import { keepFingersOff } from "./tap_target.js";
import { find, loadAnew, requestLimit, setText } from "./tools.js";
import { renew } from "./renew.js";

const words = document.body.dataset;
let token = null;

function setLink(state) {
  const link = find("link");
  link.dataset.state = state;
  setText(link.querySelector("b"), link.querySelector("b").dataset[state]);
}

/** Reopens the stream, which sends the table as it is now. */
export let reopenStream = () => {};

/** The numbers of the game and hand that the page shows, if any: a press about another hand is refused. */
let shownHand = null;

/** Calls `show` with the table now and whenever it changes, and with whether the page had lost the table before. */
export function listen(show, isReadAloud) {
  let isBack = false;
  const showHand = (table) => {
    shownHand = table.keeping ? [table.keeping.game, table.keeping.hand] : null;
    return show(table, isBack);
  };
  const showLink = (isOn) => {
    isBack = find("link").dataset.state === "off";
    setLink(isOn ? "on" : "off");
    if (!isOn) token = null;
  };
  reopenStream = follow(showHand, showLink, isReadAloud);
  addEventListener("pageshow", (event) => event.persisted && loadAnew()); // it would show the seat and language of when it was left
}

const LONGEST_UPLOAD_MS = 120_000;

async function sessionToken() {
  token ??= (await (await fetch("/api/session", requestLimit())).json()).token;
  return token;
}

async function request(path, body) {
  if (!body) return fetch(`/api/${path}`, requestLimit());
  const headers = { "Content-Type": "application/json", "X-Tachiai-Token": await sessionToken() };
  return fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body), ...requestLimit() });
}

let redraws = 0;

/**
 * Brings this page's main part up to date; returns false if no page came, a newer request replaced this one, or nobody
 * wants it any more. Whoever may see the page no longer goes where it leads now.
 */
export async function redraw(isUnwanted = () => false) {
  redraws += 1;
  const number = redraws;
  try {
    const answer = await fetch(location.href, requestLimit());
    if (answer.redirected) location.replace(answer.url);
    const page = new DOMParser().parseFromString(answer.redirected ? "" : await answer.text(), "text/html");
    const [shown, latest] = [document, page].map((each) => each.querySelector("main"));
    if (!answer.ok || !latest || number !== redraws || isUnwanted()) return false;
    const before = shown.innerHTML;
    renew(shown, latest);
    if (shown.innerHTML !== before) keepFingersOff(shown);
    return true;
  } catch {
    return false;
  }
}

/** Sends a file; answers as `ask` does. */
export async function upload(path, file) {
  try {
    const headers = { "X-Tachiai-Token": await sessionToken() };
    const answer = await fetch(`/api/${path}`, { method: "POST", headers, body: file, ...requestLimit(LONGEST_UPLOAD_MS) });
    return [answer.ok, await answer.json()];
  } catch {
    return [false, { said: words.unsent }];
  }
}

/** Requests an address; returns whether that succeeded, and the answer, also if the server was not reached. */
export async function ask(path, body) {
  try {
    let answer = await request(path, body);
    if (answer.status === 403 && body) {
      token = null;
      answer = await request(path, body);
    }
    return [answer.ok, await answer.json()];
  } catch {
    return [false, { said: words.unsent, isUnreached: true }];
  }
}

const AGAIN_MS = 1500;
/** Longer than a table takes to restart. */
const SENT_FOR_MS = 40_000;

/**
 * Requests as `ask` does, and repeats that while the server cannot be reached and `isWanted`; meanwhile it calls `wait`
 * with the reason.
 */
export async function askAgain(path, body, isWanted, wait) {
  let [isGood, answer] = await ask(path, body);
  while (answer?.isUnreached && isWanted()) {
    wait?.({ said: words.offline });
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    if (isWanted()) [isGood, answer] = await ask(path, body);
  }
  return [isGood, answer];
}

const newMark = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-");

/** The reason for a refusal in the server's words for people; its message for programs is not shown. */
export const refusal = ({ said }) => said ?? words.refused;

const ACCEPTED_MS = [15];
const REFUSED_MS = [40, 60, 40];

/** Vibrates a phone if it can; browsers allow that once somebody has tapped. */
export function shake(pattern) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

const TWICE_MS = 800;
let lastPost = { command: "", answer: null, at: 0 };

/** Sends a command as `postOnce` does; a quick second tap for the same command gets the first one's answer. */
export function post(path, body, wait) {
  skipSecondTap();
  const command = JSON.stringify([path, body]);
  if (command === lastPost.command && Date.now() - lastPost.at < TWICE_MS) return lastPost.answer;
  const newPost = { command, answer: postOnce(path, body, wait), at: Infinity };
  newPost.answer.then((isAccepted) => Object.assign(newPost, isAccepted ? { at: Date.now() } : { command: "" }));
  lastPost = newPost;
  return newPost.answer;
}

/**
 * Sends a command, and repeats it for some seconds if the answer is lost; its mark makes it count once. Calls `wait` with
 * the reason for the delay.
 */
async function postOnce(path, body, wait = (answer) => toast(refusal(answer))) {
  const startedAt = Date.now();
  const [isAccepted, answer] = await askAgain(path, { ...body, mark: newMark() }, () => Date.now() - startedAt < SENT_FOR_MS, wait);
  shake(isAccepted ? ACCEPTED_MS : REFUSED_MS);
  toast(isAccepted ? "" : refusal(answer));
  return isAccepted;
}

/** Sends a press. */
export const send = (press) => post("press", { ...press, shown: shownHand });

let toastEnds = 0;
let toastHome = null;

/** Puts the message into the topmost open sheet; once that is closed, it moves on: some sheets are then removed. */
function placeToast(box) {
  const sheet = [...document.querySelectorAll("dialog[open]")].at(-1);
  (sheet ?? toastHome).append(box);
  sheet?.addEventListener("close", () => sheet.contains(box) && placeToast(box), { once: true });
}

/** Shows a message for a while, above an open sheet; hides it for an empty one. */
export function toast(text, ms = 6000) {
  const box = find("toast");
  if (!box) return;
  toastHome ??= box.parentElement;
  if (text) placeToast(box);
  setText(box, text);
  clearTimeout(toastEnds);
  if (text) toastEnds = setTimeout(() => toast(""), ms);
}
