from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from table.camera.simulation import read_script
from table.camera.simulation.script_timeline import stage_script
from table.game.journal.entries import Body, Corrected, Entry, Envelope, GameOpened, SettlementRecorded, Source
from table.game.journal.fold import fold, opened_game
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.rulebook import rules_named
from table.rules.events import (
    AbortCalled,
    Called,
    CallKind,
    ClaimsConfirmed,
    ClosedKan,
    Discarded,
    DoraTurned,
    DrawReached,
    Event,
    FoulCancelled,
    FoulLogged,
    GameEnded,
    HandShown,
    HandStarted,
    PointsAdjusted,
    PutBack,
    ResultDeclared,
    StickPlaced,
    TilePassed,
    TimeSignal,
    WinClaimed,
    WinKind,
    WinWithdrawn,
)
from table.rules.ruleset import Ruleset
from table.rules.terms.results import AbortReason, DeclaredResult, DeclaredWin, ResultKind
from table.rules.terms.seats import SEATS, Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.contracts import assert_keeps
from tests.table.camera.simulation.felts import LAYOUT
from tests.table.camera.simulation.scripts import KANS, SHORT

START = HandStarted(
    round=Round.parse("E1"), dealer=Seat.NEAR, scores=(25000, 25000, 25000, 25000), dora_indicator=Tile("1z")
)
WON = HandShown(seat=Seat.FAR, tiles=parse_tiles("123m456m789m11p23s"))


def journal(*bodies: Body, inferred: Sequence[int] = ()) -> list[Entry]:
    """A journal in which entry n was committed in frame 10 n; those of `inferred` were."""
    return [
        Entry(
            number=number,
            envelope=Envelope(
                utc="",
                source=Source.INFERRED if number in inferred else Source.CAMERA,
                frame=10 * number if number else None,
                confidence=0.9,
            ),
            body=body,
        )
        for number, body in enumerate((GameOpened(ruleset=Ruleset()), *bodies))
    ]


def discard(seat: int, tile: str, *, sideways: bool = False) -> Discarded:
    return Discarded(seat=SEATS[seat], tile=Tile(tile), sideways=sideways)


def types(lines: Sequence[MjaiLine]) -> list[str]:
    return [line["type"] for line in lines]


def of_type(lines: Sequence[MjaiLine], kind: str) -> MjaiLine:
    (line,) = (line for line in lines if line["type"] == kind)
    return line


def script_lines(script: str) -> list[MjaiLine]:
    bodies: list[Event] = [line.event for line in stage_script(read_script(script), LAYOUT).truth]
    return mjai_lines(journal(*bodies))


def test_nothing_is_written_of_no_game() -> None:
    assert mjai_lines([]) == []


def test_a_hand_starts_with_all_hands_hidden() -> None:
    start = of_type(mjai_lines(journal(START)), "start_kyoku")
    assert (start["bakaze"], start["kyoku"], start["oya"], start["dora_marker"]) == ("E", 1, 0, "E")
    assert start["tehais"] == [["?"] * 13] * 4
    assert start["scores"] == [25000] * 4
    assert (start["frame"], start["confidence"]) == (10, 0.9)


def test_a_discard_does_not_say_where_it_came_from() -> None:
    line = of_type(mjai_lines(journal(START, discard(0, "0p"))), "dahai")
    assert line == {"type": "dahai", "actor": 0, "pai": "5pr", "tsumogiri": None, "frame": 20, "confidence": 0.9}


def test_a_called_riichi_is_accepted_before_the_call_in_order() -> None:
    lines = script_lines(SHORT)
    assert types(lines)[:7] == ["start_game", "start_kyoku", "reach", "dahai", "reach_accepted", "chi", "dahai"]
    assert lines[2]["frame"] == lines[3]["frame"]
    assert "stick" not in lines[4]


def test_a_call_says_from_whom_and_with_what() -> None:
    chi = of_type(script_lines(SHORT), "chi")
    assert (chi["actor"], chi["target"], chi["pai"], chi["consumed"]) == (1, 0, "2p", ["3p", "4p"])


