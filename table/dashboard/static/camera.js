// The camera's view, once a second: the next picture is asked for when the last one has come.

import { find } from "./tools.js";

const PAUSE_MS = 1000;
const view = find("view");

function look() {
  view.src = `/camera.jpg?at=${Date.now()}`;
}

view.onload = view.onerror = () => setTimeout(look, PAUSE_MS);
look();
