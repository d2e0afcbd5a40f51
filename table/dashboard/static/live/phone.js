// What a phone can do besides showing the page: vibrate, and stay awake.

import { remember, remembered } from "../web/remembered.js";
import { toast } from "../web/server.js";

const TOLD = "told of TLS";

/** Keeps the screen on while the page is visible; if that requires TLS, says so once. */
export function stayAwake() {
  if (navigator.wakeLock) {
    hold();
    document.addEventListener("visibilitychange", hold);
  } else if (!isSecureContext && !remembered(TOLD)) {
    remember(TOLD, "yes");
    toast(document.body.dataset.tls);
  }
}

/** Requests the screen lock; the browser releases it whenever the page is hidden, and may refuse to save battery. */
function hold() {
  if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => null);
}
