from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace

import pytest

from table.game.announcement_json import announcement_line, changed_announcements
from table.game.commands.game_commands import Command, Confirm, CorrectDiscard, HandPress, Undo
from table.game.journal.effective_events import effective_entries
from table.game.journal.entries import Corrected, GameOpened, SettlementRecorded, Source
from table.game.journal.fold import LoggedAnnouncement
from table.game.journal.history.game_history import game_history
from table.game.journal.journal import Journal
from table.game.referee import Correction, Finding, FoundEvent, Question, Referee
from table.game.snapshot import CameraHealth, SavedClip
from table.game.table_loop import Table, TableLoop
from table.rules.advance import advance
from table.rules.events import Discarded, DoraTurned, Event, HandSettled, HandStarted, TilePassed
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Step
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import ResultKind, Settlement
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from table.runtime import threads
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.fakes.waiting import PATIENCE_S
from tests.table.game.by_hand import with_all_seen
from vision.felt import Felt, FeltReport

START = HandStarted(round=Round.parse("E1"), dealer=Seat.NEAR, scores=(25000,) * 4, dora_indicator=Tile("4s"))
REPORT = FeltReport(frame=7, t_ns=0, changes=(), felt=Felt())
CONFIRM = Confirm()
DRAW = Settlement(kind=ResultKind.DRAW, deltas=(1500, 1500, -1500, -1500), tenpai=(Seat.NEAR, Seat.RIGHT))


def discards(tiles: str, first: Seat = Seat.NEAR, sideways: int | None = None) -> list[Event]:
    return [
        Discarded(seat=first.plus(index), tile=tile, sideways=index == sideways)
        for index, tile in enumerate(parse_tiles(tiles))
    ]


