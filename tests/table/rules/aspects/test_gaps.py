"""A gap closes once every river and meld lies as it is on record, and nothing but discards in turn came since."""

from __future__ import annotations

import pytest

from table.rules.state import Phase
from tests.table.rules.situations import discards_until, play, settlement_of

FIRST = "0 discards 1m; 1 discards 2m; 2 discards 3m"
RIICHI = "0 discards 1m; 1 discards 2m sideways; 1 stick"


@pytest.mark.parametrize(
    ("before", "since"),
    [
        (FIRST, ""),
        (FIRST, "3 discards 9p"),
        (FIRST, "3 discards 9p; 0 discards 9s; 1 discards 9m; 2 discards 1z; 3 discards 2z"),
        (FIRST, "3 discards 9p; unseen; 0 discards 9s"),
        (f"{FIRST}; 1 pon 3m from 2 with 33m", "1 discards 9p; 2 discards 9s"),
        (f"{FIRST}; 3 closed 1111p", "3 discards 9p"),
        (f"{FIRST}; 0 discards 9s", "1 discards 9m"),
        (f"{FIRST}; pass", "3 discards 9p"),
        ("", "0 discards 1m; 1 discards 2m sideways; 1 stick; 2 discards 3m; 3 discards 9p"),
        (RIICHI, ""),
        (RIICHI, "2 discards 3m; 3 discards 9p"),
        (RIICHI, "2 discards 3m; 3 discards 9p; 0 discards 9s; pass"),
        (RIICHI, "2 discards 3m; 3 discards 9p; 0 discards 9s; 1 discards 9m; 2 discards 1z"),
        ("0 discards 1m", "1 discards 2m sideways; 1 stick; 2 discards 3m; 3 discards 9p"),
        ("0 discards 1m; 1 discards 2m", "1 riichi-told; 2 discards 3m; 3 discards 9p"),
        (FIRST, "3 discards 9p; 3 puts-back"),
        (FIRST, "2 puts-back; 2 discards 4m"),
        (f"{FIRST}; 3 discards 9p; 1 discards 9s; 2 discards 1z; 0 riichi-told", "3 discards 2z"),
    ],
    ids=[
        "nothing",
        "one discard",
        "a full round",
        "lost twice",
        "after a pon",
        "after a kan",
        "after a missed discard",
        "after a pass",
        "a first go-round",
        "after a riichi",
        "after a riichi, discards",
        "after a riichi, its last chance",
        "after a riichi, its own discard",
        "riichi in the gap",
        "riichi told in the gap",
        "put back",
        "a seen one put back",
        "a riichi told, a discard after its tile missed",
    ],
)
def test_discards_in_turn_leave_no_gap(before: str, since: str) -> None:
    table = play(f"{before}; unseen; {since + '; ' if since else ''}seen")
    assert table.hand == play(f"{before}{'; ' + since if since else ''}".replace("unseen; ", "")).hand


@pytest.mark.parametrize(
    ("before", "since"),
    [
        ("", ""),
        ("", "0 discards 1m; 1 discards 2m; 2 discards 3m"),
        ("", "1 discards 2m; 2 discards 3m; 3 discards 9p; 0 discards 1m"),
        (FIRST, "0 discards 9p"),
        (FIRST, "3 discards 9p; 1 discards 9s"),
        (FIRST, "0 pon 3m from 2 with 33m; 0 discards 9p"),
        (FIRST, "3 closed 1111p"),
        (f"{FIRST}; 0 pon 3m from 2 with 33m; 0 discards 9s; 1 discards 9m; 2 discards 1z; 3 discards 2z", "0 adds 3m"),
        (FIRST, "dora 2p"),
        (FIRST, "3 discards 9p; 0 discards 9s; unseen; 2 discards 9m"),
        (FIRST, "3 tsumo"),
        (FIRST, "draw"),
    ],
    ids=[
        "nothing laid before",
        "no full go-round",
        "a go-round from another seat",
        "a turn was missed",
        "a turn was missed later",
        "a call",
        "a closed kan",
        "an added kan",
        "an indicator of an unseen kan",
        "lost again",
        "a win is claimed",
        "a draw",
    ],
)
def test_other_acts_leave_the_gap(before: str, since: str) -> None:
    table = play("; ".join(filter(None, (before, "unseen", since))))
    with pytest.raises(Exception, match="since the gap nothing but discards in turn"):
        table.feed("seen")
    assert table.hand.has_gap
    with pytest.raises(Exception, match="expected a gap"):
        play(FIRST).feed("seen")


