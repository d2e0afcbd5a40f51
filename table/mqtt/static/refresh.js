// Brings a page up to date by itself: it is fetched anew, and what is marked as fresh put in place of what stood there;
// where nothing is marked, everything. A page that people fill in is loaded again only where another one has come.

const EVERY_MS = 5000;
const LONGEST_MS = 8000;
const { dataset } = document.body;

if (dataset.size) document.documentElement.style.setProperty("--size", String(Number(dataset.size) / 100));
for (const name of ["ink", "panel", "accent"]) {
  if (dataset[name]) document.documentElement.style.setProperty(`--${name}`, `#${dataset[name]}`);
}

/** @param {Document} page */
function renew(page) {
  const parts = document.querySelectorAll("[data-fresh]");
  if (parts.length === 0) document.body.replaceChildren(...page.body.childNodes);
  else if (page.body.dataset.state !== document.body.dataset.state) location.reload();
  for (const part of parts) part.replaceChildren(...(page.getElementById(part.id)?.childNodes ?? []));
}

async function refresh() {
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout?.(LONGEST_MS) });
    if (answer.ok) renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // the hall's computer is away: what was shown stays
  }
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);

export {};
