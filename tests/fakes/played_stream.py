"""A camera in the network that is played: JPEGs over HTTP (`multipart/x-mixed-replace`), as cheap cameras send them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

BOUNDARY: Final = "frame"


@contextmanager
def played_stream(next_jpeg: Callable[[], bytes]) -> Iterator[str]:
    """Serves what `next_jpeg` gives, which waits until it is due, to whoever connects; yields the address."""
    is_over = threading.Event()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
            self.end_headers()
            with suppress(OSError):  # who looked has gone
                while not is_over.is_set():
                    jpeg = next_jpeg()
                    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    self.wfile.write(head.encode() + jpeg + b"\r\n")

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/video.mjpg"
        finally:
            is_over.set()
            server.shutdown()
            thread.join()
