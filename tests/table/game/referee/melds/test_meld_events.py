from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.announcement_json import doubt_announcement
from table.game.commands.game_commands import ClaimTsumo, DeclareRiichi, LogFoul
from table.game.journal.entries import Source
from table.game.referee import Correction, FoundEvent, Question
from table.i18n import announcement_sentence, catalogue
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded
from table.rules.state import Ippatsu
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat, four
from table.rules.terms.tiles import Tile
from tests.table.game.referee.felt_by_hand import FeltByHand
from vision.felt import FeltReport, Reading, Zone

OPEN_HAND = ("1m", "2m", "3m", "4m", "5m", "6m", "1p", "1p", "2s", "3s", "4s")
"""A complete hand beside one meld, the winning tile last."""


def pon_of_5m(seat: Seat, third: str) -> Called:
    return Called(
        seat=seat,
        kind=CallKind.PON,
        tile=Tile("5m"),
        from_seat=Seat.NEAR,
        own=(Tile("5m"), Tile(third)),
        points_at=Seat.NEAR,
    )


def test_a_pon_tells_whom_it_came_from_and_what_was_held() -> None:
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "0m", sideways=1)
    assert table.last == pon_of_5m(Seat.FAR, "0m")


def test_a_call_and_the_discard_after_it_come_in_order_in_one_look() -> None:
    table = FeltByHand().discard((0, "5m"))
    table.take(0, is_observed=False)
    meld = table.row(1, Zone.MELD, ("5m", "4m", "6m"), sideways=0)
    discard = table.row(1, Zone.RIVER, ("9p",))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *discard, *meld)))
    assert [type(event) for event in table.game.events[-2:]] == [Called, Discarded]


def test_the_next_discard_waits_while_a_meld_is_not_at_rest_yet() -> None:
    table = FeltByHand().discard((0, "5m")).take(0).discard((1, "9p"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("5m"))
    table.lay(1, Zone.MELD, "5m", "4m", "6m", sideways=0)
    assert [type(event) for event in table.game.events[-2:]] == [Called, Discarded]


def test_equal_tiles_of_a_pon_decide_a_doubtful_face() -> None:
    table = FeltByHand().discard((0, "5m"))
    table.take(0, is_observed=False)
    pon = table.row(1, Zone.MELD, ("5m", "5m", "6m"), sideways=0)
    doubtful = Reading(tile="6m", score=0.55, alternatives=(("5m", 0.4),))
    pon[2] = replace(pon[2], reading=doubtful)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *pon)))
    assert table.last == pon_of_5m(Seat.RIGHT, "5m")


def test_a_meld_shows_that_the_called_discard_was_read_wrongly() -> None:
    table = FeltByHand().discard((0, "6m"))
    count_before = len(table.game.found)
    table.take(0, is_observed=False)
    pon = table.row(2, Zone.MELD, ("9m", "9m", "9m"), sideways=1)
    report = FeltReport(
        frame=99, t_ns=9_900_000_000, changes=(), felt=replace(table.felt, tiles=(*table.felt.tiles, *pon))
    )
    findings = []
    for finding in table.game.referee.on_report(report, lambda: table.game.state):
        findings.append(finding)
        if len(findings) == 2:
            break
    assert count_before == 2
    assert isinstance(findings[0], Correction)
    assert (findings[0].discard, findings[0].to) == (0, Tile("9m"))
    assert isinstance(findings[1], FoundEvent)
    assert isinstance(findings[1].event, Called)


def test_a_closed_kan_is_known_by_its_backs() -> None:
    table = FeltByHand()
    table.lay(0, Zone.MELD, "back", "3p", "3p", "back")
    assert table.last == ClosedKan(seat=Seat.NEAR, tiles=(Tile("3p"),) * 4)


@pytest.mark.parametrize(
    ("faces", "tiles"),
    [
        (("back", "5s", "5s", "back"), ("0s", "5s", "5s", "5s")),
        (("back", "0s", "5s", "back"), ("5s", "0s", "5s", "5s")),
        (("5p", "5p", "0p", "5p"), ("5p", "5p", "0p", "5p")),
    ],
)
def test_a_closed_kan_of_fives_holds_the_red_one_whether_or_not_it_is_seen(
    faces: tuple[str, ...], tiles: tuple[str, ...]
) -> None:
    """All four fives of a suit are in it, so a red one that no face shows lies face down."""
    table = FeltByHand()
    table.lay(0, Zone.MELD, *faces)
    assert table.last == ClosedKan(seat=Seat.NEAR, tiles=four(map(Tile, tiles)))


