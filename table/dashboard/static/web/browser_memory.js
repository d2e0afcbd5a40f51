// Values that this browser keeps for the pages; if its settings forbid site data, only until the page is left.

const fallback = new Map();

/** The value that was kept under `key`, or null. */
export function recall(key, store = "localStorage") {
  try {
    return window[store].getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** Keeps a value: for later visits, or with "sessionStorage" for this tab. */
export function remember(key, value, store = "localStorage") {
  try {
    window[store].setItem(key, value);
  } catch {
    fallback.set(key, value);
  }
}

/** Removes and returns the value that was kept for this tab, or null. */
export function takeOut(key) {
  const value = recall(key, "sessionStorage");
  fallback.delete(key);
  try {
    window.sessionStorage.removeItem(key);
  } catch {
    // It was kept in this page alone.
  }
  return value;
}
