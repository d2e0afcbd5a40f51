// What this browser remembers of the page; until the page is left only, where its settings refuse to keep site data.

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

/** Removes and returns what was kept for this tab. */
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
