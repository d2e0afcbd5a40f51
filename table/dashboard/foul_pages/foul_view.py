"""Fouls as one JSON object for their page: suspected, proposed, possible, logged and in force. Pure.

Suspicions are questions: nobody is accused before people have confirmed a foul.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final
from zlib import crc32

from table.dashboard.foul_pages.favourite_fouls import favourite_fouls
from table.dashboard.foul_pages.foul_consequences import fact_text, outlook_view, questions_view
from table.dashboard.foul_pages.later_effects import later_view
from table.dashboard.scores.hand_end_view import is_ended_by_foul
from table.dashboard.scores.past_names import names_at_fouls
from table.dashboard.web.clause_names import (
    article_reference,
    article_text,
    article_title,
    cancellation_text,
    clause_title,
    rule_title,
)
from table.dashboard.web.view import View
from table.game.commands.confirm_keys import foul_key, proposal_key
from table.game.commands.foul_vote import FoulProposal
from table.game.commands.game_commands import UNNAMED_FOUL
from table.game.journal.authors import PANEL, TABLE, author_name, author_seat, authors, is_owner
from table.game.snapshot import Snapshot
from table.i18n import Catalogue, round_name, seat_name
from table.i18n.clause_books import book_of
from table.i18n.foul_text import sanction_text
from table.rules.events import FoulLogged
from table.rules.foul_preview import preview_foul
from table.rules.foul_totals import in_force
from table.rules.fouls.foul_log import known_facts
from table.rules.fouls.foul_outlook import Outlook, outlook_of
from table.rules.fouls.hand_of_foul import hand_by_number
from table.rules.fouls.possible_clauses import possible_fouls
from table.rules.penalties.effect_terms import Op
from table.rules.penalties.foul_effects import SANCTIONS, decisive_facts
from table.rules.penalties.foul_facts import CHOMBO_PAYMENT
from table.rules.penalties.penalty_rules import Rule
from table.rules.ruleset import Ruleset
from table.rules.state import HandState, LoggedFoul
from table.rules.terms.announcements import Scope, Suspicion
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat, seat_wind

MayRead = Callable[[bool], bool]
"""Returns whether a suspicion may be shown; the argument is whether it is for the staff only."""
_LASTING_EFFECTS: Final = (SANCTIONS - {Op.DORA_VOID}) | {Op.CHECK_TILE}
"""Effects that last for the rest of the hand, whether the rules or people apply them."""


def fouls_view(
    snapshot: Snapshot,
    texts: Catalogue,
    number: int | None = None,
    *,
    may_read: MayRead = lambda _: True,
    is_alone: bool = False,
) -> View:
    """Returns the page's content, except the consequences of a foul that is only being considered.

    Args:
        snapshot: the table.
        texts: the page's language.
        number: the hand of the game, counted from 0; None for the current one.
        may_read: returns whether the visitor may see a suspicion.
        is_alone: whether the visitor's vote counts for everybody.
    """
    game = snapshot.game
    number = game.on_table if number is None else number
    hand = _hand(snapshot, number)
    return {
        "version": snapshot.version,
        "hand": number,
        "round": "" if hand is None else round_name(hand.round, texts),
        "seats": [_seat(seat, number, hand, snapshot, texts) for seat in SEATS],
        "clauses": [_clause(rule, texts) for rule in snapshot.ruleset.penalties.rules],
        "suspected": list(_suspicion_views(snapshot, texts, may_read)) if number == game.on_table else [],
        "named": None
        if snapshot.proposal is None
        else _proposal_view(snapshot.proposal, snapshot, texts, is_alone=is_alone),
        "logged": list(_logged_fouls(snapshot, texts)),
        "in_force": list(_effects_in_force(game.hand, snapshot, texts)),
        "rules": f"{crc32(repr(snapshot.ruleset).encode()):08x}",
        "pot": texts.text("fouls.pot", sticks=game.deposits, points=f"{game.deposit_points:,}"),
    }


def foreseen_view(snapshot: Snapshot, event: FoulLogged, texts: Catalogue) -> View:
    """Returns the consequences of a foul, the facts needed first, and the other options of its clause.

    Raises:
        RulesError: there is no such hand, or the clause has no such option.
    """
    hand = _hand(snapshot, event.hand)
    outlook = preview_foul(snapshot.game, event, snapshot.ruleset)
    facts = known_facts(snapshot.game, event, snapshot.ruleset)
    penalties = snapshot.ruleset.penalties
    rule, payment = penalties.rule(event.clause), penalties.rule(CHOMBO_PAYMENT)
    questions = decisive_facts(event.clause, penalties, event.option, facts.chombo_payment)
    return {
        "key": foul_key(snapshot.game, event, snapshot.ruleset, snapshot.seating),
        "clause": event.clause,
        "title": clause_title(event.clause, snapshot.ruleset, texts),
        "names": _names(event.hand, hand, snapshot, texts),
        "option": outlook.consequence.option,
        "options": _options(rule, snapshot.ruleset, texts),
        "asks": questions_view(
            [*questions, *outlook.consequence.questions], facts, texts, _options(payment, snapshot.ruleset, texts)
        ),
        **outlook_view(outlook, Seat.NEAR if hand is None else hand.dealer, texts, snapshot.names_in(event.hand)),
        "later": later_view(snapshot, event, _names(event.hand, hand, snapshot, texts), texts),
    }


def _hand(snapshot: Snapshot, number: int | None) -> HandState | None:
    """Returns a hand of the game, or the next one as if it were dealt; None if there is no such hand."""
    try:
        draft, _ = hand_by_number(snapshot.game, number, snapshot.ruleset)
    except ImpossibleEventError:
        return None
    return draft.freeze()


def _names(number: int | None, hand: HandState | None, snapshot: Snapshot, texts: Catalogue) -> list[str]:
    """Returns who sat at each seat in a hand; a seat without a name is named by its wind in the hand."""
    dealer = Seat.NEAR if hand is None else hand.dealer
    return [seat_name(seat, dealer, texts, snapshot.names_in(number)) for seat in SEATS]


def _seat(seat: Seat, number: int, hand: HandState | None, snapshot: Snapshot, texts: Catalogue) -> View:
    possible = () if hand is None else possible_fouls(hand, snapshot.game.scores, seat, snapshot.ruleset.penalties)
    return {
        "seat": int(seat),
        "name": _names(number, hand, snapshot, texts)[seat],
        "player": snapshot.names_in(number)[seat],
        "wind": seat_wind(seat, Seat.NEAR if hand is None else hand.dealer).tile.text,
        "possible": list(possible),
        "favourites": [] if hand is None else list(_favourites(seat, number, possible, snapshot, texts)),
    }


def _favourites(
    seat: Seat, number: int, possible: tuple[str, ...], snapshot: Snapshot, texts: Catalogue
) -> Iterator[View]:
    for foul, is_chombo in favourite_fouls(snapshot.game, number, seat, possible, snapshot.ruleset):
        yield {
            "clause": foul.clause,
            "option": foul.option,
            "facts": list(foul.facts),
            "title": clause_title(foul.clause, snapshot.ruleset, texts),
            "told": " ".join(fact_text(fact, texts) for fact in foul.facts),
            "chombo": texts.text("fouls.chombo") if is_chombo else "",
        }


def _clause(rule: Rule, texts: Catalogue) -> View:
    book = book_of(texts)
    group = "R" if rule.clause.startswith("R") else "-".join(rule.clause.split("-")[:2])
    return {
        "clause": rule.clause,
        "reference": article_reference(rule.clause, texts),
        "title": rule_title(rule, texts),
        "words": f"{book.options.get(f'{rule.clause} {rule.choice}', '')} {texts.texts.get(f'find.{rule.clause}', '')}",
        "group": book.titles.get(group, "") if rule.clause in book.titles else "",
    }


def _options(rule: Rule | None, ruleset: Ruleset, texts: Catalogue) -> list[View]:
    if rule is None:
        return []
    return [
        {
            "letter": option.letter,
            "text": _option_text(rule, option.letter, ruleset, texts),
            "is_chosen": option.letter == rule.choice,
            "is_guess": any(effect.is_digit_lost and effect.op is Op.PAY for effect in option.effects),
        }
        for option in rule.options
    ]


def _option_text(rule: Rule, letter: str, ruleset: Ruleset, texts: Catalogue) -> str:
    """Returns an option in words: of the book, of an article that has no other, or the article chosen in its place."""
    if text := book_of(texts).options.get(f"{rule.clause} {letter}") or article_title(rule.clause, rule.title, texts):
        return text
    article = ruleset.penalties.rule(letter)
    return letter if article is None else article_text(letter, article.title, texts)


def _suspicion_views(snapshot: Snapshot, texts: Catalogue, may_read: MayRead) -> Iterator[View]:
    """Yields each suspicion that may be read once, except those that people have dealt with."""
    hand = snapshot.game.hand
    if hand is None:
        return
    dealt_with = {(foul.clause, foul.seat) for foul in hand.fouls}
    penalties = snapshot.ruleset.penalties
    for (clause, seat), suspicions in reversed(_suspicions_by_clause(snapshot).items()):
        is_for_staff = all(suspicion.scope is Scope.STAFF for suspicion in suspicions)
        is_dealt_with = any(penalties.is_named(clause, named) and owner is seat for named, owner in dealt_with)
        if not is_dealt_with and may_read(is_for_staff):
            question = (
                texts.texts.get(f"irregular.{clause}")
                if any(suspicion.clause == clause for suspicion in suspicions)
                else None
            )
            yield {
                "seat": int(seat),
                "name": seat_name(seat, hand.dealer, texts, snapshot.names),
                "clause": clause,
                "title": question or clause_title(clause, snapshot.ruleset, texts),
                "is_for_staff": is_for_staff,
            }


def _suspicions_by_clause(snapshot: Snapshot) -> dict[tuple[str, Seat], list[Suspicion]]:
    """Returns the suspicions by seat, and by the clause or the house's article that applies to them."""
    found: dict[tuple[str, Seat], list[Suspicion]] = {}
    for suspicion in snapshot.suspicions:
        rule = snapshot.ruleset.penalties.answer(suspicion.clause)
        found.setdefault((suspicion.clause if rule is None else rule.clause, suspicion.seat), []).append(suspicion)
    return found