class ScriptedReferee(Referee):
    """Says what a test wants said."""

    def __init__(self) -> None:
        super().__init__()
        self.next: list[Finding] = []

    def say(self, *events: Event, source: Source = Source.CAMERA) -> None:
        self.next += [FoundEvent(event=event, source=source, frame=7, confidence=0.9) for event in events]

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        yield from self._findings()

    def on_press(self, press: HandPress, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        yield from self._findings()

    def _findings(self) -> Iterator[Finding]:
        findings, self.next = self.next, []
        yield from findings


@pytest.fixture
def referee() -> ScriptedReferee:
    return ScriptedReferee()


@pytest.fixture
def table(journal: Journal, referee: ScriptedReferee) -> Table:
    return table_at(journal, referee)


def table_at(journal: Journal, referee: Referee) -> Table:
    return Table(journal=journal, referee=referee, ruleset=Ruleset(), clock=LogicalClock())


def test_a_new_journal_begins_with_the_rules(journal: Journal, table: Table) -> None:
    assert [entry.body for entry in journal.entries()] == [GameOpened(ruleset=Ruleset(), asks_for_sticks_in_play=False)]
    assert table.state.scores == (25000,) * 4


def test_what_the_referee_says_is_written_down_applied_and_published(
    journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    referee.say(START, *discards("1z9m"))
    table.report(REPORT)
    bodies = [entry.body for entry in journal.entries()][1:]
    assert bodies == [START, *discards("1z9m")]
    hand = table.board.latest.game.live
    assert hand is not None
    assert hand.discards == 2
    assert table.board.latest.camera is CameraHealth.OK
    assert table.board.latest.announcements[0].announcement.id is AnnouncementId.HAND_STARTED


def test_an_entry_keeps_when_whence_and_how_surely_it_came(
    journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    referee.say(START)
    table.report(REPORT)
    envelope = journal.entries()[-1].envelope
    assert (envelope.frame, envelope.source, envelope.confidence) == (7, Source.CAMERA, 0.9)


def test_a_restarted_table_stands_where_the_old_one_stood(
    journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    referee.say(START, *discards("1z9m2p", sideways=1))
    table.report(REPORT)
    again = table_at(journal, referee)
    assert with_all_seen(again.state) == table.state
    assert again.folded_game.announcements == table.folded_game.announcements


def test_a_corrected_reading_refolds_the_hand_and_says_only_what_changed(
    journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    referee.say(START, *discards("1z9m2p5s", sideways=1))
    table.report(REPORT)
    count_before = len(table.announcements)
    table.handle(CorrectDiscard(discard=2, to=Tile("3p")))
    hand = table.state.live
    assert hand is not None
    assert [river[0].tile.text for river in hand.rivers] == ["1z", "9m", "3p", "5s"]
    assert table.announcements[count_before:] == []
    body = journal.entries()[-1].body
    assert isinstance(body, Corrected)
    assert with_all_seen(table_at(journal, referee).state) == table.state


def test_a_correction_of_a_correction_counts(referee: ScriptedReferee, table: Table) -> None:
    referee.say(START, *discards("1z9m"))
    table.report(REPORT)
    for text in ("2z", "3z"):
        table.handle(CorrectDiscard(discard=0, to=Tile(text)))
    hand = table.state.live
    assert hand is not None
    assert hand.rivers[Seat.NEAR][0].tile == Tile("3z")


@pytest.mark.parametrize(("pressed_at", "frame"), [(3, 3), (None, 7)], ids=["in its frame", "in the last one seen"])
def test_a_pressed_correction_names_the_discard_and_its_frame(
    pressed_at: int | None, frame: int, journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    next(Referee.on_report(referee, REPORT, lambda: table.state), None)
    referee.say(START, *discards("1z"))
    table.report(REPORT)
    table.handle(CorrectDiscard(discard=0, to=Tile("2z"), frame=pressed_at, by="seat 1"))
    entry, history = journal.entries()[-1], journal.entries()[-2]
    assert entry.body == Corrected(entry=history.number, event=Discarded(seat=Seat.NEAR, tile=Tile("2z")))
    assert (entry.envelope.source, entry.envelope.frame, entry.envelope.by) == (Source.PRESS, frame, "seat 1")


def test_a_corrected_indicator_is_the_dora_of_the_hand(referee: ScriptedReferee, table: Table) -> None:
    referee.say(replace(START, dora_indicator=Tile("6s")), *discards("1z9m"), DoraTurned(indicator=Tile("2p")))
    table.report(REPORT)
    for indicator, text in enumerate(("4s", "3p")):
        referee.next = [Correction(indicator=indicator, to=Tile(text), source=Source.CAMERA)]
        table.report(REPORT)
    hand = table.state.live
    assert hand is not None
    assert hand.dora_indicators == (Tile("4s"), Tile("3p"))


def test_a_correction_of_a_discard_that_never_was_is_refused(referee: ScriptedReferee, table: Table) -> None:
    referee.say(START)
    table.report(REPORT)
    with pytest.raises(PressError, match="expected no discard of this hand, got 0"):
        table.handle(CorrectDiscard(discard=0, to=Tile("2z")))
    referee.say(*discards("1z"))
    table.report(REPORT)
    with pytest.raises(PressError, match="expected a discard from 0 to 0 of this hand, got 1"):
        table.handle(CorrectDiscard(discard=1, to=Tile("2z")))


def test_an_impossible_press_is_refused_with_its_reason_and_changes_nothing(
    journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    referee.say(START, *discards("111z"))
    table.report(REPORT)
    referee.say(*discards("1z1z", first=Seat.LEFT), source=Source.PRESS)
    with pytest.raises(PressError, match="confirm is not possible now"):
        table.handle(CONFIRM)
    hand = table.state.live
    assert hand is not None
    assert hand.discards == 3, "not even what of it would have been possible"
    assert len(journal.entries()) == 5


def test_an_impossible_reading_does_not_stop_the_evening(referee: ScriptedReferee, table: Table) -> None:
    referee.say(START, *discards("1z1z1z1z1z9m"))
    table.report(REPORT)
    hand = table.state.live
    assert hand is not None
    assert hand.discards >= 4


def test_an_impossible_reading_keeps_nobody_from_pressing(referee: ScriptedReferee, table: Table) -> None:
    referee.say(START, *discards("1z1z1z1z"))
    table.report(REPORT)
    referee.say(*discards("1z"))
    referee.say(*discards("9m"), source=Source.PRESS)
    table.handle(CONFIRM)
    hand = table.state.live
    assert hand is not None
    assert [discard.tile for discard in hand.rivers[Seat.NEAR]] == [Tile("1z"), Tile("9m")]


def test_a_question_is_open_until_it_is_answered(referee: ScriptedReferee, table: Table) -> None:
    referee.say(START, *discards("1z"))
    referee.next.append(
        Question(id=AnnouncementId.DOUBT, seat=Seat.NEAR, discard=0, tile=Tile("1z"), alternatives=((Tile("2z"), 0.3),))
    )
    table.report(REPORT)
    (doubt,) = table.board.latest.doubts
    assert (doubt.tile, doubt.alternatives) == ("1z", (("2z", 0.3),))
    table.handle(CorrectDiscard(discard=0, to=Tile("2z")))
    assert table.board.latest.doubts == ()
    history = game_history(table.journal.entries())
    assert (history.asked, history.interruptions, history.needless) == (1, 1, 0)


def test_a_question_about_a_discard_that_did_not_fit_is_only_counted(referee: ScriptedReferee, table: Table) -> None:
    referee.say(START)
    referee.next.append(Question(id=AnnouncementId.IMPOSSIBLE_READING, seat=Seat.NEAR, discard=3, tile=Tile("1z")))
    table.report(REPORT)
    history = game_history(table.journal.entries())
    assert (history.asked, history.interruptions) == (1, 0)


def test_a_settlement_is_recorded_and_no_later_program_alters_it(
    journal: Journal, referee: ScriptedReferee, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee.say(START, HandSettled(settlement=DRAW))
    table.report(REPORT)
    assert table.state.scores == (26500, 26500, 23500, 23500)
    recorded = [entry.body for entry in journal.entries() if isinstance(entry.body, SettlementRecorded)]
    settlement = table.state.history[0].settlement or DRAW
    assert recorded == [SettlementRecorded(hand=0, settlement=settlement, start=START, end=3)]
    settle_otherwise(monkeypatch)
    again = table_at(journal, referee)
    assert again.state.scores == (26500, 26500, 23500, 23500)
    assert [unfit.message for unfit in again.folded_game.rejected_entries] == [
        "hand 1 keeps its confirmed settlement; these rules would settle it differently"
    ]


def test_a_record_lives_as_long_as_what_ended_its_hand(
    journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    """A press that is taken back takes no settlement with it that the table itself had inferred."""
    referee.say(START, *discards("1z"))
    table.report(REPORT)
    referee.say(TilePassed(), source=Source.PRESS)
    referee.say(HandSettled(settlement=DRAW), source=Source.INFERRED)
    table.handle(CONFIRM)
    recorded = journal.entries()[-1]
    assert isinstance(recorded.body, SettlementRecorded)
    table.handle(Undo(act=table.board.latest.changes.undo or 0))
    assert recorded in effective_entries(journal.entries())
    assert len(table.state.history) == 1


def settle_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the rules of the fold settle every hand wrongly unless told the recorded settlement."""
    wrong = Settlement(kind=ResultKind.DRAW, deltas=(3000, -1000, -1000, -1000), tenpai=(Seat.NEAR,))
    calls: list[Event] = []

    def otherwise(state: GameState, event: Event, ruleset: Ruleset) -> Step:
        if isinstance(event, HandSettled) and not calls:
            calls.append(event)
            event = HandSettled(settlement=wrong)
        return advance(state, event, ruleset)

    monkeypatch.setattr("table.game.journal.fold.advance", otherwise)


def test_entries_that_no_longer_fit_are_kept_as_questions(
    journal: Journal, referee: ScriptedReferee, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee.say(START, *discards("1z9m"))
    table.report(REPORT)

    def otherwise(state: GameState, event: Event, ruleset: Ruleset) -> Step:
        if isinstance(event, Discarded) and event.tile == Tile("9m"):
            raise ImpossibleEventError("expected anything else")
        return advance(state, event, ruleset)

    monkeypatch.setattr("table.game.journal.fold.advance", otherwise)
    again = table_at(journal, referee)
    assert [unfit.message for unfit in again.folded_game.rejected_entries] == ["expected anything else"]
    assert len(journal.entries()) == 5, "the last one says that discards may have gone unseen meanwhile"


def test_the_loop_takes_messages_in_order_and_gives_refusals_to_their_sender(
    referee: ScriptedReferee, table: Table
) -> None:
    with TableLoop(table) as loop:
        referee.say(START)
        loop.report(REPORT)
        with pytest.raises(PressError, match="expected no discard"):
            loop.handle(CorrectDiscard(discard=5, to=Tile("2z")))
        referee.say(*discards("1z"))
        loop.report(REPORT)
    hand = table.state.live
    assert hand is not None
    assert hand.discards == 1


def test_a_fault_that_every_frame_makes_is_logged_once_a_minute_and_ends_nothing(
    referee: ScriptedReferee, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with TableLoop(table) as loop:
        with monkeypatch.context() as broken:
            broken.setattr(referee, "_findings", lambda: iter([1 / int("0")]))
            for _ in range(30):
                with pytest.raises(ZeroDivisionError):
                    loop.report(REPORT)
        referee.say(START)
        loop.report(REPORT)
    assert table.state.live is not None
    assert [record.getMessage() for record in caplog.records] == ["a message could not be handled"]


def test_nobody_waits_for_a_loop_that_has_ended(referee: ScriptedReferee, table: Table) -> None:
    with TableLoop(table) as loop:
        referee.say(START)
        loop.report(REPORT)
    referee.say(*discards("1z"))
    answers = [loop.send(REPORT), loop.send(CorrectDiscard(discard=0, to=Tile("2z")))]
    assert [type(answer.exception(0)) for answer in answers] == [TimeoutError, TimeoutError]
    with pytest.raises(TimeoutError, match="expected a loop that runs, got one that has ended"):
        loop.handle(CorrectDiscard(discard=0, to=Tile("2z")))
    hand = table.state.live
    assert hand is not None
    assert hand.discards == 0


def test_a_command_that_was_told_as_not_answered_is_not_carried_out_later(
    referee: ScriptedReferee, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TableLoop(table) as loop:
        referee.say(START, *discards("1z"))
        loop.report(REPORT)
        began, goes_on = threading.Event(), threading.Event()

        def stalled() -> None:
            began.set()
            assert goes_on.wait(PATIENCE_S)

        monkeypatch.setattr(table, "retry_journal", stalled)
        turn = threading.Thread(target=loop.turn)
        turn.start()
        assert began.wait(PATIENCE_S)
        with pytest.raises(TimeoutError):
            loop.handle(CorrectDiscard(discard=0, to=Tile("2z")), timeout=0.01)
        goes_on.set()
        turn.join(PATIENCE_S)
        loop.handle(CorrectDiscard(discard=0, to=Tile("3z")))
    corrected = [entry.body.event for entry in table.journal.entries() if isinstance(entry.body, Corrected)]
    assert corrected == [Discarded(seat=Seat.NEAR, tile=Tile("3z"))]


def test_a_command_that_has_begun_is_waited_for(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    began, goes_on = threading.Event(), threading.Event()
    carried_out = table.handle

    def stalled(command: Command) -> None:
        began.set()
        assert goes_on.wait(PATIENCE_S)
        carried_out(command)

    class Answer(Future[None]):
        """Is waited for in vain once the command has begun; the command goes on when somebody tries to cancel it."""

        def result(self, timeout: float | None = None) -> None:
            assert began.wait(PATIENCE_S)
            super().result(PATIENCE_S if goes_on.is_set() else timeout)

        def cancel(self) -> bool:
            goes_on.set()
            return super().cancel()

    monkeypatch.setattr(table, "handle", stalled)
    monkeypatch.setattr("table.game.table_loop.Future", Answer)
    with TableLoop(table) as loop, pytest.raises(PressError, match="expected no discard"):
        loop.handle(CorrectDiscard(discard=5, to=Tile("2z")), timeout=0.01)


def test_the_camera_may_go_and_come_back(table: Table) -> None:
    with TableLoop(table) as loop:
        loop.send(CameraHealth.LOST).result(PATIENCE_S)
        assert table.board.latest.camera is CameraHealth.LOST


def test_a_pushed_camera_is_said_and_changes_nothing(table: Table) -> None:
    before = table.state
    table.report(replace(REPORT, moved_mm=14.2))
    pushed = table.announcements[-1].announcement
    assert (pushed.id, pushed.args) == (AnnouncementId.CAMERA_MOVED, {"mm": 14})
    assert table.state is before


def test_a_kept_moment_is_said_as_kept_or_lost(table: Table) -> None:
    with TableLoop(table) as loop:
        loop.send(SavedClip(name="a", time="21:03", seconds=90)).result(PATIENCE_S)
        loop.send(SavedClip(name="b", time="21:04", seconds=90, is_saved=False)).result(PATIENCE_S)
    saved, unsaved = table.board.latest.announcements[-2:]
    assert (saved.announcement.id, saved.announcement.args) == (
        AnnouncementId.MOMENT_KEPT,
        {"at": "21:03", "seconds": 90},
    )
    assert (unsaved.announcement.id, unsaved.announcement.args) == (AnnouncementId.MOMENT_LOST, {"at": "21:04"})
    assert saved.key != unsaved.key


def test_what_is_said_names_the_tiles_that_it_rests_on_but_not_those_of_an_earlier_run(
    referee: ScriptedReferee, table: Table
) -> None:
    (discard,) = discards("1z", sideways=0)
    rulings = [FoundEvent(event=event, source=Source.CAMERA, frame=7, evidence=(42,)) for event in (START, discard)]
    referee.next += rulings
    table.report(REPORT)
    riichi = next(logged for logged in table.announcements if logged.announcement.id is AnnouncementId.RIICHI_DECLARED)
    assert riichi.evidence == (42,)
    announcement = LoggedAnnouncement(
        key="k",
        announcement=table.folded_game.announcements[-1].announcement,
        cause=(3, 9),
        frame=7,
        evidence=(42,),
    )
    assert changed_announcements((), (announcement,), run_start=2)[0].evidence == (42,)
    (earlier,) = changed_announcements((), (announcement,), run_start=3)
    assert "evidence" not in announcement_line(earlier)


def test_points_and_sticks_are_the_same_after_a_refold_as_before(
    journal: Journal, referee: ScriptedReferee, table: Table
) -> None:
    referee.say(START, *discards("1z9m2p5s8p", sideways=1), HandSettled(settlement=DRAW))
    table.report(REPORT)
    referee.say(HandStarted(round=Round.parse("E1"), dealer=Seat.NEAR, honba=1, deposits=1, scores=table.state.scores))
    table.report(REPORT)
    referee.say(*discards("1z9m"))
    table.report(REPORT)
    table.handle(CorrectDiscard(discard=0, to=Tile("7z")))
    assert with_all_seen(table_at(journal, referee).state) == table.state


def test_a_loop_that_is_stuck_is_left_behind_when_the_program_ends(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(threads, "PATIENCE_S", 0.05)
    let_go, is_stuck = threading.Event(), threading.Event()

    def hang() -> None:
        is_stuck.set()
        let_go.wait(PATIENCE_S)

    monkeypatch.setattr(table, "retry_journal", hang)
    with TableLoop(table) as loop:
        with pytest.raises(TimeoutError):
            loop.turn(timeout=0.01)
        is_stuck.wait(PATIENCE_S)
    let_go.set()
    assert caplog.messages == ["expected the thread table-loop to end within 0.05 s, got none: it is left behind"]
