from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from table.appliance.machine import machine_control
from table.config import Config, load
from table.panel.gpio_panel import PinMap
from table.panel.wiring_diagram import HEADER, diagram_svg
from table.rulebook.ruleset_reader import SHIPPED
from table.runtime import access_point
from tests.config_schema import config_keys
from tests.places import ROOT
from vision.geometry.markers import Paper, sheet_pdf, sheet_svg

FIRMWARE = ROOT / "firmware-config"
EXAMPLE = FIRMWARE / "etc" / "tachiai" / "tachiai.toml"
UNIT = FIRMWARE / "etc" / "systemd" / "system" / "tachiai.service"
ACCESS_POINT = UNIT.with_name("tachiai-access-point.service")
UPDATE = UNIT.with_name(machine_control.UPDATE)
POLKIT = FIRMWARE / "etc" / "polkit-1" / "rules.d" / "50-tachiai.rules"


def test_the_example_configuration_is_right_and_explains_every_key() -> None:
    assert load(EXAMPLE).problems == ()
    explained, section = list[str](), ""
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\[(\w+)\]", line):
            section = found[1]
        elif found := re.match(r"(?:# )?(\w+) =", line):
            explained.append(f"{section}.{found[1]}")
    assert explained == list(config_keys())


def test_the_example_differs_from_the_defaults_only_where_it_says_so() -> None:
    config, text = load(EXAMPLE).config, EXAMPLE.read_text(encoding="utf-8")
    assert config.panel.pins == PinMap()
    assert (config.table, config.tiles, config.mqtt) == (Config().table, Config().tiles, Config().mqtt)
    assert text.count("(default:") == 3


def test_the_example_names_every_shipped_rule_set() -> None:
    (comment,) = re.findall(r"^# The shipped rule sets: (.*)\.$", EXAMPLE.read_text("utf-8"), re.MULTILINE)
    assert tuple(comment.split(", ")) == SHIPPED


