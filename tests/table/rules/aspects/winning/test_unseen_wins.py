"""Wins on tiles that nobody saw: what they say of the last tile that was seen, its riichi, its kan and its ippatsu."""

from __future__ import annotations

import pytest

from table.rulebook import rules_named
from table.rules.aspects.winning.unseen_worth import unseen_worth
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.situations import Table, play, settlement_of

HAND = "234m345678s88s45p"
"""A closed hand that waits for 3p and 6p, with tanyao and pinfu."""
WON = f"shows {HAND} with 3p"
RIICHI_TILE = "0 discards 1z; 1 discards 9p; 2 discards 2z sideways; unseen"
"""The last tile seen declares seat 2's riichi; its stick is not placed."""


def _yaku(table: Table) -> list[str]:
    return sorted(yaku for win in settlement_of(table).wins for yaku, _ in win.yaku)


def _deltas(table: Table) -> tuple[int, ...]:
    return settlement_of(table).deltas


@pytest.mark.parametrize(
    "claims",
    [
        f"1 ron from 0; 1 {WON}",
        f"1 ron; 1 ron from 0; 1 {WON}",
        f"1 ron from 2; 1 {WON}; 1 ron from 0",
        "1 ron from 0 han=2 fu=30",
        f"1 ron from 2; 1 withdraws; 1 ron from 0; 1 {WON}",
    ],
)
def test_a_riichi_tile_seen_last_has_passed_if_another_seat_dealt_in(claims: str) -> None:
    table = play(f"{RIICHI_TILE}; {claims}").feed("confirm")
    assert "stick 2" in table.missing
    assert _deltas(table.feed("confirm")) == (-2000, 3000, -1000, 0)


def test_the_winners_own_riichi_tile_seen_last_has_passed() -> None:
    table = play("0 discards 1z; 1 discards 9p sideways; unseen; 1 ron")
    assert table.hand.riichi[1].has_passed
    table.feed(f"1 ron from 0; 1 stick; 1 {WON}; 1 ura 9s")
    assert _yaku(table.feed("confirm; confirm")) == ["double_riichi", "pinfu", "tanyao"]


@pytest.mark.parametrize(
    ("claims", "missing", "deltas"),
    [
        ("1 ron from 2 han=2 fu=30", ("declaration 2",), (0, 2000, -2000, 0)),
        ("1 ron from 2 han=2 fu=30; 2 stick", (), (0, 3000, -3000, 0)),
        ("1 ron from 2 han=2 fu=30; 2 riichi-told", (), (0, 3000, -3000, 0)),
        ("1 ron from 0 han=2 fu=30; 1 ron from 2 han=2 fu=30", ("declaration 2",), (0, 2000, -2000, 0)),
        ("1 ron from 2 han=2 fu=30; 1 withdraws; 1 ron from 2 han=2 fu=30", ("declaration 2",), (0, 2000, -2000, 0)),
        (f"1 ron from 2; 1 {WON}", ("stick 2", "unseen 1"), (0, 3000, -3000, 0)),
        (f"1 ron from 2; 1 {WON.replace('3p', '6p')}", ("stick 2", "unseen 1"), (0, 3000, -3000, 0)),
    ],
    ids=["told", "stick", "riichi told", "named anew", "withdrawn", "on another tile", "on another tile too"],
)
def test_whether_the_declarer_lost_by_the_riichi_tile_is_asked_unless_the_table_shows_it(
    claims: str, missing: tuple[str, ...], deltas: tuple[int, ...]
) -> None:
    table = play(f"{RIICHI_TILE}; {claims}").feed("confirm")
    if missing:
        assert table.missing == missing
        table.feed("confirm")
    assert _deltas(table) == deltas


def test_a_tile_like_the_riichi_tile_may_be_it() -> None:
    events = "0 discards 1z; 1 discards 9p; 2 discards 3p sideways; unseen"
    table = play(f"{events}; 1 ron from 2; 1 {WON}").feed("confirm")
    assert table.missing == ("declaration 2", "unseen 1")
    assert _deltas(table.feed("confirm")) == (0, 2000, -2000, 0)
    table = play(f"{events}; 1 ron from 2; 1 {WON.replace('3p', '6p')}; 1 {WON}").feed("confirm")
    assert table.missing == ("declaration 2", "unseen 1")


