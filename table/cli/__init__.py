"""The commands of `tachiai`, one module each, with `register(commands)` and `run(args) -> exit code`.

`table.cli.tasks` describes each command for `tachiai --help`. Heavy imports are deferred until a command runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "demo": "table.cli.live_commands.demo",
        "run": "table.cli.live_commands.run",
        "check": "table.cli.upkeep_commands.check",
        "calibrate": "table.cli.live_commands.calibrate",
        "record": "table.cli.live_commands.record",
        "backup": "table.cli.upkeep_commands.backup",
        "restore": "table.cli.upkeep_commands.restore",
        "hall": "table.cli.hall_commands.hall",
        "broker": "table.cli.hall_commands.broker",
        "seating": "table.cli.hall_commands.seating",
        "read": "table.cli.picture_commands.read",
        "scan": "table.cli.picture_commands.scan",
        "replay": "table.cli.record_commands.replay",
        "audit": "table.cli.record_commands.audit",
        "score": "table.cli.record_commands.score",
        "export": "table.cli.record_commands.export",
        "season": "table.cli.record_commands.season",
        "film": "table.cli.record_commands.film",
        "rules": "table.cli.record_commands.rules_command",
        "bench": "table.cli.picture_commands.bench",
        "completion": "table.cli.completion",
    }
)
"""The module of each command, in the order of `tachiai --help`."""
EXIT_STOPPED: Final = 130
"""The exit code of a command that was stopped."""
