// What a phone can do besides showing the page: vibrate, and stay awake.

import { remember, recall } from "../web/browser_memory.js";
import { toast } from "../web/server.js";

const TLS_KEY = "told of TLS";

/** Keeps the screen on while the page is visible; shows a message once if that requires TLS. */
export function stayAwake() {
  if (navigator.wakeLock) {
    requestWakeLock();
    document.addEventListener("visibilitychange", requestWakeLock);
  } else if (!isSecureContext && !recall(TLS_KEY)) {
    remember(TLS_KEY, "yes");
    toast(document.body.dataset.tls);
  }
}

/** Requests the screen lock; the browser releases it whenever the page is hidden, and may refuse to save battery. */
function requestWakeLock() {
  if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => null);
}
