"""The shown hand of a claimed win: whether it wins, its value, and which facts about it unseen play may hide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from table.rules.aspects import dora, first_go_round, furiten, kans
from table.rules.draft import Draft, replace_at
from table.rules.events import HandShown, WinKind
from table.rules.foul_totals import is_entered, is_last_discard, sanction_on, tiles_left_at
from table.rules.penalties.effect_terms import Op
from table.rules.penalties.foul_effects import FALSE_WIN, ILLEGAL_KAN, answers_at_win
from table.rules.scoring.hand_value import HandQuery, HandValue, NoWin, evaluate
from table.rules.scoring.waits import ORPHANS, waits
from table.rules.state import Claim, HandState, Ippatsu, LaidKind
from table.rules.terms.amounts import amount
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.seats import Seat, seat_wind
from table.rules.terms.tiles import KIND_TILES, Tile

NEAR_THE_END: Final = 4
"""After a gap, any tile with fewer than this many left to draw by the count may be the last: a go-round of discards."""
_REASONS: Final = {
    "not_winning": "the shown hand is not complete",
    "no_yaku": "the shown hand has no yaku",
    "one_han": "the shown hand has one han of yaku where two are needed",
    "too_many_copies": "the shown hand has more than four copies of a tile",
    "contradiction": "the shown hand cannot have been won as claimed",
}
_WRONG_KANS: Final[Mapping[kans.KanFault, str]] = {
    "never": "was made in riichi",
    "other_reading": "could be read in another way",
    "changes_waits": "changed the waits",
}


def judge(draft: Draft, claim: Claim, shown_hand: HandShown) -> None:
    """Checks a shown winning hand: raises a suspicion if it cannot win, else values it unless ura may still matter."""
    draft.values = replace_at(draft.values, claim.seat, None)
    wait_kinds = waits_of(draft, claim.seat, shown_hand.tiles)
    if not _has_right_shape(draft, claim, shown_hand, wait_kinds):
        return
    _check_robbing(draft, claim, shown_hand)
    if (illegal_kan := kans.illegal_kan_in_riichi(draft, claim.seat, shown_hand.tiles)) is not None:
        _ask_about_illegal_kan(draft, claim.seat, *illegal_kan, clause=_clause_of_kan_at_win(draft))
        return
    if claim.kind is WinKind.RON:
        _check_furiten(
            draft,
            shown_hand,
            len(draft.laid_tiles) if claim.laid_tile is None else claim.laid_tile.laid_index,
            wait_kinds,
        )
    waits_for_ura = draft.riichi[claim.seat].is_declared and draft.rules.ura_dora
    value = _value_without_ura(draft, claim, shown_hand) if waits_for_ura else value_of(draft, claim)
    is_in_question = (
        isinstance(value, NoWin) and value.reason in ("no_yaku", "one_han") and may_be_worth_more(draft, claim)
    )
    if isinstance(value, NoWin) and not is_in_question and (not waits_for_ura or value.reason == "one_han"):
        draft.suspect(FALSE_WIN, claim.seat, _REASONS[value.reason])


def value_of(draft: Draft, claim: Claim) -> HandValue | NoWin:
    """Returns the value of a claimed win by its shown hand, if all its tiles were read."""
    if (known_value := draft.values[claim.seat]) is not None:
        return known_value
    shown_hand = draft.shown_hands[claim.seat]
    winning_tile = None if shown_hand is None else winning_tile_of(claim, shown_hand)
    if shown_hand is None or winning_tile is None or not is_right_count(draft, shown_hand):
        return NoWin(reason="unknown_tile")
    if kans.illegal_kan_in_riichi(draft, claim.seat, shown_hand.tiles) is not None:
        return NoWin(reason="contradiction")
    value = evaluate(_hand_query(draft, claim, shown_hand, winning_tile), draft.rules)
    if isinstance(value, HandValue):
        draft.values = replace_at(draft.values, claim.seat, value)
    return value


def _value_without_ura(draft: Draft, claim: Claim, shown_hand: HandShown) -> HandValue | NoWin | None:
    """Returns the value before ura are turned, if they cannot turn an invalid hand into a valid one."""
    tile = winning_tile_of(claim, shown_hand)
    if tile is None or draft.rules.han_needed(draft.start.honba) == 1:
        return None
    return evaluate(replace(_hand_query(draft, claim, shown_hand, tile), ura_indicators=()), draft.rules)


def winning_tile_of(claim: Claim, shown_hand: HandShown) -> Tile | None:
    """Returns the winning tile: as shown, else as read in the river."""
    if shown_hand.winning_tile is not None and (claim.laid_tile is None or not claim.laid_tile.tile.is_known):
        return shown_hand.winning_tile
    return None if claim.laid_tile is None else claim.laid_tile.tile


def waits_of(draft: Draft, seat: Seat, concealed: tuple[Tile, ...]) -> frozenset[int]:
    """Returns the waits of the seat's shown hand, considering its melds."""
    melds = draft.melds[seat]
    return waits(concealed, len(melds), in_melds=[tile for meld in melds for tile in meld.tiles])


