// What a phone can do besides showing: shake, and stay awake.

import { toast } from "./server.js";

const TOLD = "told of TLS";

/** Keeps the screen on while the page is looked at; where only TLS would allow that, says so once. */
export function stayAwake() {
  if (navigator.wakeLock) {
    hold();
    document.addEventListener("visibilitychange", hold);
  } else if (!isSecureContext && !localStorage.getItem(TOLD)) {
    localStorage.setItem(TOLD, "yes");
    toast(document.body.dataset.tls);
  }
}

/** Asks for the screen; the browser takes it back whenever the page is hidden, and may refuse to save its battery. */
function hold() {
  if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => null);
}
