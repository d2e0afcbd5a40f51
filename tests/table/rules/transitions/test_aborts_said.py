"""An abort is announced when its tile lies, and once more where the hand ends by it or where it lapses."""

from __future__ import annotations

import pytest

from table.rules.state import Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, ResultKind
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import Table, discards, play, ruling, settlement_of

START = "start E1 scores=25000,25000,25000,25000 dora=9s"
FOUR_WINDS = f"{START}; {discards('1z 1z 1z 1z')}"
FOUR_KANS = (
    f"{START}; 0 closed 1111m; 0 discards 1z; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p"
    "; 3 closed 4444m; 3 discards 9m"
)
FOUR_RIICHI = (
    f"{START}; {discards('9m 9p 9m 4z')}; 0 discards 2m sideways; 0 stick; 1 discards 3m sideways; 1 stick"
    "; 2 discards 4m sideways; 2 stick; 3 stick; 3 discards 6m sideways"
)
DUE_ABORTS = [(FOUR_WINDS, "four_winds"), (FOUR_KANS, "four_kans"), (FOUR_RIICHI, "four_riichi")]


def announced_aborts(text: str, **switches: object) -> list[str]:
    """The aborts that are announced_aborts, in order."""
    found = ruling(text, Table().ruleset.but(**switches)) if switches else ruling(text)
    return [name for name, _ in found.announcements if name.endswith("_abort")]


@pytest.mark.parametrize(("events", "reason"), DUE_ABORTS)
def test_an_abort_is_said_once_people_let_its_tile_pass(events: str, reason: str) -> None:
    for passing in ("pass", "confirm", f"abort {reason}", "pass; confirm"):
        assert announced_aborts(f"{events}; {passing}") == [f"{reason}_abort"]
    table = play("").feed(f"{events}; confirm{'; confirm' if reason == 'four_riichi' else ''}")
    assert settlement_of(table).reason is AbortReason(reason)


@pytest.mark.parametrize(("events", "reason"), DUE_ABORTS)
def test_no_abort_is_said_while_play_goes_on(events: str, reason: str) -> None:
    on = f"{events}; 0 discards 2z; 1 discards 3z; 2 discards 2z"
    assert announced_aborts(f"{on}; pass; 3 discards 5z; confirm") == []
    table = play("").feed(f"{on}; confirm")
    assert (table.hand.phase, table.hand.abort, table.hand.pending_abort) == (Phase.PLAY, None, None)
    kan = f"{events}; 0 closed 6666z; pass; 0 discards 2z; pass"
    assert announced_aborts(kan) == []
    assert announced_aborts(f"{events}; 0 tsumo han=1 fu=30; confirm") == []
    assert announced_aborts(f"{events}; draw; confirm") == []


@pytest.mark.parametrize(("events", "reason"), DUE_ABORTS)
def test_an_abort_that_was_said_before_play_went_on_is_not_said_again(events: str, reason: str) -> None:
    on = f"{events}; pass; 0 discards 2z; 1 discards 3z; pass; 2 discards 2z; confirm"
    assert announced_aborts(on) == [f"{reason}_abort"]
    assert play("").feed(on).hand.phase is Phase.PLAY


@pytest.mark.parametrize(("events", "reason"), DUE_ABORTS)
def test_a_ron_after_play_went_on_is_paid_and_withdrawn_as_ever(events: str, reason: str) -> None:
    ron = f"{events}; 0 discards 5p; 1 ron from 0; 1 shows 234m678m34567p22s with 5p"
    if reason != "four_winds":
        ron = f"{events}; 0 discards 5p; 1 ron from 0 han=3 fu=40"
    table = play("").feed(f"{ron}; confirm")
    assert (settlement_of(table).kind, announced_aborts(ron)) == (ResultKind.RON, [])
    again = f"{events}; 0 discards 5p; 1 ron from 0; 1 withdraws; confirm; 1 discards 2z; confirm"
    assert announced_aborts(again) == []


@pytest.mark.parametrize(("events", "reason"), DUE_ABORTS)
def test_an_abort_is_told_when_its_tile_lies_and_when_play_goes_on_instead(events: str, reason: str) -> None:
    before, _, last = events.rpartition(";")
    table = play("").feed(before)
    assert table.feed(last).sayings[-1] == (f"{reason}_pending", None)
    assert table.feed("0 discards 2z").one(AnnouncementId.ABORT_LAPSED).args == {"reason": reason}
    for on in ("1 discards 3z", "pass", "2 discards 2z"):
        assert ("abort_lapsed", None) not in table.feed(on).sayings
    assert ("abort_lapsed", None) in play("").feed(f"{events}; pass").feed("0 discards 2z").sayings
    assert ("abort_lapsed", None) in play("").feed(events).feed("0 closed 6666z").sayings


