// The sharpness of the picture while somebody turns the lens, and the state of an update until after its restart.

import { find, requestLimit } from "../web/tools.js";

const LOOK_MS = 700;
const ASK_MS = 3000;

/** @param {string} path */
async function answer(path) {
  const response = await fetch(path, requestLimit());
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

async function measure() {
  const meter = find("meter");
  try {
    const { sharpness } = await answer("/device/sharpness");
    if (sharpness !== null) {
      meter.max = Math.max(meter.max, sharpness);
      meter.value = sharpness;
      find("sharp-now").textContent = String(sharpness);
      find("sharp-most").textContent = String(meter.max);
    }
  } catch {
    // the next poll shows it
  }
  setTimeout(measure, LOOK_MS);
}

/** @param {string} before */
async function follow(before) {
  try {
    const { state, step } = await answer("/device/update");
    const now = state + step;
    if (before && now !== before) location.replace("/device");
    before = now;
  } catch {
    // it is restarting
  }
  setTimeout(follow, ASK_MS, before);
}

if (document.getElementById("meter")) measure();
if (document.body.dataset.update === "running") follow("");
