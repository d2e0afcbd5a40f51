from __future__ import annotations

from pathlib import Path

import pytest

from table.health.machine import HEAT, MODEL, STATUS, SYNCHRONIZED, firmware_problems, read_machine


def kernel(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_pi_tells_its_heat_power_and_clock(tmp_path: Path) -> None:
    files = {
        HEAT: "84512\n",
        FOUR: "50005\n",
        MODEL: "Raspberry Pi 5 Model B Rev 1.0\0",
        STATUS: "Name:\tx\nVmRSS:\t  204800 kB\n",
        SYNCHRONIZED: "",
    }
    machine = read_machine(tmp_path, kernel(tmp_path, files))
    assert machine.model == "Raspberry Pi 5 Model B Rev 1.0"
    assert (machine.heat_c, machine.memory_mb, machine.is_clock_set) == (84.512, 200.0, True)
    assert machine.power == ("undervoltage", "throttled", "undervoltage_before", "throttled_before")
    assert machine.troubles == ("undervoltage", "throttled", "heat")


FOUR = "sys/devices/platform/soc/soc:firmware/get_throttled"
FIVE = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"


@pytest.mark.parametrize(
    ("files", "power", "is_known"),
    [
        ({FIVE: "50000\n"}, ("undervoltage_before", "throttled_before"), True),
        (
            {"sys/class/hwmon/hwmon2/name": "rpi_volt\n", "sys/class/hwmon/hwmon2/in0_lcrit_alarm": "1\n"},
            ("undervoltage",),
            True,
        ),
        ({"sys/class/hwmon/hwmon2/name": "rpi_volt\n", "sys/class/hwmon/hwmon2/in0_lcrit_alarm": "0\n"}, (), True),
        (
            {
                "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
                "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
                "sys/class/hwmon/hwmon2/name": "rpi_volt\n",
                "sys/class/hwmon/hwmon2/in0_lcrit_alarm": "1\n",
            },
            ("undervoltage",),
            True,
        ),
        ({"sys/class/hwmon/hwmon0/name": "cpu_thermal\n"}, (), False),
    ],
    ids=["the firmware's bits", "the voltage is too low", "it is right", "other monitors", "nothing tells"],
)
def test_a_pi_5_tells_its_voltage_where_it_has_it_and_unknown_is_no_praise(
    files: dict[str, str], power: tuple[str, ...], is_known: bool, tmp_path: Path
) -> None:
    machine = read_machine(tmp_path, kernel(tmp_path, files))
    assert (machine.power, machine.is_power_known) == (power, is_known)


def test_a_machine_that_tells_nothing_is_not_in_trouble(tmp_path: Path) -> None:
    machine = read_machine(tmp_path, tmp_path)
    assert (machine.heat_c, machine.power, machine.is_clock_set, machine.troubles) == (None, (), None, ())


def test_a_clock_that_no_network_set_is_told(tmp_path: Path) -> None:
    (tmp_path / SYNCHRONIZED).parent.mkdir(parents=True)
    assert read_machine(tmp_path, tmp_path).is_clock_set is False


@pytest.mark.parametrize(
    ("text", "problems"), [("0", ()), ("40000", ("throttled_before",)), ("rubbish", ()), (None, ())]
)
def test_the_firmwares_bits_have_names(text: str | None, problems: tuple[str, ...]) -> None:
    assert firmware_problems(text) == problems


def test_a_folder_that_is_gone_has_no_free_space(tmp_path: Path) -> None:
    machine = read_machine(tmp_path / "gone", tmp_path)
    assert (machine.disk_free_mb, machine.troubles) == (None, ())
