// The score sheet of a game, to share or to save.

import { shareSheet } from "../scores/share.js";
import { find } from "../web/tools.js";

const link = find("png");
link.onclick = (event) => {
  event.preventDefault();
  return shareSheet(link.href, link.download);
};
