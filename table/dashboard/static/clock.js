// How much is left of the time limit, by the table's own clock; that time is up is only said, people call it.

import { find, setText } from "./tools.js";

const MINUTE_MS = 60_000;
const OFTEN_MS = 5_000;
const chip = find("clock");
let clock = null;
/** How far the table's clock is ahead of the phone's; null before the first answer of the server. */
let ahead = null;

async function askTheTime() {
  ahead = 0;
  const now = Date.parse((await fetch("/api/session")).headers.get("date") ?? "");
  if (Number.isFinite(now)) ahead = now - Date.now();
  show();
}

function show() {
  chip.hidden = !clock;
  if (!clock || ahead === null) return;
  const left = clock.minutes - Math.floor((Date.now() + ahead - Date.parse(clock.opened_at)) / MINUTE_MS);
  const { left: running, up, called } = chip.dataset;
  chip.dataset.state = clock.is_called || left <= 0 ? "lost" : "";
  setText(chip, clock.is_called ? called : left <= 0 ? up : running.replace("{minutes}", String(left)));
}

/** Shows the time limit of the game, if its rules have one. */
export function drawClock(latest) {
  if (!chip) return;
  clock = latest;
  if (clock && ahead === null) askTheTime().catch(show);
  show();
}

if (chip) setInterval(show, OFTEN_MS);
