// The table's stream of snapshots, for as long as somebody looks at the page.

const LOOK_MS = 2000;
/** The server says every ten seconds that it is there; a phone that slept, or left the network, does not notice by itself. */
const SILENT_MS = 25_000;
/** A page hidden for so long gives its stream back: a browser opens six connections to a server, in all tabs together. */
const HIDDEN_MS = 10_000;

/**
 * Calls `show` with the table now and whenever it changes, and `tell` with whether the server is heard.
 *
 * A hidden page goes on only while it `isReadAloud`. Returns a function that opens the stream anew.
 *
 * @param {(table: any) => unknown} show
 * @param {(isHeard: boolean) => void} tell
 */
export function follow(show, tell = () => {}, isReadAloud = () => false) {
  let stream;
  let heard = 0;
  let seen = Date.now();

  function open() {
    stream?.close();
    heard = Date.now();
    stream = new EventSource("/api/stream");
    stream.onmessage = (event) => {
      heard = Date.now();
      tell(true);
      show(JSON.parse(event.data));
    };
    stream.addEventListener("alive", () => {
      heard = Date.now();
    });
    stream.onerror = () => tell(false);
  }

  function look() {
    const now = Date.now();
    if (!document.hidden || isReadAloud()) seen = now;
    if (now - seen > HIDDEN_MS) stream.close();
    else if (stream.readyState === EventSource.CLOSED || now - heard > SILENT_MS) open();
  }

  open();
  setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", () => stream.close());
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // as it was left: seat and language too
  return open;
}
