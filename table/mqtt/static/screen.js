// Makes a hall's page fill a big screen that nobody operates. Its letters are as large as they can be with everything
// in view, but not too small to be read across a room. If not everything fits then, the page scrolls in turns, by whole
// lines, below the clock; it stops for a minute when somebody scrolls, taps or types.

const BIG = matchMedia("(min-width: 60rem) and (min-height: 35rem) and (orientation: landscape)");
const TURN_MS = 10_000;
const HELD_MS = 60_000;
const LINES_AT_MOST = 75;
const LINES_AT_LEAST = 40;
const SMALLEST_PX = 12;
const ROWS = "main > section, tbody tr, body > p";
const root = document.documentElement;
let heldUntil = 0;

function fits() {
  return root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth;
}

function fit() {
  root.style.fontSize = "";
  if (!BIG.matches) return;
  const smallest = Math.max(SMALLEST_PX, innerHeight / LINES_AT_MOST);
  let size = Math.max(smallest, innerHeight / LINES_AT_LEAST);
  root.style.fontSize = `${size}px`;
  while (!fits() && size > smallest) {
    size = Math.max(smallest, size - 1);
    root.style.fontSize = `${size}px`;
  }
}

function showNext() {
  setTimeout(showNext, TURN_MS);
  if (!BIG.matches || Date.now() < heldUntil) return;
  const top = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  const cut = [...document.querySelectorAll(ROWS)].find((row) => row.getBoundingClientRect().bottom > innerHeight + 1);
  const step = cut === undefined ? 0 : cut.getBoundingClientRect().top - top;
  if (step > 0) scrollBy({ top: step, behavior: "instant" });
  else scrollTo({ top: 0, behavior: "instant" });
}

function hold() {
  heldUntil = Date.now() + HELD_MS;
}

for (const use of ["wheel", "pointerdown", "keydown", "touchstart"]) addEventListener(use, hold, { passive: true });
addEventListener("resize", fit);
new MutationObserver(fit).observe(document.body, { childList: true });
fit();
setTimeout(showNext, TURN_MS);

export {};
