"""What needs every discard is not claimed where discards were missed: people know what nobody saw."""

from __future__ import annotations

import pytest

from table.rules.state import Ippatsu, Phase
from tests.table.rules.situations import Table, discards_until, play, settlement_of

WAITS_36P = "123m456m99p12p678s"
"""A closed hand that waits for 3p, without a yaku of its own."""
WON = f"shows {WAITS_36P} with 3p"
PASSED_OVER = "0 discards 5s; 2 discards 6s; 3 discards 7s; 0 discards 4s"
"""The first discard of seat 1 is missed."""


def _yaku(table: Table) -> list[str]:
    return [yaku for win in settlement_of(table).wins for yaku, _ in win.yaku]


@pytest.mark.parametrize(
    ("events", "yaku"),
    [
        (f"0 discards 5s; 1 tsumo; 1 {WON}", ["chiihou"]),
        (f"0 tsumo; 0 {WON}", ["tenhou"]),
        (f"{PASSED_OVER}; 1 tsumo; 1 {WON}", ["menzen_tsumo"]),
        (f"1 tsumo; 1 {WON}", ["menzen_tsumo"]),
        (f"1 discards 5s; 2 tsumo; 2 {WON}", ["menzen_tsumo"]),
        (f"0 riichi-told; 0 tsumo; 0 {WON}; 0 ura 9s", ["menzen_tsumo", "riichi"]),
    ],
    ids=["second to draw", "dealer", "passed over", "nothing seen before", "the dealer's missed", "in riichi by word"],
)
def test_a_blessing_is_paid_only_if_every_discard_before_it_was_seen(events: str, yaku: list[str]) -> None:
    assert sorted(_yaku(play(events).feed("confirm"))) == yaku


def test_the_first_draw_of_a_table_of_which_nothing_was_seen_is_no_blessing() -> None:
    """Nobody needs to have pressed anything before: the hand may be long."""
    table = Table().feed(f"start E1 scores=25000,25000,25000,25000; 0 tsumo; 0 {WON}; confirm; confirm")
    assert _yaku(table) == ["menzen_tsumo"]


def test_a_seat_whose_discard_was_missed_declares_no_double_riichi() -> None:
    assert "double_riichi" not in dict(play(f"{PASSED_OVER}; 1 discards 5m sideways").sayings)
    assert "double_riichi" in dict(play("0 discards 5s; 2 discards 6s; 3 discards 5m sideways").sayings)


@pytest.mark.parametrize(("first", "is_double"), [("0 discards 5s; ", True), (PASSED_OVER + "; ", False)])
def test_a_riichi_told_afterwards_is_double_if_no_discard_before_its_tile_was_missed(
    first: str, is_double: bool
) -> None:
    table = play(f"{first}1 discards 5m; 2 discards 9p; 3 discards 9m; 1 riichi-told")
    assert table.hand.riichi[1].is_double is is_double


def test_the_turn_that_was_passed_over_ends_the_ippatsu_of_its_seat() -> None:
    table = play("0 discards 5s; 1 discards 5m sideways; 1 stick; 2 discards 6s; 3 discards 7s; 0 discards 4s")
    assert table.hand.ippatsu[1].is_open
    table.feed("2 discards 9m")
    assert ("ippatsu_closed", 1) in table.sayings
    table.feed(f"3 discards 3p; 1 ron from 3; 1 {WON}; 1 ura 2z; confirm")
    assert sorted(_yaku(table)) == ["double_riichi"]


def test_another_seats_missed_discard_leaves_the_ippatsu_open() -> None:
    table = play("0 discards 5s; 1 discards 5m sideways; 1 stick; 2 discards 6s; 0 discards 4s")
    assert table.hand.ippatsu[1].is_open