@pytest.mark.parametrize(("events", "reason"), DUE_ABORTS)
def test_no_abort_is_told_where_the_rules_have_none_or_somebody_wins(events: str, reason: str) -> None:
    assert not [
        saying for saying, _ in play("").feed(f"{events}; 1 ron from 3 han=3 fu=40").sayings if "lapsed" in saying
    ]
    rules = Table(Table().ruleset.but(**{reason: False}))
    assert not [
        saying for saying, _ in rules.feed(f"{events}; 0 discards 2z").sayings if saying.startswith(("four_", "abort"))
    ]


@pytest.mark.parametrize(("events", "reason"), DUE_ABORTS)
def test_an_abort_called_late_that_the_table_has_shown_is_not_asked_about(events: str, reason: str) -> None:
    for late in ("0 discards 2z", "0 discards 2z; 1 discards 3z"):
        table = play("").feed(f"{events}; {late}").feed(f"abort {reason}")
        assert (table.clauses, table.hand.abort) == ([], AbortReason(reason))
    assert play("").feed(events).feed(f"abort {reason}").clauses == []
    never = play("").feed(f"{START}; 0 discards 1z; 1 discards 2z").feed(f"abort {reason}")
    assert [clause for clause, _ in never.clauses] == [AbortReason(reason).names.rule]


def test_a_discard_that_is_put_back_leaves_the_abort_due() -> None:
    text = f"{FOUR_WINDS}; 0 discards 2z; 0 puts-back; confirm"
    assert announced_aborts(text) == ["four_winds_abort"]


@pytest.mark.parametrize("ending", ["abort four_kans", "abort nine_terminals by 0", "draw"])
def test_only_the_end_that_people_call_is_said(ending: str) -> None:
    assert announced_aborts(f"{FOUR_WINDS}; {ending}") == ([f"{ending.split()[1]}_abort"] if "abort" in ending else [])


def test_a_late_stick_lets_no_other_tile_pass() -> None:
    events = f"{START}; 0 discards 1z sideways; {discards('1z 1z 1z', first=1)}; 0 stick"
    assert announced_aborts(events) == []
    assert announced_aborts(f"{events}; pass") == ["four_winds_abort"]


def test_an_abort_called_wrongly_does_not_keep_the_real_one_from_coming() -> None:
    text = f"{START}; 0 discards 1z; abort four_winds; {discards('1z 1z 1z', first=1)}; pass"
    assert announced_aborts(text) == ["four_winds_abort"] * 2


def test_a_withdrawn_tsumo_leaves_the_abort_due() -> None:
    assert announced_aborts(f"{FOUR_WINDS}; 0 tsumo; 0 withdraws; confirm") == ["four_winds_abort"]


def all_in_riichi(last: str = "3 discards 1z sideways; 3 stick") -> str:
    """Four equal winds, each of which declares riichi."""
    three = "; ".join(f"{seat} discards 1z sideways; {seat} stick" for seat in range(3))
    return f"{START}; {three}; {last}"


def test_r68_four_winds_that_are_also_four_riichi_have_their_hands_shown() -> None:
    table = play("").feed(f"{all_in_riichi()}; confirm")
    assert table.missing == ("hand 0", "hand 1", "hand 2", "hand 3")
    assert table.feed("2 shows 1479m1479p1479s5z").clauses == [("7-05-07", 2)]
    assert announced_aborts(f"{all_in_riichi()}; confirm") == ["four_riichi_abort"]


@pytest.mark.parametrize("call", ["abort four_winds", "pass; abort four_winds"])
def test_r68_hands_are_shown_too_if_people_call_the_four_winds(call: str) -> None:
    table = play("").feed(f"{all_in_riichi()}; {call}")
    assert (table.clauses, table.hand.abort) == ([], AbortReason.FOUR_RIICHI)
    assert announced_aborts(f"{all_in_riichi()}; {call}") == ["four_riichi_abort"]


