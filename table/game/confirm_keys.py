"""What people are about to confirm, by a key: whoever confirms says which one was shown, and pays nothing unseen.

A key names what follows, not how the table came to it: it stays the same until something else would be paid. Panel and
recordings say no key; they stand in front of what the table shows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from zlib import crc32

from table.game import game_commands as commands
from table.game.foul_vote import FoulProposal
from table.game.game_commands import UNNAMED_FOUL, Command, JournalCommand
from table.rules.events import FoulLogged
from table.rules.fouls.foul_log import preview_consequence
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Phase
from table.rules.terms.rule_errors import RulesError
from table.rules.transitions.hand_end import preview_settlement
from table.runtime.table_errors import PressError

NOTHING: Final = ""
"""The key where nothing is to be confirmed."""


def ending_key(game: GameState, ruleset: Ruleset, opened_by: int) -> str:
    """Returns the key of what a confirmation would settle; `opened_by` is the entry that opened the game."""
    hand = preview_settlement(game, ruleset)
    if hand is None or (hand.phase not in (Phase.CLAIMED, Phase.ENDING) and hand.proposal is None):
        return NOTHING
    claims = [(claim.seat, claim.kind, claim.from_seat) for claim in hand.claims]
    return _key(opened_by, len(game.history), hand.phase, claims, hand.abort, hand.missing, hand.proposal)


def outcome_key(after: GameState, hand: int, opened_by: int) -> str:
    """Returns the key of a told result.

    Args:
        after: the game as the result would make it.
        hand: which hand of the game it is told of, from 0.
        opened_by: the entry that opened the game.
    """
    settlement = after.history[hand].settlement
    return _key(opened_by, hand, settlement, after.scores, after.deposit_points, after.next_start, len(after.history))


def foul_key(game: GameState, event: FoulLogged, ruleset: Ruleset) -> str:
    """Returns the key of a foul and of all that would follow from it.

    Raises:
        RulesError: there is no such hand, or the clause has no such option.
    """
    follows = preview_consequence(game, event, ruleset)
    return _key(event.seat, event.clause, event.option, event.facts, event.hand, follows)


def proposal_key(named: FoulProposal, game: GameState, ruleset: Ruleset) -> str:
    """Returns the key of a foul that is named, or of one that is to be cancelled."""
    if named.is_withdrawal or named.clause == UNNAMED_FOUL:
        return _key(named.seat, named.clause, named.replaces, named.hand, named.note)
    return _key(named.replaces, named.note, _possible_key(named, game, ruleset))


def check_seen(
    command: Command, game: GameState, named: FoulProposal | None, ruleset: Ruleset, *, opened_by: int
) -> None:
    """Refuses who confirms, agrees to or drops something else than is shown now; who says no key is let through.

    Raises:
        PressError: something else would follow.
    """
    match command:
        case commands.Confirm(seen=str(seen)) if seen != ending_key(game, ruleset, opened_by):
            raise _changed_settlement()
        case commands.AgreeToFoul(seen=str(seen)) | commands.DropFoul(seen=str(seen)):
            if named is not None and seen != proposal_key(named, game, ruleset):
                raise _changed_foul()
        case commands.NameFoul(seen=str(seen)) if seen != _named_key(command, game, ruleset):
            raise _changed_foul()


def check_outcome_seen(command: JournalCommand, after: GameState, *, opened_by: int) -> None:
    """Refuses a told result that would make `after` of the game, where its phone previewed something else.

    Raises:
        PressError: something else would be paid.
    """
    match command:
        case commands.DeclareResult(seen=str(seen), hand=hand) | commands.EditResult(seen=str(seen), hand=hand):
            if seen != outcome_key(after, hand, opened_by):
                raise _changed_settlement()


def _changed_settlement() -> PressError:
    return PressError("expected a confirmation of what would be paid now, got one of before", says="seen_settlement")


def _changed_foul() -> PressError:
    return PressError("expected a voice on what would follow now, got one on what was shown before", says="seen_foul")


def _named_key(press: commands.NameFoul, game: GameState, ruleset: Ruleset) -> str:
    """The key of what a phone names."""
    hand = game.on_table if press.hand is None else press.hand
    return _possible_key(replace(press, hand=hand), game, ruleset)


def _possible_key(said: FoulProposal | commands.NameFoul, game: GameState, ruleset: Ruleset) -> str:
    """The key of a foul; nothing where no such foul can be, or its hand was taken back: its own reason refuses it."""
    try:
        return foul_key(game, _logged(said), ruleset)
    except RulesError:
        return NOTHING


def _logged(said: FoulProposal | commands.NameFoul) -> FoulLogged:
    """The foul as it would be logged, as far as its key goes."""
    clause = said.clause or UNNAMED_FOUL
    return FoulLogged(seat=said.seat, clause=clause, option=said.option, facts=said.facts, hand=said.hand)


def _key(*parts: object) -> str:
    return f"{crc32(repr(parts).encode()):08x}"
