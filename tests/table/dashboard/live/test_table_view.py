from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from table.dashboard.live.news_view import NEWS
from table.dashboard.live.table_view import meld_view
from table.game.commands.foul_vote import FoulProposal
from table.game.journal.fold import LoggedAnnouncement, Status
from table.game.snapshot import CameraHealth, Doubt, Mode
from table.i18n import signed
from table.rulebook.play_presets import HOME
from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events
from table.rules.state import (
    FinishedHand,
    HandState,
    Ippatsu,
    LaidKind,
    LaidTile,
    Phase,
    Riichi,
    RiichiStage,
    RiverTile,
)
from table.rules.terms.announcements import Announcement, AnnouncementId, Scope
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.table.dashboard.live.viewed_hands import ENGLISH, GAME, HAND, NONE_RIICHI, RON, START, by_seat, view
from tests.table.rules.fouls.fouled_hands import at
from vision.felt import Felt


def river(seat: Seat, *tiles: RiverTile, **fields: Any) -> HandState:
    rivers = [(), (), (), ()] if not tiles else [tiles if each == seat else () for each in Seat]
    return replace(HAND, rivers=tuple(rivers), discards=sum(map(len, rivers)), **fields)


def river_tile(text: str, index: int, **fields: Any) -> RiverTile:
    return RiverTile(tile=Tile(text), discard_number=index, **fields)


def log_line(
    saying: str, *, scope: str = "public", seat: int | None = 1, status: str = "new", **args: Any
) -> LoggedAnnouncement:
    place = None if seat is None else Seat(seat)
    announcement = Announcement(id=AnnouncementId(saying), scope=Scope(scope), seat=place, args=args, rule="R40")
    return LoggedAnnouncement(key="k", announcement=announcement, cause=(4,), frame=3, status=Status(status))


def test_a_view_is_plain_json() -> None:
    table = view(river(Seat.NEAR, river_tile("0p", 0)), announcements=(log_line("ippatsu_open"),))
    assert json.loads(json.dumps(table)) == table


def test_before_the_first_hand_the_table_is_empty() -> None:
    table = view(None)
    assert table["centre"] == {
        "round": None, "honba": 0, "deposits": 1, "penalties": 0, "penalties_text": "0",
        "left": None, "dora": [], "live": False,
    }  # fmt: skip
    assert [seat["river"] for seat in table["seats"]] == [[], [], [], []]


def test_the_centre_tells_round_counters_sticks_tiles_left_and_dora() -> None:
    centre = view(replace(HAND, tiles_left=41, dora_indicators=(Tile("4p"),)))["centre"]
    assert (centre["round"], centre["honba"], centre["deposits"], centre["left"]) == ("East 2", 2, 1, 41)
    assert centre["dora"] == [{"face": "4p", "name": "4 pin"}]


def test_between_hands_the_next_one_is_named() -> None:
    game = replace(GAME, next_start=replace(START, round=Round.parse("E3")))
    assert view(None, game=game)["centre"]["round"] == "East 3"


def test_seats_have_the_winds_of_the_hand_and_the_dealer_is_east() -> None:
    seats = view()["seats"]
    assert [seat["name"] for seat in seats] == ["North", "East", "South", "West"]
    assert [seat["wind"] for seat in seats] == ["4z", "1z", "2z", "3z"]
    assert [seat["is_dealer"] for seat in seats] == [False, True, False, False]


def test_scores_are_written_with_thousands_apart() -> None:
    assert view()["seats"][0]["score_text"] == "20,000"


@pytest.mark.parametrize(("points", "text"), [(12000, "+12,000"), (0, "0"), (-1500, "−1,500")])
def test_changes_have_a_sign(points: int, text: str) -> None:
    assert signed(points) == text


def test_a_sideways_tile_lies_sideways_and_says_so() -> None:
    (tile,) = view(river(Seat.FAR, river_tile("5z", 0, sideways=True)))["seats"][2]["river"]
    assert tile["sideways"]
    assert tile["name"] == "white dragon, sideways"


