// The camera's view, once per second: the next picture is requested after the last one has arrived.

import { find } from "../web/tools.js";

const PAUSE_MS = 1000;
const view = find("view");

function look() {
  view.src = `/camera.jpg?at=${Date.now()}`;
}

view.onload = view.onerror = () => setTimeout(look, PAUSE_MS);
look();