def test_a_withdrawn_ron_on_an_unseen_tile_leaves_the_riichi_tile_open() -> None:
    before = play(RIICHI_TILE).hand
    assert play(f"{RIICHI_TILE}; 1 ron from 0; 1 withdraws").hand == before
    assert play(f"{RIICHI_TILE}; 1 ron from 0; 3 ron; 3 withdraws; 1 withdraws").hand == before
    table = play(f"{RIICHI_TILE}; 1 ron from 2; 2 stick; 1 withdraws")
    assert table.hand == play(f"{RIICHI_TILE}; 2 stick").hand


def test_nobodys_riichi_is_told_again_in_another_hand() -> None:
    """Only where it is open whether the riichi tile passed do people say so with the riichi."""
    with pytest.raises(Exception, match="expected one riichi of seat 2"):
        play(f"{RIICHI_TILE}; 2 riichi-told")


THREE_RIICHI = (
    "0 discards 1z sideways; 0 stick; 1 discards 2z sideways; 1 stick; 2 discards 3z sideways; 2 stick; "
    "3 discards 9m; 0 discards 1s; unseen; abort four_riichi"
)
SHOWN_HANDS = [
    f"0 shows {HAND}",
    "1 shows 234m345678p77s45p",
    "2 shows 123m123p78999s11m",
    "3 shows 345m567m678p55z66z",
]


def test_four_riichi_called_after_a_gap_are_four_hands_and_four_sticks() -> None:
    table = play(THREE_RIICHI)
    assert table.clauses == []
    table.feed("confirm")
    assert table.missing == ("stick 3", "hand 0", "hand 1", "hand 2", "hand 3")
    table.feed("; ".join([*SHOWN_HANDS, "3 stick", "confirm"]))
    assert (_deltas(table), settlement_of(table).deposits) == ((-1000,) * 4, 4)
    assert settlement_of(play(f"{THREE_RIICHI}; confirm; confirm")).deposits == 4
    assert (
        settlement_of(play(f"{THREE_RIICHI.replace('abort', '3 riichi-told; abort')}; confirm; confirm")).deposits == 4
    )


def test_four_riichi_called_after_a_gap_and_then_not_are_three() -> None:
    table = play(f"{THREE_RIICHI}; 2 discards 1p")
    assert [riichi.is_declared for riichi in table.hand.riichi] == [True, True, True, False]
    table = play(f"{THREE_RIICHI}; 1 ron from 3 han=2 fu=30; confirm")
    assert (_deltas(table), [int(seat) for seat in table.state.history[-1].riichi]) == (
        (-1000, 4000, -1000, -2000),
        [0, 1, 2],
    )


def test_four_riichi_that_the_table_does_not_show_are_asked_about() -> None:
    table = play(THREE_RIICHI.replace("unseen; ", ""))
    assert table.clauses
    assert not table.hand.riichi[3].is_declared


RIICHI = (
    "0 discards 1z; 1 discards 9p; 2 discards 2z; 3 discards 9m; 0 discards 4z; 1 discards 9s sideways; 1 stick; unseen"
)
"""Seat 2 is next."""


@pytest.mark.parametrize(
    ("events", "missing", "yaku"),
    [
        ("0 discards 3p; 1 ron", ("unseen 1",), 0),
        ("3 discards 3p; 1 ron", ("unseen 1",), 0),
        ("2 discards 3p; 1 ron", ("unseen 1",), 0),
        ("2 discards 1m; 3 discards 1p; 0 discards 3p; 1 ron", ("unseen 1",), 0),
        ("2 discards 1m; 3 discards 1p; seen; 0 discards 3p; 1 ron", (), 1),
        ("2 discards 1m; 3 discards 1p; 0 discards 3p; seen; 1 ron", (), 1),
        ("2 discards 1m; 3 discards 1p; 0 discards 1s; 1 discards 9p; 2 discards 3p; seen; 1 ron", (), 0),
        ("0 discards 1m; 1 discards 1p; 2 discards 3p; 1 ron", (), 0),
        ("0 discards 1m; 2 pon 1m from 0 with 11m; 2 discards 3p; 1 ron", (), 0),
        ("2 discards 1m; 2 discards 3p; 1 ron", (), 0),
        ("0 discards 1m; 2 discards 3p; 1 ron", (), 0),
    ],
    ids=[
        "turns in the gap",
        "a turn in the gap",
        "the next",
        "all in order",
        "all in order, proven before",
        "all in order, proven after",
        "its own discard, proven after",
        "its own discard",
        "a call",
        "once round",
        "its turn missed",
    ],
)
def test_ippatsu_over_turns_that_may_lie_in_the_gap_is_asked_about(
    events: str, missing: tuple[str, ...], yaku: int
) -> None:
    table = play(f"{RIICHI}; {events}; 1 {WON}; 1 ura 5z")
    table.feed("confirm")
    if missing:
        assert table.missing == missing
        table.feed("confirm")
    assert _yaku(table).count("ippatsu") == yaku


