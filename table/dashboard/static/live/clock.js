// The time left of a tournament's round or of the time limit, by the table's own clock. At its end the page only shows
// that time is up: the desk or people call it. After that, it shows that the last hand comes or is being played.

import { find, requestLimit, setText, withValues } from "../web/tools.js";

const MINUTE_MS = 60_000;
const TICK_MS = 5_000;
/** How often the table's clock is compared: the network corrects it, often in the middle of an evening. */
const VALID_MS = 60_000;
/** The server gives the time in whole seconds, rounded down: without this addition, a game of 30 minutes starts at 31. */
const CUT_OFF_MS = 999;
const chip = find("clock");
let clock = null;
/** How far the table's clock is ahead of the phone's, in milliseconds; null before the server's first answer. */
let offsetMs = null;
let askedAt = -VALID_MS;
let isAsking = false;

async function askTheTime() {
  if (isAsking) return;
  isAsking = true;
  try {
    const now = Date.parse((await fetch("/api/session", requestLimit())).headers.get("date") ?? "");
    if (Number.isFinite(now)) offsetMs = now + CUT_OFF_MS - Date.now();
    askedAt = performance.now();
  } catch {
    // the table cannot be reached: the next comparison tries again
  }
  isAsking = false;
  show();
}

function show() {
  chip.hidden = !clock || offsetMs === null;
  if (chip.hidden) return;
  const now = Date.now() + offsetMs;
  const { left: running, up, called, ago, last } = chip.dataset;
  const minutesLeft = clock.until ? Math.ceil((Date.parse(clock.until) - now) / MINUTE_MS) : 0;
  const since = clock.called_at ? Math.floor((now - Date.parse(clock.called_at)) / MINUTE_MS) : 0;
  const agoText = since > 0 ? withValues(ago, { minutes: since }) : "";
  const endText = [clock.is_last && last, agoText].filter(Boolean).join(" · ") || called;
  chip.dataset.state = clock.is_called || minutesLeft <= 0 ? "lost" : "";
  setText(chip, clock.is_called ? endText : minutesLeft <= 0 ? up : withValues(running, { minutes: minutesLeft }));
}

/** Shows the clock of the round, or the time limit of the game, if there is one. */
export function drawClock(latest) {
  if (!chip) return;
  const isMoved = latest?.until !== clock?.until || latest?.called_at !== clock?.called_at;
  clock = latest;
  if (isMoved) askedAt = -VALID_MS;
  tick();
}

function tick() {
  if (clock && performance.now() - askedAt > VALID_MS) askTheTime();
  show();
}

if (chip) setInterval(tick, TICK_MS);