def test_a_win_carries_its_hand_and_points() -> None:
    lines = script_lines(SHORT)
    hora = of_type(lines, "hora")
    assert (hora["actor"], hora["target"], hora["pai"], hora["uradora_markers"]) == (0, 3, "4s", ["W"])
    assert hora["deltas"] == [12000, 0, 0, -12000]
    assert hora["scores"] == [37000, 25000, 25000, 13000]
    assert (hora["hora_points"], hora["yakuman"], hora["fan"]) == (12000, 0, sum(han for _, han in hora["yakus"]))
    assert ["double_reach", 2] in hora["yakus"]
    assert types(lines)[-2:] == ["hora", "end_kyoku"]


def test_every_kan_has_its_line_and_its_indicator() -> None:
    lines = script_lines(KANS)
    kans = [line for line in lines if line["type"] in ("ankan", "daiminkan", "kakan")]
    assert [(line["type"], len(line["consumed"])) for line in kans] == [("ankan", 4), ("daiminkan", 3), ("kakan", 3)]
    assert types(lines).count("dora") == 3


def test_a_draw_says_who_was_tenpai() -> None:
    ryukyoku = of_type(script_lines(KANS), "ryukyoku")
    assert (ryukyoku["reason"], ryukyoku["tenpais"], ryukyoku["deltas"]) == ("fanpai", [False] * 4, [0] * 4)


def test_an_abort_names_its_reason() -> None:
    abort = AbortCalled(reason=AbortReason.NINE_TERMINALS, seat=Seat.NEAR)
    line = of_type(mjai_lines(journal(START, abort, ClaimsConfirmed())), "ryukyoku")
    assert (line["reason"], line["frame"]) == ("kyushukyuhai", 20)


def test_a_late_stick_gives_the_acceptance_its_frame_and_not_its_place() -> None:
    riichi = discard(0, "5z", sideways=True)
    lines = mjai_lines(journal(START, riichi, discard(1, "1m"), StickPlaced(seat=Seat.NEAR)))
    assert types(lines)[2:] == ["reach", "dahai", "reach_accepted", "dahai"]
    assert of_type(lines, "reach_accepted")["frame"] == 40


def test_a_stick_laid_first_is_accepted_with_the_tile() -> None:
    lines = mjai_lines(journal(START, StickPlaced(seat=Seat.NEAR), discard(0, "5z", sideways=True)))
    assert of_type(lines, "reach_accepted")["frame"] == 30


def test_a_riichi_without_a_stick_is_accepted_by_the_pass() -> None:
    lines = mjai_lines(journal(START, discard(0, "5z", sideways=True), TilePassed()))
    accepted = of_type(lines, "reach_accepted")
    assert (accepted["frame"], accepted["stick"]) == (30, False)


def test_a_ronned_declaration_is_never_accepted() -> None:
    ron = WinClaimed(seat=Seat.FAR, kind=WinKind.RON)
    shown_hand = HandShown(seat=Seat.FAR, tiles=parse_tiles("19m19p19s1234567z"))
    lines = mjai_lines(journal(START, discard(0, "5z", sideways=True), ron, shown_hand, ClaimsConfirmed()))
    assert "reach" in types(lines)
    assert "reach_accepted" not in types(lines)


def test_a_correction_replaces_what_was_said_and_its_frame() -> None:
    put_right = Corrected(entry=2, event=discard(0, "2m"))
    entries = journal(START, discard(0, "1m"), put_right)
    line = of_type(mjai_lines(entries), "dahai")
    assert (line["pai"], line["frame"]) == ("2m", 30)
    raw = [line for line in mjai_lines(entries, raw=True) if line["type"] == "dahai"]
    assert [(line["pai"], line.get("retracted", False)) for line in raw] == [("1m", True), ("2m", False)]


