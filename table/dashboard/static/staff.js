// The staff's page follows the table: whenever something changes, its main part is loaded again.

import { redraw } from "./server.js";

const stream = new EventSource("/api/stream");
let version = null;

stream.onmessage = async (event) => {
  const latest = JSON.parse(event.data).version;
  if (version !== null && version !== latest && !(await redraw())) return;
  version = latest;
  document.body.dataset.version = latest;
};
addEventListener("pagehide", () => stream.close(), { once: true });
