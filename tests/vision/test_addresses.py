from __future__ import annotations

import pytest

from vision.addresses import quoted, without_secrets


@pytest.mark.parametrize("password", ["se/cret", "se@cret", "se?cret#", "12/34", "s%40e", "se\ncret"])
def test_no_sign_in_a_password_lets_it_be_told(password: str) -> None:
    assert without_secrets(f"http://owner:{password}@phone:8080/video?key=1") == "http://phone:8080/video"
    assert without_secrets(f"owner:{password.replace('/', '')}@phone") == "phone"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("rtsp://owner:secret@host/live", "'rtsp://host/live'"),
        ("owner:secret@host", "'host'"),
        (["rtsp://owner:secret@host/live"], "['rtsp://host/live']"),
        ("tables/#", "'tables/#'"),
        ("me@home", "'me@home'"),
        ("/home/me@home/#1.mp4", "'/home/me@home/#1.mp4'"),
        (5, "5"),
        (10**400, "(a number of 401 digits)"),
        ([10**5000], "a number of thousands of digits"),
        ("x" * 5000, f"'{'x' * 199}…"),
    ],
)
def test_a_value_is_quoted_without_the_secrets_of_an_address(value: object, text: str) -> None:
    assert quoted(value) == text


@pytest.mark.parametrize("part", ["user=admin&password=secret&channel=1", "user=admin_password=secret_channel=1.sdp"])
def test_a_password_in_the_path_is_not_shown(part: str) -> None:
    assert without_secrets(f"rtsp://192.168.1.10:554/{part}") == "rtsp://192.168.1.10:554/…"
    assert without_secrets(f"rtsp://192.168.1.10/live/{part}?real_stream") == "rtsp://192.168.1.10/live/…"
    assert without_secrets("rtsp://192.168.1.10/live/1") == "rtsp://192.168.1.10/live/1"
    assert "secret" not in quoted(f"rtsp://192.168.1.10:554/{part}")
