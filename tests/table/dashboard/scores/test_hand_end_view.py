from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rulebook.play_presets import HOME
from table.rules.advance import advance
from table.rules.events import (
    ClaimsConfirmed,
    ClosedKan,
    Discarded,
    DrawReached,
    Event,
    HandShown,
    HandStarted,
    StickPlaced,
    UraTurned,
    WinClaimed,
    WinKind,
)
from table.rules.notation.event_notation import parse_events
from table.rules.state import GameState, Ippatsu, Phase, Riichi, RiichiStage
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.table.dashboard.live.viewed_hands import HAND, NONE_RIICHI, RON, by_seat, view

START = HandStarted(
    round=Round.parse("E2"),
    dealer=Seat.RIGHT,
    scores=(25000, 25000, 25000, 25000),
    honba=1,
    dora_indicator=Tile("4p"),
)
RIICHI: tuple[Event, ...] = (
    Discarded(seat=Seat.RIGHT, tile=Tile("9m"), sideways=True),
    StickPlaced(seat=Seat.RIGHT),
)
THROWN = Discarded(seat=Seat.FAR, tile=Tile("0m"))
CLAIM = WinClaimed(seat=Seat.RIGHT, kind=WinKind.RON)
OPEN = HandShown(seat=Seat.RIGHT, tiles=parse_tiles("678s22p234m55m567p"))
SETTLED = replace(HAND, phase=Phase.SETTLED, proposal=RON)


def ending(*events: Event) -> dict[str, Any]:
    """The view of the end of a hand that went so, from `START` or a start of its own."""
    state = GameState(scores=START.scores)
    for event in events if isinstance(events[0], HandStarted) else (START, *events):
        state = advance(state, event, HOME).state
    end: dict[str, Any] = view(state.hand, game=state, ruleset=HOME)["ending"]
    return end


def test_nothing_ends_while_the_hand_is_played_or_once_it_is_settled() -> None:
    assert ending(*RIICHI, THROWN) is None
    assert view(SETTLED)["ending"] is None


def test_a_claimed_win_asks_for_its_hand() -> None:
    claimed = ending(Discarded(seat=Seat.RIGHT, tile=Tile("9m")), THROWN, CLAIM)
    assert claimed["title"] == "East wins off South"
    assert claimed["missing"] == ["East’s hand"]
    assert claimed["wins"][0]["tiles"] == []
    assert (claimed["deltas"], claimed["flows"]) == (None, [])


def test_a_shown_win_lists_its_tiles_in_order_with_the_winning_one_last() -> None:
    open_hand = replace(OPEN, winning_tile=Tile("0m"))
    tiles = ending(*RIICHI, THROWN, CLAIM, open_hand)["wins"][0]["tiles"]
    assert " ".join(tile["face"] for tile in tiles) == "2m 3m 4m 5m 5m 2p 2p 5p 6p 7p 6s 7s 8s 0m"
    assert [tile["is_last"] for tile in tiles] == [False] * 13 + [True]


def test_a_ron_shows_the_tile_won_on_though_it_still_lies_in_the_river() -> None:
    win = ending(*RIICHI, THROWN, CLAIM, OPEN)["wins"][0]
    tiles, entry = win["tiles"], win["entry"]
    assert (len(tiles), tiles[-1]["face"], tiles[-1]["is_last"]) == (14, "0m", True)
    assert (len(entry), entry[-1]) == (14, "0m")


def test_a_shown_win_tells_what_it_is_worth_and_who_would_pay_before_anybody_confirms() -> None:
    end = ending(*RIICHI, THROWN, CLAIM, OPEN, UraTurned(indicators=(Tile("1z"),), seat=Seat.RIGHT))
    win = end["wins"][0]
    assert win["value"] == "6 han 40 fu · 18,000 points"
    assert "Ippatsu 1" in win["yaku"]
    assert "Double riichi 2" in win["yaku"]
    assert sum(int(text.rpartition(" ")[2]) for text in win["fu"]) == 32
    assert end["missing"] == []
    assert end["delta_texts"] == ["0", "+19,300", "−18,300", "0"]
    assert end["flows"] == [{"from": 2, "to": 1, "text": "18,300"}, {"from": None, "to": 1, "text": "1,000"}]


def test_a_counted_win_needs_no_hand() -> None:
    end = ending(Discarded(seat=Seat.RIGHT, tile=Tile("9m")), THROWN, replace(CLAIM, han=4, fu=40))
    assert end["wins"][0]["value"] == "4 han 40 fu"
    assert end["missing"] == []
    assert end["flows"] == [{"from": 2, "to": 1, "text": "12,300"}]