def test_a_tsumo_of_the_wrong_seat_that_is_withdrawn_ends_nothing() -> None:
    before = play("0 discards 5s; 1 discards 5m sideways; 1 stick; 2 discards 6s; 3 discards 7s; 0 discards 4s; pass")
    after = play("0 discards 5s; 1 discards 5m sideways; 1 stick; 2 discards 6s; 3 discards 7s; 0 discards 4s")
    after.feed("2 tsumo; 2 withdraws")
    assert (after.hand.turn, after.hand.ippatsu, after.hand.tiles_left, after.hand.has_gap) == (
        before.hand.turn,
        before.hand.ippatsu,
        before.hand.tiles_left,
        False,
    )
    assert after.hand.ippatsu[1] is Ippatsu.LAST_CHANCE
    assert after.feed("1 discards 9m").clauses == []


WENT_BY = "0 discards 5s; 1 discards 5m; 2 discards 3p; 3 discards 7s; 0 discards 4s"
"""Seat 1 lets a tile of its wait pass."""


@pytest.mark.parametrize(
    ("events", "kind"),
    [
        (f"{WENT_BY}; 1 discards 9m; 2 discards 9s; 3 discards 3p; 1 ron", None),
        (f"{WENT_BY}; 2 discards 9m; 3 discards 3p; 1 ron", "possible_furiten"),
        (f"{PASSED_OVER}; 1 discards 5m; 2 discards 3p; 3 discards 3p; 1 ron", "furiten"),
        (f"{PASSED_OVER}; 1 discards 5m; 2 discards 7p; 3 discards 3p; 1 ron", "possible_furiten"),
        ("0 discards 5s; 1 discards 5m; 2 discards 3p; 0 discards 3p; 1 ron", "furiten"),
        ("0 discards 5s; 1 discards 5m; 2 discards 7p; 0 discards 3p; 1 ron", "possible_furiten"),
        (
            "0 discards 5s; 2 discards 7p; 3 discards 6s; 0 discards 8s; 1 discards 5m; 2 discards 3p; 1 ron",
            "possible_furiten",
        ),
        ("0 discards 5s; 1 discards 5m; 3 discards 7p; 0 discards 8s; 1 discards 9m; 2 discards 3p; 1 ron", None),
        ("0 discards 5s; 1 discards 3p; 2 discards 7p; 3 discards 7s; 0 discards 4s; 2 discards 3p; 1 ron", "furiten"),
        (f"{WENT_BY.replace('5m', '5m sideways; 1 stick')}; 2 discards 9m; 3 discards 3p; 1 ron", "furiten"),
        (
            "0 discards 5s; 1 discards 5m sideways; 1 stick; 3 discards 9m; 0 discards 7s; 1 discards 9p; "
            "2 discards 3p; 1 ron",
            "possible_furiten",
        ),
    ],
    ids=[
        "nothing missed",
        "let pass before its own discard was missed",
        "let pass after it",
        "its own discard missed",
        "let pass, and another one missed",
        "one missed that it may have let pass",
        "its own first discard missed",
        "one missed before its own last",
        "its own river",
        "in riichi its own discard missed",
        "in riichi one missed",
    ],
)
def test_furiten_is_claimed_only_of_what_was_seen(events: str, kind: str | None) -> None:
    table = play(events).feed(f"1 {WON}")
    assert [saying for saying, _ in table.sayings if "furiten" in saying] == ([] if kind is None else [kind])
    evidence_text = "\n".join(evidence for suspicion in table.suspicions for evidence in suspicion.evidence)
    assert ("furiten" in evidence_text) is (kind == "furiten")


def test_four_equal_winds_end_no_hand_in_which_a_discard_was_missed() -> None:
    table = play("1 discards 2z; 2 discards 2z; 3 discards 2z; 0 discards 2z; pass")
    assert table.hand.phase is Phase.PLAY
    assert play("0 discards 2z; 1 discards 2z; 2 discards 2z; 3 discards 2z; pass").hand.phase is Phase.ENDING


def test_nine_terminals_of_a_seat_whose_discard_was_missed_are_called_without_a_question() -> None:
    assert play(PASSED_OVER).feed("abort nine_terminals by 1").clauses == []


