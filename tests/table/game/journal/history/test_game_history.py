from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.journal.entries import (
    Body,
    Corrected,
    Entry,
    Envelope,
    GameOpened,
    QuestionAsked,
    Reseated,
    Source,
    Undone,
)
from table.game.journal.history.game_history import game_history, games_of
from table.game.journal.history.game_summary import figures_of
from table.rules.events import Discarded, FoulLogged, GameEnded, HandStarted, ResultDeclared
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import DeclaredResult, DeclaredWin, ResultKind
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile

OPENING = GameOpened(ruleset=Ruleset(), names=("Aoi", "Ben", "Chie", "Dan"))
START = HandStarted(round=Round.parse("E1"), dealer=Seat.NEAR, scores=(25000,) * 4)
DRAW = ResultDeclared(result=DeclaredResult(kind=ResultKind.DRAW))
YAKUMAN = DeclaredWin(seat=Seat.FAR, from_seat=Seat.NEAR, yakuman=1)
DISCARD = Discarded(seat=Seat.NEAR, tile=Tile("1m"))


def journal(*bodies: Body) -> list[Entry]:
    """Every entry a minute after the one before, each a person's act of its own."""
    return [
        Entry(
            number=number,
            envelope=Envelope(
                utc=f"2026-11-20T20:{number:02}:00.000+00:00",
                source=Source.PRESS,
                act=None if isinstance(body, GameOpened | Undone) else number,
            ),
            body=body,
        )
        for number, body in enumerate(bodies, 1)
    ]


def test_a_journal_is_split_into_its_games() -> None:
    games = games_of(journal(OPENING, DRAW, OPENING, DRAW, DRAW))
    assert [len(game) for game in games] == [2, 3]
    assert [game_history(game).number for game in games] == [1, 3]
    assert games_of([]) == []


def test_equal_scores_rank_from_the_dealer_whom_the_first_deal_showed() -> None:
    dealt_elsewhere = replace(START, dealer=Seat.FAR)
    found = game_history(journal(OPENING, dealt_elsewhere, DRAW, GameEnded()))
    assert found.state.ranking[0] is Seat.FAR
    assert found.standings.ranking == found.state.ranking


def test_a_chronicle_has_names_scores_and_how_long_each_hand_took() -> None:
    found = game_history(journal(OPENING, DRAW, START, DISCARD, DRAW))
    assert found.names == ("Aoi", "Ben", "Chie", "Dan")
    assert len(found.state.history) == 2
    assert found.seconds == (60.0, 180.0)
    assert found.utc.startswith("2026-11-20T20:01")


def test_a_hand_during_which_the_clock_was_set_took_unknown_time() -> None:
    entries = journal(OPENING, DRAW, DRAW, DRAW)
    days = (0, 0, 7, 3)
    shifted_entries = [
        replace(entry, envelope=replace(entry.envelope, utc=entry.envelope.utc.replace("-11-20", f"-11-{20 + day}")))
        for entry, day in zip(entries, days, strict=True)
    ]
    found = game_history(shifted_entries)
    assert found.seconds == (60.0, 0.0, 0.0)
    assert (figures_of(found).seconds, figures_of(found).timed_hands) == (60.0, 1)


def test_it_counts_what_people_had_to_do() -> None:
    correction = Corrected(entry=3, event=Discarded(seat=Seat.NEAR, tile=Tile("2m")))
    foul = FoulLogged(seat=Seat.RIGHT, clause="7-05-01")
    found = game_history(journal(OPENING, START, DISCARD, correction, foul, DRAW, DRAW, Undone(act=7)))
    assert (found.acts, found.corrected, found.undone, found.fouls) == (7, 1, 1, 1)
    assert len(found.state.history) == 1


def test_standings_have_uma_and_oka_and_follow_the_players_to_their_seats() -> None:
    won = ResultDeclared(result=DeclaredResult(kind=ResultKind.RON, wins=(YAKUMAN,)))
    order = Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT
    found = game_history(journal(OPENING, won, Reseated(order=order, moves_results=True)))
    assert found.names == ("Ben", "Aoi", "Chie", "Dan")
    assert found.standings.ranking[0] is Seat.FAR
    assert sum(found.standings.points) == 0


def test_entries_without_an_opening_are_refused() -> None:
    with pytest.raises(TypeError, match="begins with its rules"):
        game_history(journal(DRAW))


def test_questions_are_counted_and_those_answered_in_play_are_interruptions() -> None:
    read_right, misread = Corrected(entry=3, event=DISCARD), Corrected(entry=3, event=replace(DISCARD, tile=Tile("9m")))
    doubt = QuestionAsked(id=AnnouncementId.DOUBT, entry=3)
    counts = [
        (found.asked, found.interruptions, found.needless)
        for answers in ((), (doubt,), (doubt, misread), (doubt, read_right), (doubt, doubt, misread), (misread, doubt))
        for found in [game_history(journal(OPENING, START, DISCARD, *answers))]
    ]
    assert counts == [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 1, 0), (1, 0, 0)]


def test_a_discard_that_the_rules_missed_is_a_question_too() -> None:
    found = game_history(journal(OPENING, START, DISCARD, replace(DISCARD, seat=Seat.FAR)))
    assert (found.asked, found.interruptions) == (1, 0)