def _agreement_key(proposal: FoulProposal, snapshot: Snapshot, *, is_alone: bool) -> str:
    """Returns the key of the text that says who must agree."""
    if snapshot.ruleset.penalties.fouls_decided_by == "owner":
        return "fouls.needs_owner"
    return "fouls.needs_all" if is_alone else "fouls.needs_one_more" if proposal.agreed_by else "fouls.needs_two"


def _proposal_view(proposal: FoulProposal, snapshot: Snapshot, texts: Catalogue, *, is_alone: bool) -> View | None:
    hand = _hand(snapshot, proposal.hand)
    if hand is None:
        return None
    names = snapshot.names_in(proposal.hand)
    is_unnamed = proposal.clause == UNNAMED_FOUL and not proposal.is_withdrawal
    view: View = {
        "key": proposal_key(proposal, snapshot.game, snapshot.ruleset, snapshot.seating),
        "seat": int(proposal.seat),
        "round": round_name(hand.round, texts),
        "names": _names(proposal.hand, hand, snapshot, texts),
        "name": seat_name(proposal.seat, hand.dealer, texts, names),
        "clause": proposal.clause,
        "title": clause_title(proposal.clause, snapshot.ruleset, texts),
        "note": proposal.note,
        "agreed": list(proposal.agreed_by),
        "agreed_text": texts.text(
            "fouls.agreed", names=_people(", ".join(proposal.agreed_by), hand.dealer, snapshot, texts)
        ),
        "needs": texts.text(_agreement_key(proposal, snapshot, is_alone=is_alone)),
        "is_alone": is_alone,
        "agree": texts.text("fouls.agree_all" if is_alone else "fouls.agree"),
        "is_unnamed": is_unnamed,
        "sentences": [],
        "points": None,
        "later": [],
    }
    if proposal.is_withdrawal:
        return view | {"title": texts.text("fouls.withdraws", title=_withdrawn_title(proposal, snapshot, texts))}
    if is_unnamed:
        return view
    event = FoulLogged(
        seat=proposal.seat, clause=proposal.clause, option=proposal.option, facts=proposal.facts, hand=proposal.hand
    )
    outlook = preview_foul(snapshot.game, event, snapshot.ruleset)
    later = later_view(snapshot, event, _names(proposal.hand, hand, snapshot, texts), texts)
    return view | outlook_view(outlook, hand.dealer, texts, names) | {"later": later}


