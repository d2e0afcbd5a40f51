"""One line of mjai, a JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MjaiLine = dict[str, Any]
"""A line as we write it."""
ReadLine = Mapping[str, Any]
"""A line as it was read, from us or from another program."""
