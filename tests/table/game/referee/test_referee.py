from __future__ import annotations

from dataclasses import replace

import pytest

from table.camera.simulation import evening, read_script
from table.camera.simulation.script_timeline import Staged, stage
from table.game.announcement_json import doubted
from table.game.game_commands import (
    CallAbort,
    CallDraw,
    CancelWin,
    ClaimRon,
    ClaimTsumo,
    Confirm,
    CorrectDiscard,
    LogFoul,
    PassTile,
)
from table.game.journal.entries import Source
from table.game.referee import Correction, FoundEvent, Question, RefereeError
from table.i18n import catalogue, saying_text
from table.rules.events import (
    AbortCalled,
    AddedKan,
    Called,
    CallKind,
    ClaimsConfirmed,
    ClosedKan,
    Discarded,
    DoraTurned,
    DrawReached,
    Event,
    HandShown,
    HandStarted,
    StickPlaced,
    StickTakenBack,
    TenpaiStated,
    UraTurned,
    WinClaimed,
    WinKind,
    WinWithdrawn,
)
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import SEATS, Round, Seat, four
from table.rules.terms.tiles import Tile, parse_tiles
from table.runtime.table_errors import PressError
from tests.table.camera.simulation.felts import LAYOUT, changes, observations
from tests.table.camera.simulation.scripts import KANS, RIICHI_TSUMO, SHORT
from tests.table.game.referee.felt_by_hand import FeltByHand, Watched
from vision.felt import BACK, Felt, FeltReport, LyingTile, Outcome, Reading, Zone


@pytest.fixture(scope="module")
def staged() -> Staged:
    return stage(evening(), LAYOUT)


def truth(staged: Staged) -> list[Event]:
    return [each.event for each in staged.truth]


def tiles(text: str) -> tuple[str, ...]:
    return tuple(text[place : place + 2] for place in range(0, len(text), 2))


# The demo's evening and short scripts, seen by a perfect eye


def test_every_event_of_the_evening_follows_from_the_felt_and_the_presses(staged: Staged) -> None:
    assert Watched(is_complete=True).take(observations(staged)).events == truth(staged)


def test_the_evening_ends_with_the_scores_of_its_script(staged: Staged) -> None:
    watched = Watched(is_complete=True).take(observations(staged))
    assert [line.scores for line in watched.state.history] == list(staged.scores)
    assert not watched.questions


@pytest.mark.parametrize("script", [KANS, SHORT, RIICHI_TSUMO], ids=["kans", "called riichi tile", "riichi and tsumo"])
def test_every_event_of_a_short_script_follows_from_the_felt(script: str) -> None:
    staged = stage(read_script(script), LAYOUT)
    watched = Watched(is_complete=True).take(observations(staged))
    assert watched.events == truth(staged)
    assert [line.scores for line in watched.state.history] == list(staged.scores)


@pytest.mark.parametrize("first", [1, 2])
def test_two_discards_between_two_looks_come_in_the_order_of_play(staged: Staged, first: int) -> None:
    skipped = list(range(first, 21, 2))
    watched = Watched(is_complete=True).take(observations(staged, skip=skipped))
    assert [each for each in watched.events if isinstance(each, Discarded)][:20] == [
        each for each in truth(staged) if isinstance(each, Discarded)
    ][:20]


def test_a_called_tile_that_no_look_saw_in_the_river_is_known_from_its_meld(staged: Staged) -> None:
    called = next(number for number, laid in enumerate(staged.laid) if any(laid.melds))
    watched = Watched(is_complete=True).take(observations(staged, skip=[called - 1]))
    assert watched.events == truth(staged)
    guessed = next(each for each in watched.found if isinstance(each, FoundEvent) and each.source is Source.INFERRED)
    assert isinstance(guessed.event, Discarded)
    assert guessed.confidence <= 0.5


def test_a_press_made_before_its_tile_was_seen_is_taken_back_and_made_again(staged: Staged) -> None:
    opened = next(number for number, laid in enumerate(staged.laid) if any(laid.opened))
    watched = Watched(is_complete=True).take(observations(staged, skip=[opened - 1]))
    assert any(isinstance(event, WinWithdrawn) for event in watched.events)
    assert watched.state.history[0].scores == staged.scores[0]


def test_a_restarted_referee_goes_on_where_the_state_stands(staged: Staged) -> None:
    whats = list(observations(staged))
    before = Watched(is_complete=True).take(whats[:30])
    after = Watched(before.state, is_complete=True).take(whats[30:])
    assert before.events + after.events == truth(staged)