def test_four_winds_end_the_hand_although_the_fourth_stick_is_missing_and_it_is_asked_for() -> None:
    text = f"{all_in_riichi('3 discards 1z sideways')}; pass"
    assert announced_aborts(text) == ["four_riichi_abort"]
    table = play("").feed(text)
    assert table.feed("confirm").missing[:1] == ("stick 3",)
    settlement_of(table.feed("3 stick; confirm"))
    assert (table.state.scores, table.state.deposits) == ((24000,) * 4, 4)
    on = f"{all_in_riichi('3 discards 1z sideways')}; 0 discards 2z; 1 discards 3z; 3 stick"
    assert announced_aborts(on) == ["four_riichi_abort"]


def test_a_ron_on_the_fourth_wind_in_riichi_is_a_win() -> None:
    table = play("").feed(f"{all_in_riichi()}; 1 ron from 3 han=2 fu=40; confirm")
    assert (settlement_of(table).kind, table.hand.abort) == (ResultKind.RON, None)


def test_four_kans_whose_discard_is_the_fourth_riichi_have_their_hands_shown() -> None:
    three = "; ".join(f"{seat} discards 5{suit} sideways; {seat} stick" for seat, suit in enumerate("mps"))
    kans = "0 closed 1111m; 0 discards 1s; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p"
    table = play("").feed(f"{START}; {discards('9m 9p 9m')}; 3 discards 4z; {three}; 3 discards 6z; {kans}")
    table.feed("3 closed 4444m; 3 discards 9p sideways; pass")
    assert table.hand.abort is AbortReason.FOUR_RIICHI


def test_four_winds_in_riichi_are_four_winds_where_four_riichi_play_on() -> None:
    assert announced_aborts(f"{all_in_riichi()}; confirm", four_riichi=False) == ["four_winds_abort"]
    assert announced_aborts(f"{all_in_riichi()}; confirm", four_winds=False) == ["four_riichi_abort"]
    assert announced_aborts(f"{all_in_riichi()}; confirm", four_winds=False, four_riichi=False) == []


@pytest.mark.parametrize("passing", ["", "pass; "])
def test_four_winds_are_due_where_a_foul_voids_one_of_four_riichi(passing: str) -> None:
    void = f"{passing}3 foul 7-05-12"
    assert announced_aborts(f"{all_in_riichi()}; {void}; confirm")[-1] == "four_winds_abort"
    table = at(f"{all_in_riichi()}; {void}; confirm", start="")
    assert settlement_of(table).reason is AbortReason.FOUR_WINDS
    again = at(f"{all_in_riichi()}; {void}; cancel-foul 0 reason=heard; confirm", start="")
    assert (again.hand.abort, again.missing[:1]) == (AbortReason.FOUR_RIICHI, ("hand 0",))


def test_four_riichi_are_due_again_where_the_foul_that_voided_one_is_cancelled() -> None:
    table = at(f"{FOUR_RIICHI}; pass; 3 foul 7-05-12", start="")
    assert (table.hand.phase, table.hand.pending_abort) == (Phase.PLAY, None)
    assert table.feed("cancel-foul 0 reason=heard").sayings[-1] == ("four_riichi_abort", None)
    table = at(f"{FOUR_RIICHI}; 3 foul 7-05-12 option=a", start="")
    assert ("four_riichi_abort", None) not in table.sayings


def test_a_ron_withdrawn_from_a_fourth_kan_ends_no_hand() -> None:
    kan = f"{FOUR_KANS.rpartition(';')[0]}; 0 ron; 0 withdraws; pass"
    assert announced_aborts(kan) == []
    assert announced_aborts(f"{kan}; 3 discards 9m; pass") == ["four_kans_abort"]


@pytest.mark.parametrize("seat", range(4))
def test_four_riichi_called_in_unseen_play_lapse_for_every_seat_alike(seat: int) -> None:
    table = play(f"unseen; {seat} stick; abort four_riichi")
    assert ("abort_lapsed", None) not in table.feed("unseen; 1 discards 2m").sayings  # three sticks are missing


def test_four_riichi_called_in_unseen_play_stand_again_once_the_discard_after_them_is_put_back() -> None:
    table = play("unseen; abort four_riichi").feed("1 discards 2m; 1 puts-back")
    assert table.state.scores == (24000, 24000, 24000, 24000)
    assert table.hand.abort is AbortReason.FOUR_RIICHI
