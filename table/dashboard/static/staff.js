// The staff's page follows the table: whenever something changed, its main part is fetched anew.

const stream = new EventSource("/api/stream");
let version = null;

stream.onmessage = async (event) => {
  const latest = JSON.parse(event.data).version;
  if (version !== null && version !== latest) {
    const page = new DOMParser().parseFromString(await (await fetch("/staff")).text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
  }
  version = latest;
  document.body.dataset.version = latest;
};
addEventListener("pagehide", () => stream.close(), { once: true });