def test_a_fourth_tile_beside_a_pon_is_an_added_kan() -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", sideways=0)
    table.discard((1, "1m"), (2, "2m"), (3, "3m"), (0, "4m"))
    table.lay(1, Zone.MELD, "7z", sideways=0)
    assert table.last == AddedKan(seat=Seat.RIGHT, tile=Tile("7z"))


def test_an_open_kan_of_which_the_fourth_tile_is_seen_later_is_one() -> None:
    table = FeltByHand().discard((0, "5p")).call(2, 0, "5p", "5p", "5p", sideways=1)
    table.lay(2, Zone.MELD, "0p")
    kan = table.last
    assert isinstance(kan, Called)
    assert (kan.kind, kan.tile, kan.from_seat) == (CallKind.OPEN_KAN, Tile("5p"), Seat.NEAR)
    assert sorted(map(str, kan.own)) == ["0p", "5p", "5p"]
    hand = table.game.state.hand
    assert hand is not None
    assert [meld.kind for meld in hand.melds[Seat.FAR]] == [MeldKind.OPEN_KAN]
    table.discard((2, "1m"), (3, "2m"))
    assert table.last == Discarded(seat=Seat.LEFT, tile=Tile("2m"))


@pytest.mark.parametrize("on_top", [True, False])
def test_a_tile_that_is_added_right_after_the_pon_is_an_added_kan(on_top: bool) -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", sideways=0)
    table.lay(1, Zone.MELD, "7z", sideways=0, on_top=on_top)
    assert table.last == AddedKan(seat=Seat.RIGHT, tile=Tile("7z"))


@pytest.mark.parametrize(("seat", "turned"), [(1, (0, 1)), (2, (1, 2)), (3, (2, 3))])
def test_an_added_kan_that_is_seen_only_whole_is_a_pon_and_the_tile_added_to_it(
    seat: int, turned: tuple[int, int]
) -> None:
    table = FeltByHand().discard((0, "7z"))
    table.take(0, is_observed=False)
    row = table.row(seat, Zone.MELD, ("7z", "7z", "7z", "7z"))
    kan = [replace(tile, is_sideways=place in turned) for place, tile in enumerate(row)]
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *kan)))
    pon, added = table.game.events[-2:]
    assert isinstance(pon, Called)
    assert (pon.kind, pon.from_seat, pon.own) == (CallKind.PON, Seat.NEAR, (Tile("7z"), Tile("7z")))
    assert added == AddedKan(seat=Seat(seat), tile=Tile("7z"))


@pytest.mark.parametrize(("score", "is_asked"), [(0.97, False), (0.5, True)])
def test_a_fourth_tile_on_top_of_a_pon_is_an_added_kan_and_asked_about_if_only_supposed(
    score: float, is_asked: bool
) -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", sideways=0)
    table.discard((1, "1m"), (2, "2m"), (3, "3m"), (0, "4m"))
    count_before = len(table.game.questions)
    table.lay(1, Zone.MELD, "7z", sideways=0, score=score, on_top=True)
    assert table.last == AddedKan(seat=Seat.RIGHT, tile=Tile("7z"))
    questions = table.game.questions[count_before:]
    assert [(question.id, question.seat, question.tile, question.subject) for question in questions] == (
        [(AnnouncementId.DOUBT, Seat.RIGHT, Tile("7z"), "added_kan")] if is_asked else []
    )


def test_a_supposed_kan_is_asked_about_in_its_own_words() -> None:
    question = Question(id=AnnouncementId.DOUBT, seat=Seat.RIGHT, tile=Tile("7z"), subject="added_kan")
    english = catalogue("en")
    assert announcement_sentence(doubt_announcement(question, 0).announcement, Seat.NEAR, english).endswith(
        "to the pon? If not, undo it."
    )


