// Waits while the table restarts, and shows it once it is back.

import { requestLimit } from "../web/tools.js";

/** The table still answers for some seconds. */
const STOPS_MS = 8000;
const ASK_MS = 2000;

async function showTable() {
  try {
    if ((await fetch("/api/session", requestLimit())).ok) return location.replace("/");
  } catch {
    // it is not back yet
  }
  return setTimeout(showTable, ASK_MS);
}

setTimeout(showTable, STOPS_MS);
