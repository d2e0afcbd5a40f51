"""A lack of memory ends a command with one sentence, whichever library met it."""

from __future__ import annotations

import argparse
import errno
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from table.cli import main
from table.cli.memory_lack import LEAST_ADDRESSES, OPENCV_NO_MEMORY
from tests.fakes.waiting import PATIENCE_S
from tests.places import ROOT


def opencv_error() -> cv2.error:
    error = cv2.error("OpenCV: Failed to allocate 99999999 bytes")
    error.code = OPENCV_NO_MEMORY
    return error


@pytest.mark.parametrize(
    "lack",
    [
        MemoryError(),
        RuntimeError("can't start new thread"),
        ImportError("libopenblas.so: failed to map segment from shared object"),
        ImportError("libtiles.so: cannot allocate memory in static TLS block"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        type("RuntimeException", (Exception,), {"__module__": "onnxruntime.capi"})("std::bad_alloc"),
        opencv_error(),
    ],
    ids=repr,
)
def test_a_lack_of_memory_is_one_sentence(
    lack: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_args: argparse.Namespace) -> int:
        raise lack

    parser = argparse.ArgumentParser()
    parser.set_defaults(run=run, command="try", verbose=0)
    monkeypatch.setattr(main, "build_parser", lambda _words: parser)
    assert main.main([]) == 1
    err = capsys.readouterr().err
    assert err.startswith("tachiai try: expected enough memory and threads for the program, got too little: ")
    assert err.count("\n") == 1


def test_a_fault_of_the_program_still_shows_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_args: argparse.Namespace) -> int:
        raise RuntimeError("dictionary changed size during iteration")

    parser = argparse.ArgumentParser()
    parser.set_defaults(run=run, command="try", verbose=0)
    monkeypatch.setattr(main, "build_parser", lambda _words: parser)
    with pytest.raises(RuntimeError, match="dictionary"):
        main.main([])


@pytest.mark.parametrize("size", [f"{LEAST_ADDRESSES} - 1", "LOADED + (32 << 20)"])
def test_a_table_in_too_little_memory_says_so_in_one_sentence(size: str, tmp_path: Path) -> None:
    code = f"""
import resource, sys
from pathlib import Path
from table.cli.live_commands import run
from table.cli.entry import main
LOADED = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, ({size}, -1))
sys.exit(main())
"""
    words = ["run", "--data", str(tmp_path), "--port", "0"]
    ended = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 1
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith("tachiai run: expected ")
    assert "got" in sentence