def check_tile_count(draft: Draft, shown_hand: HandShown) -> bool:
    """Raises a suspicion about a wrong number of tiles; returns whether the number is right."""
    if is_right_count(draft, shown_hand):
        return True
    expected = 13 - 3 * len(draft.melds[shown_hand.seat])
    clause = "7-04-01" if len(shown_hand.tiles) > expected else "7-04-02"
    if is_entered(draft.fouls, shown_hand.seat, clause, draft.rules.penalties):
        return False
    evidence = f"the hand was shown with {amount(len(shown_hand.tiles), 'concealed tile')}"
    draft.suspect(clause, shown_hand.seat, f"{evidence} instead of {expected}")
    return False


def check_kans_in_riichi(draft: Draft, seat: Seat, concealed: tuple[Tile, ...]) -> None:
    """Announces which closed kan of a shown riichi hand was not allowed (R61)."""
    if (illegal_kan := kans.illegal_kan_in_riichi(draft, seat, concealed)) is not None:
        _ask_about_illegal_kan(draft, seat, *illegal_kan, clause=ILLEGAL_KAN)


def _ask_about_illegal_kan(draft: Draft, seat: Seat, tile: Tile, fault: kans.KanFault, *, clause: str) -> None:
    """Asks about a kan that the rules forbid in riichi, unless people have already decided about it."""
    if not is_entered(draft.fouls, seat, ILLEGAL_KAN, draft.rules.penalties):
        draft.say(AnnouncementId.ILLEGAL_CLOSED_KAN, "R59", seat, Scope.VERDICT, tile=tile.text, why=fault)
    if not is_entered(draft.fouls, seat, clause, draft.rules.penalties):
        draft.suspect(clause, seat, f"the closed kan of {tile} {_WRONG_KANS[fault]}")


def _clause_of_kan_at_win(draft: Draft) -> str:
    """Returns the clause of an illegal kan at its maker's win: a false win (D4), unless 7-05-06 itself settles it."""
    effects = draft.rules.penalties.chosen_effects(ILLEGAL_KAN)
    return ILLEGAL_KAN if effects is None or answers_at_win(effects) else FALSE_WIN


def is_right_count(draft: Draft, shown_hand: HandShown) -> bool:
    """Whether a shown hand has the right number of concealed tiles beside its melds, without the winning tile."""
    return len(shown_hand.tiles) == 13 - 3 * len(draft.melds[shown_hand.seat])


def _has_right_shape(draft: Draft, claim: Claim, shown_hand: HandShown, wait_kinds: frozenset[int]) -> bool:
    winning_tile = winning_tile_of(claim, shown_hand)
    if not check_tile_count(draft, shown_hand) or winning_tile is None:
        return False
    if not all(tile.is_known for tile in (*shown_hand.tiles, winning_tile)):
        return False
    if shown_hand.winning_tile is not None and shown_hand.winning_tile.kind != winning_tile.kind:
        draft.suspect(
            FALSE_WIN, claim.seat, f"{shown_hand.winning_tile} was shown as the winning tile, {winning_tile} lies"
        )
        return False
    if winning_tile.kind not in wait_kinds:
        draft.suspect(FALSE_WIN, claim.seat, _REASONS["not_winning"])
        return False
    return True


def _check_furiten(draft: Draft, shown_hand: HandShown, before: int, wait_kinds: frozenset[int]) -> None:
    seat = shown_hand.seat
    may_rob = _may_rob_closed_kan(draft, shown_hand)
    causes = furiten.causes(draft, seat, draft.rules, before=before, closed_kans=may_rob)
    by_cause = causes.of(wait_kinds)
    for cause, tile_kinds in by_cause.items():
        tiles = [KIND_TILES[kind].text for kind in sorted(tile_kinds)]
        draft.say(AnnouncementId.FURITEN, "R52", seat, Scope.VERDICT, kind=cause.value, tiles=tiles)
        draft.suspect(FALSE_WIN, seat, f"{cause.value} furiten: {' '.join(tiles)}")
    if causes.has_unread and not by_cause:
        draft.say(AnnouncementId.POSSIBLE_FURITEN, "R52", seat, Scope.VERDICT)


