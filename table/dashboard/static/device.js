// How sharp the picture is, while somebody turns the lens; and how an update stands, through the restart at its end.

import { find } from "./tools.js";

const LOOK_MS = 700;
const ASK_MS = 3000;

/** @param {string} path */
async function answer(path) {
  const response = await fetch(path);
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
    // the next one tells
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
    // it begins again
  }
  setTimeout(follow, ASK_MS, before);
}

if (document.getElementById("meter")) measure();
if (document.body.dataset.update === "running") follow("");