# An indicator that is not seen

WALLS = (BACK,) * 17
ROUND = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))


def test_a_hand_whose_indicator_is_hidden_begins_with_its_discards() -> None:
    table = FeltByHand(*WALLS).discard(*ROUND[:3])
    assert not table.watched.events
    table.discard(ROUND[3]).call(0, 3, "4m", "5m", "6m", turned=0).discard((0, "7m"))
    first, *discards = table.watched.events
    assert isinstance(first, HandStarted)
    assert first.dora_indicator is None
    assert [type(event) for event in discards] == [Discarded] * 4 + [Called, Discarded]


def test_an_indicator_seen_late_is_the_first_of_its_hand() -> None:
    table = FeltByHand(*WALLS).discard(*ROUND).lay(1, Zone.WALL, "9p").discard((0, "5m"))
    assert table.watched.events[-2:] == [
        DoraTurned(indicator=Tile("9p")),
        Discarded(seat=Seat.NEAR, tile=Tile("5m")),
    ]


@pytest.mark.parametrize(
    "faces",
    [
        ((0, "1m"), (2, "3m"), (3, "4m"), (0, "5m"), (3, "6m")),
        ((1, "1m"), (2, "3m"), (3, "4m"), (1, "5m")),
        ((0, "1m"), (1, BACK), (2, "3m"), (3, "4m")),
        ROUND * 3,
    ],
    ids=["one player has none", "the dealer has none", "one lies face down", "a hand that was played before"],
)
def test_faces_that_are_no_first_discards_begin_no_hand(faces: tuple[tuple[int, str], ...]) -> None:
    table = FeltByHand(*WALLS)
    lying = [
        tile for seat in SEATS for tile in table.row(seat, Zone.RIVER, [face for side, face in faces if side == seat])
    ]
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *lying)))
    assert not table.watched.events


def test_faces_on_a_table_without_walls_begin_no_hand() -> None:
    assert not FeltByHand(BACK, BACK).discard(*ROUND, (0, "5m")).watched.events


# Rivers


def test_a_tile_that_is_lost_and_found_again_is_no_new_discard() -> None:
    table = FeltByHand().discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"))
    whole = table.felt
    seen_again = tuple(replace(tile, id=tile.id + 500) if tile.side == 1 else tile for tile in whole.tiles)
    table.observe(replace(whole, tiles=tuple(tile for tile in whole.tiles if tile.side != 1)))
    table.observe(replace(whole, tiles=seen_again)).discard((1, "6m"))
    assert [str(event.tile) for event in table.watched.events if isinstance(event, Discarded)] == [
        "1m", "2m", "3m", "4m", "5m", "6m",
    ]  # fmt: skip


