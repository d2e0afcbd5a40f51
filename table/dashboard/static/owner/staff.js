// The staff's page follows the table: whenever something changes, its main part is loaded again.

import { redraw } from "../web/server.js";
import { follow } from "../web/stream.js";

let version = null;

follow(async ({ version: latest }) => {
  if (version !== null && version !== latest && !(await redraw())) return;
  version = latest;
  document.body.dataset.version = latest;
});
