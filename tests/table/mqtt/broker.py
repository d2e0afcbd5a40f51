"""A real Mosquitto on a free port, which tests stop and start."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest

from tests.fakes.free_port import free_port
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import mosquitto


class Broker:
    """One broker, which keeps what it was told over a restart."""

    def __init__(self, folder: Path, *, settings: Path | None = None, port: int | None = None) -> None:
        """Makes it ready; with `settings` it reads those, and listens at their `port`."""
        self._program = mosquitto()
        if self._program is None:
            pytest.skip("NO MOSQUITTO: install it from the distribution to test against a real broker")
        self.port = port or free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._config = settings or folder / "mosquitto.conf"
        if settings is not None:
            return
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nlog_type none\nuser root\n"
            f"persistence true\npersistence_location {folder}/\nmax_queued_messages 10000\n"
        )

    def start(self) -> None:
        assert self._program is not None
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen([self._program, "-c", str(self._config)], stdout=quiet, stderr=quiet)
        wait_for(self._answers)

    def _answers(self) -> bool:
        with socket.socket() as knock:
            return knock.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self, *, kill: bool = False) -> None:
        if self._process is not None:
            while not self._has_ended(kill=kill):
                pass
            self._process = None

    def _has_ended(self, *, kill: bool) -> bool:
        """Ends it; a Mosquitto that is told to while it still starts listens at its port, and forgets the word."""
        assert self._process is not None
        self._process.kill() if kill else self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            return False
        return True
