from __future__ import annotations

import json
import re
import urllib.request

import pytest

from table.cli.live_commands import demo
from table.cli.main import main
from tests.fakes.waiting import PATIENCE_S


def test_the_page_stays_with_the_final_result_until_somebody_stops_the_demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = []

    def stop() -> None:
        err = capsys.readouterr().err
        (port,) = re.findall(r"shown at http://localhost:(\d+)", err)
        with urllib.request.urlopen(f"http://localhost:{port}/api/table", timeout=PATIENCE_S) as answer:
            answers.append(json.load(answer))
        assert "the evening is over" in err
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "feed", lambda *_, **__: None)  # no frame is drawn: only what comes after matters here
    monkeypatch.setattr(demo, "wait_until_stopped", stop)
    assert main(["demo", "--speed", "max", "--port", "0"]) == 130
    assert [row["place"] for row in answers[0]["final"]] == ["Place 1", "Place 2", "Place 3", "Place 4"]
