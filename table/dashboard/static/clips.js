// Flags the moment, and removes kept clips. The staff's list is drawn anew by its page, so taps are heard by the document.

import { post } from "./server.js";

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const flag = target.closest("[data-flag-moment]");
  if (flag) {
    flag.disabled = true;
    await post("flag", {});
    flag.disabled = false;
  }
  const remove = target.closest("[data-remove-clip]");
  if (remove && (await post("clips/remove", { name: remove.dataset.removeClip }))) remove.closest("li").remove();
});