def test_a_called_tile_has_left_its_river() -> None:
    hand = river(Seat.FAR, river_tile("5z", 0, called_by=Seat.NEAR), river_tile("1m", 1))
    assert [tile["face"] for tile in view(hand)["seats"][2]["river"]] == ["1m"]


def test_only_the_last_discard_of_all_is_marked_as_the_last() -> None:
    hand = river(Seat.FAR, river_tile("5z", 0), river_tile("1m", 1))
    assert [tile["is_last"] for tile in view(hand)["seats"][2]["river"]] == [False, True]


def test_a_doubtful_and_an_unread_tile_are_marked() -> None:
    hand = river(Seat.FAR, river_tile("6m", 0), river_tile("?", 1), river_tile("1m", 2))
    doubt = Doubt(seat=Seat.FAR, discard=0, tile="6m", alternatives=(("9m", 0.2), ("?", 0.1)))
    table = view(hand, doubts=(doubt,))
    assert [tile["is_doubtful"] for tile in table["seats"][2]["river"]] == [True, True, False]
    assert table["seats"][2]["river"][1]["face"] == "unread"


def test_a_doubt_offers_its_reading_first_and_then_the_alternatives() -> None:
    doubt = Doubt(seat=Seat.FAR, discard=4, tile="6m", alternatives=(("9m", 0.2), ("6m", 0.7), ("?", 0.1)))
    (question,) = view(river(Seat.FAR, river_tile("1m", 0), river_tile("6m", 4)), doubts=(doubt,))["doubts"]
    assert question["discard"] == 4
    assert question["text"] == "South’s discard 2: 6 man?"
    assert [choice["to"] for choice in question["choices"]] == ["6m", "9m"]


def test_a_doubt_about_a_tile_that_could_not_be_read_asks_which_it_is() -> None:
    doubt = Doubt(seat=Seat.FAR, discard=4, tile="?", alternatives=(("9m", 0.2),))
    (question,) = view(river(Seat.FAR, river_tile("1m", 0), river_tile("?", 4)), doubts=(doubt,))["doubts"]
    assert question["text"] == "South’s discard 2: which tile is it?"
    assert [choice["to"] for choice in question["choices"]] == ["9m"]


@pytest.mark.parametrize(
    ("riichi", "ippatsu", "kinds"),
    [
        (NONE_RIICHI, Ippatsu.NONE, []),
        (Riichi(stage=RiichiStage.DECLARED), Ippatsu.NONE, ["declared"]),
        (Riichi(stage=RiichiStage.VOID), Ippatsu.NONE, []),
        (Riichi(stage=RiichiStage.ACCEPTED), Ippatsu.OPEN, ["riichi", "ippatsu"]),
        (Riichi(stage=RiichiStage.ACCEPTED), Ippatsu.LAST_CHANCE, ["riichi", "ippatsu_last"]),
        (Riichi(stage=RiichiStage.ACCEPTED), Ippatsu.CLOSED, ["riichi"]),
    ],
)
def test_badges_follow_riichi_and_its_ippatsu_window(riichi: Riichi, ippatsu: Ippatsu, kinds: list[str]) -> None:
    hand = replace(
        HAND, riichi=by_seat(Seat.LEFT, riichi, NONE_RIICHI), ippatsu=by_seat(Seat.LEFT, ippatsu, Ippatsu.NONE)
    )
    assert [badge["kind"] for badge in view(hand)["seats"][3]["badges"]] == kinds


def test_a_dead_hand_has_no_badge_of_ippatsu() -> None:
    hand = at("0 discards 9m; 1 discards 5z sideways; 1 stick; 1 foul 7-04-01").hand
    assert [badge["kind"] for badge in view(hand)["seats"][1]["badges"]] == ["riichi"]


def test_a_hand_that_ends_without_a_win_has_no_badge_of_ippatsu() -> None:
    hand = at("0 discards 9m; 1 discards 5z sideways; 1 stick; draw").hand
    assert [badge["kind"] for badge in view(hand)["seats"][1]["badges"]] == ["riichi"]