def _withdrawn_title(proposal: FoulProposal, snapshot: Snapshot, texts: Catalogue) -> str:
    hand = _hand(snapshot, proposal.hand)
    fouls = () if hand is None else hand.fouls
    index = proposal.replaces
    if index is None or index >= len(fouls):
        return ""
    return clause_title(fouls[index].clause, snapshot.ruleset, texts)


def _people(by: str, dealer: Seat, snapshot: Snapshot, texts: Catalogue) -> str:
    """Returns who decided, by name: `seat 2, panel` becomes the player there and the table's button."""
    return texts.list_text(_person(author, dealer, snapshot, texts) for author in authors(by))


def _person(who: str, dealer: Seat, snapshot: Snapshot, texts: Catalogue) -> str:
    if who in (PANEL, TABLE):
        return texts.text(f"fouls.{who}")
    if name := author_name(who):
        return name
    seat = author_seat(who)
    if is_owner(who) and (seat is None or not snapshot.names[seat]):
        return texts.text("fouls.owner")
    return who if seat is None else seat_name(seat, dealer, texts, snapshot.names)


def _logged_fouls(snapshot: Snapshot, texts: Catalogue) -> Iterator[View]:
    """Yields the game's fouls, newest first, each with the hand and index by which it can be cancelled."""
    game = snapshot.game
    hands = [(index, round_name(line.round, texts), line.dealer, line.fouls) for index, line in enumerate(game.history)]
    if game.live is not None:
        start = game.live.start
        hands.append((len(game.history), round_name(start.round, texts), start.dealer, game.live.fouls))
    names_then = names_at_fouls(game, snapshot.changes)
    for index, round_text, dealer, fouls in reversed(hands):
        for number, foul in reversed(list(enumerate(fouls))):
            yield {
                "hand": index,
                "foul": number,
                "round": round_text,
                **_foul_view(
                    foul,
                    outlook_of(game, index, number, snapshot.ruleset),
                    dealer,
                    snapshot,
                    texts,
                    names_then=names_then.get((index, number), snapshot.names_in(index)),
                ),
            }


