"""Keys of what people are about to confirm, so that a confirmation applies only to what the phone showed.

A key identifies the consequences, not their cause, and the people whom they concern: it stays the same until the
payments or the seating change. Panel and recordings send no key, since their users see what the table shows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from zlib import crc32

from table.game.commands import game_commands as commands
from table.game.commands.foul_vote import FoulProposal
from table.game.commands.game_commands import UNNAMED_FOUL, Command, JournalCommand
from table.game.journal.seating import Seating
from table.rules.events import FoulLogged
from table.rules.foul_preview import preview_foul
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Phase
from table.rules.terms.rule_errors import RulesError
from table.rules.transitions.hand_end import preview_settlement
from table.runtime.table_errors import PressError

NO_KEY: Final = ""
"""The key if nothing is pending."""


def ending_key(game: GameState, ruleset: Ruleset, opened_by: int, seating: Seating) -> str:
    """Returns the key of the pending settlement; `opened_by` is the entry that opened the game."""
    hand = preview_settlement(game, ruleset)
    if hand is None or (hand.phase not in (Phase.CLAIMED, Phase.ENDING) and hand.proposal is None):
        return NO_KEY
    claims = [(claim.seat, claim.kind, claim.from_seat) for claim in hand.claims]
    return _key(opened_by, seating, len(game.history), hand.phase, claims, hand.abort, hand.missing, hand.proposal)


def outcome_key(before: GameState, after: GameState, hand: int, opened_by: int, seating: Seating) -> str:
    """Returns the key of a declared result.

    Args:
        before: the game as it is. The key covers it, since the result would otherwise take back, unseen, a riichi that
            was declared since the phone looked, or another phone's edit of the same hand.
        after: the game with the result.
        hand: the number of the hand in the game, counted from 0.
        opened_by: the entry that opened the game.
        seating: who sits where.
    """
    settlement = after.history[hand].settlement
    payments = settlement, after.scores, after.deposit_points, after.next_start
    in_play = before.live if hand == len(before.history) else None
    declared_riichi = [] if in_play is None else [riichi.is_declared for riichi in in_play.riichi]
    lines = before.history[hand : hand + 1]
    earlier_results = [(line.settlement, line.riichi, line.scores) for line in lines]
    return _key(opened_by, seating, hand, *payments, len(after.history), declared_riichi, earlier_results)


def foul_key(game: GameState, event: FoulLogged, ruleset: Ruleset, seating: Seating) -> str:
    """Returns the key of a foul and its consequences.

    Raises:
        RulesError: there is no such hand, or the clause has no such option.
    """
    consequences = preview_foul(game, event, ruleset)
    return _key(seating, event.seat, event.clause, event.option, event.facts, event.hand, consequences)


def proposal_key(proposal: FoulProposal, game: GameState, ruleset: Ruleset, seating: Seating) -> str:
    """Returns the key of a proposed foul, or of a proposed cancellation."""
    if proposal.is_withdrawal or proposal.clause == UNNAMED_FOUL:
        return _key(seating, proposal.seat, proposal.clause, proposal.replaces, proposal.hand, proposal.note)
    return _key(proposal.replaces, proposal.note, _possible_key(proposal, game, ruleset, seating))


def seats_key(opened_by: int, seating: Seating) -> str:
    """Returns the key of the seating of a game, which a swap of seats changes."""
    return _key(opened_by, seating)


def swap_key(game: GameState, opened_by: int, seating: Seating) -> str:
    """Returns the key of what a swap of seats would change: the seating, and the hands played so far."""
    return _key(opened_by, seating, [line.settlement for line in game.history], game.scores)


def points_key(game: GameState, seating: Seating) -> str:
    """Returns the key of what is corrected by hand: everybody's points, the sticks and the honba."""
    start = game.present_start
    return _key(seating, game.scores, game.deposits, None if start is None else start.honba)


def check_key(
    command: Command,
    game: GameState,
    proposal: FoulProposal | None,
    ruleset: Ruleset,
    *,
    opened_by: int,
    seating: Seating,
) -> None:
    """Refuses a command that confirms, agrees to or drops something outdated; a command without a key passes.

    Raises:
        PressError: the consequences have changed.
    """
    match command:
        case commands.Confirm(seen=str(seen)) if seen != ending_key(game, ruleset, opened_by, seating):
            raise _changed_settlement()
        case commands.AgreeToFoul(seen=str(seen)) | commands.DropFoul(seen=str(seen)):
            if proposal is not None and seen != proposal_key(proposal, game, ruleset, seating):
                raise _changed_foul()
        case commands.NameFoul(seen=str(seen)) if seen != _report_key(command, game, ruleset, seating):
            raise _changed_foul()


def check_outcome_key(
    command: JournalCommand, before: GameState, after: GameState, *, opened_by: int, seating: Seating
) -> None:
    """Refuses a result, a swap or a correction of points unless its phone showed how `before` becomes `after`.

    Raises:
        PressError: the payments, the seats or the points have changed.
    """
    match command:
        case commands.DeclareResult(seen=str(seen), hand=hand) | commands.EditResult(seen=str(seen), hand=hand):
            if seen != outcome_key(before, after, hand, opened_by, seating):
                raise _changed_settlement()
        case commands.Reseat(seen=str(seen)) if seen != swap_key(before, opened_by, seating):
            raise changed_seats()
        case commands.AdjustPoints(seen=str(seen)) if seen != points_key(before, seating):
            raise PressError(
                "expected a correction of the present points, got one of earlier ones", says="points_moved"
            )


def changed_seats() -> PressError:
    """Returns the refusal of a swap of seats whose phone showed others, or other hands."""
    return PressError("expected a swap in the present seating, got one in an earlier one", says="seats_moved")


def _changed_settlement() -> PressError:
    return PressError(
        "expected a confirmation of the present payments, got one of earlier payments", says="seen_settlement"
    )


def _changed_foul() -> PressError:
    return PressError("expected a vote on the present consequences, got one on earlier ones", says="seen_foul")


def _report_key(press: commands.NameFoul, game: GameState, ruleset: Ruleset, seating: Seating) -> str:
    """Returns the key of a foul reported by phone."""
    hand = game.on_table if press.hand is None else press.hand
    return _possible_key(replace(press, hand=hand), game, ruleset, seating)


def _possible_key(report: FoulProposal | commands.NameFoul, game: GameState, ruleset: Ruleset, seating: Seating) -> str:
    """Returns the key of a foul; empty if the foul is impossible or its hand was undone, which is refused elsewhere."""
    try:
        return foul_key(game, _foul_event(report), ruleset, seating)
    except RulesError:
        return NO_KEY


def _foul_event(report: FoulProposal | commands.NameFoul) -> FoulLogged:
    """Returns the foul as it would be logged, with the fields that the key covers."""
    clause = report.clause or UNNAMED_FOUL
    return FoulLogged(seat=report.seat, clause=clause, option=report.option, facts=report.facts, hand=report.hand)


def _key(*parts: object) -> str:
    return f"{crc32(repr(parts).encode()):08x}"