def _check_robbing(draft: Draft, claim: Claim, shown_hand: HandShown) -> None:
    is_robbed = claim.laid_tile is not None and claim.laid_tile.kind is LaidKind.CLOSED_KAN
    if is_robbed and not _may_rob_closed_kan(draft, shown_hand):
        draft.suspect(FALSE_WIN, claim.seat, "a closed kan was robbed")


def _may_rob_closed_kan(draft: Draft, shown_hand: HandShown) -> bool:
    is_orphans = not draft.melds[shown_hand.seat] and {tile.kind for tile in shown_hand.tiles} <= ORPHANS
    return draft.rules.orphans_rob_closed_kan and is_orphans


def may_be_worth_more(draft: Draft, claim: Claim) -> bool:
    """Whether unseen play may have given a win more yaku: by its moment, by its riichi, or as the last tile."""
    riichi = draft.riichi[claim.seat]
    is_riichi_unclear = riichi.may_be_double or ippatsu_window(draft, claim) is Ippatsu.UNSURE
    if _is_moment_unseen(draft, claim) or (riichi.is_declared and riichi.has_passed and is_riichi_unclear):
        return True
    return may_be_last_tile(draft, claim)


def ippatsu_window(hand: Draft | HandState, claim: Claim) -> Ippatsu:
    """Returns the winner's ippatsu window when the winning tile was laid, or now if that was drawn or went unseen."""
    return (hand.ippatsu if claim.laid_tile is None else claim.laid_tile.ippatsu)[claim.seat]


def may_be_last_tile(hand: Draft | HandState, claim: Claim) -> bool:
    """Whether a win's tile may be the last one, since after a gap the count of tiles is not certain."""
    left = hand.tiles_left if claim.laid_tile is None else tiles_left_at(hand.fouls, claim.laid_tile)
    return hand.has_gap and left < NEAR_THE_END and (claim.laid_tile is None or not claim.laid_tile.kind.is_kan)


def _is_moment_unseen(draft: Draft, claim: Claim) -> bool:
    """Whether a win was claimed while play may have gone unseen, so that the last discard, call or draw is unknown."""
    return claim.laid_tile is None and draft.is_behind


def plain_query(draft: Draft, shown_hand: HandShown, winning_tile: Tile, *, is_tsumo: bool) -> HandQuery:
    """Returns the question for the value of a shown hand with that tile, without dora and the luck of the moment."""
    seat, riichi = shown_hand.seat, draft.riichi[shown_hand.seat]
    in_riichi = riichi.is_declared and riichi.has_passed  # a forgotten stick is paid at the settlement (R11)
    return HandQuery(
        concealed=shown_hand.tiles,
        melds=draft.melds[seat],
        winning_tile=winning_tile,
        is_tsumo=is_tsumo,
        seat_wind=seat_wind(seat, draft.start.dealer),
        round_wind=draft.start.round.wind,
        riichi=(2 if riichi.is_double else 1) if in_riichi else 0,
        is_open_riichi=in_riichi and riichi.is_laid_open,
        wins_before=draft.game.wins_in_a_row(seat),
        honba=draft.start.honba,
    )


def _hand_query(draft: Draft, claim: Claim, shown_hand: HandShown, winning_tile: Tile) -> HandQuery:
    seat, laid_tile = claim.seat, claim.laid_tile
    is_tsumo, is_seen = claim.kind is WinKind.TSUMO, not _is_moment_unseen(draft, claim)
    query = plain_query(draft, shown_hand, winning_tile, is_tsumo=is_tsumo)
    is_last = draft.tiles_left == 0 and not draft.is_replacement
    if laid_tile is not None:
        is_last = is_last_discard(draft.fouls, laid_tile)
    fed_by = claim.from_seat if laid_tile is None else laid_tile.seat
    is_dora_void = sanction_on(draft.fouls, seat, Op.DORA_VOID) is not None
    return replace(
        query,
        fed_outside_riichi=not is_tsumo and fed_by is not None and not draft.riichi[fed_by].is_declared,
        ippatsu=query.riichi > 0 and is_seen and ippatsu_window(draft, claim).is_open,
        is_last_tile=is_last and not draft.has_gap,
        after_kan=is_tsumo and is_seen and draft.is_replacement,
        robbing_kan=laid_tile is not None and laid_tile.kind.is_kan,
        is_first_turn=first_go_round.is_first(draft, seat)
        and first_go_round.is_seen(draft)
        and not draft.riichi[seat].is_declared,
        dora_indicators=() if is_dora_void else dora.counting_indicators(draft),
        ura_indicators=draft.ura[: dora.ura_count(draft)] if query.riichi and not is_dora_void else (),
    )