def test_a_discard_out_of_turn_waits_for_the_one_before_it() -> None:
    table = FeltByHand().discard((0, "1m"), (2, "3m"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("1m"))
    table.discard((1, "2m"))
    assert [event.seat for event in table.watched.events if isinstance(event, Discarded)] == [0, 1, 2]


def test_a_discard_that_stays_out_of_turn_is_told_as_it_looks() -> None:
    table = FeltByHand().discard((0, "1m"), (2, "3m"))
    table.observe(replace(table.felt, covered=frozenset()), seconds=3.0)
    assert table.last == Discarded(seat=Seat.FAR, tile=Tile("3m"))


def test_a_fifth_copy_enters_unread_with_a_question() -> None:
    table = FeltByHand().discard((0, "9s"), (1, "9s"), (2, "9s"), (3, "9s"), (0, "9s"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("?"))
    question = table.watched.questions[-1]
    assert (question.id, question.discard, question.tile) == (AnnouncementId.IMPOSSIBLE_READING, 4, Tile("9s"))


def test_a_second_red_five_of_a_suit_is_impossible() -> None:
    table = FeltByHand().discard((0, "0p"), (1, "0p"))
    assert table.last == Discarded(seat=Seat.RIGHT, tile=Tile("?"))


def test_a_doubtful_reading_stands_and_is_asked_about() -> None:
    table = FeltByHand()
    table.lay(0, Zone.RIVER, "7s", score=0.5)
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("7s"))
    assert [(each.id, each.discard) for each in table.watched.questions] == [(AnnouncementId.DOUBT, 0)]


def test_a_discard_read_otherwise_later_is_corrected() -> None:
    table = FeltByHand().discard((0, "6s"), (1, "1m"))
    table.observe(replace(table.felt, tiles=tuple(_as(tile, "6s", "8s") for tile in table.felt.tiles)))
    assert [(each.discard, each.to, each.source) for each in table.watched.corrections] == [
        (0, Tile("8s"), Source.CAMERA)
    ]


def test_what_people_corrected_is_not_corrected_back() -> None:
    table = FeltByHand().discard((0, "6s"))
    hand = table.watched.state.live
    assert hand is not None
    river = (replace(hand.rivers[0][0], tile=Tile("3s")),)
    table.watched.state = replace(table.watched.state, hand=replace(hand, rivers=(river, (), (), ())))
    table.observe(replace(table.felt, tiles=tuple(_as(tile, "6s", "8s") for tile in table.felt.tiles)))
    assert not table.watched.corrections


def test_a_discard_that_the_rest_of_the_table_speaks_against_is_asked_about() -> None:
    table = FeltByHand().discard((0, "6s"), (1, "1m"))
    table.observe(_reweighed(table.felt, "6s", Reading(tile="6s", score=0.5, outcome=Outcome.DOUBTED)))
    assert [(each.id, each.seat, each.discard) for each in table.watched.questions] == [
        (AnnouncementId.DOUBT, Seat.NEAR, 0)
    ]
    assert not table.watched.corrections


def test_a_doubt_that_the_rest_of_the_table_ends_is_asked_about_no_more() -> None:
    table = FeltByHand().lay(0, Zone.RIVER, "9s", score=0.5)
    table.observe(_reweighed(table.felt, "9s", Reading(tile="9s", score=0.95, outcome=Outcome.UPHELD)))
    assert [(each.discard, each.to) for each in table.watched.corrections] == [(0, Tile("9s"))]
    assert len(table.watched.questions) == 1


def _reweighed(felt: Felt, face: str, reading: Reading) -> Felt:
    return replace(
        felt, tiles=tuple(replace(each, reading=reading) if each.reading.tile == face else each for each in felt.tiles)
    )


def test_what_people_said_is_right_is_not_corrected_by_another_look() -> None:
    table = FeltByHand().discard((0, "6s"), (1, "1m"))
    table.press(CorrectDiscard, discard=0, to=Tile("6s"))
    table.observe(replace(table.felt, tiles=tuple(_as(tile, "6s", "8s") for tile in table.felt.tiles)))
    assert table.watched.corrections == []


def _as(tile: LyingTile, old: str, new: str) -> LyingTile:
    return replace(tile, reading=replace(tile.reading, tile=new)) if tile.reading.tile == old else tile


# Sticks


def test_a_stick_without_a_sideways_tile_waits_for_it() -> None:
    table = FeltByHand().stick(0)
    assert StickPlaced(seat=Seat.NEAR) not in table.watched.events
    table.discard((0, "r5z"))
    assert table.last == StickPlaced(seat=Seat.NEAR)


def test_a_stick_from_an_earlier_hand_is_no_new_stick() -> None:
    watched = Watched()
    table = FeltByHand()
    table.watched = watched
    table.stick(1)
    table.observe(Felt(sticks=table.felt.sticks)).lay(0, Zone.WALL, "2z").discard((0, "1m"), (1, "r2m"))
    assert not any(isinstance(event, StickPlaced) for event in watched.events)


def test_a_stick_that_stays_away_is_taken_back() -> None:
    table = FeltByHand().discard((0, "r5z")).stick(0)
    table.observe(replace(table.felt, sticks=())).discard((1, "1m"))
    assert not isinstance(table.last, StickTakenBack)
    table.discard((2, "2m"), (3, "3m"))
    assert StickTakenBack(seat=Seat.NEAR) in table.watched.events


# Melds


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
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "0m", turned=1)
    assert table.last == pon_of_5m(Seat.FAR, "0m")


def test_a_call_and_the_discard_after_it_come_in_order_in_one_look() -> None:
    table = FeltByHand().discard((0, "5m"))
    table.take(0, look=False)
    meld = table.row(1, Zone.MELD, ("5m", "4m", "6m"), turned=0)
    discard = table.row(1, Zone.RIVER, ("9p",))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *discard, *meld)))
    assert [type(event) for event in table.watched.events[-2:]] == [Called, Discarded]