def test_everything_that_a_settlement_waits_for_is_named_at_once() -> None:
    riichi = RIICHI[0], THROWN
    assert ending(*riichi, CLAIM)["missing"] == ["East’s riichi stick", "the ura indicators", "East’s hand"]
    assert ending(*riichi, CLAIM, OPEN)["missing"] == ["East’s riichi stick", "the ura indicators"]
    assert ending(*RIICHI, THROWN, CLAIM, OPEN)["missing"] == ["the ura indicators"]


def test_a_settled_hand_leaves_no_stick_and_no_badge() -> None:
    riichi = by_seat(Seat.NEAR, Riichi(stage=RiichiStage.ACCEPTED), NONE_RIICHI)
    seat = view(replace(HAND, phase=Phase.SETTLED, riichi=riichi, ippatsu=(Ippatsu.OPEN,) * 4))["seats"][0]
    assert (seat["stick"], seat["badges"]) == (False, [])


def test_two_claimed_wins_are_named_in_one_line() -> None:
    both = ending(Discarded(seat=Seat.RIGHT, tile=Tile("9m")), THROWN, CLAIM, replace(CLAIM, seat=Seat.NEAR))
    assert both["title"] == "East wins off South · North wins off South"


def test_a_draw_pays_who_is_tenpai_as_far_as_hands_are_shown() -> None:
    drawn = ending(Discarded(seat=Seat.RIGHT, tile=Tile("3m")), THROWN, DrawReached(), OPEN)
    assert drawn["title"] == "Draw, 1 in tenpai"
    assert [hand["name"] for hand in drawn["shown"]] == ["East"]
    assert drawn["delta_texts"] == ["−1,000", "+3,000", "−1,000", "−1,000"]


def test_a_confirmation_that_lacks_a_stick_says_what_another_one_does() -> None:
    won = (RIICHI[0], THROWN, replace(CLAIM, seat=Seat.LEFT), replace(OPEN, seat=Seat.LEFT))
    before, after = ending(*won), ending(*won, ClaimsConfirmed())
    assert before["missing"] == after["missing"] == ["East’s riichi stick"]
    assert before["again"] == ""
    assert after["again"] == "Lay out what is missing, or tap “Confirm” once more to settle without it, as shown."
    assert ending(*won, ClaimsConfirmed(), RIICHI[1])["again"] == ""


def test_a_draw_says_that_whoever_shows_no_hand_is_noten() -> None:
    drawn = ending(Discarded(seat=Seat.RIGHT, tile=Tile("3m")), THROWN, DrawReached())
    assert drawn["title"] == "Draw, 0 in tenpai"


def test_an_abort_says_why() -> None:
    hands = by_seat(Seat.RIGHT, OPEN, None)
    aborted = view(replace(HAND, phase=Phase.ENDING, shown_hands=hands, abort=AbortReason.FOUR_WINDS))["ending"]
    assert aborted["title"] == "Abortive draw: four equal winds"


def test_looking_at_the_end_says_nothing_in_the_game_itself() -> None:
    state = GameState(scores=START.scores)
    for event in (START, *RIICHI, THROWN, CLAIM, OPEN):
        state = advance(state, event, HOME).state
    assert view(state.hand, game=state, ruleset=HOME)["ending"]["missing"] == ["the ura indicators"]
    assert state.hand is not None
    assert (state.hand.proposal, state.hand.missing) == (None, ())


def test_the_first_indicator_that_nobody_told_is_no_kan_s() -> None:
    events: tuple[Event, ...] = (replace(START, dora_indicator=None), Discarded(seat=Seat.RIGHT, tile=Tile("9m")))
    assert "a dora indicator" in ending(*events, THROWN, CLAIM)["missing"]


def test_after_a_kan_it_is_the_kan_s_indicator_that_is_missing() -> None:
    kan = ClosedKan(seat=Seat.RIGHT, tiles=(Tile("2p"),) * 4)
    claimed = ending(kan, Discarded(seat=Seat.RIGHT, tile=Tile("9m")), THROWN, CLAIM)
    assert "the kan’s dora indicator" in claimed["missing"]


def test_who_fed_a_told_meld_is_entered_by_hand() -> None:
    events = parse_events(
        "start E1 scores=25000,25000,25000,25000 dora=1m; 0 discards 9m; unseen; 2 tsumo; "
        "2 shows 345s8s with 8s melds=555z,666z,777z"
    )
    end = ending(*events)
    assert "who fed the last pon or kan of West’s yakuman and is liable" in end["missing"]
    assert end["by_hand"]["values"]["2"]["yakuman"] == 1
    assert end["by_hand"]["hint"] == "Tap “By hand” and enter it there."
    assert end["deltas"] is None
