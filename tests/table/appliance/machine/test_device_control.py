"""The owner's page of the device, on a whole appliance: what is chosen counts from the next start on."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from table.appliance.appliance import Appliance, run_appliance
from table.appliance.machine import device_control
from table.appliance.machine.machine_control import UpdateStatus
from table.appliance.setup.owner_choices import FILE, load
from table.config import CameraConfig
from table.i18n import languages
from table.runtime.table_errors import PressError
from tests.fakes.disks import fill, make_room, small_disk
from tests.fakes.waiting import PATIENCE_S
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import tell, win
from vision.cameras.attached.found_cameras import FoundCamera

PIN = "604817"


class Phone:
    """A browser."""

    def __init__(self, appliance: Appliance) -> None:
        self._at = f"http://127.0.0.1:{appliance.port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.token = json.loads(self.get("/api/session")[1])["token"]

    def get(self, path: str) -> tuple[int, str]:
        return self._request(path, None)

    def post(self, path: str, **form: str) -> tuple[int, str]:
        return self._request(path, urllib.parse.urlencode({"token": self.token, **form}).encode())

    def _request(self, path: str, body: bytes | None) -> tuple[int, str]:
        try:
            with self._opener.open(self._at + path, data=body, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()


def owner(appliance: Appliance) -> Phone:
    phone = Phone(appliance)
    appliance.vault.set_pin(PIN)
    phone.post("/join", role="owner", pin=PIN, again=PIN)
    return phone


def test_what_the_owner_chooses_is_kept_and_counts_from_the_next_start(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        phone = owner(appliance)
        status, page = phone.post("/device", do="keep", mains="60", camera="usb:1", focus="1.2", side="700")
        assert (status, "Saved." in page) == (200, True)
        assert 'value="700"' in page
    chosen = load(tmp_path / FILE).applied_to(make_config(tmp_path).config)
    assert (chosen.camera.mains_hz, chosen.camera.focus, chosen.table.side_mm) == (60, 1.2, 700)
    assert (chosen.camera.source, chosen.camera.device) == ("usb", 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"mains": "55"},
        {"side": "10"},
        {"focus": "far"},
        {"camera": ""},
        {"camera": "drone:1"},
        {"camera": "usb:99"},
        {"side": "nan"},
    ],
)
def test_a_number_that_is_not_allowed_changes_nothing(wrong: dict[str, str], tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        before = appliance.device.settings()
        form = {"mains": "60", "camera": "usb:1", "focus": "1.2", "side": "700", **wrong}
        status, page = owner(appliance).post("/device", do="keep", **form)
        assert (status, "check the numbers" in page) == (409, True)
        assert appliance.device.settings() == before


def test_a_choice_that_the_disk_does_not_take_is_told_as_that_and_not_as_a_wrong_number(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk, run_appliance(make_config(disk)) as appliance:
        phone = owner(appliance)
        fill(disk)
        status, page = phone.post("/device", do="keep", mains="60", camera="usb:1", focus="1.2", side="700")
        assert (status, "the table’s disk is full or broken" in page) == (409, True)
        make_room(disk)
        status, page = phone.post("/device", do="keep", mains="50", camera="usb:1", focus="1.2", side="700")
        assert (status, "Saved." in page) == (200, True)


def test_a_page_that_was_opened_earlier_takes_nothing_back_that_another_phone_chose(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        phone = owner(appliance)
        form = re.search(r'<form method="post" class="stack">.*?</form>', phone.get("/device")[1], re.S)
        assert form is not None
        opened_earlier = dict(re.findall(r'name="(was_\w+)" value="([^"]*)"', form[0]))
        phone.post("/device", do="keep", mains="50", camera="usb:1", focus="1.2", side="720")
        fields = {name.removeprefix("was_"): value for name, value in opened_earlier.items()} | {"mains": "60"}
        status, _ = phone.post("/device", do="keep", **opened_earlier, **fields)
        settings = appliance.device.settings()
    names = ("camera.source", "camera.device", "camera.focus", "camera.mains_hz")
    assert (status, [settings[name] for name in names]) == (200, ["usb", "1", "1.2", "60"])


def test_a_camera_that_the_disk_did_not_take_is_not_stored_in_part_later(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        with run_appliance(make_config(disk)) as appliance:
            phone = owner(appliance)
            fill(disk)
            assert phone.post("/device", do="keep", mains="50", camera="usb:1", focus="0", side="720")[0] == 409
            make_room(disk)
            phone.post("/device", do="keep", mains="60", camera="as-it-is", focus="0", side="720")
        chosen = load(disk / FILE).applied_to(make_config(disk).config).camera
        assert (chosen.mains_hz, chosen.source, chosen.device) == (60, "usb", 1)


def test_a_camera_is_chosen_as_a_whole_also_if_only_its_number_is_another_one(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        source = appliance.device.settings()["camera.source"]
        appliance.device.choose({"camera.device": "1"})
    settings = load(tmp_path / FILE).settings
    assert (settings["camera.source"].chosen, settings["camera.address"].chosen) == (source, "")


def test_nobody_but_the_owner_gets_there(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        appliance.vault.set_pin(PIN)
        stranger = Phone(appliance)
        for deed in ("again", "update", "focus", "keep", "reboot"):
            assert stranger.post("/device", do=deed, sure="yes")[0] == 403
        assert {stranger.get(f"/device/{path}")[0] for path in ("log.txt", "sharpness", "update")} == {403}
        assert "Switch the computer off" not in stranger.get("/device")[1]
        assert not appliance.is_restart_requested


def test_the_owner_has_it_begin_again_switch_off_and_gives_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verbs: list[str] = []

    def refuse(verb: str) -> None:
        verbs.append(verb)
        raise PressError("Access denied", says="machine")

    monkeypatch.setattr(device_control, "ask", refuse)
    with run_appliance(make_config(tmp_path)) as appliance:
        phone = owner(appliance)
        assert phone.post("/device", do="poweroff")[0] == 400, "nobody said that they are sure"
        status, page = phone.post("/device", do="poweroff", sure="yes")
        assert (status, verbs) == (409, ["poweroff"])
        assert "on the computer itself" in page
        assert phone.get("/device/log.txt")[0] == 200
        assert phone.post("/device", do="again")[0] == 202
        assert appliance.end_requested.wait(PATIENCE_S)
        assert appliance.is_restart_requested


def options(page: str) -> list[tuple[str, str]]:
    """The cameras that the page offers, the present one first."""
    (choice,) = re.findall(r'<select name="camera">(.*?)</select>', page)
    return re.findall(r'<option value="([^"]*)">([^<]*)</option>', choice)


def test_cameras_are_chosen_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cameras = (
        FoundCamera(source="picamera", number=0, name="Camera Module 3"),
        FoundCamera(source="usb", number=2, name="HD Pro Webcam C920"),
    )
    monkeypatch.setattr(device_control, "found_cameras", lambda: cameras)
    none, module = ("none:0", "No camera: kept by hand"), ("picamera:0", "Camera Module 3 (0)")
    webcam = ("usb:2", "HD Pro Webcam C920 (2)")
    form = {"do": "keep", "mains": "50", "focus": "0.8", "side": "720"}
    with run_appliance(make_config(tmp_path)) as appliance:
        phone = owner(appliance)
        assert options(phone.get("/device")[1]) == [none, module, webcam]
        assert options(phone.post("/device", camera="usb:2", **form)[1]) == [webcam, module, none]


def test_a_usb_camera_is_kept_by_the_name_that_stays_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_8F2A3B1F-video-index0"
    cameras = [FoundCamera(source="usb", number=2, name="HD Pro Webcam C920", address=steady)]
    monkeypatch.setattr(device_control, "found_cameras", lambda: cameras)
    form = {"do": "keep", "mains": "50", "focus": "0.8", "side": "720"}
    now = (f"usb:{steady}", "HD Pro Webcam C920 (2)")
    with run_appliance(make_config(tmp_path, camera=CameraConfig(source="usb", device=2, usb_focus=85))) as appliance:
        phone = owner(appliance)
        assert options(phone.get("/device")[1])[0] == now
        phone.post("/device", camera=now[0], was_camera=now[0], **form | {"side": "700"})
        settings = appliance.device.settings()
        assert (settings["table.side_mm"], settings["camera.usb_focus"]) == ("700.0", "85"), "of the same camera"
        page = phone.post("/device", camera=now[0], **form)[1]
        assert "Saved." in page
        settings = appliance.device.settings()
        assert (settings["camera.source"], settings["camera.address"]) == ("usb", steady)
        cameras[0] = FoundCamera(source="usb", number=0, name="HD Pro Webcam C920", address=steady)
        assert options(phone.get("/device")[1])[0] == (now[0], "HD Pro Webcam C920 (0)"), "the kernel counts anew"
        cameras.append(FoundCamera(source="usb", number=3, name="Facecam"))
        phone.post("/device", camera="usb:3", **form)
        settings = appliance.device.settings()
        assert (settings["camera.device"], settings["camera.address"]) == ("3", "")
        assert settings["camera.usb_focus"] == "-1", "it was the other camera's"


def test_a_camera_with_an_address_of_its_own_stays_until_another_one_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_control, "found_cameras", lambda: ())
    form = {"do": "keep", "mains": "50", "focus": "0.8", "side": "720"}
    with run_appliance(make_config(tmp_path, camera=CameraConfig(source="usb", address="/dev/none"))) as appliance:
        phone = owner(appliance)
        assert options(phone.get("/device")[1])[0] == ("as-it-is", "As in the settings file: /dev/none")
        phone.post("/device", camera="as-it-is", **form)
        assert appliance.device.settings()["camera.address"] == "/dev/none"
        phone.post("/device", camera="picamera:0", **form)
        assert appliance.device.settings()["camera.address"] == ""


def test_the_password_in_a_network_cameras_address_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_control, "found_cameras", lambda: ())
    camera = CameraConfig(source="stream", address="rtsp://viewer:hush@127.0.0.1:9/live")
    with run_appliance(make_config(tmp_path, camera=camera)) as appliance:
        page = owner(appliance).get("/device")[1]
        assert options(page)[0] == ("as-it-is", "As in the settings file: rtsp://127.0.0.1:9/live")
        assert "hush" not in page


def test_a_driver_that_does_not_answer_leaves_the_page_and_its_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_control, "found_cameras", lambda: None)
    with run_appliance(make_config(tmp_path)) as appliance:
        assert options(owner(appliance).get("/device")[1]) == [("none:0", "No camera: kept by hand")]


def _words_of(page: str) -> str:
    return re.sub("<[^>]*>", "", page)


def test_an_update_is_begun_told_and_refused_while_a_game_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[bool] = []
    status = [UpdateStatus()]
    monkeypatch.setattr(device_control, "begin_update", lambda: starts.append(True))
    monkeypatch.setattr(device_control, "can_update", lambda: True)
    monkeypatch.setattr(device_control, "update_status", lambda: status[0])
    with run_appliance(make_config(tmp_path)) as appliance:
        phone = owner(appliance)
        assert phone.post("/device", do="update")[0] == 400, "nobody said that they are sure"
        assert phone.post("/device", do="update", sure="yes")[0] == 202
        assert starts == [True]
        status[0] = UpdateStatus(state="running", step="environment", when="2026-11-23 02:40")
        page = phone.get("/device")[1]
        assert "The update is running: the new version is installed." in page
        assert "Update Tachiai" not in page, "one at a time"
        assert json.loads(phone.get("/device/update")[1]) == {"state": "running", "step": "environment"}
        status[0] = UpdateStatus(state="failed", step="check", when="2026-11-23 02:41")
        page_text = _words_of(phone.get("/device")[1])
        assert "The update of 2026-11-23 02:41 did not work (the new version is checked)." in page_text
        tell(appliance.table, win(1, 0, 1))
        status_code, page = phone.post("/device", do="update", sure="yes")
        assert (status_code, starts) == (409, [True])
        assert "A game is being played: end it first" in page


def test_an_update_that_has_reported_nothing_yet_is_running_and_not_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = [True]
    status = [UpdateStatus(state="done", step="switch", when="2026-11-20 21:00")]
    for name, stand_in in {
        "begin_update": lambda: None,
        "can_update": lambda: True,
        "is_updating": lambda: waits[0],
        "update_status": lambda: status[0],
    }.items():
        monkeypatch.setattr(device_control, name, stand_in)
    with run_appliance(make_config(tmp_path)) as appliance:
        phone = owner(appliance)
        assert "Updated, 2026-11-20 21:00." in _words_of(phone.get("/device")[1])
        assert "Updated, " not in phone.post("/device", do="update", sure="yes")[1]
        assert json.loads(phone.get("/device/update")[1]) == {"state": "running", "step": "fetch"}
        status[0] = UpdateStatus(state="done", step="switch", when="2026-11-23 02:41")
        assert json.loads(phone.get("/device/update")[1])["state"] == "done"
        status[0], waits[0] = UpdateStatus(state="done", step="switch", when="2026-11-20 21:00"), False
        assert "Updated, 2026-11-20 21:00." in _words_of(phone.get("/device")[1]), "systemd did not begin it"


def test_who_cannot_update_is_told_where_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_control, "can_update", lambda: False)
    with run_appliance(make_config(tmp_path)) as appliance:
        page = owner(appliance).get("/device")[1]
        assert "run the installer again on the computer" in page
        assert "Update Tachiai" not in page


def test_a_table_without_autofocus_refuses_to_focus(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        status, page = owner(appliance).post("/device", do="focus")
        assert (status, "No picture from the camera" in page) == (409, True)


@pytest.mark.parametrize("language", languages())
def test_the_page_is_there_in_every_language(language: str, tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        phone = owner(appliance)
        phone.post("/language", language=language)
        status, page = phone.get("/device")
        assert (status, "device." in page.replace("device.js", "")) == (200, False)