def _foul_view(
    foul: LoggedFoul, outlook: Outlook, dealer: Seat, snapshot: Snapshot, texts: Catalogue, *, names_then: Sequence[str]
) -> View:
    """Returns a foul in words; `names_then` are the names of those who sat at the seats when it was logged."""
    names = _people(foul.by, dealer, snapshot, texts)
    return {
        "seat": int(foul.seat),
        "name": seat_name(foul.seat, dealer, texts, names_then),
        "clause": foul.clause,
        "title": clause_title(foul.clause, snapshot.ruleset, texts),
        "note": foul.note,
        "facts": list(foul.facts),
        "by": texts.text("fouls.by", names=names) if names else "",
        "cancelled": None
        if foul.cancel_reason is None
        else texts.text("fouls.cancelled", reason=cancellation_text(foul.cancel_reason, snapshot, texts)),
        **outlook_view(outlook, dealer, texts, names_then),
    }


def _effects_in_force(hand: HandState | None, snapshot: Snapshot, texts: Catalogue) -> Iterator[str]:
    if hand is None or not hand.is_live:
        return
    if is_ended_by_foul(snapshot.game, snapshot.ruleset):
        yield texts.text("fouls.confirm_at_table")
    for foul in in_force(hand.fouls):
        for sanction in (*foul.consequence.sanctions, *foul.consequence.instructions):
            if sanction.op in _LASTING_EFFECTS:
                yield sanction_text(sanction, hand.dealer, texts, snapshot.names)