def test_the_next_discard_waits_while_a_meld_is_not_at_rest_yet() -> None:
    table = FeltByHand().discard((0, "5m")).take(0).discard((1, "9p"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("5m"))
    table.lay(1, Zone.MELD, "5m", "4m", "6m", turned=0)
    assert [type(event) for event in table.watched.events[-2:]] == [Called, Discarded]


def test_equal_tiles_of_a_pon_decide_a_doubtful_face() -> None:
    table = FeltByHand().discard((0, "5m"))
    table.take(0, look=False)
    pon = table.row(1, Zone.MELD, ("5m", "5m", "6m"), turned=0)
    doubtful = Reading(tile="6m", score=0.55, alternatives=(("5m", 0.4),))
    pon[2] = replace(pon[2], reading=doubtful)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *pon)))
    assert table.last == pon_of_5m(Seat.RIGHT, "5m")


def test_a_meld_shows_that_the_called_discard_was_read_wrongly() -> None:
    table = FeltByHand().discard((0, "6m"))
    findings = len(table.watched.found)
    table.take(0, look=False)
    pon = table.row(2, Zone.MELD, ("9m", "9m", "9m"), turned=1)
    report = FeltReport(
        frame=99, t_ns=9_900_000_000, changes=(), felt=replace(table.felt, tiles=(*table.felt.tiles, *pon))
    )
    said = []
    for finding in table.watched.referee.on_report(report, lambda: table.watched.state):
        said.append(finding)
        if len(said) == 2:
            break
    assert findings == 2
    assert isinstance(said[0], Correction)
    assert (said[0].discard, said[0].to) == (0, Tile("9m"))
    assert isinstance(said[1], FoundEvent)
    assert isinstance(said[1].event, Called)


def test_a_closed_kan_is_known_by_its_backs() -> None:
    table = FeltByHand()
    table.lay(0, Zone.MELD, "back", "3p", "3p", "back")
    assert table.last == ClosedKan(seat=Seat.NEAR, tiles=(Tile("3p"),) * 4)


@pytest.mark.parametrize(
    ("laid", "told"),
    [
        (("back", "5s", "5s", "back"), ("0s", "5s", "5s", "5s")),
        (("back", "0s", "5s", "back"), ("5s", "0s", "5s", "5s")),
        (("5p", "5p", "0p", "5p"), ("5p", "5p", "0p", "5p")),
    ],
)
def test_a_closed_kan_of_fives_holds_the_red_one_whether_or_not_it_is_seen(
    laid: tuple[str, ...], told: tuple[str, ...]
) -> None:
    """All four fives of a suit are in it, so a red one that no face shows lies face down."""
    table = FeltByHand()
    table.lay(0, Zone.MELD, *laid)
    assert table.last == ClosedKan(seat=Seat.NEAR, tiles=four(map(Tile, told)))


def test_a_fourth_tile_beside_a_pon_is_an_added_kan() -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", turned=0)
    table.discard((1, "1m"), (2, "2m"), (3, "3m"), (0, "4m"))
    table.lay(1, Zone.MELD, "7z", turned=0)
    assert table.last == AddedKan(seat=Seat.RIGHT, tile=Tile("7z"))


@pytest.mark.parametrize(("score", "is_asked"), [(0.97, False), (0.5, True)])
def test_a_fourth_tile_on_top_of_a_pon_is_an_added_kan_and_asked_about_if_only_supposed(
    score: float, is_asked: bool
) -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", turned=0)
    table.discard((1, "1m"), (2, "2m"), (3, "3m"), (0, "4m"))
    asked_before = len(table.watched.questions)
    table.lay(1, Zone.MELD, "7z", turned=0, score=score, on_top=True)
    assert table.last == AddedKan(seat=Seat.RIGHT, tile=Tile("7z"))
    asked = table.watched.questions[asked_before:]
    assert [(each.id, each.seat, each.tile, each.about) for each in asked] == (
        [(AnnouncementId.DOUBT, Seat.RIGHT, Tile("7z"), "added_kan")] if is_asked else []
    )


def test_a_supposed_kan_is_asked_about_in_its_own_words() -> None:
    question = Question(id=AnnouncementId.DOUBT, seat=Seat.RIGHT, tile=Tile("7z"), about="added_kan")
    english = catalogue("en")
    assert saying_text(doubted(question, 0).announcement, Seat.NEAR, english).endswith("to the pon? If not, undo it.")