def test_ippatsu_is_not_told_by_the_first_tile_after_a_gap() -> None:
    riichi = RIICHI.replace("; 1 stick", "")
    assert [saying for saying, _ in play(riichi).feed("2 discards 1m").sayings if "ippatsu" in saying] == []


@pytest.mark.parametrize(
    ("first", "missing"),
    [
        ("0 discards 1z; unseen", ("unseen 1",)),
        ("0 discards 1z; 1 discards 9m; unseen", ()),
        ("0 discards 1z; 2 pon 1z from 0 with 11z; 2 discards 9m; unseen", ()),
        ("0 discards 1z; 2 discards 2z; 3 discards 4z; 0 discards 9m", ()),
    ],
    ids=["perhaps its first", "its second", "after a call", "its turn missed"],
)
def test_a_riichi_after_a_gap_is_asked_about_if_it_may_be_double(first: str, missing: tuple[str, ...]) -> None:
    table = play(f"{first}; 1 discards 9s sideways; 1 stick; 2 discards 3p; 1 ron; 1 {WON}; 1 ura 5z")
    table.feed("confirm")
    if missing:
        assert table.missing == missing
        table.feed("confirm")
    assert _yaku(table)[-2:] == ["riichi", "tanyao"]


def test_a_riichi_told_after_a_gap_is_asked_about_if_it_may_be_double() -> None:
    events = f"1 discards 9s; 2 discards 1s; 1 riichi-told; 3 discards 3p; 1 ron; 1 {WON}; 1 ura 5z; confirm"
    assert play(f"0 discards 1z; unseen; {events}").missing == ("unseen 1",)
    assert play(f"0 discards 1z; 1 discards 9m; unseen; {events}").missing == ()


def test_a_gap_that_closes_tells_of_ippatsu() -> None:
    assert ("ippatsu_open", 1) in play(f"{RIICHI}; 2 discards 1m").feed("seen").sayings
    assert ("ippatsu_last_chance", 1) in play(f"{RIICHI}; 2 discards 1m; 3 discards 1p; 0 discards 1s; pass").feed(
        "seen"
    ).sayings


RIICHI_TILE_ONLY = RIICHI.replace(" sideways; 1 stick", "")
"""As before, but the tile lies upright, and nobody has told the riichi yet."""


@pytest.mark.parametrize(
    ("events", "missing"),
    [
        ("0 discards 3p; 1 riichi-told; 1 ron", ("unseen 1",)),
        ("2 discards 3p; 1 riichi-told; 1 ron", ("unseen 1",)),
        ("1 riichi-told; 2 discards 3p; 1 ron", ("unseen 1",)),
        ("1 riichi-told; 2 discards 3p; seen; 1 ron", ()),
        ("2 discards 1m; 3 discards 1p; 0 discards 1s; 1 riichi-told; 2 discards 3p; 1 ron", ("unseen 1",)),
        ("1 riichi-told; 1 discards 1m; 2 discards 3p; 1 ron", ("unseen 1",)),
        ("1 riichi-told; 1 discards 1m; 1 discards 1s; 2 discards 3p; 1 ron", ()),
        ("1 riichi-told; 3 pon 9s from 1 with 99s; 3 discards 3p; 1 ron", ()),
    ],
    ids=[
        "after a turn in the gap",
        "after the next",
        "before the next",
        "proven",
        "its tile unseen",
        "its tile seen perhaps",
        "two of its tiles seen since",
        "a call",
    ],
)
def test_ippatsu_of_a_riichi_told_in_a_gap_is_asked_about_while_it_may_be(
    events: str, missing: tuple[str, ...]
) -> None:
    table = play(f"{RIICHI_TILE_ONLY}; {events}; 1 {WON}; 1 ura 5z; confirm")
    assert table.missing == missing
    assert _yaku(table.feed("confirm") if missing else table).count("ippatsu") == ("seen" in events)


SEEN_LATE = "0 discards 1z; 1 discards 9p; 2 discards 2z; 3 discards 9m; 0 discards 4z; unseen; 1 discards 9s"
ROUND_LATE = "2 discards 1m; 3 discards 7z; 0 discards 7z; 1 discards 1m"
"""One more go-round of discards that were found when the camera was back."""


