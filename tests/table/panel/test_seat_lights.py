from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.game.commands.foul_vote import SIGNALS, FoulProposal
from table.game.snapshot import CameraHealth, Doubt, Mode, Snapshot
from table.panel import seat_lights as shown
from table.panel.seat_lights import BLINK_NS, DARK, OFF, PAUSE_NS, PULSE_NS, Light, LightMode, colours, lights
from table.rules.events import HandStarted
from table.rules.state import GameState, HandState, Ippatsu, Phase, Riichi, RiichiStage
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Round, Seat
from tests.table.rules.fouls.fouled_hands import at

HAND = HandState(start=HandStarted(round=Round.parse("E1"), dealer=Seat.NEAR, scores=(25000,) * 4))
GAME = GameState(scores=(25000,) * 4, hand=HAND)
ACCEPTED = Riichi(stage=RiichiStage.ACCEPTED)


def snapshot(hand: HandState = HAND, **fields: Any) -> Snapshot:
    return replace(Snapshot(version=1, game=replace(GAME, hand=hand)), **fields)


def at_right(*, riichi: Riichi = ACCEPTED, ippatsu: Ippatsu = Ippatsu.CLOSED) -> HandState:
    quiet = Riichi()
    none = Ippatsu.NONE
    return replace(HAND, riichi=(quiet, riichi, quiet, quiet), ippatsu=(none, ippatsu, none, none))


@pytest.mark.parametrize(
    ("hand", "light"),
    [
        (HAND, OFF),
        (at_right(riichi=Riichi(stage=RiichiStage.DECLARED)), shown.RIICHI_DECLARED),
        (at_right(ippatsu=Ippatsu.OPEN), shown.IPPATSU),
        (at_right(ippatsu=Ippatsu.LAST_CHANCE), shown.LAST_CHANCE),
        (at_right(ippatsu=Ippatsu.CLOSED), shown.RIICHI),
        (at_right(riichi=Riichi(stage=RiichiStage.VOID)), OFF),
    ],
)
def test_a_seats_light_follows_its_riichi_and_its_window(hand: HandState, light: Light) -> None:
    assert lights(snapshot(hand)) == (OFF, light, OFF, OFF)


def test_a_dead_hand_shows_its_riichi_but_no_window() -> None:
    hand = at("0 discards 9m; 1 discards 5z sideways; 1 stick; 1 foul 7-04-01").hand
    assert hand.ippatsu[1] is Ippatsu.OPEN
    assert lights(snapshot(hand))[1] == shown.RIICHI


def test_a_hand_that_ends_without_a_win_shows_its_riichi_but_no_window() -> None:
    hand = replace(at_right(ippatsu=Ippatsu.LAST_CHANCE), phase=Phase.ENDING)
    assert lights(snapshot(hand))[1] == shown.RIICHI


def test_an_abort_that_waits_for_its_tile_to_pass_pulses_at_all_seats() -> None:
    for reason in (AbortReason.FOUR_RIICHI, AbortReason.FOUR_WINDS, AbortReason.FOUR_KANS):
        assert lights(snapshot(replace(HAND, pending_abort=reason))) == (shown.ABORT_DUE,) * 4


def test_a_doubt_blinks_at_the_seat_that_discarded() -> None:
    doubt = Doubt(seat=Seat.FAR, discard=3, tile="5p")
    assert lights(snapshot(doubts=(doubt,))) == (OFF, OFF, shown.DOUBT, OFF)


def test_a_lost_camera_is_a_quiet_amber_where_nothing_else_shows() -> None:
    without_camera = snapshot(at_right(), camera=CameraHealth.LOST)
    assert lights(without_camera) == (shown.UNWATCHED, shown.RIICHI, shown.UNWATCHED, shown.UNWATCHED)
    assert lights(snapshot(camera=CameraHealth.NONE)) == (OFF,) * 4


@pytest.mark.parametrize("step", range(len(SIGNALS)))
def test_a_named_foul_shows_its_signal_above_all_else(step: int) -> None:
    proposal = FoulProposal(seat=Seat.RIGHT, step=step)
    light = lights(snapshot(at_right(), proposal=proposal, camera=CameraHealth.LOST))[1]
    assert (light.rgb, light.blinks) == (SIGNALS[step].rgb, SIGNALS[step].blinks)
    assert light.mode is (LightMode.BLINK if SIGNALS[step].blinks else LightMode.STEADY)


def test_a_tournament_lights_nothing_of_the_game_but_a_foul_that_people_name() -> None:
    hand = at_right(ippatsu=Ippatsu.OPEN)
    doubt = Doubt(seat=Seat.NEAR, discard=0, tile="1m")
    assert lights(snapshot(hand, mode=Mode.TOURNAMENT, doubts=(doubt,))) == (OFF,) * 4
    proposal = snapshot(hand, mode=Mode.TOURNAMENT, proposal=FoulProposal(seat=Seat.LEFT))
    assert lights(proposal)[3].rgb == SIGNALS[0].rgb


def test_a_settled_hand_shows_nothing() -> None:
    assert lights(snapshot(replace(at_right(), phase=Phase.SETTLED))) == (OFF,) * 4


def test_a_pulse_swells_and_fades_and_never_goes_dark() -> None:
    bright, dim = shown.IPPATSU.at(0), shown.IPPATSU.at(PULSE_NS // 2)
    assert bright == (0, 90, 255)
    assert DARK != dim < bright
    assert shown.IPPATSU.at(PULSE_NS) == bright


@pytest.mark.parametrize("blinks", [1, 2, 6])
def test_a_series_has_as_many_blinks_as_it_says_and_then_a_pause(blinks: int) -> None:
    light = Light(rgb=(9, 9, 9), mode=LightMode.BLINK, blinks=blinks)
    lit = [light.at(n * BLINK_NS) != DARK for n in range(2 * blinks)]
    assert lit == [True, False] * blinks
    assert light.at(2 * BLINK_NS * blinks + PAUSE_NS // 2) == DARK
    assert light.at(2 * BLINK_NS * blinks + PAUSE_NS) != DARK


def test_brightness_dims_every_light() -> None:
    assert colours((Light(rgb=(200, 100, 0)), OFF, OFF, OFF), 0, 0.5) == ((100, 50, 0), DARK, DARK, DARK)