@pytest.mark.parametrize(
    ("is_missed", "events", "clauses"),
    [
        (False, "0 discards 5m; 1 discards 5p; 2 discards 5s sideways", [("7-05-08", 2)]),
        (True, "1 discards 5p; 2 discards 5s sideways", []),
        (
            False,
            "0 discards 5m; 1 discards 5p; 2 discards 5s; 3 discards 5z; 0 discards 6z; 1 discards 7z; "
            "2 pon 7z from 1 with 77z",
            [("7-05-02", 2)],
        ),
        (
            True,
            "1 discards 5p; 2 discards 5s; 3 discards 5z; 0 discards 6z; 1 discards 7z; 2 pon 7z from 1 with 77z",
            [],
        ),
        (
            False,
            "0 discards 5m; 1 discards 5p; 2 discards 5s; 3 discards 5z; 0 discards 6z; 1 discards 7z; 2 discards 2z",
            [("7-05-09", 2)],
        ),
        (True, "1 discards 5p; 2 discards 5s; 3 discards 5z; 0 discards 6z; 1 discards 7z; 2 discards 2z", []),
        (
            False,
            "0 discards 5m; 1 discards 5p; 2 discards 5s; 3 discards 5z; 0 discards 6z; 1 closed 7777z",
            [("7-05-02", 1)],
        ),
        (True, "1 discards 5p; 2 discards 5s; 3 discards 5z; 0 discards 6z; 1 closed 7777z", []),
    ],
)
def test_no_foul_follows_from_the_number_of_tiles_left_where_discards_were_missed(
    is_missed: bool, events: str, clauses: list[tuple[str, int]]
) -> None:
    """The turns that were passed over may have been calls, for which nobody draws."""
    table = play(discards_until(5), min_tiles_left=4)
    first, rest = events.split("; ", 1)
    assert table.feed(first).clauses == ([("7-05-09", 1)] if is_missed else [])
    assert table.feed(rest).clauses == clauses


def test_the_number_of_tiles_left_is_told_only_where_no_discard_was_missed() -> None:
    seen_play = play(discards_until(5)).feed("0 discards 5m; 1 discards 5p; 2 discards 5s; 3 discards 5z; pass")
    missed = play(discards_until(5)).feed("1 discards 5p").feed("2 discards 5s; 3 discards 5z; pass")
    assert ("tiles_left", None) in seen_play.sayings
    assert ("tiles_left", None) not in missed.sayings


SEEN_SIX = "0 discards 1m; 1 discards 2m; 2 discards 4m; 3 discards 5p; 0 discards 6p; 1 discards 7p"
TENPAI_2P = "345m456m88p34p678s"
"""A closed hand that waits for 2p and 5p, with tanyao."""


@pytest.mark.parametrize(
    ("events", "missing"),
    [
        (f"{SEEN_SIX}; unseen; 0 ron", ("discarder 0", "hand 0", "unseen 0")),
        (f"{SEEN_SIX}; unseen; 0 ron han=3 fu=30", ("discarder 0",)),
        (f"{SEEN_SIX}; unseen; 0 ron from 3 han=3 fu=30", ()),
        (f"{SEEN_SIX}; unseen; 0 ron from 2; 0 shows {TENPAI_2P}", ("winning_tile 0", "unseen 0")),
        (f"{SEEN_SIX}; unseen; 0 ron from 2; 0 shows {TENPAI_2P} with 2p", ("unseen 0",)),
        (f"{SEEN_SIX}; unseen; 2 discards 2p; 0 ron; 0 shows {TENPAI_2P}", ()),
        (f"{SEEN_SIX}; unseen; 3 tsumo; 3 shows {TENPAI_2P} with 2p", ("unseen 3",)),
        (f"{SEEN_SIX}; 3 tsumo; 3 shows {TENPAI_2P} with 2p", ()),
        ("unseen; 0 ron", ("discarder 0", "hand 0", "unseen 0")),
    ],
)
def test_a_win_after_unseen_play_is_asked_about_until_a_discard_is_seen(events: str, missing: tuple[str, ...]) -> None:
    table = play(events).feed("confirm")
    assert (table.missing, bool(table.state.history)) == (missing, not missing)


