"""What the processes of a siege share: imported once, where they are forked, so that each starts at once."""

from __future__ import annotations

import table.cli.live_commands.run
import table.cli.upkeep_commands.restore  # noqa: F401 - loaded here for those that are forked
from tests.endurance.power_cuts import steps

steps()