@pytest.mark.parametrize(
    ("events", "missing", "has_ippatsu"),
    [
        (f"{ROUND_LATE}; seen; 1 riichi-told; 2 discards 3p; 1 ron", ("unseen 1",), False),
        (f"{ROUND_LATE}; 1 riichi-told; 2 discards 3p; 1 ron", ("unseen 1",), False),
        (f"{ROUND_LATE}; 1 riichi-told; seen; 2 discards 3p; 1 ron", ("unseen 1",), False),
        (f"{ROUND_LATE}; seen; 2 discards 1p; 1 riichi-told; 3 discards 3p; 1 ron", ("unseen 1",), False),
        (f"1 stick; {ROUND_LATE}; seen; 1 riichi-told; 2 discards 3p; 1 ron", ("unseen 1",), False),
        (
            f"{ROUND_LATE}; seen; 1 riichi-told; 2 discards 1p; 3 discards 5z; 0 discards 5z; 1 tsumo",
            ("unseen 1",),
            False,
        ),
        ("seen; 1 riichi-told; 2 discards 3p; 1 ron", (), True),
        (
            f"{ROUND_LATE}; seen; 1 riichi-told; 2 discards 1p; 3 discards 5z; 0 discards 5z; 1 discards 2m; "
            "2 discards 3p; 1 ron",
            (),
            False,
        ),
        (f"{ROUND_LATE}; seen; 1 riichi-told; 3 pon 1m from 1 with 11m; 3 discards 3p; 1 ron", (), False),
    ],
    ids=[
        "told after the proof",
        "told before any proof",
        "told before the proof",
        "told when others had discarded",
        "its stick was found first",
        "an own draw",
        "one tile alone can be it",
        "its next discard was seen",
        "a call",
    ],
)
def test_ippatsu_of_a_riichi_is_asked_about_if_either_of_several_tiles_found_late_may_have_declared_it(
    events: str, missing: tuple[str, ...], has_ippatsu: bool
) -> None:
    table = play(f"{SEEN_LATE}; {events}; 1 {WON}; 1 ura 5z; confirm")
    assert table.missing == missing
    assert ("ippatsu" in _yaku(table.feed("confirm") if missing else table)) is has_ippatsu


def test_a_riichi_told_of_either_of_several_tiles_found_late_may_be_double() -> None:
    first = "0 discards 1z; unseen; 1 discards 9s; 2 discards 1m; 3 discards 7z; 0 discards 7z; 1 discards 1m"
    table = play(f"{first}; seen; 1 riichi-told; 2 discards 1p; 3 discards 9m; 0 discards 9m; 1 discards 9p")
    table.feed(f"2 discards 3p; 1 ron; 1 {WON}; 1 ura 5z; confirm")
    assert table.missing == ("unseen 1",)


ADDED = (
    "0 discards 3p; 2 pon 3p from 0 with 33p; 2 discards 9s; 3 discards 2z; 0 discards 3z; 1 discards 9m; "
    "2 adds 3p; unseen"
)
"""All four 3p lie: seat 1 can win on one only by robbing the kan."""


@pytest.mark.parametrize("claim", ["1 ron from 2", "1 ron", "1 ron from 2; 1 withdraws; 1 ron from 2"])
def test_a_kan_seen_before_a_gap_is_robbed_if_all_four_tiles_lie_in_it(claim: str) -> None:
    table = play(f"{ADDED}; {claim}; 1 {WON}").feed("confirm")
    assert _yaku(table) == ["pinfu", "robbing_a_kan", "tanyao"]
    assert _deltas(table) == (0, 3900, -3900, 0)


def test_a_kan_seen_before_a_gap_is_not_robbed_by_a_win_on_another_tile() -> None:
    other = WON.replace("3p", "6p")
    for hands in (other, f"{WON}; 1 {other}"):
        table = play(f"{ADDED}; 1 ron from 2; 1 {hands}").feed("confirm")
        assert table.missing == ("unseen 1",)
        assert "robbing_a_kan" not in _yaku(table.feed("confirm"))


def test_a_kan_is_not_robbed_by_a_win_off_another_seat() -> None:
    with pytest.raises(Exception, match="expected at most 4 copies of 3p"):
        play(f"{ADDED}; 1 ron from 0; 1 {WON}")


