// The button that prints a manual; without scripts it is hidden, and the browser's own menu prints.

import { find } from "../web/tools.js";

const button = find("print");
button.addEventListener("click", () => window.print());
button.hidden = false;
