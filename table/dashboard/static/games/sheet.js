// The score sheet of a game, to share or to save. The page of the game is drawn again when that changes.

import { shareSheet } from "../scores/share.js";

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("#png"));
  if (!link) return;
  event.preventDefault();
  shareSheet(link.href, link.download).catch(() => location.assign(link.href)); // the browser then shows why the picture is unavailable
});