def test_a_doubtful_fourth_tile_beside_a_pon_is_there_and_not_asked_about() -> None:
    table = FeltByHand().discard((0, "7z")).call(1, 0, "7z", "7z", "7z", turned=0)
    table.discard((1, "1m"), (2, "2m"), (3, "3m"), (0, "4m"))
    table.lay(1, Zone.MELD, "7z", turned=0, score=0.5)
    assert table.last == AddedKan(seat=Seat.RIGHT, tile=Tile("7z"))
    assert table.watched.questions == []


# Ends


WHOLE = tiles("1m2m3m4m5m6m7m8m9m1p1p2s3s4s")


def test_a_complete_hand_laid_open_without_a_press_is_an_inferred_tsumo() -> None:
    table = FeltByHand().lay(0, Zone.HAND, *WHOLE)
    claim, shown = table.watched.found[-2:]
    assert isinstance(claim, FoundEvent)
    assert (claim.event, claim.source) == (WinClaimed(seat=Seat.NEAR, kind=WinKind.TSUMO), Source.INFERRED)
    assert isinstance(shown, FoundEvent)
    assert isinstance(shown.event, HandShown)
    assert shown.event.winning_tile == Tile("4s")


def test_a_shown_hand_that_people_put_right_stays_so() -> None:
    table = FeltByHand().press(ClaimTsumo, 0).lay(0, Zone.HAND, *WHOLE[:-1], "9p")
    assert isinstance(table.last, HandShown)
    table.press(ClaimTsumo, 0, tiles=parse_tiles("123456789m11p23s4s"))
    assert table.last == HandShown(seat=Seat.NEAR, tiles=parse_tiles("123456789m11p23s"), winning_tile=Tile("4s"))
    table.observe(table.felt)
    assert isinstance(table.last, HandShown)
    assert table.last.winning_tile == Tile("4s")


def test_a_tenpai_hand_laid_open_on_its_tile_is_an_inferred_ron() -> None:
    table = FeltByHand().discard((0, "4s")).lay(2, Zone.HAND, *WHOLE[:-1])
    assert WinClaimed(seat=Seat.FAR, kind=WinKind.RON) in table.watched.events


def test_a_hand_that_is_not_complete_claims_nothing() -> None:
    table = FeltByHand().lay(0, Zone.HAND, *WHOLE[:-1], "9p")
    assert not any(isinstance(event, WinClaimed | HandShown) for event in table.watched.events)


def test_half_a_hand_waits_for_the_rest() -> None:
    table = FeltByHand().press(ClaimTsumo, 0).lay(0, Zone.HAND, *WHOLE[:8])
    assert not any(isinstance(event, HandShown) for event in table.watched.events)
    table.lay(0, Zone.HAND, *WHOLE[8:])
    assert isinstance(table.last, HandShown)


def test_a_cleared_table_confirms_what_was_proposed() -> None:
    table = FeltByHand().discard((0, "9p"), (1, "8p"), (2, "9p"), (3, "8p")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE)
    table.observe(Felt())
    found = table.watched.found[-1]
    assert isinstance(found, FoundEvent)
    assert (found.event, found.source) == (ClaimsConfirmed(), Source.INFERRED)
    table.lay(0, Zone.WALL, "2z")
    start = table.last
    assert isinstance(start, HandStarted)
    assert (start.round, start.honba, start.dora_indicator) == (Round.parse("E1"), 1, Tile("2z"))


def test_a_hand_swept_away_unsettled_leads_to_a_guessed_start_and_a_question() -> None:
    table = FeltByHand().discard((0, "9p"), (1, "8p"), (2, "9p"), (3, "8p")).observe(Felt())
    table.lay(0, Zone.WALL, "2z")
    assert isinstance(table.last, HandStarted)
    assert table.watched.questions[-1].id is AnnouncementId.DOUBT
    assert table.watched.state.history[0].settlement is None


def test_tiles_swept_from_two_rivers_are_no_events() -> None:
    table = FeltByHand().discard((0, "9p"), (1, "8p"), (2, "7p"), (3, "6p"), (0, "1s")).stick(1)
    before = list(table.watched.events)
    table.observe(replace(table.felt, tiles=table.felt.tiles[:2], sticks=()), seconds=5.0)
    table.observe(replace(table.felt, tiles=table.felt.tiles[:1]), seconds=5.0)
    assert table.watched.events == before


def test_ura_shown_by_a_winner_in_riichi_are_told_apart_from_dora() -> None:
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE).lay(0, Zone.WALL, "4z")
    assert table.last == UraTurned(seat=Seat.NEAR, indicators=(Tile("4z"),))