def test_a_retracted_line_keeps_its_own_frame_and_confidence() -> None:
    entries = journal(START, discard(0, "1m"), discard(1, "3m"), Corrected(entry=2, event=discard(0, "2m")))
    entries[2] = replace(entries[2], envelope=replace(entries[2].envelope, confidence=0.4))
    discards = [(line["pai"], line["frame"], line["confidence"]) for line in mjai_lines(entries, raw=True)[2:]]
    assert discards == [("1m", 20, 0.4), ("2m", 40, 0.9), ("3m", 30, 0.9)]


RIICHI = discard(0, "5z", sideways=True)


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        (RIICHI, discard(0, "6z", sideways=True), ["reach 20 -", "P 20 -", "reach 30", "F 30"]),
        (RIICHI, discard(0, "5z"), ["reach 20 -", "P 20 -", "P 30"]),
        (discard(0, "5z"), RIICHI, ["P 20 -", "reach 30", "P 30"]),
    ],
    ids=["another tile", "no riichi", "a riichi"],
)
def test_a_riichi_is_retracted_with_its_tile(first: Discarded, then: Discarded, expected: list[str]) -> None:
    lines = mjai_lines(journal(START, first, Corrected(entry=2, event=then)), raw=True)[2:]
    marks = {True: " -", False: ""}
    assert [
        f"{line.get('pai', line['type'])} {line['frame']}{marks[line.get('retracted', False)]}" for line in lines
    ] == expected


OTHER = discard(0, "6z", sideways=True)
STICK = StickPlaced(seat=Seat.NEAR)


@pytest.mark.parametrize(
    "bodies",
    [
        (RIICHI, STICK, Corrected(entry=2, event=OTHER)),
        (STICK, RIICHI, Corrected(entry=3, event=OTHER)),
        (RIICHI, discard(1, "1m"), Corrected(entry=2, event=OTHER), Corrected(entry=3, event=discard(1, "2m"))),
    ],
    ids=["a stick after the tile", "a stick before the tile", "no stick"],
)
def test_a_corrected_tile_leaves_the_acceptance_in_its_frame(bodies: tuple[Body, ...]) -> None:
    assert of_type(mjai_lines(journal(START, *bodies)), "reach_accepted")["frame"] == 30


def test_a_riichi_that_only_a_correction_shows_is_accepted_in_its_frame() -> None:
    lines = mjai_lines(journal(START, STICK, discard(0, "5z"), Corrected(entry=3, event=RIICHI)))
    assert of_type(lines, "reach_accepted")["frame"] == 40


def test_what_never_happened_is_left_out() -> None:
    lines = mjai_lines(journal(START, discard(0, "1m"), discard(1, "2m"), Corrected(entry=3, event=None)))
    assert types(lines) == ["start_game", "start_kyoku", "dahai"]


@pytest.mark.parametrize("later", [(), (discard(1, "3m"),)], ids=["at the end", "before another"])
def test_what_was_removed_is_kept_only_raw_where_it_was(later: tuple[Discarded, ...]) -> None:
    entries = journal(START, discard(0, "1m"), discard(1, "2m"), *later, Corrected(entry=3, event=None))
    lines = [(line["pai"], line.get("retracted", False), line["frame"]) for line in mjai_lines(entries, raw=True)[2:]]
    assert lines == [("1m", False, 20), ("2m", True, 30), *[("3m", False, 40)] * len(later)]


def test_a_removed_stick_is_no_line() -> None:
    assert types(mjai_lines(journal(START, STICK, Corrected(entry=2, event=None)), raw=True)[2:]) == []


def test_an_entry_that_no_longer_fits_is_left_out() -> None:
    call = Called(
        seat=Seat.RIGHT,
        kind=CallKind.PON,
        tile=Tile("9m"),
        from_seat=Seat.NEAR,
        own=(Tile("9m"), Tile("9m")),
    )
    assert "pon" not in types(mjai_lines(journal(START, discard(0, "1m"), call)))


def test_a_withdrawn_win_is_kept_only_raw() -> None:
    claim = WinClaimed(seat=Seat.FAR, kind=WinKind.RON)
    entries = journal(START, discard(0, "1s"), claim, WinWithdrawn(seat=Seat.FAR), discard(1, "9p"))
    assert "hora" not in types(mjai_lines(entries))
    assert of_type(mjai_lines(entries, raw=True), "hora")["retracted"]


