// Keeps a page up to date: fetches it every few seconds, and replaces the parts that are marked with data-fresh, or all
// of it if none is marked. A part in which somebody fills in a form stays as it is; a page with such parts is loaded
// again only when its state has changed. The answer to a refused form names its page's address in data-address, since
// its own address accepts nothing but forms.

const EVERY_MS = 5000;
const LONGEST_MS = 8000;
const IN_USE = "form :focus, form :active, form .refusal, summary:focus, details[open]";
const { dataset } = document.body;
const address = dataset.address ?? location.pathname + location.search;
if (dataset.address) history.replaceState(null, "", dataset.address + location.hash); // coming back sends no form again

if (dataset.size) document.documentElement.style.setProperty("--size", String(Number(dataset.size) / 100));
for (const name of ["ink", "panel", "accent"]) {
  if (dataset[name]) document.documentElement.style.setProperty(`--${name}`, `#${dataset[name]}`);
}

/** @param {Element} field */
function isFilledIn(field) {
  if (field instanceof HTMLSelectElement) {
    return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  }
  if (field instanceof HTMLInputElement) {
    return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  }
  return field instanceof HTMLTextAreaElement && field.value !== field.defaultValue;
}

/** @param {Element} part */
function isInUse(part) {
  return part.querySelector(IN_USE) !== null || [...part.querySelectorAll("input, select, textarea")].some(isFilledIn);
}

/**
 * Returns the content of a part without the marks of its forms, which differ each time the page is made.
 *
 * @param {Element} part
 */
function shownBy(part) {
  return part.innerHTML.replaceAll(/name="mark" value="\w+"/g, "");
}

/** @param {Document} page */
function renew(page) {
  const parts = document.querySelectorAll("[data-fresh]");
  if (parts.length === 0) document.body.replaceChildren(...page.body.childNodes);
  else if (page.body.dataset.state !== document.body.dataset.state) location.replace(address);
  for (const part of parts) {
    const fresh = page.getElementById(part.id) ?? document.createElement("div");
    if (!isInUse(part) && shownBy(part) !== shownBy(fresh)) part.replaceChildren(...fresh.childNodes);
  }
}

/** @param {boolean} isLost */
function sayLost(isLost) {
  const sentence = document.getElementById("lost");
  if (sentence) sentence.hidden = !isLost;
}

async function refresh() {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout?.(LONGEST_MS) });
    if (answer.ok) renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
    sayLost(!answer.ok);
  } catch {
    sayLost(true); // the hall's computer is away: what was shown stays
  }
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);

export {};
