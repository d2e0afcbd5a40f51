from __future__ import annotations

import pytest

from table.game.snapshot import Mode
from table.rules.ruleset import Ruleset
from table.rules.transitions.declared_result import PAO_RULES
from tests.table.dashboard.live.viewed_hands import view


@pytest.mark.parametrize(("mode", "may"), [(Mode.HOME, True), (Mode.CLUB, True), (Mode.TOURNAMENT, False)])
def test_no_phone_is_offered_hints_at_a_tournament(mode: Mode, may: bool) -> None:
    assert view(mode=mode)["keeping"]["may_hint"] is may


@pytest.mark.parametrize("yakuman", PAO_RULES)
def test_a_liable_seat_is_asked_for_where_the_rules_have_one(yakuman: str) -> None:
    for is_liable in (True, False):
        keeping = view(ruleset=Ruleset().but(**{PAO_RULES[yakuman]: is_liable}))["keeping"]
        assert (yakuman in [pao["yakuman"] for pao in keeping["paos"]]) is is_liable
