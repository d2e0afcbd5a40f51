// Brings a page up to date by itself: what stands on it is fetched anew, and put in place of what stood there.

const EVERY_MS = 5000;

async function refresh() {
  try {
    const answer = await fetch(location.href);
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.body.replaceChildren(...page.body.childNodes);
    }
  } catch {
    // the hall's computer is away: what was shown stays
  }
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);

export {};