def test_a_double_riichi_is_named() -> None:
    hand = replace(HAND, riichi=(Riichi(stage=RiichiStage.ACCEPTED, is_double=True), *(NONE_RIICHI,) * 3))
    assert view(hand)["seats"][0]["badges"] == [{"kind": "riichi", "text": "Double riichi"}]


def test_a_stick_is_shown_where_it_lies_and_where_it_is_charged() -> None:
    with_stick = replace(HAND, sticks=by_seat(Seat.NEAR, True, False))
    charged = replace(HAND, riichi=by_seat(Seat.NEAR, Riichi(stage=RiichiStage.ACCEPTED), NONE_RIICHI))
    for hand in (with_stick, charged):
        assert [seat["stick"] for seat in view(hand)["seats"]] == [True, False, False, False]


def turns(hand: HandState, **fields: Any) -> list[int]:
    return [seat["seat"] for seat in view(hand, **{"felt": Felt(), **fields})["seats"] if seat["turn"]]


@pytest.mark.parametrize("phase", list(Phase))
def test_whose_turn_it_is_shows_only_while_the_hand_is_played(phase: Phase) -> None:
    playing = replace(HAND, turn=Seat.FAR, phase=phase)
    assert turns(playing) == ([2] if phase is Phase.PLAY else [])


def laid_by(seat: Seat, kind: LaidKind = LaidKind.DISCARD, tiles_left: int = 20) -> HandState:
    windows = (Ippatsu.NONE,) * 4
    last = LaidTile(
        tile=Tile("1m"), seat=seat, kind=kind, laid_index=0, ippatsu=windows, tiles_left_without_fouls=tiles_left
    )
    return replace(HAND, claimable_tile=last, laid_tiles=(last,))


def test_after_a_discard_it_is_the_next_seats_turn_unless_somebody_calls_it() -> None:
    assert turns(laid_by(Seat.LEFT)) == [0]
    assert turns(replace(laid_by(Seat.LEFT), turn=Seat.FAR, claimable_tile=None)) == [2]


def test_after_a_kan_it_is_still_the_turn_of_who_made_it() -> None:
    assert turns(laid_by(Seat.LEFT, LaidKind.ADDED_KAN)) == [3]


def test_nobody_is_said_to_be_in_turn_after_the_last_discard() -> None:
    assert turns(laid_by(Seat.LEFT, tiles_left=0)) == []


def test_no_turn_is_claimed_where_no_camera_follows_the_discards() -> None:
    assert turns(replace(HAND, turn=Seat.FAR), felt=None) == []
    assert turns(replace(HAND, turn=Seat.FAR), camera=CameraHealth.LOST) == []


NAMES = ("Jo", "さくら", "Alexander", "")


def test_whoever_has_a_name_is_called_by_it_and_others_by_their_wind() -> None:
    doubt = Doubt(seat=Seat.FAR, discard=4, tile="6m")
    announced = (log_line("ippatsu_open", seat=2), log_line("ippatsu_open", seat=3))
    hand = river(Seat.FAR, river_tile("1m", 0), river_tile("6m", 4))
    table = view(hand, names=NAMES, doubts=(doubt,), announcements=announced)
    assert [line["text"] for line in table["news"]] == ["West can win by ippatsu.", "Alexander can win by ippatsu."]
    assert table["doubts"][0]["text"] == "Alexander’s discard 2: 6 man?"
    assert [seat["labels"]["melds"] for seat in table["seats"]][2:] == ["Alexander’s melds", "West’s melds"]


def test_a_foul_that_waits_for_an_answer_names_the_seat_as_in_its_own_hand() -> None:
    game = new_game(HOME)
    for event in parse_events("start E1 scores=25000,25000,25000,25000; told ron win0=1:2:3:30:0::"):
        game = advance(game, event, HOME).state

    def question(hand: int | None, former_name: str = "") -> str:
        people = ("", former_name, "", "")
        proposal = FoulProposal(seat=Seat.RIGHT, hand=hand)
        text: str = view(None, game=game, proposal=proposal, hand_names=(people,))["foul_asked"]
        return text

    assert question(None) == question(1) == "A foul reported for East waits for an answer"
    assert question(0) == "A foul reported for South waits for an answer"
    assert question(0, "Ben") == "A foul reported for Ben waits for an answer"