def test_the_example_names_no_panel_and_one_line_switches_it_on(tmp_path: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert load(EXAMPLE).config.panel.kind == "none"
    wired = tmp_path / "tachiai.toml"
    wired.write_text(text.replace('# kind = "gpio"', 'kind = "gpio"'), encoding="utf-8")
    assert load(wired).problems == ()
    assert load(wired).config.panel.kind == "gpio"


def test_the_drawings_are_of_the_program_as_it_is() -> None:
    assert (FIRMWARE / "wiring.svg").read_text(encoding="utf-8") == diagram_svg()
    for paper, name in ((Paper.A4, "markers"), (Paper.LETTER, "markers-letter")):
        assert (FIRMWARE / f"{name}.svg").read_text(encoding="utf-8") == sheet_svg(paper)
        assert (FIRMWARE / f"{name}.pdf").read_bytes() == sheet_pdf(paper)


def test_the_shipped_boot_lines_set_nothing_but_the_watchdog() -> None:
    lines = (FIRMWARE / "boot" / "firmware" / "tachiai.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == ["dtparam=watchdog=on"]


def test_every_part_of_the_default_wiring_is_on_the_header() -> None:
    assert {pin for _, pin in PinMap().parts()} <= set(HEADER.values())
    for part, pin in PinMap().parts():
        assert f"GPIO {pin}  {part}<" in diagram_svg()


def test_the_unit_notifies_is_watched_and_may_write_only_where_it_must() -> None:
    text = UNIT.read_text(encoding="utf-8")
    for line in ("Type=notify", "WatchdogSec=30", "Restart=always", "ProtectSystem=strict", "StateDirectory=tachiai"):
        assert line in text.splitlines()


def test_the_unit_is_bounded_in_calls_devices_memory_and_tasks() -> None:
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    for line in (
        "SystemCallFilter=@system-service",
        "LimitNOFILE=4096",
        "SystemCallFilter=~@privileged",
        "SystemCallErrorNumber=EPERM",
        "DevicePolicy=closed",
    ):
        assert line in lines
    devices = {line.removeprefix("DeviceAllow=") for line in lines if line.startswith("DeviceAllow=")}
    kinds = ("video4linux", "media", "dma_heap", "drm", "gpiochip", "spi")
    assert devices == {*(f"char-{kind} rw" for kind in kinds), "char-input r"}
    assert lines.index("MemoryHigh=768M") + 1 == lines.index("MemoryMax=1G")
    assert "to 1 GB of memory; it is slowed down above 768 MB" in " ".join(
        (FIRMWARE / "README.md").read_text("utf-8").split()
    )
    assert any(line.startswith("TasksMax=") for line in lines)


@pytest.mark.parametrize(("unit", "highest"), [(UNIT, 2.5), (ACCESS_POINT, 3.0)], ids=["table", "access point"])
def test_systemd_finds_the_units_hardly_exposed(unit: Path, highest: float) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not there")
    command = ["systemd-analyze", "security", "--offline=true", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(rf"Overall exposure level for {re.escape(unit.name)}: (\d+\.\d)", done.stdout)
    if found is None:
        pytest.skip(f"systemd-analyze looks at no unit that is not loaded: {done.stderr}")
    assert float(found[1]) <= highest


def test_the_access_point_s_unit_runs_what_there_is_and_tells_the_page_where_it_looks() -> None:
    text = ACCESS_POINT.read_text(encoding="utf-8")
    (started,) = re.findall(r"^ExecStart=/opt/tachiai/current/bin/python -m (\S+) (.*)$", text, re.MULTILINE)
    assert importlib.util.find_spec(started[0]) is not None
    assert "--country=${COUNTRY}" in started[1]
    assert f"RuntimeDirectory={access_point.OPEN_FILE.parent.name}" in text.splitlines()
    names = (FIRMWARE / "etc" / "NetworkManager" / "dnsmasq-shared.d" / "tachiai.conf").read_text(encoding="utf-8")
    assert f"address=/#/{access_point.ADDRESS}" in names.splitlines()


def test_the_update_s_unit_runs_the_installer_of_the_checkout_that_it_came_from() -> None:
    installer = machine_control.INSTALLED / machine_control.CHECKOUT / "firmware-config" / "install.sh"
    lines = UPDATE.read_text(encoding="utf-8").splitlines()
    assert f"ExecStart={installer} --update" in lines
    assert f"ConditionPathExists={installer}" in lines


RULED = """
var polkit = { Result: { YES: "yes", NOT_HANDLED: "not handled" }, addRule: (rule) => { polkit.rule = rule; } };
%s
const asked = JSON.parse(process.argv[1]);
const given = { unit: asked.unit, verb: asked.verb };
console.log(polkit.rule({ id: asked.id, lookup: (name) => given[name] }, { user: asked.user }));
"""


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"id": "org.freedesktop.login1.reboot"}, "yes"),
        ({"id": "org.freedesktop.login1.halt"}, "not handled"),
        ({"id": "org.freedesktop.systemd1.manage-units", "unit": machine_control.UPDATE, "verb": "start"}, "yes"),
        (
            {"id": "org.freedesktop.systemd1.manage-units", "unit": machine_control.UPDATE, "verb": "stop"},
            "not handled",
        ),
        ({"id": "org.freedesktop.systemd1.manage-units", "unit": "ssh.service", "verb": "start"}, "not handled"),
        ({"id": "org.freedesktop.login1.reboot", "user": "somebody"}, "not handled"),
    ],
)
def test_the_table_s_user_may_update_restart_and_switch_off_and_nothing_else(
    action: dict[str, str], expected: str
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("NO NODE: polkit's rule is not tried")
    script = RULED % POLKIT.read_text(encoding="utf-8")
    done = subprocess.run(
        [node, "-e", script, json.dumps({"user": "tachiai", **action})], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == expected, done.stderr


def test_the_logs_of_earlier_starts_are_kept_within_bounds() -> None:
    lines = (FIRMWARE / "etc/systemd/journald.conf.d/tachiai.conf").read_text(encoding="utf-8").splitlines()
    assert "Storage=persistent" in lines, "the page gives the log of all starts"
    assert any(line.startswith("SystemMaxUse=") for line in lines)


def test_what_is_secret_is_for_the_table_s_user_alone() -> None:
    rules = (FIRMWARE / "etc" / "tmpfiles.d" / "tachiai.conf").read_text(encoding="utf-8").splitlines()
    assert "z /etc/tachiai/tachiai.toml 0600 tachiai tachiai -" in rules
    assert "z /var/lib/tachiai/*.json 0600 tachiai tachiai -" in rules


@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_the_lock_has_all_that_the_appliance_needs_by_version_and_hash(codename: str) -> None:
    text = (FIRMWARE / f"requirements-{codename}.txt").read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.findall(r"^([\w.-]+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE)
    assert len(entries) == sum("==" in line for line in text.splitlines())
    locked = {canonicalize_name(name): version for name, version, _ in entries}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for requirement in map(Requirement, [*project["dependencies"], *extras["pi"], *extras["mqtt"], "hatchling>=1.25"]):
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)]), requirement


def test_the_unit_is_one_to_systemd(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not there")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text(encoding="utf-8").replace("/opt/tachiai/current/bin/tachiai", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_the_installer_passes_shellcheck() -> None:
    lint = Path(sys.executable).with_name("shellcheck")
    if not lint.exists():
        pytest.skip("shellcheck is not installed in this environment")
    scripts = [str(FIRMWARE / name) for name in ("install.sh", "lock.sh", "image.sh", "image_customize.sh")]
    done = subprocess.run([str(lint), *scripts], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0