def test_an_unconfirmed_end_is_settled_by_proposal_and_says_so() -> None:
    claim = WinClaimed(seat=Seat.FAR, kind=WinKind.RON)
    lines = mjai_lines(journal(START, discard(0, "1s"), claim, WON))
    hora = of_type(lines, "hora")
    assert (hora["frame"], hora["deltas"][2] > 0) == (30, True)
    assert of_type(lines, "end_kyoku")["inferred"]


def test_a_hand_dealt_over_an_unsettled_one_starts_without_scores() -> None:
    second = HandStarted(round=Round.parse("E2"), dealer=Seat.RIGHT, scores=START.scores, dora_indicator=Tile("2z"))
    lines = mjai_lines(journal(START, discard(0, "1s"), second))
    assert [line["scores"] for line in lines if line["type"] == "start_kyoku"] == [[25000] * 4, None]
    assert types(lines).count("end_kyoku") == 1


def test_a_hand_dealt_over_a_proposed_end_takes_the_proposal() -> None:
    second = HandStarted(round=Round.parse("E1"), dealer=Seat.NEAR, scores=START.scores, honba=1)
    lines = mjai_lines(journal(START, DrawReached(), second))
    assert of_type(lines, "ryukyoku")["deltas"] == [0] * 4
    assert of_type(lines, "end_kyoku")["inferred"]


def test_a_stick_put_right_alone_is_told_with_the_next_deal() -> None:
    win = DeclaredWin(seat=SEATS[1], from_seat=SEATS[2], han=3, fu=40)
    result = ResultDeclared(result=DeclaredResult(kind=ResultKind.RON, wins=(win,)))
    adjustment = PointsAdjusted(points=(0, 0, 0, 0), sticks=1, reason="a stick was found")
    deals = [line for line in mjai_lines(journal(result, adjustment, result)) if line["type"] == "start_kyoku"]
    assert [(deal["kyotaku"], deal.get("corrected_sticks", 0)) for deal in deals] == [(0, 0), (1, 1)]


def test_a_hand_that_was_broken_off_with_the_game_is_left_out() -> None:
    drawn = ResultDeclared(result=DeclaredResult(kind=ResultKind.DRAW))
    lines = mjai_lines(journal(START, drawn, START, discard(0, "1m"), GameEnded()))
    assert types(lines) == ["start_game", "start_kyoku", "ryukyoku", "end_kyoku", "end_game"]
    assert lines[-1]["scores"] == [25000] * 4


def test_a_time_signal_is_no_line_and_the_game_ends_with_its_last_hand() -> None:
    drawn = ResultDeclared(result=DeclaredResult(kind=ResultKind.DRAW))
    lines = mjai_lines(journal(START, discard(0, "1m"), TimeSignal(), drawn, START, drawn))
    hand = ["start_kyoku", "dahai", "ryukyoku", "end_kyoku", "start_kyoku", "ryukyoku", "end_kyoku"]
    assert types(lines) == ["start_game", *hand, "end_game"]


def test_inferred_lines_say_so() -> None:
    lines = mjai_lines(journal(START, discard(0, "1m"), discard(1, "2m"), inferred=[3]))
    assert [line.get("inferred", False) for line in lines if line["type"] == "dahai"] == [False, True]


def test_records_of_settlements_are_no_events() -> None:
    bodies: list[Body] = [line.event for line in stage_script(read_script(SHORT), LAYOUT).truth]
    opening, *entries = journal(*bodies)
    settlement = fold(opened_game(opening), entries).state.history[0].settlement
    assert settlement is not None
    assert mjai_lines(journal(*bodies, SettlementRecorded(hand=0, settlement=settlement))) == mjai_lines(
        journal(*bodies)
    )


