from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from table.appliance.files.data_folder import SECRETS
from table.appliance.setup.owner_choices import FILE as CHOICES
from table.appliance.setup.setup_wizard import REHEARSAL_FILE
from table.camera.clips.clip_folder import MOMENT
from table.camera.table_place.table_calibration import CALIBRATION, DRAWN_CALIBRATION
from table.game.commands.game_commands import CancelFoul, EndGame, LogFoul, NameSeats, OpenGame
from table.game.journal.entries import Entry, Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up, restore
from table.game.live_table import Table
from table.records.format_detection import MOST_BYTES
from table.records.season.game_count import count_journal
from table.records.season.people import FILE as PEOPLE
from table.records.season.people import People, write_people
from table.records.season.season_export import season_csv, season_json
from table.records.season.season_figures import Season
from table.records.season.season_folder import read_season
from table.records.season.season_memory import FILE
from table.records.season.tally import BestHand, GameTally, better
from table.rulebook.play_presets import HOME
from table.rules.terms.seats import Seat
from table.runtime.access_point import FILE as ACCESS_POINT
from tests.endurance.power_cuts import table_at
from tests.table.game.by_hand import draw, tell, win
from tests.table.game.journal.played_games import PLAYERS, declared_game, write_games
from tests.table.records.selfplay import engine_files

ENVELOPE = Envelope(utc="2026-11-25T20:00:00.000+00:00", source=Source.TABLE)


def journal_of(path: Path, games: int, *, session: tuple[Entry, ...] = ()) -> Path:
    with Journal(path) as journal:
        write_games(journal, games, session=session or declared_game())
    return path


def season_in(folder: Path) -> Season:
    found = read_season(folder)
    assert (found.faults, found.notes) == ([], [])
    return found.season


def games_of(season: Season) -> dict[str, int]:
    return {person.name: len(person.games) for person in season.people}


def test_everybodys_games_of_a_folder_are_counted(tmp_path: Path) -> None:
    journal_of(tmp_path / "one.journal", 3)
    season = season_in(tmp_path)
    assert season.games == 3
    assert games_of(season) == dict.fromkeys(PLAYERS, 3)
    assert sum(person.result for person in season.people) == 0


def test_a_copy_of_a_journal_counts_nothing_twice(tmp_path: Path) -> None:
    journal_of(tmp_path / "table.journal", 2)
    (tmp_path / "copies").mkdir()
    shutil.copy(tmp_path / "table.journal", tmp_path / "copies" / "copy.journal")
    with Journal(tmp_path / "table.journal") as journal:
        write_games(journal, 1, session=declared_game())
    shutil.copy(tmp_path / "table.journal", tmp_path / "table-00000001-2026-01-01.backup")
    assert season_in(tmp_path).games == 3