@pytest.mark.parametrize("rules", ["home", "ema-2025"])
def test_an_indicator_turned_after_a_gap_is_that_of_an_unseen_kan_and_counts(rules: str) -> None:
    table = Table(rules_named(rules).ruleset).feed(
        "start E1 scores=25000,25000,25000,25000 dora=9s; 0 discards 1z; unseen"
    )
    assert table.feed("dora 2p").clauses == []
    table.feed(f"1 discards 9m; 2 closed 1111m; dora 7z; 2 discards 3p; 1 ron; 1 {WON}")
    assert table.clauses == []
    table.feed("confirm")
    assert ("dora", 1) in settlement_of(table).wins[0].yaku
    table = Table(rules_named(rules).ruleset).feed("start E1 scores=25000,25000,25000,25000 dora=9s; 0 discards 1z")
    assert table.feed("dora 2p").clauses == [("7-06-04", 0)]


def test_a_missed_discard_is_asked_about_only_where_play_was_not_said_to_go_unseen() -> None:
    events = "0 discards 1z; 1 discards 9p; 2 discards 2z"
    for act in ("1 tsumo", "1 discards 9m", "1 closed 1111m"):
        assert ("missing_discard", 1) in play(events).feed(act).sayings
        assert ("missing_discard", 1) not in play(f"{events}; unseen").feed(act).sayings


def test_what_a_shown_hand_lacks_is_a_yaku_if_unseen_play_may_give_it_one() -> None:
    chi = "0 discards 7s; 1 chi 7s from 0 with 68s; 1 discards 2z; unseen; 1 ron from 0"
    table = play(f"{chi}; 1 shows 123m345s99s45p with 3p; confirm")
    assert table.missing == ("yaku 1", "unseen 1")
    assert table.feed("confirm").hand.is_live


def test_winners_that_name_different_discarders_of_an_unseen_tile_are_asked_about() -> None:
    table = play(f"{RIICHI_TILE}; 1 ron from 0 han=2 fu=30")
    assert table.feed("3 ron from 2 han=2 fu=30").clauses == [("7-05-15", 1)]
    assert table.feed("3 ron from 0 han=2 fu=30").clauses == [], "put right by the one who named another"
    with pytest.raises(Exception, match="another seat's tile"):
        table.feed("3 ron from 1 han=2 fu=30")
    assert [int(claim.seat) for claim in table.hand.claims] == [1, 3]


SEEN_PON = "0 discards 7z; 1 pon 7z from 0 with 77z; 1 discards 2z"
OPEN_HAND = "shows 345m88p45s with 3s melds=222p"


def test_calls_that_went_unseen_are_told_with_the_hand_beside_those_on_record() -> None:
    table = play(f"{SEEN_PON}; unseen; 1 ron from 0; 1 {OPEN_HAND}; confirm; confirm")
    assert _yaku(table) == ["chun"]
    events = f"{SEEN_PON}; unseen; 1 ron from 0; 1 shows 345m88p45s with 3s melds=(2222p)"
    assert (play(events).hand.kans, len(play(events).hand.melds[1])) == ((1,), 2)
    again = play(f"{events}; 1 {OPEN_HAND}")
    assert (again.hand.kans, [meld.text for meld in again.hand.melds[1]]) == ((), ["777z", "222p"])


def test_melds_are_not_told_where_every_discard_was_seen() -> None:
    for rest in ("2 discards 6s", "unseen; seen; 2 discards 6s"):
        with pytest.raises(Exception, match="expected the calls of a hand whose discards were seen"):
            play(f"{SEEN_PON}; {rest}; 1 ron; 1 {OPEN_HAND.replace('3s', '6s')}")


TWO_DRAGONS = (
    "0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 9m; 3 discards 9s; 0 discards 6z; 2 pon 6z from 0 with 66z; "
    "2 discards 9p"
)
THREE_WINDS = (
    "0 discards 1z; 2 pon 1z from 0 with 11z; 2 discards 9m; 3 discards 9s; 0 discards 2z; 2 pon 2z from 0 with 22z; "
    "2 discards 9p; 3 discards 1s; 0 discards 3z; 2 pon 3z from 0 with 33z; 2 discards 1p"
)

CLOSED_KANS = "(1111m),(2222p),(3333s)"