def test_a_doubtful_fourth_tile_beside_a_pon_is_there_and_not_asked_about() -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", sideways=0)
    table.discard((1, "1m"), (2, "2m"), (3, "3m"), (0, "4m"))
    table.lay(1, Zone.MELD, "7z", sideways=0, score=0.5)
    assert table.last == AddedKan(seat=Seat.RIGHT, tile=Tile("7z"))
    assert table.game.questions == []


def test_a_call_of_which_a_tile_is_not_found_is_guessed_once_its_caller_has_discarded() -> None:
    table = FeltByHand().discard((0, "5m")).take(0)
    table.lay(2, Zone.MELD, "5m", "5m").discard((2, "9p"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("5m"))
    table.observe(table.felt, seconds=2.0)
    call, following = table.game.found[-2:]
    assert isinstance(call, FoundEvent)
    assert isinstance(call.event, Called)
    assert (call.event.kind, call.source) == (CallKind.PON, Source.INFERRED)
    assert isinstance(following, FoundEvent)
    assert following.event == Discarded(seat=Seat.FAR, tile=Tile("9p"))


def test_a_chi_of_which_a_tile_is_not_found_leaves_it_unread() -> None:
    table = FeltByHand().discard((0, "5m")).take(0)
    table.lay(1, Zone.MELD, "5m", "6m", sideways=0).discard((1, "9p"))
    table.observe(table.felt, seconds=2.0)
    call = next(event for event in table.game.events if isinstance(event, Called))
    assert (call.kind, call.own) == (CallKind.CHI, (Tile("6m"), Tile("?")))


def test_who_discards_out_of_turn_while_the_last_discard_is_gone_has_called_it() -> None:
    table = FeltByHand().discard((0, "5m")).take(0).discard((2, "9p"))
    table.observe(table.felt, seconds=2.0)
    assert [type(event) for event in table.game.events[-2:]] == [Called, Discarded]
    call = table.game.events[-2]
    assert isinstance(call, Called)
    assert (call.seat, call.kind, call.own) == (Seat.FAR, CallKind.PON, (Tile("5m"), Tile("5m")))


def test_a_discard_that_nobody_saw_is_guessed_from_half_a_meld_and_the_discard_after_it() -> None:
    table = FeltByHand().discard((0, "5m"), (1, "1z"))
    table.lay(0, Zone.MELD, "7s", "7s").discard((0, "9p"))
    table.observe(table.felt, seconds=2.0)
    assert [type(event) for event in table.game.events[-3:]] == [Discarded, Called, Discarded]
    assert table.game.events[-3] == Discarded(seat=Seat.FAR, tile=Tile("7s"))
    call = table.game.events[-2]
    assert isinstance(call, Called)
    assert (call.seat, call.from_seat, call.kind) == (Seat.NEAR, Seat.FAR, CallKind.PON)


def with_sign(table: FeltByHand, sign: str) -> FeltByHand:
    """Lets seat 1 announce riichi, or lay a stick, before its tile is seen."""
    return table.press(DeclareRiichi, 1) if sign == "voice" else table.stick(1)


@pytest.mark.parametrize("sign", ["voice", "stick"])
@pytest.mark.parametrize("faces", [("5z", "5z", "5z"), ("5z", "5z")], ids=["whole", "partial"])
def test_a_riichi_tile_that_was_called_before_it_was_seen_lay_sideways(sign: str, faces: tuple[str, ...]) -> None:
    """Taken for upright, its replacement, which does lie sideways, would declare riichi with ippatsu (R19, R42)."""
    table = with_sign(FeltByHand().discard((0, "9m")), sign)
    table.lay(3, Zone.MELD, *faces, sideways=1).discard((3, "1m"))
    table.observe(table.felt, seconds=2.0)
    declaration = Discarded(seat=Seat.RIGHT, tile=Tile("5z"), sideways=True)
    assert declaration in table.game.events
    table.discard((0, "1s"), (1, "r4z"))
    hand = table.game.state.live
    assert hand is not None
    assert (hand.riichi[Seat.RIGHT].laid_index, hand.ippatsu[Seat.RIGHT]) == (1, Ippatsu.CLOSED)


def test_a_discard_that_was_called_before_it_was_seen_lay_upright_if_nothing_says_riichi() -> None:
    table = FeltByHand().discard((0, "9m")).lay(3, Zone.MELD, "5z", "5z", "5z", sideways=1)
    assert Discarded(seat=Seat.RIGHT, tile=Tile("5z")) in table.game.events


def test_a_stick_beside_an_open_hand_makes_no_riichi_tile_of_an_unseen_discard() -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", sideways=0).discard((1, "1m"))
    table.discard((2, "2m"), (3, "3m"), (0, "4m")).stick(1).lay(3, Zone.MELD, "5z", "5z", "5z", sideways=1)
    assert Discarded(seat=Seat.RIGHT, tile=Tile("5z")) in table.game.events


def test_the_stick_of_a_riichi_that_a_foul_withdrew_makes_no_riichi_tile_of_a_later_unseen_discard() -> None:
    table = with_sign(FeltByHand().discard((0, "9m")), "voice").discard((1, "r5z")).stick(1)
    table.press(LogFoul, 1, clause="7-05-13").discard((2, "2m"), (3, "3m"), (0, "4m"))
    table.lay(3, Zone.MELD, "6z", "6z", "6z", sideways=1).discard((3, "1m"))
    table.observe(table.felt, seconds=2.0)
    assert Discarded(seat=Seat.RIGHT, tile=Tile("6z")) in table.game.events
    hand = table.game.state.live
    assert hand is not None
    assert not hand.riichi[Seat.RIGHT].is_declared


def test_a_replacement_of_a_called_riichi_tile_that_was_called_before_it_was_seen_lay_sideways() -> None:
    table = FeltByHand().discard((0, "9m"), (1, "r5z")).call(3, 1, "5z", "5z", "5z", sideways=1)
    table.discard((3, "1m"), (0, "1s")).lay(3, Zone.MELD, "4z", "4z", "4z", sideways=1, group=1)
    assert Discarded(seat=Seat.RIGHT, tile=Tile("4z"), sideways=True) in table.game.events


def pon_and_tsumo(*discards: tuple[int, str]) -> FeltByHand:
    """Seat 1 presses tsumo after its pon and these discards."""
    table = FeltByHand().discard((0, "5z")).call(1, 0, "5z", "5z", "5z", sideways=0).discard((1, "9m"))
    return table.discard((2, "8m"), (3, "7m"), *discards).press(ClaimTsumo, 1)


def with_kan_and_hand(table: FeltByHand, *discards: tuple[int, str]) -> FeltByHand:
    """Lays these discards, the fourth tile of seat 1's pon, and its open hand, in one look."""
    tiles = [*table.row(1, Zone.MELD, ["5z"]), *table.row(1, Zone.HAND, OPEN_HAND)]
    for seat, face in discards:
        tiles += table.row(seat, Zone.RIVER, [face])
    return table.observe(replace(table.felt, tiles=(*table.felt.tiles, *tiles)))


def test_an_added_kan_that_is_seen_only_after_its_tsumo_was_pressed_is_before_it() -> None:
    table = with_kan_and_hand(pon_and_tsumo((0, "6m")))
    hand = table.game.state.live
    assert hand is not None
    assert AddedKan(seat=Seat.RIGHT, tile=Tile("5z")) in table.game.events
    assert hand.is_replacement
    assert not hand.has_gap


def test_a_discard_and_an_added_kan_may_both_be_seen_only_after_the_press() -> None:
    hand = with_kan_and_hand(pon_and_tsumo(), (0, "6m")).game.state.live
    assert hand is not None
    assert (len(hand.kans), hand.is_replacement, hand.has_gap) == (1, True, False)


def test_a_kan_that_may_be_older_than_an_unseen_discard_of_its_seat_is_asked_about() -> None:
    table = pon_and_tsumo((0, "6m"))
    hand = with_kan_and_hand(table, (1, "5m"), (2, "4m"), (3, "3m"), (0, "2m")).game.state.live
    assert hand is not None
    assert (len(hand.kans), hand.is_behind) == (1, True)


def test_a_tile_of_the_open_hand_that_lies_beside_a_pon_is_no_kan() -> None:
    table = pon_and_tsumo((0, "6m"))
    tiles = [*table.row(1, Zone.MELD, ["5z"]), *table.row(1, Zone.HAND, OPEN_HAND[:-1])]
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *tiles)))
    assert not any(isinstance(event, AddedKan) for event in table.game.events)