def test_an_announcement_tells_the_seat_that_it_is_about() -> None:
    lines = view(announcements=(log_line("ippatsu_open", seat=2), log_line("kan_count", seat=None, count=1)))["news"]
    assert [line["seat"] for line in lines] == [None, 2]


@pytest.mark.parametrize(
    ("hand", "possible"),
    [
        (None, []),
        (HAND, ["tsumo", "draw"]),
        (laid_by(Seat.LEFT), ["ron", "tsumo", "draw"]),
        (replace(HAND, phase=Phase.ENDING), ["confirm"]),
    ],
)
def test_only_what_can_be_claimed_now_is_offered(hand: HandState | None, possible: list[str]) -> None:
    assert view(hand)["presses"] == possible


def faces(meld: Meld, owner: Seat = Seat.NEAR) -> list[str]:
    return [tile["face"] + ("*" if tile["sideways"] else "") for tile in meld_view(meld, owner, ENGLISH)["tiles"]]


@pytest.mark.parametrize(
    ("from_seat", "faces_shown"),
    [(Seat.LEFT, ["5z*", "5z", "5z"]), (Seat.FAR, ["5z", "5z*", "5z"]), (Seat.RIGHT, ["5z", "5z", "5z*"])],
)
def test_the_turned_tile_of_a_pon_points_at_the_discarder(from_seat: Seat, faces_shown: list[str]) -> None:
    meld = Meld(kind=MeldKind.PON, tiles=parse_tiles("555z"), called=Tile("5z"), from_seat=from_seat)
    assert faces(meld) == faces_shown


def test_the_called_tile_of_a_chi_lies_left_of_the_own_two() -> None:
    meld = Meld(kind=MeldKind.CHI, tiles=parse_tiles("406s"), called=Tile("6s"), from_seat=Seat.LEFT)
    assert faces(meld) == ["6s*", "4s", "0s"]


def test_an_open_kan_from_the_right_is_turned_at_its_right_end() -> None:
    meld = Meld(kind=MeldKind.OPEN_KAN, tiles=parse_tiles("1111m"), called=Tile("1m"), from_seat=Seat.FAR)
    assert faces(meld, Seat.RIGHT) == ["1m", "1m", "1m", "1m*"]


def test_a_closed_kan_shows_its_red_five_between_two_backs() -> None:
    meld = Meld(kind=MeldKind.CLOSED_KAN, tiles=parse_tiles("5055p"))
    assert faces(meld) == ["back", "0p", "5p", "back"]


def test_the_tile_of_an_added_kan_lies_on_the_turned_one() -> None:
    meld = Meld(kind=MeldKind.ADDED_KAN, tiles=parse_tiles("5550m"), called=Tile("5m"), from_seat=Seat.FAR)
    kan = meld_view(meld, Seat.NEAR, ENGLISH)
    assert faces(meld) == ["5m", "5m*", "5m"]
    assert kan["added"]["face"] == "0m"


def test_only_public_announcements_reach_the_common_page() -> None:
    everything = [log_line("ippatsu_open", scope=scope) for scope in ("public", "private", "verdict", "staff")]
    assert [line["text"] for line in view(announcements=tuple(everything))["news"]] == ["East can win by ippatsu."]


def test_the_newest_announcements_come_first_and_old_ones_are_left_out() -> None:
    many = tuple(log_line("kan_count", count=count) for count in range(NEWS + 3))
    news = view(announcements=many)["news"]
    assert len(news) == NEWS
    assert news[0]["text"] == f"Kans so far: {NEWS + 2}."


def test_a_withdrawn_announcement_says_so() -> None:
    (line,) = view(announcements=(log_line("ippatsu_open", status="withdrawn"),))["news"]
    assert line["text"] == "Withdrawn: East can win by ippatsu."


