from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from tests.places import RECORDINGS
from tests.recordings.__main__ import TAKES
from vision.recording.recording import Recording


def meaning(line: dict[str, Any]) -> dict[str, Any]:
    facts = {key: value for key, value in line.items() if key not in ("frame", "confidence", "inferred")}
    return {**facts, "consumed": sorted(facts["consumed"])} if "consumed" in facts else facts


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.pictures
@pytest.mark.parametrize("name", TAKES)
def test_a_recording_is_read_from_its_pictures_as_it_was(name: str, tmp_path: Path) -> None:
    path, events, announcements = RECORDINGS / name, tmp_path / "events", tmp_path / "said"
    assert main(["replay", str(path), "--events", str(events), "--announcements", str(announcements)]) == 0
    truth = Recording.open(path).read_truth() or ()
    assert [meaning(line) for line in lines_of(events)] == [meaning(dict(line)) for line in truth]
    pushes = [line for line in lines_of(announcements) if line["id"] == "camera_moved"]
    assert bool(pushes) == (name == "pushed_camera")
    assert all(10 <= push["args"]["mm"] <= 25 for push in pushes)


def test_every_recording_can_be_made_anew() -> None:
    assert {path.name for path in RECORDINGS.iterdir() if (path / "recording.toml").is_file()} == set(TAKES)
