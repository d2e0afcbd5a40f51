// The first start: polls the step's state, sends what is pressed, and lets corners be dragged.

import { corners } from "./corners.js";
import { skipSecondTap } from "../web/second_tap.js";
import { find, requestLimit, make, setText } from "../web/tools.js";
import "../web/tap_target.js";
import { focusAgain, renew } from "../web/renew.js";

const { step, token, unsent } = document.body.dataset;
const POLL_MS = 700;
const PICTURE_MS = 500;
/** Longer than the camera may take to find the table or a tile. */
const SENT_FOR_MS = 40_000;
const now = find("now");
/** The number of taps that wait for their answer; buttons are not redrawn until then. */
let waiting = 0;
/** Whether somebody has just come back to the page. */
let isBack = false;
/** How often somebody moved a corner, and how often they had when corners were last saved. */
let [moves, savedMoves] = [0, 0];
/** Whether the next step waits for corners that are being saved. */
let isLeaving = false;
/** The tap that was sent last. @type {Promise<unknown>} */
let lastTap = Promise.resolve();

function refuse(text) {
  const box = find("refusal");
  setText(box, text);
  box.hidden = !text;
  if (text) box.scrollIntoView({ block: "nearest" });
}

/** Enables the buttons of a part of the page, which did nothing until this script had loaded. */
function allowTaps(part) {
  for (const button of part.querySelectorAll("button[data-do]")) button.disabled = false;
  return part;
}

async function refresh() {
  try {
    const answer = await fetch(`/begin/${step}/now`, requestLimit());
    const html = answer.ok ? await answer.text() : null;
    if (!waiting && html !== null && html !== now.dataset.html) {
      now.dataset.html = html;
      renew(now, allowTaps(make("div", { innerHTML: html })));
    }
    if (!waiting && html !== null) await resume();
  } catch {
    // the next poll tries again
  }
}

/** Begins anew what was over by the time somebody came back: a phone that sleeps asks for nothing. */
async function resume() {
  const isOver = isBack && now.querySelector("[data-over]");
  isBack = false;
  if (isOver) await send({ do: now.dataset.first });
}

/** Sends a request for the step; returns the answer, or null if it was refused. */
async function send(body) {
  const headers = { "Content-Type": "application/json", "X-Tachiai-Token": token };
  try {
    const answer = await fetch(`/api/begin/${step}`, { method: "POST", headers, body: JSON.stringify(body), ...requestLimit(SENT_FOR_MS) });
    const content = await answer.json();
    refuse(answer.ok ? "" : (content.said ?? unsent));
    return answer.ok ? content : null;
  } catch {
    refuse(unsent);
    return null;
  }
}

/** Sends what a button does; returns the answer, or null if it was refused. */
async function sendTap(button) {
  skipSecondTap();
  const { do: action, then, busy, seat, colour, number, word } = button.dataset;
  const body = { do: action };
  if (seat !== undefined) Object.assign(body, { seat: Number(seat), colour });
  if (word !== undefined) Object.assign(body, { step: Number(number), word });
  const text = button.textContent;
  const isFocused = button === document.activeElement;
  const busyButtons = busy ? [.../** @type {NodeListOf<HTMLButtonElement>} */ (now.querySelectorAll("button:enabled"))] : [button];
  for (const each of busyButtons) each.disabled = true;
  if (busy) button.textContent = busy;
  if (action === "put") body.corners = cornerHandles.corners;
  const sentMoves = moves;
  waiting += 1;
  const found = await send(body);
  if (found && then) await send({ do: then });
  waiting -= 1;
  for (const each of busyButtons) each.disabled = false;
  if (busy) button.textContent = text;
  if (found?.corners) {
    if (moves === sentMoves) cornerHandles.corners = found.corners; // nobody has moved one meanwhile
    savedMoves = sentMoves;
  }
  if (now && (found || !cornerHandles)) await refresh(); // after a refusal the moved corners are still not saved
  if (isFocused) focusAgain(button.isConnected ? button.parentElement : now, button);
  return found;
}

document.addEventListener("visibilitychange", () => (isBack = !document.hidden));

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("button[data-do]");
  if (button) lastTap = sendTap(button);
});

/** Whoever goes on to the next step uses the corners that they moved. */
document.querySelector(".onward")?.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const use = /** @type {HTMLButtonElement} */ (document.querySelector("[data-do=put]"));
  if (moves === savedMoves || /** @type {HTMLButtonElement} */ (event.submitter)?.value === "skip") return;
  event.preventDefault();
  if (isLeaving) return;
  isLeaving = true;
  await lastTap;
  if (moves !== savedMoves) await sendTap(use);
  isLeaving = false;
  if (moves === savedMoves) form.submit();
});

const cornerHandles = corners(find("corners"), find("picture"), () => {
  moves += 1;
  setText(find("place"), find("corners").dataset.moved);
  delete now.dataset.html; // so that what is stored is told anew, even if it is the same as before
});
if (cornerHandles) {
  const storedCorners = JSON.parse(find("place").dataset.corners);
  if (storedCorners.length === 4) cornerHandles.corners = storedCorners;
}
allowTaps(document);

const picture = find("picture");
if (picture) {
  const look = () => { picture.src = `/begin/picture.jpg?at=${Date.now()}`; };
  picture.onload = () => { find("waiting").hidden = true; setTimeout(look, PICTURE_MS); };
  picture.onerror = () => { find("waiting").hidden = false; setTimeout(look, 2 * PICTURE_MS); };
  look();
}

if (now?.dataset.first) await send({ do: now.dataset.first });
if (now && "poll" in now.dataset) {
  for (;;) {
    if (!document.hidden) await refresh(); // felt and panel return to the table if nobody sees the page
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