def test_an_indicator_turned_too_early_has_no_ura() -> None:
    """The indicator of an open kan is due after the kan's discard, which is won on here."""
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p")).call(3, 1, *["8p"] * 4, turned=1)
    table.lay(0, Zone.WALL, "9m").discard((3, "4s")).press(ClaimRon, 0).lay(0, Zone.HAND, *WHOLE[:-1])
    assert table.watched.state.hand is not None
    assert len(table.watched.state.hand.dora_indicators) == 2
    table.lay(0, Zone.WALL, "4z")
    assert table.last == UraTurned(seat=Seat.NEAR, indicators=(Tile("4z"),))


def test_an_ura_that_is_read_with_a_doubt_is_told_with_a_question() -> None:
    """Its face may be half behind the wall: read as another one, it would change the score silently."""
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE).lay(0, Zone.WALL, "4z", score=0.5)
    assert table.last == UraTurned(seat=Seat.NEAR, indicators=(Tile("4z"),))
    asked = [(each.id, each.about, each.tile) for each in table.watched.questions]
    assert asked == [(AnnouncementId.DOUBT, "indicator", Tile("4z"))]


@pytest.mark.parametrize(("away_mm", "is_ura"), [(36.0, True), (90.0, False)])
def test_on_a_small_table_the_ura_lies_between_the_indicator_and_the_open_hand(away_mm: float, is_ura: bool) -> None:
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE)
    (ura,) = table.row(0, Zone.HAND, ("4z",))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, replace(ura, x_mm=0.0, y_mm=-away_mm))))
    assert isinstance(table.last, UraTurned) is is_ura


def test_a_tile_of_a_hand_that_is_still_being_laid_open_is_no_ura() -> None:
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, WHOLE)
    row[-1] = replace(row[-1], x_mm=0.0, y_mm=-47.0)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row[6:])))
    assert not isinstance(table.last, UraTurned)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row[:6])))
    assert isinstance(table.last, HandShown)


# Presses


def test_a_press_before_the_first_hand_is_refused() -> None:
    with pytest.raises(PressError, match="expected a hand in play"):
        Watched().take([CallDraw()])


def test_a_ron_pressed_after_it_was_inferred_is_not_claimed_twice() -> None:
    table = FeltByHand().discard((0, "4s")).lay(2, Zone.HAND, *WHOLE[:-1]).press(ClaimRon, 2)
    assert sum(isinstance(event, WinClaimed) for event in table.watched.events) == 1


def test_a_pressed_hand_needs_no_open_one() -> None:
    concealed = tuple(Tile(face) for face in WHOLE)
    table = FeltByHand().press(ClaimTsumo, 0, tiles=concealed)
    assert table.last == HandShown(seat=Seat.NEAR, tiles=concealed[:-1], winning_tile=concealed[-1])


def test_a_pressed_ron_may_leave_out_the_tile_that_lies_in_the_river() -> None:
    standing = tuple(Tile(face) for face in WHOLE[:-1])
    table = FeltByHand().discard((0, "4s")).press(ClaimRon, 2, tiles=standing)
    assert table.last == HandShown(seat=Seat.FAR, tiles=standing)
    table.press(ClaimRon, 2, tiles=(*standing, Tile("4s")))
    assert table.last == HandShown(seat=Seat.FAR, tiles=standing, winning_tile=Tile("4s"))


def test_a_cancel_takes_the_last_claim_back() -> None:
    table = FeltByHand().press(ClaimTsumo, 0).press(CancelWin)
    assert table.last == WinWithdrawn(seat=Seat.NEAR)


def test_a_cancel_without_a_claim_is_refused() -> None:
    with pytest.raises(PressError, match="expected a claimed win to cancel"):
        FeltByHand().press(CancelWin)


def test_an_abort_needs_a_reason_or_a_seat_once_nobody_can_have_nine_terminals() -> None:
    first = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))
    with pytest.raises(PressError, match="expected a reason or a seat"):
        FeltByHand().discard(*first).press(CallAbort)


@pytest.mark.parametrize(("first", "caller"), [([], Seat.NEAR), ([(0, "1m"), (1, "2m")], Seat.FAR)])
def test_an_abort_of_nobody_is_the_nine_terminals_of_the_player_in_turn(
    first: list[tuple[int, str]], caller: Seat
) -> None:
    table = FeltByHand().discard(*first).press(CallAbort)
    assert table.last == AbortCalled(reason=AbortReason.NINE_TERMINALS, seat=caller)


