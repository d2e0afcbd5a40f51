// The score sheet of a game, to share or to save.

import { shareSheet } from "./share.js";
import { find } from "./tools.js";

const link = find("png");
link.onclick = (event) => {
  event.preventDefault();
  return shareSheet(link.href, link.download);
};
