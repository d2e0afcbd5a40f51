// The table's stream of snapshots, for as long as somebody looks at the page.

const LOOK_MS = 2000;
/** The server says every ten seconds that it is there; a phone that slept, or left the network, does not notice by itself. */
const SILENT_MS = 25_000;
/** A page hidden for so long gives its stream back: a browser opens six connections to a server, in all tabs together. */
const HIDDEN_MS = 10_000;

/**
 * Calls `show` with the table now and whenever it changes, and `onLink` with whether the server is heard.
 *
 * A hidden page goes on only while it `isReadAloud`. Returns a function that opens the stream anew.
 *
 * @param {(table: any) => unknown} show
 * @param {(isHeard: boolean) => void} onLink
 */
export function follow(show, onLink = () => {}, isReadAloud = () => false) {
  let stream;
  let heardAt = 0;
  let seenAt = Date.now();

  function open() {
    stream?.close();
    heardAt = Date.now();
    stream = new EventSource("/api/stream");
    stream.onmessage = (event) => {
      heardAt = Date.now();
      onLink(true);
      show(JSON.parse(event.data));
    };
    stream.addEventListener("alive", () => {
      heardAt = Date.now();
    });
    stream.onerror = () => onLink(false);
  }

  function checkStream() {
    const now = Date.now();
    if (!document.hidden || isReadAloud()) seenAt = now;
    if (now - seenAt > HIDDEN_MS) stream.close();
    else if (stream.readyState === EventSource.CLOSED) open();
    else if (now - heardAt > SILENT_MS) {
      onLink(false);
      open();
    }
  }

  open();
  setInterval(checkStream, LOOK_MS);
  document.addEventListener("visibilitychange", checkStream);
  addEventListener("pagehide", () => stream.close());
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // as it was left: seat and language too
  return open;
}