def test_a_discard_missed_before_the_gap_stays_missed() -> None:
    table = play("0 discards 1m; 2 discards 3m; unseen; 3 discards 9p; seen")
    assert table.hand.missed_at == play("0 discards 1m; 2 discards 3m; 3 discards 9p").hand.missed_at
    assert table.hand.has_gap


def test_a_closed_gap_is_asked_about_no_more() -> None:
    table = play(f"{FIRST}; unseen; seen; 0 ron han=2 fu=30; confirm")
    assert settlement_of(table).deltas == (2900, 0, -2900, 0), "whose tile it was is known"


def test_the_last_tile_is_counted_after_a_closed_gap() -> None:
    table = play(f"{discards_until(1)}; unseen; 0 discards 5z; seen; pass; 1 tsumo")
    table.feed("1 shows 456m456p456s55m55p with 0p; confirm")
    assert "last_tile_tsumo" in dict(settlement_of(table).wins[0].yaku)


@pytest.mark.parametrize(("before", "is_double"), [("0 discards 1z", True), ("0 discards 1z; 2 discards 2z", False)])
def test_a_riichi_declared_in_a_closed_gap_is_double_if_it_was_the_first_discard(before: str, is_double: bool) -> None:
    first_round = "" if is_double else "3 discards 3z; 0 discards 4z; "
    table = play(f"{before}; unseen; {first_round}1 discards 9s sideways; 1 stick").feed("seen")
    riichi = table.hand.riichi[1]
    assert (riichi.is_double, riichi.may_be_double, ("double_riichi", 1) in table.sayings) == (
        is_double,
        False,
        is_double,
    )


def test_four_winds_found_in_a_closed_gap_end_the_hand() -> None:
    table = play("0 discards 2z; unseen; 1 discards 2z; 2 discards 2z; 3 discards 2z; seen")
    assert table.hand.pending_abort is not None
    assert table.feed("pass").hand.phase is Phase.ENDING


def test_a_tile_put_back_after_the_proof_leaves_no_gap() -> None:
    table = play(f"{FIRST}; unseen; 3 discards 9p; seen; 3 puts-back")
    assert table.hand == play(f"{FIRST}; 3 discards 9p; 3 puts-back").hand
    later = play(f"{FIRST}; unseen; 3 discards 9p; seen; 0 discards 9s; 0 puts-back").hand
    assert later == play(f"{FIRST}; 3 discards 9p; 0 discards 9s; 0 puts-back").hand
    riichi = "2 discards 3m; 3 discards 9p; 0 discards 9s"
    assert (
        play(f"{RIICHI}; unseen; {riichi}; seen; 0 puts-back").hand == play(f"{RIICHI}; {riichi}; 0 puts-back").hand
    ), "ippatsu too"


def test_a_camera_lost_after_a_win_was_claimed_leaves_no_gap() -> None:
    claimed = "0 discards 1m; 1 ron han=1 fu=30"
    assert play(f"{claimed}; unseen").hand == play(claimed).hand


def test_a_tile_put_back_in_a_gap_leaves_it() -> None:
    assert play(f"{FIRST}; unseen; 3 discards 9p; 3 puts-back").hand.gap is not None
    lost_again = play(f"{FIRST}; unseen; 3 discards 9p; seen; unseen; 3 puts-back")
    assert lost_again.hand.is_behind
    assert not lost_again.feed("seen").hand.has_gap
