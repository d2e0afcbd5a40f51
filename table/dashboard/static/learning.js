// Takes back what a tap taught, or brings it back. The staff's list is drawn anew by its page, so taps are heard by the document.

import { post } from "./server.js";

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-forget-tap]");
  if (!button) return;
  button.disabled = true;
  if (await post("taps/forget", { key: button.dataset.forgetTap })) {
    const page = new DOMParser().parseFromString(await (await fetch("/staff")).text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
  }
  button.disabled = false;
});
