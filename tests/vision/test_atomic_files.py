"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vision.atomic_files import alone_in, new_folder, write_whole


def test_a_file_is_swapped_in_whole_with_the_access_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text("old", encoding="utf-8")
    write_whole(path, "立会", mode=0o600)
    assert path.read_text(encoding="utf-8") == "立会"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text("old", encoding="utf-8")
    (tmp_path / "kept.json.new").mkdir()
    with pytest.raises(OSError, match=r"kept\.json\.new"):
        write_whole(path, "new")
    assert path.read_text(encoding="utf-8") == "old"


def test_a_disk_that_fills_up_while_it_is_written_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "kept.json"
    path.write_bytes(b"old")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left") as full_disk:
        write_whole(path, b"new")
    assert full_disk.value.filename == str(path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("left", [[], ["file"]])
def test_a_folder_made_for_what_then_fails_is_taken_away_again_but_not_what_is_in_it(
    left: list[str], tmp_path: Path
) -> None:
    def fail() -> None:
        for name in left:
            (tmp_path / "new" / name).touch()
        raise OSError("full")

    with pytest.raises(OSError, match="full"), new_folder(tmp_path / "new" / "folder"):
        fail()
    assert tmp_path.is_dir()
    assert [path.name for path in tmp_path.rglob("*")] == (["new", *left] if left else [])


def test_a_folder_is_made_with_those_above_it_and_stays(tmp_path: Path) -> None:
    for _ in range(2):
        with new_folder(tmp_path / "new" / "folder"):
            assert (tmp_path / "new" / "folder").is_dir()
    assert (tmp_path / "new" / "folder").is_dir()


def test_several_at_once_write_one_file_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "game.mjson"
    texts = [str(number) * 100_000 for number in range(8)]
    with ThreadPoolExecutor(len(texts)) as together:
        list(together.map(lambda text: write_whole(path, text), texts))
    assert path.read_text() in texts
    assert os.listdir(tmp_path) == ["game.mjson"]


def test_who_keeps_a_folder_writes_in_it_at_once_and_others_hear_that_they_are_not_alone(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as other, alone_in(tmp_path) as is_alone:
        write_whole(tmp_path / "kept.json", "new")
        assert is_alone
        assert not other.submit(_is_alone, tmp_path).result()
    assert _is_alone(tmp_path)


def _is_alone(folder: Path) -> bool:
    with alone_in(folder, longest_wait_s=0) as is_alone:
        return is_alone