@pytest.mark.parametrize("word", ["pending", "ended", "lapsed"])
def test_an_abort_of_nobody_is_the_one_that_the_table_shows(word: str) -> None:
    table = FeltByHand().discard((0, "2z"), (1, "2z"), (2, "2z"), (3, "2z"))
    if word == "ended":
        table.press(PassTile)
    elif word == "lapsed":
        table.discard((0, "4s"))
    table.press(CallAbort)
    assert table.last == AbortCalled(reason=AbortReason.FOUR_WINDS)


def test_an_abort_of_nobody_while_three_claim_one_tile_is_by_triple_ron() -> None:
    table = FeltByHand().discard((0, "4s")).press(ClaimRon, 1).press(ClaimRon, 2).press(ClaimRon, 3).press(CallAbort)
    assert table.last == AbortCalled(reason=AbortReason.TRIPLE_RON)


def test_an_abort_of_an_unknown_reason_names_those_there_are() -> None:
    with pytest.raises(PressError, match="expected a reason out of four_riichi"):
        FeltByHand().press(CallAbort, reason="boredom")


def test_an_abort_by_a_seat_is_its_nine_terminals() -> None:
    table = FeltByHand().press(CallAbort, 0)
    assert getattr(table.last, "reason", None) is AbortReason.NINE_TERMINALS


def test_a_press_lets_what_waits_be_told_first() -> None:
    table = FeltByHand().discard((0, "1m"), (2, "3m")).press(CallDraw)
    assert [type(event) for event in table.watched.events[-2:]] == [Discarded, DrawReached]


def test_a_confidence_above_one_is_refused() -> None:
    with pytest.raises(RefereeError, match="expected a confidence from 0 to 1"):
        FoundEvent(event=DrawReached(), source=Source.PRESS, confidence=1.5)


def test_a_call_of_which_a_tile_is_not_found_is_guessed_once_its_caller_has_discarded() -> None:
    table = FeltByHand().discard((0, "5m")).take(0)
    table.lay(2, Zone.MELD, "5m", "5m").discard((2, "9p"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("5m"))
    table.observe(table.felt, seconds=2.0)
    call, following = table.watched.found[-2:]
    assert isinstance(call, FoundEvent)
    assert isinstance(call.event, Called)
    assert (call.event.kind, call.source) == (CallKind.PON, Source.INFERRED)
    assert isinstance(following, FoundEvent)
    assert following.event == Discarded(seat=Seat.FAR, tile=Tile("9p"))


def test_a_chi_of_which_a_tile_is_not_found_leaves_it_unread() -> None:
    table = FeltByHand().discard((0, "5m")).take(0)
    table.lay(1, Zone.MELD, "5m", "6m", turned=0).discard((1, "9p"))
    table.observe(table.felt, seconds=2.0)
    call = next(event for event in table.watched.events if isinstance(event, Called))
    assert (call.kind, call.own) == (CallKind.CHI, (Tile("6m"), Tile("?")))


def test_a_doubtful_face_of_a_claimed_hand_is_what_completes_it() -> None:
    table = FeltByHand().press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:]))
    row[3] = replace(row[3], reading=Reading(tile="1z", score=0.6, alternatives=(("9p", 0.2), ("4m", 0.15))))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile("4m")


@pytest.mark.parametrize(("chance", "read"), [(0.012, "4m"), (0.001, "1z")])
def test_a_face_misread_with_certainty_is_what_completes_a_claimed_hand_unless_that_is_inconceivable(
    chance: float, read: str
) -> None:
    table = FeltByHand().press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:]))
    row[3] = replace(row[3], reading=Reading(tile="1z", score=0.98, alternatives=(("4m", chance),)))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile(read)


@pytest.mark.parametrize(("outcome", "read"), [(Outcome.SURPLUS, "4m"), (None, "1z")])
def test_of_more_copies_than_a_set_has_one_is_misread_however_surely(outcome: Outcome | None, read: str) -> None:
    table = FeltByHand().press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:]))
    sure = Reading(tile="1z", score=0.9994, alternatives=(("4m", 0.0004),), outcome=outcome)
    row[3] = replace(row[3], reading=sure)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile(read)


def test_a_doubtful_face_of_a_hand_laid_open_at_a_draw_is_what_makes_it_wait() -> None:
    table = FeltByHand().discard((0, "9p")).press(CallDraw)
    row = table.row(2, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:-1]))
    row[3] = replace(row[3], reading=Reading(tile="1z", score=0.95, alternatives=(("4m", 0.04),)))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile("4m")


