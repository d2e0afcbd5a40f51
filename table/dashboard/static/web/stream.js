// The table's stream of snapshots, for as long as somebody looks at the page.

const LOOK_MS = 2000;
/** The server sends an event every ten seconds at least; a phone that slept, or left the network, gets no error. */
const SILENT_MS = 25_000;
/** A page hidden for so long closes its stream: all tabs of a browser together get six connections to a server. */
const HIDDEN_MS = 10_000;

/**
 * Calls `show` with the table now and whenever it changes, and `onLink` with whether the server is connected.
 *
 * A hidden page keeps its stream only while it `isReadAloud`. Returns a function that reopens the stream.
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
    else if (Math.abs(now - heardAt) > SILENT_MS) {
      onLink(false);
      open();
    }
  }

  open();
  setInterval(checkStream, LOOK_MS);
  document.addEventListener("visibilitychange", checkStream);
  addEventListener("pagehide", () => stream.close());
  return open;
}
