from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from vision.errors import CameraError, reason, reason_and_place


@pytest.mark.parametrize(
    ("error", "text", "place"),
    [
        (FileNotFoundError(2, "No such file or directory", "/a"), "No such file or directory", ", at /a"),
        (OSError(5, "Input/output error"), "Input/output error", ""),
        (OSError("systemctl ended with 1"), "systemctl ended with 1", ""),
        (CameraError("expected a camera, got none"), "expected a camera, got none", ""),
        (FileExistsError(17, "File exists", "/gone/since"), "File exists", ", at /gone/since"),
        (TimeoutError(), "TimeoutError", ""),
        (ImportError("No module named 'spidev'"), "No module named 'spidev'", ""),
        (
            ssl.SSLCertVerificationError(
                1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1032)"
            ),
            "certificate verify failed: self-signed certificate",
            "",
        ),
    ],
    ids=repr,
)
def test_a_reason_is_plain_text_without_numbers_of_errors(error: Exception, text: str, place: str) -> None:
    assert reason(error) == text
    assert reason_and_place(error) == text + place


def test_a_link_to_nothing_in_place_of_a_folder_is_no_file_that_exists(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "file").touch()
    for name, text in (("link", "a link that leads nowhere"), ("file", "File exists")):
        with pytest.raises(FileExistsError) as found:
            (tmp_path / name).mkdir(exist_ok=True)
        assert reason(found.value) == text
