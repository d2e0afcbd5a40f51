from __future__ import annotations

import xml.etree.ElementTree as ET

from table.panel import seat_lights
from table.panel.lights_diagram import FILE, ROWS, diagram_svg
from table.panel.seat_lights import Light


def test_the_picture_in_the_readme_is_what_the_lights_show() -> None:
    assert FILE.read_text(encoding="utf-8") == diagram_svg()


def test_the_picture_explains_every_light_that_can_be_shown() -> None:
    shown = {light for light in vars(seat_lights).values() if isinstance(light, Light)} - {seat_lights.OFF}
    assert shown <= {light for _, light in ROWS}


def test_the_picture_has_a_light_for_every_meaning() -> None:
    root = ET.fromstring(diagram_svg())  # noqa: S314 - our own
    assert len(root.findall("{http://www.w3.org/2000/svg}circle")) == len(ROWS)
