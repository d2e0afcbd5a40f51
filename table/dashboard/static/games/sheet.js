// The score sheet of a game, to share or to save.

import { shareSheet } from "../scores/share.js";
import { find } from "../web/tools.js";

const link = find("png");
link.onclick = (event) => {
  event.preventDefault();
  shareSheet(link.href, link.download).catch(() => location.assign(link.href)); // the browser then shows why the picture is unavailable
};