def test_an_announcement_tells_what_it_rests_on() -> None:
    (line,) = view(announcements=(log_line("ippatsu_open"),))["news"]
    assert line["why"] == "Rule R40 · entries 4 · picture 3"


def test_an_announcement_without_its_argument_does_not_stop_the_page() -> None:
    (line,) = view(announcements=(log_line("kan_count"),))["news"]
    assert line["text"] == "kan count"


def test_questions_and_fouls_are_shown_but_not_read_out() -> None:
    doubt, withdrawn = log_line("doubt", tile="6m"), log_line("ippatsu_open", status="withdrawn")
    announcements = log_line("ippatsu_open"), replace(doubt, key="d"), replace(withdrawn, key="w")
    lines = view(announcements=announcements)["news"]
    assert [line["aloud"] for line in lines] == [False, False, True]


def test_a_tournament_table_may_not_speak() -> None:
    assert [view(mode=mode)["may_speak"] for mode in Mode] == [True, True, False]


def test_a_settlement_confirmed_at_once_is_told_in_one_line() -> None:
    args: dict[str, Any] = {"seat": None, "kind": "ron", "deltas": [-1000, 1000, 0, 0]}
    both = (log_line("settlement_proposed", **args), log_line("settlement_confirmed", **args))
    assert [line["id"] for line in view(announcements=both)["news"]] == ["settlement_confirmed"]


def test_announcements_name_seats_by_the_winds_of_their_own_hand() -> None:
    started = log_line("hand_started", seat=1, round="E2", dealer=1, honba=0, deposits=0)
    past = FinishedHand(round=Round.parse("E1"), honba=0, dealer=Seat.NEAR, settlement=RON, scores=(25000,) * 4)
    game = replace(GAME, history=(past,))
    news = view(game=game, announcements=(log_line("riichi_declared"), started, log_line("riichi_declared")))["news"]
    assert [line["text"] for line in news] == [
        "East declares riichi.",
        "East 2 begins. Dealer: East.",
        "South declares riichi.",
    ]


@pytest.mark.parametrize("health", list(CameraHealth))
def test_how_the_camera_is_has_words(health: CameraHealth) -> None:
    camera = view(camera=health)["camera"]
    assert camera["state"] == health.value
    assert camera["text"]


def test_what_people_told_shows_no_numbers_of_rules_and_entries() -> None:
    (line,) = view(announcements=(replace(log_line("ippatsu_open"), frame=None),))["news"]
    assert line["why"] == ""


@pytest.mark.parametrize(
    ("hand", "asks"),
    [
        (river(Seat.NEAR, river_tile("1m", 0), tiles_left=20), True),
        (river(Seat.NEAR, river_tile("1m", 0), tiles_left=5), True),
        (river(Seat.NEAR, river_tile("1m", 0), tiles_left=4), False),
        (river(Seat.NEAR, river_tile("1m", 0), tiles_left=20, missed_at=(None, 1, None, None)), False),
        (river(Seat.NEAR, river_tile("1m", 0), tiles_left=20, phase=Phase.ENDING), False),
        (river(Seat.NEAR, tiles_left=70), False),
        (None, False),
    ],
    ids=["many left", "five left", "perhaps miscounted", "discards missed", "ended", "kept by phone", "no hand"],
)
def test_a_draw_with_tiles_left_by_the_cameras_count_is_asked_about(hand: HandState | None, asks: bool) -> None:
    question = view(hand)["keeping"]["early_draw"]
    left = 0 if hand is None else hand.tiles_left
    assert question == (f"The camera counts {left} tiles left to draw. Was the hand drawn?" if asks else "")


def test_at_a_tournament_no_question_tells_the_number_of_tiles_left() -> None:
    hand = river(Seat.NEAR, river_tile("1m", 0), tiles_left=20)
    assert view(hand, mode=Mode.TOURNAMENT)["keeping"]["early_draw"] == ""