def test_a_shown_hand_that_does_not_fit_keeps_no_other_from_being_told() -> None:
    """What is found is not followed here, as if the rules refused it."""
    watcher, felts = Watched(), FeltByHand().discard((0, "9p")).press(CallDraw)
    watcher.state, watcher.referee = felts.watched.state, felts.watched.referee
    rows = [tile for seat in (0, 2) for tile in felts.row(seat, Zone.HAND, WHOLE[:-1])]
    felt = replace(felts.felt, tiles=(*felts.felt.tiles, *rows))
    report = FeltReport(frame=99, t_ns=99_000_000_000, changes=changes(felts.felt, felt), felt=felt)
    found = list(watcher.referee.on_report(report, lambda: watcher.state))
    told = [each.event for each in found if isinstance(each, FoundEvent)]
    assert [event.seat for event in told if isinstance(event, HandShown)] == [Seat.NEAR, Seat.FAR]


def test_an_indicator_read_otherwise_later_is_corrected() -> None:
    table = FeltByHand().discard((0, "6s"))
    table.observe(replace(table.felt, tiles=tuple(_as(tile, "1z", "4z") for tile in table.felt.tiles)))
    assert [(each.indicator, each.to) for each in table.watched.corrections] == [(0, Tile("4z"))]


def test_a_correction_is_of_a_discard_or_of_an_indicator() -> None:
    with pytest.raises(RefereeError, match="expected a discard or an indicator"):
        Correction(to=Tile("1m"), source=Source.PRESS)


def test_who_discards_out_of_turn_while_the_last_discard_is_gone_has_called_it() -> None:
    table = FeltByHand().discard((0, "5m")).take(0).discard((2, "9p"))
    table.observe(table.felt, seconds=2.0)
    assert [type(event) for event in table.watched.events[-2:]] == [Called, Discarded]
    call = table.watched.events[-2]
    assert isinstance(call, Called)
    assert (call.seat, call.kind, call.own) == (Seat.FAR, CallKind.PON, (Tile("5m"), Tile("5m")))


def test_a_stray_tile_beside_a_claimed_hand_is_no_part_of_it() -> None:
    table = FeltByHand().discard((0, "4s")).press(ClaimRon, 2)
    table.lay(2, Zone.HAND, "2z", *WHOLE[:-1])
    assert table.last == HandShown(seat=Seat.FAR, tiles=tuple(Tile(face) for face in WHOLE[:-1]))


def test_a_discard_that_nobody_saw_is_guessed_from_half_a_meld_and_the_discard_after_it() -> None:
    table = FeltByHand().discard((0, "5m"), (1, "1z"))
    table.lay(0, Zone.MELD, "7s", "7s").discard((0, "9p"))
    table.observe(table.felt, seconds=2.0)
    assert [type(event) for event in table.watched.events[-3:]] == [Discarded, Called, Discarded]
    assert table.watched.events[-3] == Discarded(seat=Seat.FAR, tile=Tile("7s"))
    call = table.watched.events[-2]
    assert isinstance(call, Called)
    assert (call.seat, call.from_seat, call.kind) == (Seat.NEAR, Seat.FAR, CallKind.PON)


def test_a_hand_laid_open_at_a_draw_says_tenpai_also_where_a_tile_is_not_found() -> None:
    table = FeltByHand().discard((0, "9p")).press(CallDraw).lay(2, Zone.HAND, *WHOLE[:12])
    assert table.last == DrawReached(is_watched=True)
    table.press(Confirm)
    assert table.watched.events[-2:] == [TenpaiStated(seat=Seat.FAR, is_tenpai=True), ClaimsConfirmed()]


def test_a_hand_that_a_foul_opened_takes_the_indicator_of_its_own_deal() -> None:
    """What was told by hand before a tile was seen is over on the page; the old indicator still lies."""
    table = FeltByHand().press(CallDraw).press(Confirm)
    table.press(LogFoul, 1, clause="7-05-11")
    table.observe(table.felt)
    opened = table.watched.state.live
    assert opened is not None
    assert opened.dora_indicators == ()
    table.observe(replace(table.felt, tiles=())).lay(0, Zone.WALL, "5p").discard((1, "9m"))
    hand = table.watched.state.live
    assert hand is not None
    assert (hand.dora_indicators, hand.discards, len(hand.fouls)) == ((Tile("5p"),), 1, 1)
    assert len(table.watched.state.history) == 1
