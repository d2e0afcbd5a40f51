// Brings a page up to date by itself: it is fetched anew, and what is marked as fresh put in place of what stood there;
// where nothing is marked, everything. A page that people fill in is loaded again only where another one has come. The
// answer to a refused form names its page's address; its own takes nothing but forms.

const EVERY_MS = 5000;
const LONGEST_MS = 8000;
const { dataset } = document.body;
const address = dataset.address ?? location.href;

if (dataset.size) document.documentElement.style.setProperty("--size", String(Number(dataset.size) / 100));
for (const name of ["ink", "panel", "accent"]) {
  if (dataset[name]) document.documentElement.style.setProperty(`--${name}`, `#${dataset[name]}`);
}

/** @param {Document} page */
function renew(page) {
  const parts = document.querySelectorAll("[data-fresh]");
  if (parts.length === 0) document.body.replaceChildren(...page.body.childNodes);
  else if (page.body.dataset.state !== document.body.dataset.state) location.replace(address);
  for (const part of parts) part.replaceChildren(...(page.getElementById(part.id)?.childNodes ?? []));
}

async function refresh() {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout?.(LONGEST_MS) });
    if (answer.ok) renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // the hall's computer is away: what was shown stays
  }
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);

export {};
