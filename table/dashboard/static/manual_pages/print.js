// The button that prints a manual; it is hidden without scripts, and the browser's own menu prints as well.

import { find } from "../web/tools.js";

const button = find("print");
button.addEventListener("click", () => window.print());
button.hidden = false;
