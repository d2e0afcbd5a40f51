"""What must be true of every state, computed from scratch."""

from __future__ import annotations

from table.rules.foul_totals import foul_deltas, immediate_parts, in_force
from table.rules.ruleset import Ruleset
from table.rules.state import DRAWS, GameState, HandState, Ippatsu, LaidKind, Phase, RiichiStage
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import Tile


def check(state: GameState, ruleset: Ruleset) -> None:
    """Raises AssertionError where the state contradicts itself."""
    hand = state.hand
    _check_beside_points(state, ruleset)
    if hand is None:
        return
    if hand.is_live:
        _check_points(state, hand)
        assert state.next_start is None
    else:
        _check_settled(state, hand)
    _check_tiles(hand, ruleset)
    _check_rivers(hand)
    _check_riichi(hand, ruleset)
    _check_phase(hand)


def _check_beside_points(state: GameState, ruleset: Ruleset) -> None:
    assert ruleset.chips.are_played or state.chips is None
    assert sum(state.chips or ()) == 0
    assert state.bust_bonus is None or (state.is_over and sum(state.bust_bonus) == 0 and ruleset.bust_bonus > 0)
    assert not state.is_last_hand_done or state.is_over or state.live is not None


def _check_points(state: GameState, hand: HandState) -> None:
    start = hand.start
    outside = sum(part.outside for part in immediate_parts(hand.fouls))
    before = sum(start.scores) + 1000 * start.deposits + start.deposit_points - outside
    assert sum(state.scores) + 1000 * state.deposits + state.deposit_points == before
    for seat in SEATS:
        owed = 1000 * hand.riichi[seat].is_accepted - foul_deltas(hand.fouls)[seat]
        assert state.scores[seat] == start.scores[seat] - owed


def _check_settled(state: GameState, hand: HandState) -> None:
    line = state.history[-1]
    assert line.fouls == hand.fouls
    assert all(due in line.dues for foul in in_force(line.fouls) for due in foul.outcome.dues)
    assert len(line.dues) == sum(len(foul.outcome.dues) for foul in in_force(line.fouls))
    if not state.is_over:
        since = [adjustment.event.points for adjustment in state.adjustments if adjustment.hand == len(state.history)]
        assert state.scores == tuple(map(sum, zip(line.scores, *since, strict=True)))
        assert state.next_start is not None
        assert (state.next_start.scores, state.next_start.deposits) == (state.scores, state.deposits)


def _open_tiles(hand: HandState) -> list[Tile]:
    tiles = [*hand.dora_indicators, *hand.ura]
    for river in hand.rivers:
        tiles += [river_tile.tile for river_tile in river if river_tile.called_by is None]
    for melds in hand.melds:
        tiles += [tile for meld in melds for tile in meld.tiles]
    for shown_hand in hand.shown_hands:
        if shown_hand is not None:
            tiles += shown_hand.tiles
    return tiles


def _check_tiles(hand: HandState, ruleset: Ruleset) -> None:
    tiles = _open_tiles(hand)
    for kind in range(34):
        assert sum(tile.kind == kind for tile in tiles) <= 4
    for text, allowed in (("0m", ruleset.red_man), ("0p", ruleset.red_pin), ("0s", ruleset.red_sou)):
        assert tiles.count(Tile(text)) <= allowed
    assert 0 <= hand.tiles_left <= DRAWS


def _check_rivers(hand: HandState) -> None:
    indexes = sorted(river_tile.discard_number for river in hand.rivers for river_tile in river)
    assert indexes == list(range(hand.discards))
    assert [laid_tile.laid_index for laid_tile in hand.laid_tiles] == list(range(len(hand.laid_tiles)))
    for seat in SEATS:
        of_seat = [
            laid_tile.tile
            for laid_tile in hand.laid_tiles
            if laid_tile.seat is seat and laid_tile.kind is LaidKind.DISCARD
        ]
        assert len(of_seat) == len(hand.rivers[seat])
        declaration_numbers = [tile.discard_number for tile in hand.rivers[seat] if tile.is_declaration]
        assert declaration_numbers[-1:] == (
            [] if hand.riichi[seat].discard_number is None else [hand.riichi[seat].discard_number]
        )
    kans = len(hand.kans) if hand.unseen_from is None else 4  # some may have gone unseen
    assert 0 <= hand.dora_due <= min(4, kans)
    assert all(laid_tile.dora_due <= hand.dora_due for laid_tile in hand.laid_tiles)
    assert len(hand.kans) == sum(meld.kind.is_kan for melds in hand.melds for meld in melds)
    assert hand.is_interrupted == any(hand.melds)


def _check_riichi(hand: HandState, ruleset: Ruleset) -> None:
    for seat in SEATS:
        riichi = hand.riichi[seat]
        is_reported = riichi.is_accepted and riichi.discard_number is None  # by people: no tile was seen
        assert (riichi.laid_index is None) == (riichi.stage is RiichiStage.NONE or is_reported)
        if riichi.is_accepted:
            assert riichi.has_passed or not hand.is_live
        if hand.ippatsu[seat].is_open:
            assert riichi.is_declared
            assert ruleset.ippatsu
            declaration_tiles = [tile for tile in hand.rivers[seat] if tile.is_declaration]
            assert declaration_tiles
            assert hand.rivers[seat][-1] is declaration_tiles[-1]
        if hand.ippatsu[seat] is not Ippatsu.NONE:
            assert riichi.is_declared


def _check_phase(hand: HandState) -> None:
    if hand.phase is Phase.CLAIMED:
        assert hand.claims
    if hand.phase in (Phase.PLAY, Phase.ENDING) and hand.abort is not AbortReason.TRIPLE_RON:
        assert not hand.claims
    if hand.phase is Phase.PLAY and hand.proposal is not None:
        assert hand.proposal.penalty is not None
    assert set(hand.openers) == {seat for seat in SEATS if hand.shown_hands[seat] is not None}
    if not hand.claims:
        assert hand.before_ron is None
    if hand.abort is not None:
        assert hand.phase in (Phase.ENDING, Phase.SETTLED)
    if hand.claimable_tile is not None:
        assert hand.laid_tiles[-1].laid_index == hand.claimable_tile.laid_index