def test_a_record_counts_once_though_two_files_hold_it(tmp_path: Path) -> None:
    record = engine_files(1)["tenhou6"]
    for folder in ("march", "march-again"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.json").write_bytes(record)
    found = read_season(tmp_path)
    assert found.season.games == 1
    assert found.notes == [
        f"{tmp_path / 'march-again' / 'game.json'} holds the same as {tmp_path / 'march' / 'game.json'}: "
        "its game counts once"
    ]
    (tmp_path / "march" / "game.json").rename(tmp_path / "renamed.json")
    again = read_season(tmp_path)
    assert (again.season.games, len(again.notes)) == (1, 1)


def test_a_packed_copy_of_a_record_is_the_same_game(tmp_path: Path) -> None:
    record = engine_files(1)["mjlog"]
    (tmp_path / "plain.xml").write_bytes(record)
    (tmp_path / "packed.mjlog").write_bytes(gzip.compress(record))
    assert read_season(tmp_path).notes == [
        f"{tmp_path / 'plain.xml'} holds the same as {tmp_path / 'packed.mjlog'}: its game counts once"
    ]


def played_evening(journal: Journal, games: int) -> Table:
    table = table_at(journal)
    for _ in range(games):
        table.handle(OpenGame(names=PLAYERS))
        while not table.state.is_over:
            tell(table, win(2, 1, 13, None))
    return table


def copy_journal(journal: Path, folder: Path) -> Path:
    folder.mkdir(parents=True)
    return Path(shutil.copy(journal, folder / "table.journal"))


def test_a_plain_copy_of_the_file_of_a_running_table_has_every_finished_game(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        table = played_evening(journal, 2)
        copy_journal(path, tmp_path / "finished")
        table.handle(OpenGame(names=PLAYERS))
        tell(table, draw())
        copy_journal(path, tmp_path / "playing")
    for name in ("finished", "playing"):
        assert games_of(season_in(tmp_path / name)) == dict.fromkeys(PLAYERS, 2)


@pytest.mark.parametrize("is_followed", [False, True])
def test_a_game_that_was_played_on_in_two_copies_counts_once_and_the_owner_is_told(
    tmp_path: Path, *, is_followed: bool
) -> None:
    path, copy = tmp_path / "z.journal", tmp_path / "copies" / "table.journal"
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, win(2, 1, 3))
    copy_journal(path, tmp_path / "copies")
    for each, hands in ((path, 3), (copy, 2)):
        with Journal(each) as journal:
            table = table_at(journal)
            tell(table, *[win(1, 0, 2)] * hands)
            if is_followed:
                table.handle(EndGame())
                table.handle(OpenGame())
    found = read_season(tmp_path)
    hands_played = {person.name: person.tally.hands for person in found.season.people}
    assert (games_of(found.season), hands_played) == (
        dict.fromkeys(PLAYERS, int(is_followed)),
        dict.fromkeys(PLAYERS, 4),
    )
    (note,) = found.notes
    assert note.index(str(path)) < note.index(str(copy))
    assert found.faults == []


def test_tables_whose_cards_were_copied_with_an_opened_game_play_different_games(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        table_at(journal)
    shutil.copy(tmp_path / "a.journal", tmp_path / "b.journal")
    for name, winner in (("a", 1), ("b", 2)):
        with Journal(tmp_path / f"{name}.journal") as journal:
            table = table_at(journal)
            table.handle(NameSeats(names=PLAYERS[:3] + (name,)))
            tell(table, win(winner, 0, 2))
    assert season_in(tmp_path).games == 2


def test_a_copy_without_any_entry_is_told_to_lack_its_log(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        journal.append(ENVELOPE, GameOpened(ruleset=HOME))
        copy_journal(path, tmp_path / "club")
    faults = read_season(tmp_path / "club").faults
    assert len(faults) == 1
    assert "got a file without entries" in faults[0]
    assert "-wal" in faults[0]


def test_of_a_tables_backups_only_the_newest_is_counted(tmp_path: Path) -> None:
    journal, club = tmp_path / "table.journal", tmp_path / "club"
    for games in (2, 1):
        journal_of(journal, games)
        back_up(journal, club / "backups", day="2026-11-25", keep=None)
    assert season_in(club).games == 3


def test_of_two_tables_that_share_a_stick_the_newest_backup_of_each_is_counted(tmp_path: Path) -> None:
    for hour, games in ((18, (2, 1)), (19, (1, 1))):
        journal = tmp_path / str(hour) / "table.journal"
        journal.parent.mkdir()
        with Journal(journal) as opened_journal:
            opened_journal.append(replace(ENVELOPE, utc=f"2026-11-25T{hour}:00:00.000+00:00"), GameOpened(ruleset=HOME))
        for more in games:
            journal_of(journal, more)
            back_up(journal, tmp_path / "stick", day="2026-11-25", keep=None)
    assert season_in(tmp_path / "stick").games == 5


@pytest.mark.parametrize(("newer", "older"), [("a", "z"), ("z", "a")])
def test_a_game_counted_from_a_newer_copy_is_not_counted_again_from_an_older_one(
    tmp_path: Path, newer: str, older: str
) -> None:
    journal, club = tmp_path / "table.journal", tmp_path / "club"
    old = copy_journal(journal_of(journal, 1), tmp_path / "old")
    copy_journal(journal_of(journal, 1), club / newer)
    before = season_in(club)
    copy_journal(old, club / older)
    assert season_in(club) == before
    (club / FILE).unlink()
    assert season_in(club) == before


def test_a_journal_that_the_owner_gave_up_is_not_counted(tmp_path: Path) -> None:
    journal = journal_of(tmp_path / "table.journal", 1)
    backup = back_up(journal, tmp_path / "backups", day="2026-11-25", keep=None)
    journal_of(journal, 2)
    restore(backup, journal, stamp="2026-11-26T090000")
    assert season_in(tmp_path).games == 1


def test_the_tables_own_files_are_not_taken_for_games(tmp_path: Path) -> None:
    journal_of(tmp_path / "table.journal", 1)
    (tmp_path / "clip").mkdir()
    other_files = (SECRETS, CHOICES, REHEARSAL_FILE, CALIBRATION, DRAWN_CALIBRATION, ACCESS_POINT)
    for name in (*other_files, f"clip/{MOMENT}"):
        (tmp_path / name).write_text('{"key": "9335"}', encoding="utf-8")
    assert season_in(tmp_path).games == 1


def test_the_truth_of_a_recording_is_no_game(tmp_path: Path) -> None:
    journal_of(tmp_path / "table.journal", 1)
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "recording.toml").touch()
    (tmp_path / "film" / "truth.mjson").write_text('{"type": "start_game"}\n', encoding="utf-8")
    found = read_season(tmp_path)
    assert (found.season.games, found.faults) == (1, [])


def test_of_an_object_that_is_no_game_no_value_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"key": "9335"}', encoding="utf-8")
    (tmp_path / "line.json").write_text('{"type": "account", "key": "9335"}', encoding="utf-8")
    (tmp_path / "list.json").write_text('["9335"]', encoding="utf-8")
    (tmp_path / "torn.json").write_text('{"key": "9335"', encoding="utf-8")
    faults = read_season(tmp_path).faults
    assert len(faults) == 4
    assert "9335" not in "".join(faults)
    assert "got another object" in "".join(faults)
    assert "key" not in "".join(faults)


def test_of_equal_wins_the_one_counted_first_is_the_best_hand() -> None:
    first, second, dearer = (
        BestHand(points=points, han=4, fu=30, yakuman=0, yaku=(), utc="", hand=hand)
        for points, hand in ((7700, 6), (7700, 2), (8000, 9))
    )
    assert better(first, second) is first
    assert better(first, dearer) is dearer


def test_two_tables_of_a_club_are_one_season(tmp_path: Path) -> None:
    journal_of(tmp_path / "one.journal", 2)
    (tmp_path / "other").mkdir()
    journal_of(tmp_path / "other" / "two.journal", 1, session=declared_game(loser=3))
    assert games_of(season_in(tmp_path)) == dict.fromkeys(PLAYERS, 3)


def test_a_game_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal_of(tmp_path / "table.journal", 3)
    before = season_in(tmp_path)
    read: list[int] = []

    def counting(entries: Sequence[Entry]) -> GameTally:
        read.append(entries[0].number)
        return count_journal(entries)

    monkeypatch.setattr("table.records.season.season_folder.count_journal", counting)
    assert season_in(tmp_path) == before
    assert read == []
    with Journal(tmp_path / "table.journal") as journal:
        write_games(journal, 1, session=declared_game())
    assert season_in(tmp_path).games == 4
    assert len(read) == 2  # the new one, and the one before, which was still open to amendments


def test_a_memory_that_is_torn_or_of_other_games_is_not_believed(tmp_path: Path) -> None:
    journal_of(tmp_path / "table.journal", 2)
    before = season_in(tmp_path)
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole[:-20])
    assert season_in(tmp_path) == before
    (tmp_path / FILE).write_bytes(whole.replace(b"Aoi", b"Zoe"))
    assert season_in(tmp_path) == before
    (tmp_path / "table.journal").unlink()
    journal_of(tmp_path / "other.journal", 2, session=declared_game(loser=3))
    assert season_in(tmp_path).games == 2


