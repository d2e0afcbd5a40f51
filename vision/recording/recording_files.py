"""The names of a recording's files, for code that reads none of them, such as the help of commands."""

from __future__ import annotations

from typing import Final

SETTINGS: Final = "recording.toml"
FRAMES: Final = "frames"
TIMES: Final = "frames.jsonl"
PRESSES: Final = "presses.jsonl"
TRUTH: Final = "truth.mjson"
