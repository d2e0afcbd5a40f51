from __future__ import annotations

import logging

import pytest

from table.health.log_buffer import LogBuffer, public_text


def test_the_newest_lines_are_kept() -> None:
    buffer = LogBuffer(lines=2)
    for message in ("first", "second", "third"):
        buffer.emit(logging.LogRecord("table", logging.INFO, "", 0, message, None, None))
    assert [line.split(": ")[-1] for line in buffer.lines] == ["second", "third"]


def test_a_line_that_cannot_be_formatted_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", False)
    buffer = LogBuffer()
    for message in ("%d tiles", "%s tiles"):
        buffer.handle(logging.LogRecord("table", logging.INFO, "", 0, message, ("no",), None))
    assert [line.split(": ")[-1] for line in buffer.lines] == ["no tiles"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a wrong PIN from 192.168.1.44", "a wrong PIN from (address)"),
        ("192.168.1.44:51234 left.", "(address):51234 left."),
        ("('10.0.0.7', 80) and 10.0.0.8.", "('(address)', 80) and (address)."),
        ("from fe80::1c2f:3%wlan0, then ::1", "from (address), then (address)"),
        ("[2001:db8::7]:443", "[(address)]:443"),
        ("from ::ffff:192.168.1.44", "from (address)"),
        ("2026-11-22 19:31:20,123 INFO table: at 21:03:05", "2026-11-22 19:31:20,123 INFO table: at 21:03:05"),
        ("onnxruntime 1.22.0, Foo::bar", "onnxruntime 1.22.0, Foo::bar"),
        ("line 7: fps: 12", "line 7: fps: 12"),
        ("/home/anna/a club/tachiai.toml line 7: fps", "tachiai.toml line 7: fps"),
        ("/home/Anna Ito/its table/a.toml, /srv/x y/b", "a.toml, b"),
        ("in /data/a.db is 1/2 of /data/b, not in/out", "in a.db is 1/2 of b, not in/out"),
        ("expected a TOML file, at '/home/anna/tachiai.toml'", "expected a TOML file, at 'tachiai.toml'"),
        (
            "no camera at /dev/video0, 1/2 of rtsp://10.0.0.7/live/main",
            "no camera at /dev/video0, 1/2 of rtsp://(address)/live/main",
        ),
    ],
)
def test_addresses_and_folders_are_hidden_and_times_and_versions_are_not(line: str, expected: str) -> None:
    assert public_text(line) == expected
