// The staff's page follows the table: whenever something changed, its main part is fetched anew.

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
