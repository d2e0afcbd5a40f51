// Takes back what a tap taught, or brings it back. The staff's list is drawn anew by its page, so taps are heard by the document.

import { post, redraw } from "./server.js";

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = target.closest("[data-forget-tap]");
  if (!button) return;
  button.disabled = true;
  if (await post("taps/forget", { key: button.dataset.forgetTap })) await redraw();
  button.disabled = false;
});
