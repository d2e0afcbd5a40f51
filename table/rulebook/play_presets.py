"""The plain home rules; every shipped rule set, with the source of each value, is in `presets/*.toml`."""

from __future__ import annotations

from typing import Final

from table.rules.ruleset import Ruleset

HOME: Final = Ruleset()
