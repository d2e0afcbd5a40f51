// Flags the moment, and deletes clips. The staff's page redraws its list, so the document handles taps.

import { focusAgain } from "../web/renew.js";
import { post, redraw } from "../web/server.js";

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  const flag = target.closest("[data-flag-moment]");
  if (flag) {
    flag.disabled = true;
    await post("flag", {});
    flag.disabled = false;
    focusAgain(flag.parentElement, flag);
  }
  const remove = target.closest("[data-remove-clip]");
  if (remove && (await post("clips/remove", { name: remove.dataset.removeClip }))) {
    const list = remove.closest("ol");
    remove.closest("li").remove();
    await redraw(); // an earlier request's list may still contain the clip
    focusAgain(list, remove);
  }
});
