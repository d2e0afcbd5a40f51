"""Games of our own making: played by the test-only engine, by agents of several tempers, so that rare ends come too."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jansou.core.rules import preset
from jansou.game.agents import Agent, EfficiencyAgent, RandomAgent, SmartEfficiencyAgent
from jansou.game.environment import Environment
from jansou.io.from_game import paifu_from_game
from jansou.io.mjai import dump_mjai
from jansou.io.mjlog import dump_mjlog
from jansou.io.tenhou_json import dump_tenhou_json

from table.records.formats.game_record import GameRecord
from table.records.mjai.mjai_reader import read_mjai


@cache
def selfplay_game(seed: int, rules: str = "tenhou") -> GameRecord:
    """A whole game by one of the engine's rule sets; the same for the same seed. Its header says nothing of rules."""
    return read_mjai(dump_mjai(_paifu(seed, rules)).encode(), f"game {seed}")


def engine_files(seed: int) -> dict[str, bytes]:
    """The same game as the engine's own writers put it, which leave out some of what Tenhou writes."""
    paifu = _paifu(seed, "tenhou")
    return {"mjlog": dump_mjlog(paifu).encode(), "tenhou6": json.dumps(dump_tenhou_json(paifu)).encode()}


@cache
def _paifu(seed: int, rules: str) -> Any:
    environment = Environment(preset(rules), seed=seed)
    agents: list[Agent] = [SmartEfficiencyAgent(seed=4 * seed + seat) for seat in range(4)]
    if seed % 3 == 0:
        agents[1:] = [RandomAgent(seed=4 * seed + seat) for seat in range(1, 4)]
        agents[0] = EfficiencyAgent(seed=seed)
    environment.run(agents)
    return paifu_from_game(environment)