def test_a_tsumo_whose_tile_nobody_saw_has_an_unknown_one() -> None:
    claim = WinClaimed(seat=SEATS[0], kind=WinKind.TSUMO)
    line = of_type(mjai_lines(journal(START, claim)), "hora")
    assert (line["actor"], line["target"], line["pai"]) == (0, 0, "?")
    assert_keeps("event", line)


def test_a_hand_that_people_told_has_its_wins_and_no_tiles() -> None:
    win = DeclaredWin(seat=SEATS[1], from_seat=SEATS[2], han=3, fu=40)
    lines = mjai_lines(journal(START, ResultDeclared(result=DeclaredResult(kind=ResultKind.RON, wins=(win,)))))
    hora = of_type(lines, "hora")
    assert (hora["actor"], hora["target"], hora["pai"], hora["hora_tehais"]) == (1, 2, "?", ["?"] * 13)
    assert hora["deltas"] == [0, 5200, -5200, 0]
    assert types(lines) == ["start_game", "start_kyoku", "hora", "end_kyoku"]


PON = Called(seat=Seat.FAR, kind=CallKind.PON, tile=Tile("5z"), from_seat=Seat.NEAR, own=parse_tiles("55z"))
CHI = Called(seat=Seat.RIGHT, kind=CallKind.CHI, tile=Tile("5m"), from_seat=Seat.NEAR, own=parse_tiles("67m"))
PON_5M = Called(seat=Seat.FAR, kind=CallKind.PON, tile=Tile("5m"), from_seat=Seat.NEAR, own=parse_tiles("55m"))
KAN = ClosedKan(seat=Seat.NEAR, tiles=(Tile("1p"),) * 4)
DEAD = FoulLogged(seat=Seat.FAR, clause="7-04-01")
VOID = FoulLogged(seat=Seat.FAR, clause="7-09-02")


def acts(lines: Sequence[MjaiLine]) -> list[str]:
    """What was laid and by whom, with a minus before what was retracted."""
    act_lines = [line for line in lines if line["type"] in ("reach", "dahai", "chi", "pon", "ankan")]
    return [f"{'-' * ('retracted' in line)}{line['type']} {line['actor']}" for line in act_lines]


@pytest.mark.parametrize(
    ("bodies", "raw", "expected"),
    [
        ((discard(0, "5z"), PON, PutBack(seat=Seat.FAR, meld=True)), False, ["dahai 0", "dahai 1"]),
        ((discard(0, "5z"), PON, PutBack(seat=Seat.FAR, meld=True)), True, ["dahai 0", "-pon 2", "dahai 1"]),
        ((DEAD, discard(0, "5z"), PON, VOID), False, ["dahai 0", "dahai 1"]),
        (
            (DEAD, discard(0, "5z"), PON, VOID, FoulCancelled(foul=1, reason="alive"), discard(2, "1p")),
            False,
            ["dahai 0", "pon 2", "dahai 2", "dahai 1"],
        ),
        ((discard(0, "5m"), CHI, PON_5M, discard(2, "1p")), True, ["dahai 0", "-chi 1", "pon 2", "dahai 2", "dahai 1"]),
        (
            (KAN, DoraTurned(indicator=Tile("2z")), PutBack(seat=Seat.NEAR, meld=True), discard(0, "8m")),
            True,
            ["-ankan 0", "dahai 0", "dahai 1"],
        ),
        (
            (discard(0, "9m", sideways=True), StickPlaced(seat=Seat.NEAR), PutBack(seat=Seat.NEAR), discard(0, "8m")),
            True,
            ["-reach 0", "-dahai 0", "dahai 0", "dahai 1"],
        ),
    ],
)
def test_what_was_taken_up_again_is_retracted(bodies: tuple[Body, ...], raw: bool, expected: list[str]) -> None:
    entries = journal(START, *bodies, discard(1, "1s"))
    entries[0] = replace(entries[0], body=GameOpened(ruleset=rules_named("home").ruleset))
    lines = mjai_lines(entries, raw=raw)
    assert acts(lines) == expected
    assert all(line["type"] != "reach_accepted" for line in lines)
