"""What one hand counts for its players: what nobody saw or said is unknown, and no share of anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import OpenGame
from table.game.journal.journal import Journal
from table.records.season.hand_count import PlayedHand, count_hand
from table.records.season.season_folder import read_season
from table.records.season.tally import Amount, Share, Tally
from table.rulebook import rules_named
from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events
from tests.table.game.by_hand import table_at, tell

RULES = rules_named("home").ruleset
RIICHI = (
    "start E1 scores=25000,25000,25000,25000 dora=4p; 0 discards {}; 1 discards 1z; 2 discards 1z; 3 discards 1z;"
    "0 discards {}; 1 discards 2z; 2 discards 2z; 3 discards 2z; 0 discards 8p sideways; 0 stick; 1 discards 3z;"
    "2 discards 3z; 3 discards 3z; 0 tsumo; 0 shows 234m456p22s678s78s with 9s; 0 ura 9m; confirm"
)


def tally_of(events: str, *others: str) -> Tally:
    """What a hand counts for Ann at seat 0; `others` sit at the next seats."""
    game, table, names = new_game(RULES), None, ("Ann", *others, *[""] * (3 - len(others)))
    for event in parse_events(events):
        game = advance(game, event, RULES).state
        table = game.hand or table
    tallies = {name: Tally() for name in names if name}
    count_hand(PlayedHand(number=0, line=game.history[-1], table=table), names, tallies)
    return tallies["Ann"]


@pytest.mark.parametrize(
    ("river", "share"),
    [
        (("1m", "9p"), Share(hits=0, of=1)),
        (("1m", "6s"), Share(hits=1, of=1)),
        (("?", "6s"), Share(hits=1, of=1)),
        (("?", "9p"), Share(hits=0, of=0, unknown=1)),
    ],
)
def test_a_riichi_is_furiten_by_a_tile_of_its_river_and_unknown_if_that_may_be_one_that_was_not_read(
    river: tuple[str, str], share: Share
) -> None:
    assert tally_of(RIICHI.format(*river)).shares["furiten_riichi"] == share


def test_who_deals_in_has_the_value_and_the_turn_of_the_own_discard() -> None:
    tally = tally_of(
        "start E1 scores=25000,25000,25000,25000 dora=4p; 0 discards 1z; 1 discards 1z; 2 discards 2z; 3 discards 2z;"
        "0 discards 9s; 1 ron; 1 shows 234m456p22s678s78s; confirm"
    )
    assert tally.shares["deal_ins"] == Share(hits=1, of=1)
    assert tally.amounts["deal_in_value"] == Amount(count=1, total=2000, squares=4_000_000)
    assert (tally.deal_in_turns, tally.turns_unknown) == ({2: 1}, 0)


@pytest.mark.parametrize(
    ("pressed", "share"),
    [
        ("1 riichi-told; draw; 0 noten; 1 tenpai; 2 noten; 3 noten; confirm; confirm", Share(of=1)),
        ("0 foul 7-05-01 facts=offender_opened_hand; confirm", Share(unknown=1)),
    ],
)
def test_of_a_hand_that_nobody_saw_riichi_is_known_as_pressed_but_not_if_a_chombo_ended_it(
    pressed: str, share: Share
) -> None:
    assert tally_of(f"start E1 scores=25000,25000,25000,25000; {pressed}").shares["riichi"] == share


def test_an_entered_yakuman_is_no_win_of_which_ippatsu_and_ura_are_unknown(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=("Ann", "Ben", "Cem", "Dora"), by="owner"))
        tell(table, read_result({"kind": "ron", "wins": [{"seat": 0, "from": 1, "yakuman": 1}], "riichi": [0]}))
    (ann,) = (each for each in read_season(tmp_path).season.people if each.name == "Ann")
    assert ann.tally.shares["wins"].hits == 1
    assert [ann.tally.shares[name] for name in ("ippatsu", "ura")] == [Share(), Share()]


@pytest.mark.parametrize(
    ("end", "share"),
    [
        ("0 tsumo; 0 shows 234m456p22s678s78s with 9s; confirm", Share(of=1)),
        ("abort nine_terminals by 0; 0 shows 19m19p19s1234567z5m; confirm", Share(of=1)),
        ("told draw tenpai=1", Share(unknown=1)),
    ],
)
def test_of_a_hand_that_ends_before_a_discard_calls_are_known_unless_it_was_only_entered(
    end: str, share: Share
) -> None:
    assert tally_of(f"start E1 scores=25000,25000,25000,25000 dora=4p; {end}").shares["calls"] == share


@pytest.mark.parametrize(("kind", "loser", "discarders"), [("ron", 1, ["Ben"]), ("ron", 2, []), ("tsumo", 0, [])])
def test_a_ron_counts_off_a_discarder_with_a_name_and_a_tsumo_off_nobody(
    kind: str, loser: int, discarders: list[str]
) -> None:
    events = f"start E1 scores=25000,25000,25000,25000; told {kind} win0=0:{loser}:3:30:0::"
    tally = tally_of(events, "Ben")
    assert tally.shares["wins"].hits == 1
    assert list(tally.rons) == discarders