def test_people_and_guests_of_the_folder_count(tmp_path: Path) -> None:
    journal_of(tmp_path / "table.journal", 1)
    write_people(tmp_path / PEOPLE, People().renamed("Aoi", "Aoi Sato").with_guest("Ben"))
    season = season_in(tmp_path)
    assert sorted(games_of(season)) == ["Aoi Sato", "Chie", "Dan"]
    assert "Ben" not in season_csv(season) + json.dumps(season_json(season))


UNREADABLE = ("broken.journal", "broken.mjlog", "large.mjlog")


def test_what_cannot_be_read_is_named_and_the_rest_counts(tmp_path: Path) -> None:
    journal_of(tmp_path / "table.journal", 1)
    (tmp_path / "broken.journal").write_bytes(b"SQLite format 3\x00" + bytes(200))
    (tmp_path / "broken.mjlog").write_text("no game", encoding="utf-8")
    (tmp_path / "large.mjlog").write_bytes(bytes(MOST_BYTES + 1))
    (tmp_path / "notes.txt").write_text("no game either", encoding="utf-8")
    found = read_season(tmp_path)
    assert found.season.games == 1
    assert sorted(name for text in found.faults for name in UNREADABLE if name in text) == [*UNREADABLE]


def test_a_hand_that_people_kept_leaves_unknown_what_nobody_saw(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, win(0, 1, 3))
        tell(table, draw(0, 1))
    aoi, ben = (next(person for person in season_in(tmp_path).people if person.name == name) for name in PLAYERS[:2])
    assert (aoi.rate_of("wins").hits, aoi.rate_of("wins").of) == (1, 2)
    assert (ben.rate_of("deal_ins").hits, ben.tally.turns_unknown) == (1, 1)
    assert (aoi.rate_of("tenpai").hits, aoi.rate_of("tenpai").of) == (1, 1)
    assert (aoi.rate_of("calls").value, aoi.rate_of("calls").unknown) == (None, 2)
    assert (aoi.rate_of("riichi").value, aoi.rate_of("riichi").of) == (0.0, 2)
    assert aoi.best is not None
    assert aoi.best.tiles == ""
    assert aoi.games == []
    assert aoi.mean_of("place").value is None