def test_unseen_play_accuses_nobody() -> None:
    assert play(f"{SEEN_SIX}; unseen").feed("0 discards 9s").clauses == []
    assert play(f"{SEEN_SIX}; unseen").feed(f"0 tsumo; 0 shows {TENPAI_2P} with 2p").clauses == []
    last = "123m456m789p11s23p"
    assert play(f"{SEEN_SIX}; unseen; 0 ron from 3").feed(f"0 shows {last} with 1p").clauses == [], "perhaps houtei"


def test_a_ron_on_an_unseen_tile_is_furiten_by_the_river_that_was_seen() -> None:
    table = play(f"0 discards 2p; 1 discards 2m; unseen; 0 ron from 3; 0 shows {TENPAI_2P} with 5p")
    assert ("7-05-01", 0) in table.clauses


def test_a_win_on_unseen_play_that_is_withdrawn_leaves_everything_as_it_was() -> None:
    before = play(f"{SEEN_SIX}; unseen").hand
    assert play(f"{SEEN_SIX}; unseen; 0 ron; 0 withdraws").hand == before
    assert play(f"{SEEN_SIX}; unseen; 2 ron from 3; 0 ron; 2 withdraws; 0 withdraws").hand == before


def test_a_ron_pressed_instead_of_a_tsumo_out_of_turn_leaves_no_gap() -> None:
    table = play(f"{SEEN_SIX}; pass; 0 tsumo; 0 ron from 1 han=1 fu=40")
    assert not table.hand.has_gap
    assert table.hand.tiles_left == play(f"{SEEN_SIX}; 0 ron from 1 han=1 fu=40").hand.tiles_left


def test_a_seen_tile_that_is_put_back_leaves_play_unseen() -> None:
    table = play(f"{SEEN_SIX}; unseen; 2 discards 2p; 2 puts-back; 0 ron")
    assert table.hand.claims[0].from_seat is None
    table = play(f"{SEEN_SIX}; unseen; 1 puts-back; 0 ron")
    assert table.hand.claims[0].from_seat is None


@pytest.mark.parametrize(("unseen", "yaku"), [("", ["last_tile_tsumo"]), ("unseen; ", [])])
def test_the_last_tile_is_not_told_surely_after_unseen_play(unseen: str, yaku: list[str]) -> None:
    table = play(
        f"{discards_until(1)}; {unseen}0 discards 5z; pass; 1 tsumo; 1 shows 456m456p456s55m55p with 0p; confirm"
    )
    if unseen:
        assert table.missing == ("unseen 1",)
        table.feed("confirm")
    assert [each for each in _yaku(table) if each == "last_tile_tsumo"] == yaku


def test_four_winds_that_were_seen_before_play_went_unseen_end_the_hand_or_lapse() -> None:
    winds = "0 discards 2z; 1 discards 2z; 2 discards 2z; 3 discards 2z"
    assert play(f"{winds}; unseen; pass").hand.phase is Phase.ENDING
    assert play(f"{winds}; unseen; 0 discards 5m; pass").hand.phase is Phase.PLAY
    assert play(f"unseen; {winds}; pass").hand.phase is Phase.PLAY


def test_first_turns_are_not_told_after_unseen_play() -> None:
    assert "double_riichi" not in dict(play("0 discards 5s; unseen; 1 discards 5m sideways").sayings)
    assert _yaku(play(f"0 discards 5s; unseen; 1 tsumo; 1 {WON}").feed("confirm; confirm")) == ["menzen_tsumo"]


def test_ippatsu_is_counted_after_unseen_play_only_if_it_hid_nothing() -> None:
    riichi = (
        "0 discards 5s; 1 discards 5m; 2 discards 6s; 3 discards 7s; 0 discards 4s; 1 discards 9m sideways; 1 stick"
    )
    seen_play = play(f"{riichi}; unseen; 2 discards 3p; seen; 1 ron; 1 {WON}; 1 ura 2z; confirm")
    assert "ippatsu" in _yaku(seen_play)
    unseen = play(f"{riichi}; unseen; 1 ron from 2; 1 {WON}; 1 ura 2z; confirm; confirm")
    assert "ippatsu" not in _yaku(unseen)
