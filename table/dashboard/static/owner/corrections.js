// Undoes a learnt correction, or redoes it. The staff's page redraws its list, so the document handles taps.

import { focusAgain } from "../web/renew.js";
import { post, redraw } from "../web/server.js";

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = target.closest("[data-correction]");
  if (!button) return;
  const list = button.closest("ol");
  button.disabled = true;
  if (await post("taps/forget", { key: button.dataset.correction })) await redraw();
  button.disabled = false;
  focusAgain(list, button);
});