def test_a_win_in_riichi_that_people_kept_leaves_its_yaku_and_its_turn_unknown(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, win(0, 1, 3, riichi=(0,)))
    aoi = next(person for person in season_in(tmp_path).people if person.name == PLAYERS[0])
    assert (aoi.rate_of("riichi").hits, aoi.rate_of("riichi").of) == (1, 1)
    for name in ("ippatsu", "ura", "furiten_riichi"):
        assert (aoi.rate_of(name).value, aoi.rate_of(name).of, aoi.rate_of(name).unknown) == (None, 0, 1)
    assert (aoi.mean_of("riichi_turn").value, aoi.mean_of("riichi_turn").unknown) == (None, 1)


def test_the_average_of_two_wins_lies_above_nothing_at_all(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, win(0, 1, 1), win(0, 1, 13, None))
    aoi = next(person for person in season_in(tmp_path).people if person.name == PLAYERS[0])
    interval = aoi.mean_of("win_value").interval
    assert interval is not None
    assert interval[0] == 0


def test_a_foul_counts_once_a_hand_until_it_is_cancelled(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        for clause in ("7-05-01", "7-05-01"):
            table.handle(LogFoul(seat=Seat.RIGHT, clause=clause))
        table.handle(LogFoul(seat=Seat.FAR, clause="7-05-01"))
        table.handle(CancelFoul(foul=2))
        tell(table, draw(0), draw(0))
    fouls = {person.name: person.rate_of("fouls") for person in season_in(tmp_path).people}
    assert {name: (rate.hits, rate.of) for name, rate in fouls.items()} == {
        "Aoi": (0, 2),
        "Ben": (1, 2),
        "Chie": (0, 2),
        "Dan": (0, 2),
    }