@pytest.mark.parametrize(
    ("play_on", "shown_hand"),
    [
        (f"{TWO_DRAGONS}; unseen; 2 tsumo", "345s8s with 8s melds=777z"),
        (f"{TWO_DRAGONS}; unseen; 2 ron from 3", "345s8s with 8s melds=777z"),
        (f"{TWO_DRAGONS}; unseen; 3 discards 8s; 2 ron", "345s8s melds=777z"),
        (f"{THREE_WINDS}; unseen; 2 tsumo", "8s with 8s melds=444z"),
        ("0 discards 9m; unseen; 2 tsumo", "345s8s with 8s melds=555z,666z,(7777z)"),
    ],
    ids=["tsumo", "ron", "ron of a seen tile", "winds", "all told, one of them closed"],
)
def test_who_fed_a_told_meld_that_makes_a_seat_liable_is_asked_and_never_settled_without(
    play_on: str, shown_hand: str
) -> None:
    table = play(f"{play_on}; 2 shows {shown_hand}; confirm")
    assert "liable 2" in table.missing
    assert table.feed("confirm; confirm").hand.proposal is None
    name = "big_four_winds" if "444z" in shown_hand else "big_three_dragons"
    table.feed(f"told tsumo win0=2:2:-:-:1:{name}+13:{name}+1")
    assert _deltas(table) == (0, -32000, 32000, 0)


def test_who_fed_the_fourth_kan_is_asked_where_the_rules_make_that_seat_liable() -> None:
    table = play(f"0 discards 9m; unseen; 2 tsumo; 2 shows 8s with 8s melds={CLOSED_KANS},4444z", pao_kans=True)
    assert "liable 2" in table.feed("confirm").missing


@pytest.mark.parametrize(
    ("rules", "play_on", "shown_hand"),
    [
        ({"pao_dragons": False}, f"{TWO_DRAGONS}; unseen; 2 tsumo", "345s8s with 8s melds=777z"),
        ({}, f"{TWO_DRAGONS}; unseen; 2 tsumo", "345s8s with 8s melds=(7777z)"),
        ({}, f"{TWO_DRAGONS}; unseen; 2 adds 5z; 2 tsumo", "345s8s with 8s melds=(7777z)"),
        ({}, f"{TWO_DRAGONS}; unseen; 2 tsumo", "345s8s with 8s melds=111p"),
        ({"pao_kans": True}, "0 discards 9m; unseen; 2 tsumo", f"8s with 8s melds={CLOSED_KANS},(4444z)"),
        ({}, "0 discards 9m; unseen; 2 tsumo", f"8s with 8s melds={CLOSED_KANS},4444z"),
        (
            {},
            f"{TWO_DRAGONS}; unseen; 3 discards 7z; 2 pon 7z from 3 with 77z; 2 discards 2z; 2 tsumo",
            "8s456s with 8s",
        ),
    ],
    ids=[
        "nobody is liable by the rules",
        "a closed kan last",
        "a pon is now a kan",
        "another meld",
        "four closed kans",
        "nobody is liable for kans by the rules",
        "the last meld was seen",
    ],
)
def test_who_fed_a_meld_is_not_asked_if_nobody_is_liable_or_it_is_known(
    rules: dict[str, bool], play_on: str, shown_hand: str
) -> None:
    assert "liable 2" not in play(f"{play_on}; 2 shows {shown_hand}; confirm", **rules).missing


def test_a_hand_has_four_melds_at_most_seen_and_told_together() -> None:
    table = play("0 discards 2p; 1 pon 2p from 0 with 22p; 1 discards 9m; unseen; 1 tsumo")
    with pytest.raises(ImpossibleEventError, match="expected 4 melds of a hand at most, got 5"):
        table.feed("1 shows 8s with 8s melds=111p,333p,444p,555p")


@pytest.mark.parametrize(
    ("win", "renhou", "is_asked"),
    [
        ("0 discards 9m; unseen; 2 ron han=3 fu=30", "yakuman", True),
        ("0 discards 9m; unseen; 2 ron han=3 fu=30", "none", False),
        ("0 discards 9m; unseen; 2 tsumo han=3 fu=30", "none", True),
        ("unseen; 0 ron from 1 han=3 fu=30", "yakuman", False),
        ("unseen; 0 tsumo han=3 fu=30", "none", True),
    ],
)
def test_a_win_in_the_first_go_round_is_asked_about_if_it_is_worth_anything(
    win: str, renhou: str, is_asked: bool
) -> None:
    table = play(win, renhou=renhou)
    seat = table.hand.claims[0].seat
    assert ("first_turn" in unseen_worth(table.hand, seat, table.ruleset)) is is_asked
