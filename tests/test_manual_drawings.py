"""The drawings of the manuals: they say what the program says, and are the files that the manuals show."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from table.dashboard.manual_pages import manual_languages, manual_text
from table.panel.gpio_panel import PinMap
from tests.manual_drawings import DRAWINGS, SIDE_MM, WIDTH
from tests.places import ROOT
from vision.geometry.mounting.overhead import MODULES, Markers, mount

SETUP = [name for name in DRAWINGS if name.startswith("setup_")]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_files_are_what_is_drawn(name: str) -> None:
    file = ROOT / "table" / "manual" / "pictures" / f"{name}.svg"
    assert file.read_text(encoding="utf-8") == DRAWINGS[name]()


@pytest.mark.parametrize("name", SETUP)
def test_a_step_is_legible_on_a_phone(name: str) -> None:
    root = ET.fromstring(DRAWINGS[name]())  # noqa: S314 - our own
    assert float(root.attrib["width"]) == WIDTH
    for text in root.iter(f"{SVG}text"):
        assert float(text.attrib["font-size"]) >= 13
        assert 0 <= float(text.attrib["x"]) <= WIDTH


@pytest.mark.parametrize("language", manual_languages("hosts"))
@pytest.mark.parametrize("name", SETUP)
def test_every_number_of_a_step_is_explained_beside_it(name: str, language: str) -> None:
    after = manual_text("hosts", language).partition(f"pictures/{name}.svg)\n")[2].lstrip("\n")
    explained = re.findall(r"^(\d)\. ", after.partition("\n\n")[0], re.MULTILINE)
    drawn = re.findall(r'r="11" fill="#c0392b"/><text [^>]*>(\d)<', DRAWINGS[name]())
    assert explained == sorted(set(drawn))


def test_the_mount_has_the_heights_of_the_mounting_table() -> None:
    for camera in MODULES[:2]:
        found = mount(camera, SIDE_MM, Markers.INSIDE)
        assert found is not None
        assert f">{found.height_mm / 1000:.2f} m<" in DRAWINGS["setup_mounting"]()


def test_the_wires_go_to_the_pins_of_the_first_seat() -> None:
    for pin in (*PinMap().lights[0], PinMap().win[0]):
        assert f">GPIO {pin}<" in DRAWINGS["setup_wires"]()
