"""The result of an exported game is its journal's: every hand's points, the end, and what the season counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from re import findall

import pytest

from table.cli.main import main
from table.cli.record_commands.export import as_page, as_text
from table.dashboard.games.game_view import ranking_view
from table.dashboard.scores.score_text import thousands
from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import AdjustPoints, CancelFoul, EndGame, LogFoul, OpenGame
from table.game.journal.history.game_history import game_history, games_of
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from table.records.audit.game_audit import AuditedEnd, AuditedHand, audit_game
from table.records.format_detection import load_game, read_game
from table.records.formats.game_record import AcceptedWithoutStick, GameRecord, Move
from table.records.formats.late_penalties import EARLIER, FIELDS, dues_in, earlier_dues_in, late_dues, late_fields
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.records.mjai.from_journal.journal_record import has_ended_hand, record_of
from table.records.mjai.from_journal.live_mjai import LiveMjai
from table.records.mjai.mjai_writer import write_mjai
from table.records.mjai_follower import MjaiFollower
from table.records.record_journal import history_of, journal_of
from table.records.season.game_count import count_game, count_journal, count_record
from table.records.season.tally import Share
from table.rulebook import rules_named
from table.rules.events import StickPlaced
from table.rules.notation.event_notation import parse_events
from table.rules.penalties.consequence import Due, after_uma
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import final_standings
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import DeclaredResult, Deltas
from table.rules.terms.seats import Seat
from table.runtime.table_errors import RecordError
from tests.table.game.by_hand import draw, see, table_at, tell, win

NAMES = ("Ann", "Ben", "Cem", "Dora")
HOME = rules_named("home").ruleset
LATE_CHOMBO = LogFoul(seat=Seat.RIGHT, clause="7-05-01", facts=("offender_opened_hand",), hand=0)
THIRD_HAND = "start E2 dealer=1 scores=26500,26500,27700,19300 dora=1z; 1 discards 5m"


def late_foul(table: Table) -> None:
    """The chombo of the first hand is found after the second."""
    tell(table, draw(0, 1), win(2, 3, 3))
    table.handle(LATE_CHOMBO)


def late_foul_in_play(table: Table) -> None:
    """It is found while the third hand is played; the discarder is ronned."""
    tell(table, draw(0, 1), win(2, 3, 3))
    see(table, *parse_events(THIRD_HAND))
    table.handle(LATE_CHOMBO)
    tell(table, win(0, 1, 2))


def cancelled_foul(table: Table) -> None:
    """A chombo that ended the first hand is cancelled after the second."""
    see(
        table,
        *parse_events(
            "start E1 scores=25000,25000,25000,25000 dora=1z; 1 foul 7-05-01 facts=offender_opened_hand; confirm"
        ),
    )
    tell(table, win(2, 3, 3))
    table.handle(CancelFoul(foul=0, hand=0, reason="he had said nothing"))


def left_stick(table: Table) -> None:
    """Somebody must leave while sticks lie on the table."""
    tell(table, win(1, 3, 3), draw(0, 1, riichi=(0, 1)))


def corrected_before_a_late_foul_that_busts(table: Table, sticks: int = 0) -> None:
    """What was corrected after the last hand, before a foul in it was found that somebody cannot pay."""
    tell(table, win(0, 2, 8, None), win(1, 0, 1))
    points = (2000 - 1000 * sticks, -1000, 0, -1000)
    table.handle(AdjustPoints(points=points, sticks=sticks, hand=2, why="wrong stick"))
    table.handle(LogFoul(seat=Seat.FAR, clause="7-04-01", option="a", hand=1))
    assert table.state.is_over


def with_a_stick_that_lay_there(table: Table) -> None:
    corrected_before_a_late_foul_that_busts(table, sticks=1)


def penalty_won_from_the_pot(table: Table) -> None:
    """A penalty lies in the pot, which no record has, until somebody wins."""
    table.handle(LogFoul(seat=Seat.LEFT, clause="7-05-11"))
    tell(table, draw(0, 1), win(1, 2, 2))
    assert [sum(line.scores) for line in table.state.history] == [99000, 100000]


def penalty_left_in_the_pot(table: Table) -> None:
    """It lies there over several hands."""
    table.handle(LogFoul(seat=Seat.LEFT, clause="7-05-11"))
    tell(table, draw(0, 1), draw(0, 1))


CASES = [
    late_foul,
    late_foul_in_play,
    cancelled_foul,
    left_stick,
    corrected_before_a_late_foul_that_busts,
    with_a_stick_that_lay_there,
    penalty_won_from_the_pot,
    penalty_left_in_the_pot,
]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def play(path: Path, case: Callable[[Table], None], rules: Ruleset = HOME) -> GameRecord:
    """The record of a game that people end after these hands."""
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=NAMES, ruleset=rules))
        case(table)
        if not table.state.is_over:
            table.handle(EndGame(why="last train"))
        return record_of(games_of(journal.entries())[-1])


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_an_export_agrees_with_itself_and_ends_as_the_journal_does(
    journal: Path, case: Callable[[Table], None], style: str
) -> None:
    record = play(journal, case)
    for hand, following in zip(record.hands, record.hands[1:], strict=False):
        assert following.deal.scores == hand.scores
    with Journal(journal) as opened:
        game = game_history(games_of(opened.entries())[-1])
    assert [hand.scores for hand in record.hands] == [hand.scores for hand in game.state.history]
    again = read_game(as_text(record, style).encode(), "again")
    *hands, end = audit_game(again, log="again", ruleset=HOME)
    assert all(isinstance(each, AuditedHand) and not each.disagreements for each in hands)
    assert isinstance(end, AuditedEnd)
    assert (tuple(end.final), end.disagreements) == (game.state.scores, [])


@pytest.mark.parametrize("case", CASES)
def test_the_page_of_an_export_has_the_places_of_the_journals_page(
    journal: Path, tmp_path: Path, case: Callable[[Table], None], capsys: pytest.CaptureFixture[str]
) -> None:
    record = play(journal, case)
    with Journal(journal) as opened:
        rows = ranking_view(game_history(games_of(opened.entries())[-1]), catalogue())["rows"]
    export = tmp_path / "game.mjson"
    export.write_text(as_text(record, "mjai"), encoding="utf-8")
    assert main(["export", str(export), "--format", "html"]) == 0
    places = findall(r"<span>([^<]*)</span> <span>([^<]*)</span> <strong>([^<]*)</strong>", capsys.readouterr().out)
    assert places == [(row["name"], row["score"], row["points"]) for row in rows]


@pytest.mark.parametrize("case", CASES)
def test_a_stream_of_the_game_ends_with_the_points_of_its_export(journal: Path, case: Callable[[Table], None]) -> None:
    record = play(journal, case)
    with Journal(journal) as opened:
        streamed = LiveMjai().new_lines(games_of(opened.entries())[-1])
    assert points_in(streamed) == points_in(write_mjai(record))


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_a_stick_that_a_missing_hand_took_is_no_penalty_in_the_pot(journal: Path, style: str) -> None:
    record = play(journal, lambda table: tell(table, draw(0, 1, riichi=(1,)), win(2, 1, 3), draw(), draw()))
    first, _, *others = record.hands
    again = read_game(as_text(replace(record, hands=(first, *others)), style).encode(), "again")
    assert [hand.deal.deposits for hand in again.hands] == [0, 0, 0]
    assert [hand.deal.penalties for hand in again.hands] == [0, 0, 0]


@pytest.mark.parametrize("in_play", ["", "; 1 ron", "; 1 ron; 1 shows 234m567m34567p22s with 9m"])
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_a_hand_that_nobody_has_settled_or_valued_is_no_hand_of_an_export(style: str, in_play: str) -> None:
    with Journal(None) as opened:
        table = table_at(opened)
        table.handle(OpenGame(names=NAMES, ruleset=HOME))
        see(table, *parse_events(f"start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 9m{in_play}"))
        entries = games_of(opened.entries())[-1]
    assert not has_ended_hand(entries)
    with pytest.raises(RecordError, match="expected a record with a hand"):
        as_text(record_of(entries), style)


def entered_draw(*tenpai: int, nagashi: Sequence[int] = ()) -> Callable[[Table], None]:
    """Nobody saw the hand: people enter its draw."""
    result = read_result({"kind": "draw", "tenpai": list(tenpai), "nagashi": list(nagashi)})
    return lambda table: tell(table, result)


def seen_draw(statements: str, tile: str = "5p") -> Callable[[Table], None]:
    """The camera saw the hand, and people press who was tenpai."""
    events = f"start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards {tile}; draw; {statements}; confirm"
    return lambda table: see(table, *parse_events(events))


def seen(events: str) -> Callable[[Table], None]:
    """The camera saw the hand, and people press the rest."""
    return lambda table: see(table, *parse_events(f"start E1 scores=25000,25000,25000,25000 dora=1z; {events}"))


NINE_TERMINALS = read_result({"kind": "abort", "reason": "nine_terminals"})
SHOWN_WIN = "2 ron; 2 shows 234m567m34567p22s"
TWO_RONS = "0 discards 5p; 1 ron; 1 shows 234m567m34567p22s; 2 ron; 2 shows 345m678m34567p22s"
CHOMBO = "1 foul 7-04-01 option=a; confirm"
NOTEN = "0 noten; 1 noten; 2 noten; 3 noten"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (penalty_won_from_the_pot, (26500, 29800, 21200, 22500)),
        (seen(f"0 discards 5p; 1 foul 7-05-11 option=c; {SHOWN_WIN}; confirm"), (23000, 24000, 28000, 25000)),
        (seen_draw("1 foul 7-05-11 option=c; 0 tenpai; 1 noten; 2 noten; 3 noten"), (28000, 23000, 24000, 24000)),
    ],
)
def test_who_follows_the_stream_of_a_game_has_the_points_that_its_fouls_moved(
    journal: Path, case: Callable[[Table], None], expected: Deltas
) -> None:
    play(journal, case)
    with Journal(journal) as opened:
        streamed = LiveMjai().new_lines(games_of(opened.entries())[-1])
    follower, said = MjaiFollower(source="the table"), list[AnnouncementId]()
    for line in streamed:
        said += [logged.announcement.id for logged, _ in follower.announcements_after(json.dumps(line))]
    assert follower.state.scores == expected
    counts = [said.count(each) for each in (AnnouncementId.HAND_STARTED, AnnouncementId.SETTLEMENT_CONFIRMED)]
    assert counts == [len(follower.state.history)] * 2


def cancelled(case: Callable[[Table], None]) -> Callable[[Table], None]:
    """The foul of the first hand is cancelled after it."""

    def case_without_foul(table: Table) -> None:
        case(table)
        table.handle(CancelFoul(foul=0, hand=0, reason="misread"))

    return case_without_foul


def seen_before(result: DeclaredResult, acts: str) -> Callable[[Table], None]:
    """The camera saw the beginning of the hand, and people enter its end."""

    def case(table: Table) -> None:
        see(table, *parse_events(f"start E1 scores=25000,25000,25000,25000 dora=1z; {acts}"))
        tell(table, result)

    return case


@pytest.mark.parametrize(
    ("case", "rules"),
    [
        (entered_draw(nagashi=(0,)), HOME),
        (entered_draw(1, nagashi=(0, 2)), HOME),
        (entered_draw(0, nagashi=(0,)), HOME),
        (entered_draw(0, 1, 2, 3), HOME),
        (entered_draw(0, 1), HOME.but(dealer_repeat="win")),
        (seen_draw("0 tenpai; 2 tenpai"), HOME),
        (seen_draw("0 tenpai; 1 tenpai; 2 tenpai; 3 tenpai"), HOME),
        (seen_draw("0 noten; 1 noten; 2 noten; 3 noten", tile="9p"), HOME),
        (seen_draw("1 tenpai", tile="9p"), HOME),
        (seen_draw("0 shows 234m567m34567p22s; 1 shows 147m147p147s1234z"), HOME),
        (seen_draw("0 foul 7-04-01 option=f; 0 shows 234m567m34567p22s; 1 tenpai"), HOME),
        (seen_draw("1 tenpai; 0 foul 7-04-01 option=a; confirm", tile="9p"), HOME),
        (seen_draw("0 foul 7-04-01 option=f; 0 noten; 1 tenpai; 2 noten; 3 noten", tile="9p"), HOME),
        (seen(f"0 discards 9p; 1 discards 9s; 0 foul 7-04-01 option=f; draw; {NOTEN}; confirm"), HOME),
        (
            seen(f"0 discards 9p sideways; 0 stick; 1 discards 5s; 0 foul 7-04-01 option=f; draw; {NOTEN}; confirm"),
            HOME,
        ),
        (cancelled(seen_draw("1 tenpai; 0 foul 7-04-01 option=a; confirm", tile="9p")), HOME),
        (cancelled(seen_draw("0 foul 7-04-01 option=f; 0 tenpai; 1 noten; 2 noten; 3 noten")), HOME),
        (cancelled(seen_draw("0 foul 7-04-01 option=f; 0 tenpai; 1 noten", tile="9p")), HOME),
        (cancelled(seen(f"0 discards 5p; {SHOWN_WIN}; {CHOMBO}")), HOME),
        (cancelled(seen(f"0 discards 5p sideways; 1 discards 5p; {SHOWN_WIN}; {CHOMBO}")), HOME),
        (cancelled(seen("0 discards 5p; 1 tsumo han=3 fu=40; 2 foul 7-04-01 option=a; confirm")), HOME),
        (cancelled(seen(f"{TWO_RONS}; 1 foul 7-05-01 option=a; confirm")), HOME),
        (cancelled(seen(f"0 discards 9p; 1 discards 1m; abort nine_terminals; {CHOMBO}")), HOME),
        (seen_before(draw(0, 1, riichi=(0, 1)), "0 discards 5p sideways"), HOME),
        (
            seen_before(read_result({"kind": "draw", "nagashi": [1]}), "0 discards 5p; 1 discards 5m"),
            HOME,
        ),
        (seen_before(read_result({"kind": "abort", "reason": "four_winds"}), "0 discards 5p"), HOME),
        (seen_before(win(3, 3, 3), "0 discards 5p; 1 discards 6p"), HOME),
        (seen_before(win(1, 1, 3), "1 discards 5p; 3 discards 6p; 0 pon 6p from 3 with 66p"), HOME),
        (seen_before(draw(1), "0 discards 5p; 2 discards 6p; 3 foul 7-05-11"), HOME),
    ],
)
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_an_export_of_an_end_says_who_was_tenpai_and_who_deals_next(
    journal: Path, case: Callable[[Table], None], rules: Ruleset, style: str
) -> None:
    record = play(journal, case, rules)
    with Journal(journal) as opened:
        (ended,) = game_history(games_of(opened.entries())[-1]).state.history
    again = read_game(as_text(record, style).encode(), "again")
    (audited, _) = audit_game(again, log="again", ruleset=rules)
    assert isinstance(audited, AuditedHand)
    assert (audited.settlement, audited.disagreements) == (ended.settlement, [])


@pytest.mark.parametrize(
    ("case", "callers"),
    [
        (cancelled(seen(f"0 discards 9p; 1 discards 1m; abort nine_terminals; {CHOMBO}")), (2,)),
        (seen("0 discards 9p; 1 discards 1m; abort nine_terminals; confirm; confirm"), (2,)),
        (lambda table: tell(table, NINE_TERMINALS), ()),
        (seen_before(NINE_TERMINALS, "0 discards 9p; 1 discards 1m"), ()),
    ],
)
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_an_export_says_who_called_nine_terminals_if_that_was_seen(
    journal: Path, case: Callable[[Table], None], callers: tuple[int, ...], style: str
) -> None:
    record = play(journal, case)
    (again,) = read_game(as_text(record, style).encode(), "again").hands
    assert (record.hands[0].claimants, again.claimants) == (callers, callers)
    with Journal(journal) as opened:
        streamed = LiveMjai().new_lines(games_of(opened.entries())[-1])
    assert [line.get("actor") for line in streamed if line["type"] == "ryukyoku"] == list(callers or (None,))


@pytest.mark.parametrize(
    ("end", "last"),
    [
        ("1 discards 9m; 2 ron han=3 fu=30", None),
        ("1 discards 9m; 2 discards 9s sideways; 3 tsumo han=3 fu=30; confirm", 2),
        ("1 discards 9m; 2 foul 7-04-01 option=a", None),
    ],
)
def test_an_audit_compares_who_was_in_riichi_also_where_people_entered_the_end(
    journal: Path, end: str, last: int | None
) -> None:
    record = play(journal, seen(f"0 discards 5p sideways; 0 stick; {end}; confirm"))
    (hand,) = record.hands
    assert hand.is_entered
    for without, found in ((None, []), (last, []), (0, ["riichi"])):
        moves = tuple(move for move in hand.moves if getattr(move, "seat", None) != without or not is_acceptance(move))
        changed = replace(record, hands=(replace(hand, moves=moves),))
        audited, _ = audit_game(changed, log="changed")
        assert [each.fact for each in audited.disagreements] == found


def is_acceptance(move: Move) -> bool:
    return isinstance(move, StickPlaced | AcceptedWithoutStick)


@pytest.mark.parametrize("choices", [{"7-02": "a", "7-03": "a"}, {"7-02": "a", "7-03": "b"}, {}])
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_sticks_that_a_chombo_leaves_on_the_table_are_no_penalties_in_an_export(
    journal: Path, choices: dict[str, str], style: str
) -> None:
    home = rules_named("home")
    rules = replace(home, choices={**home.choices, **choices}).ruleset
    riichi = "0 discards 9m sideways; 0 stick; 1 discards 1p; 2 foul 7-05-11"

    def case(table: Table) -> None:
        seen(f"{riichi}; {CHOMBO}")(table)
        tell(table, draw(0))

    record = play(journal, case, rules)
    with Journal(journal) as opened:
        chombo, _ = game_history(games_of(opened.entries())[-1]).state.history
    audited, *_ = audit_game(read_game(as_text(record, style).encode(), "again"), log="again", ruleset=rules)
    assert isinstance(audited, AuditedHand)
    assert audited.settlement == chombo.settlement


def leader_lowered_by_a_chombo(table: Table) -> None:
    """A chombo in an earlier hand, which costs a place at the end (7-01-01)."""
    tell(table, win(0, 1, 6, None), win(0, 2, 6, None))
    table.handle(LogFoul(seat=Seat.NEAR, clause="7-04-01", option="a", hand=0))
    tell(table, win(3, 1, 1))


def leader_lowered_by_the_last_hand(table: Table) -> None:
    """A chombo that ends the last hand, and costs a place at the end (7-01-01)."""
    tell(table, win(0, 1, 6, None))
    see(table, *parse_events("start E1 scores=43000,7000,25000,25000 honba=1 dora=1z"))
    see(table, *parse_events("0 discards 5p; 0 foul 7-04-01 option=a; confirm"))


def leader_lowered_by_a_late_foul_in_the_last_hand(table: Table) -> None:
    """A chombo in the last hand that is found after it, and one in an earlier hand."""
    tell(table, win(0, 1, 6, None), draw(0))
    table.handle(LogFoul(seat=Seat.NEAR, clause="7-04-01", option="a", hand=1))
    table.handle(LogFoul(seat=Seat.RIGHT, clause="7-04-01", option="a", hand=0))


def leader_fined_after_the_last_hand(table: Table) -> None:
    """A foul in an earlier hand that is found after the last one."""
    tell(table, win(0, 1, 5, None))
    see(table, *parse_events("start E1 scores=37000,13000,25000,25000 honba=1 dora=1z; 0 discards 5m"))
    tell(table, win(3, 1, 1))
    table.handle(LogFoul(seat=Seat.NEAR, clause="7-08-04", option="c", hand=0))


@pytest.mark.parametrize(
    "case",
    [
        leader_lowered_by_a_chombo,
        leader_lowered_by_the_last_hand,
        leader_lowered_by_a_late_foul_in_the_last_hand,
        leader_fined_after_the_last_hand,
        seen(f"0 discards 5p; 1 foul 7-08-04 option=c; {SHOWN_WIN}; confirm"),
    ],
)
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_a_season_counts_the_places_and_comebacks_of_an_export_as_those_of_its_journal(
    journal: Path, case: Callable[[Table], None], style: str
) -> None:
    home = rules_named("home")
    rules = replace(home, choices={**home.choices, "7-01-01": "b"}).ruleset
    again = read_game(as_text(play(journal, case, rules), style).encode(), "again")
    with Journal(journal) as opened:
        expected = count_journal(games_of(opened.entries())[-1])
    counted = count_record(again, NAMES)
    assert counted.places == expected.places
    for name in NAMES:
        assert counted.tallies[name].shares["comebacks"] == expected.tallies[name].shares["comebacks"]


def ends_that_nobody_saw(table: Table) -> None:
    """The camera saw one discard of each hand, and people say how it ended."""
    aborts = [read_result({"kind": "abort", "reason": reason}) for reason in ("four_kans", "triple_ron", "four_winds")]
    for honba, end in enumerate((*aborts, draw(0, 1, riichi=(1,)))):
        see(table, *parse_events(f"start E1 scores=25000,25000,25000,25000 honba={honba} dora=1z; 0 discards 5m"))
        tell(table, end)


def test_an_mjai_export_has_the_ends_of_hands_as_people_told_them(journal: Path) -> None:
    record = play(journal, ends_that_nobody_saw)
    again = read_game(as_text(record, "mjai").encode(), "again")
    audited_hands = [each for each in audit_game(again, log="again") if isinstance(each, AuditedHand)]
    assert [each.settlement.reason for each in audited_hands] == [hand.reason for hand in record.hands]
    assert [each.is_checked or each.disagreements for each in audited_hands] == [[]] * 4
    with Journal(journal) as opened:
        expected = count_journal(games_of(opened.entries())[-1])
    assert count_record(again, again.names).places == expected.places


@pytest.mark.parametrize("first_dealer", [Seat.NEAR, Seat.FAR])
def test_a_stream_has_penalties_and_entered_riichi_at_the_seats_of_its_export(first_dealer: Seat) -> None:
    with Journal(None) as opened:
        table = table_at(opened)
        table.handle(OpenGame(names=NAMES, ruleset=rules_named("wrc-2025").ruleset, first_dealer=first_dealer))
        tell(table, draw(0, 1, riichi=(1,)), win(2, 3, 3))
        table.handle(LATE_CHOMBO)
        tell(table, win(2, 3, 3))
        table.handle(EndGame(why="last train"))
        entries = games_of(opened.entries())[-1]
    ends = {"entered_riichi", EARLIER, *FIELDS}
    streamed, exported = (
        [{name: value for name, value in line.items() if name in ends} for line in lines if ends & line.keys()]
        for lines in (LiveMjai().new_lines(entries), write_mjai(record_of(entries)))
    )
    assert streamed == exported
    assert set().union(*exported) == {"entered_riichi", EARLIER, "penalties_after_uma"}


def points_in(lines: Iterable[MjaiLine]) -> list[tuple[str, object, object]]:
    """The points of each line that has some, before or after its payments."""
    return [(line["type"], line.get("deltas"), line["scores"]) for line in lines if "scores" in line]


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_the_export_of_a_game_in_play_is_no_finished_game_but_has_its_penalties(style: str) -> None:
    rules = rules_named("wrc-2025").ruleset
    with Journal(None) as opened:
        table = table_at(opened)
        table.handle(OpenGame(names=NAMES, ruleset=rules))
        tell(table, win(0, 1, 3), draw(0, 1, riichi=(0, 1)))
        table.handle(LogFoul(seat=Seat.RIGHT, clause="7-04-01", option="a", hand=0))
        record, game = record_of(entries := games_of(opened.entries())[-1]), game_history(entries)
    again = replace(read_game(as_text(record, style).encode(), "again"), ruleset=rules)
    told = history_of(again, journal_of(again))
    assert (told.standings, told.state.is_over) == (game.standings, False)
    assert [len(hand.dues) for hand in told.state.history] == [1, 0]
    assert again.cut_short is not None
    with pytest.raises(RecordError, match="truncated"):
        count_record(again, again.names)


def test_the_hand_in_play_starts_with_the_points_that_a_late_foul_left() -> None:
    with Journal(None) as opened:
        table = table_at(opened)
        table.handle(OpenGame(names=NAMES, ruleset=HOME))
        tell(table, draw(0, 1), win(2, 3, 3))
        see(table, *parse_events(THIRD_HAND))
        table.handle(LATE_CHOMBO)
        assert table.state.live is not None
        starts = [
            line["scores"] for line in mjai_lines(games_of(opened.entries())[-1]) if line["type"] == "start_kyoku"
        ]
        assert starts[-1] == list(table.state.live.start.scores)
        assert starts[-1] != [26500, 26500, 27700, 19300]


def bust(table: Table) -> None:
    tell(table, win(2, 1, 13, None))


def bust_after_a_foul(table: Table) -> None:
    tell(table, draw(0, 1))
    table.handle(LATE_CHOMBO)
    bust(table)


def begun_later(table: Table) -> None:
    """People go on from the third hand, and end with equal points."""
    see(table, *parse_events("start E3 dealer=2 scores=25000,25000,25000,25000 dora=1z"))
    tell(table, draw())


@pytest.mark.parametrize(
    ("case", "rules"),
    [
        *((case, HOME) for case in CASES),
        (bust, HOME.but(bust_bonus=10000)),
        (begun_later, HOME),
    ],
)
def test_the_season_counts_an_export_as_its_journal(
    journal: Path, case: Callable[[Table], None], rules: Ruleset
) -> None:
    record = play(journal, case, rules)
    again = read_game(as_text(record, "mjai").encode(), "again")
    with Journal(journal) as opened:
        expected = count_journal(games_of(opened.entries())[-1])
    assert [place.result for place in expected.places] != []
    counted = count_record(again, again.names)
    assert counted.places == expected.places
    shares = {name: tally.shares["comebacks"] for name, tally in counted.tallies.items()}
    assert shares == {name: tally.shares["comebacks"] for name, tally in expected.tallies.items()}


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_an_export_carries_penalties_after_uma_and_the_season_counts_them(journal: Path, style: str) -> None:
    rules = rules_named("wrc-2025").ruleset
    record = play(journal, late_foul, rules)
    with Journal(journal) as opened:
        game = game_history(games_of(opened.entries())[-1])
    fines = after_uma([due for hand in game.state.history for due in hand.dues])
    assert any(fines)
    again = replace(read_game(as_text(record, style).encode(), "again"), ruleset=rules)
    expected, counted = count_game(game), count_record(again, again.names)
    assert counted.places == expected.places
    without = count_record(replace(again, dues=()), again.names)
    assert without.places != expected.places


def left_stick_after_a_foul(table: Table) -> None:
    left_stick(table)
    table.handle(LATE_CHOMBO)


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
@pytest.mark.parametrize(
    "case",
    [
        late_foul,
        late_foul_in_play,
        left_stick_after_a_foul,
        bust_after_a_foul,
        leader_lowered_by_a_chombo,
        leader_lowered_by_a_late_foul_in_the_last_hand,
    ],
)
def test_an_export_carries_what_fouls_cost_at_the_end(
    journal: Path, tmp_path: Path, case: Callable[[Table], None], style: str
) -> None:
    """7-01 k: the offender pays 12000 to the first place at the end, so no hand has these points."""
    home = rules_named("home")
    rules = replace(home, choices={**home.choices, "7-01": "k"}).ruleset
    record = play(journal, case, rules)
    with Journal(journal) as opened:
        state = game_history(games_of(opened.entries())[-1]).state
    assert state.scores == record.final != state.history[-1].scores
    path = tmp_path / "again.json"
    path.write_text(as_text(record, style), encoding="utf-8")
    again = replace(load_game(path), ruleset=rules)
    *_, end = audit_game(again, log="again")
    assert isinstance(end, AuditedEnd)
    assert (tuple(end.final), end.disagreements) == (state.scores, [])
    assert [place.points for place in count_record(again, again.names).places] == sorted(state.scores, reverse=True)
    told = history_of(again, journal_of(again)).state
    assert told.scores == state.scores
    assert [hand.dues for hand in told.history] == [late_dues(hand.dues) for hand in state.history]


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
@pytest.mark.parametrize(("op", "amount"), [(Op.AFTER_UMA, 20000), (Op.LOWER_RANK, 3)])
def test_the_page_of_an_export_ranks_by_the_penalties_that_it_carries(
    journal: Path, tmp_path: Path, op: Op, amount: int, style: str
) -> None:
    record = play(journal, left_stick, HOME)
    fined = replace(record, dues=(Due(seat=Seat.RIGHT, op=op, amount=amount),))
    path = tmp_path / "again.json"
    path.write_text(as_text(fined, style), encoding="utf-8")
    again = load_game(path)
    standings = final_standings(record.final or (0, 0, 0, 0), HOME, dues=fined.dues)
    assert standings != final_standings(record.final or (0, 0, 0, 0), HOME)
    expected = [(NAMES[seat], thousands(standings.points[seat])) for seat in standings.ranking]
    assert findall(r"<li>.*?(Ann|Ben|Cem|Dora).*?<strong>(.*?)</strong>", as_page(path, again, None)) == expected


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_whether_there_was_a_foul_is_not_known_of_an_exported_hand(journal: Path, style: str) -> None:
    record = play(journal, late_foul, HOME)
    with Journal(journal) as opened:
        expected = count_journal(games_of(opened.entries())[-1]).tallies
    assert sum(tally.shares["fouls"].hits for tally in expected.values()) == 1
    again = read_game(as_text(record, style).encode(), "again")
    tallies = count_record(again, again.names).tallies
    assert {name: tally.shares["fouls"] for name, tally in tallies.items()} == {
        name: Share(unknown=tally.hands) for name, tally in tallies.items()
    }


def test_places_lost_by_a_penalty_are_in_an_export_with_the_seat_that_lost_them() -> None:
    dues = (
        Due(seat=Seat.RIGHT, op=Op.LOWER_RANK, amount=2),
        Due(seat=Seat.RIGHT, op=Op.AFTER_UMA, amount=500),
        Due(seat=Seat.RIGHT, op=Op.AFTER_UMA, amount=500),
        Due(seat=Seat.LEFT, op=Op.CARD, detail="yellow day"),
    )
    fields = late_fields(late_dues(dues), list)
    assert fields == {"penalties_after_uma": [0, 1000, 0, 0], "places_lost": [0, 2, 0, 0]}
    assert dues_in(fields) == late_dues(dues)
    assert earlier_dues_in(fields) == ()
    assert earlier_dues_in(late_fields(late_dues(dues), list, earlier=late_dues(dues[:2]))) == late_dues(dues[:2])
    assert late_fields(late_dues(dues[3:]), list) == {}
    with pytest.raises(RecordError):
        dues_in({"places_lost": [1, 2, 3]})
    with pytest.raises(RecordError):
        earlier_dues_in({"before_last_hand": [0, 2, 0, 0]})
