"""The consequences of a foul in words and points, one sentence each, in one language. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from table.game.journal.entries import NOBODY
from table.i18n.announcement_text import seat_name
from table.i18n.clause_books import clause_words
from table.i18n.message_catalogue import Catalogue, running_text
from table.rules.fouls.foul_outlook import LateFoulHand, Outlook
from table.rules.penalties.chombo import AFTER_CHOMBO
from table.rules.penalties.consequence import Consequence, Due, Part, Sanction
from table.rules.penalties.effect_terms import Count, Fact, FoulRole, Op
from table.rules.penalties.foul_facts import CHOMBO_PAYMENT, OUTSIDE
from table.rules.terms.results import subtract
from table.rules.terms.seats import SEATS, Seat

_BY_PARAM = {Op.VOID: "what", Op.VALID: "what", Op.TENPAI_AS: "status", Op.REFER: "source"}
"""Effects whose sentence depends on a parameter."""
_SHORT = {Op.TENPAI_AS: "tenpai"}
_SETTLING: Final = frozenset(
    {
        Op.PAY_HAND_VALUE,
        Op.DEALER,
        Op.DEALER_IN_LAST_HAND,
        Op.STICKS,
        Op.EXEMPT_IF_SHORT,
        Op.WIN_PRECEDENCE,
    }
)
"""Effects that only determine how other fouls are settled."""
_WITHOUT_PLAY: Final = frozenset({Op.REFER, Op.NON_WINNERS_DECIDE, Op.JOKE, Op.DEFINE, Op.ALLOW, Op.FORBID, Op.NONE})
"""Instructions that still make sense once the hand is over."""


def foul_sentences(outlook: Outlook, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY) -> Iterator[str]:
    """Yields what follows from a foul, one sentence each.

    Args:
        outlook: what follows from it.
        dealer: the dealer of the foul's hand.
        texts: the language.
        names: the players' names by seat.
    """
    found = outlook.consequence
    if found.option is None:
        yield texts.text("follows.referee")
        return
    if outlook.settled_hand is not None:
        yield from _late_sentences(outlook, outlook.settled_hand, dealer, texts, names)
        return
    yield from _win_sentences(outlook, texts)
    for seat in outlook.voided_winners:
        yield texts.text("follows.void_win", seat=seat_name(seat, dealer, texts, names))
    yield from _part_sentences(outlook.part, dealer, texts, names, is_repeat_open=AFTER_CHOMBO in outlook.questions)
    yield from _excused_sentences(found, dealer, texts, names)
    for sanction in (*found.sanctions, *found.instructions):
        yield _void_call_text(sanction, outlook, dealer, texts, names) or sanction_text(sanction, dealer, texts, names)
    for when, part in outlook.later_parts:
        if not part.is_empty:
            yield texts.text(f"follows.{when}", what=running_text(_part_sentences(part, dealer, texts, names)))
    if _undecided_questions(outlook):
        yield _undecided_sentence(outlook, dealer, texts, names)
    elif outlook.goes_on:
        yield texts.text("follows.goes_on")
    elif outlook.has_lapsed:
        yield texts.text("follows.lapsed")


def _win_sentences(outlook: Outlook, texts: Catalogue) -> Iterator[str]:
    """Yields which of a chombo and a valid win in the same hand counts."""
    mode = outlook.precedence
    if mode is None:
        return
    yield texts.text(f"follows.beside_{mode}")
    if mode == "head_bump":
        yield texts.text(f"follows.beside_{'valid_only' if outlook.part.is_empty else 'foul_only'}")


def _late_sentences(
    outlook: Outlook, late: LateFoulHand, dealer: Seat, texts: Catalogue, names: Sequence[str]
) -> Iterator[str]:
    """Yields what a foul costs in addition to a settled result, and how that result could still be changed."""
    found, part = outlook.consequence, outlook.part
    yield from _win_sentences(outlook, texts)
    yield from _part_sentences(part, dealer, texts, names)
    yield from _excused_sentences(found, dealer, texts, names)
    for instruction in found.instructions:
        if instruction.op in _WITHOUT_PLAY:
            yield sanction_text(instruction, dealer, texts, names)
    if outlook.questions:
        yield _undecided_sentence(outlook, dealer, texts, names)
    yield texts.text("follows.no_cost" if part.is_empty else "follows.result_stands")
    if late.would_differ:
        yield texts.text("follows.undo_first" if late.is_newest else "follows.edit_result")


def _undecided_questions(outlook: Outlook) -> list[str]:
    """Returns the open questions, without who deals after a chombo if the end of the hand says it."""
    return [question for question in outlook.questions if question != AFTER_CHOMBO or outlook.part.ending is None]


def _undecided_sentence(outlook: Outlook, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    asks = " · ".join(_question(question, dealer, texts, names) for question in _undecided_questions(outlook))
    return texts.text("follows.unknown", asks=asks)


def _part_sentences(
    part: Part, dealer: Seat, texts: Catalogue, names: Sequence[str], *, is_repeat_open: bool = False
) -> Iterator[str]:
    yield from _payment_sentences(part, dealer, texts, names)
    for due in part.dues:
        yield _due_sentence(due, dealer, texts, names)
    for chombo in part.free_chombos:
        yield texts.text("follows.one_chombo", seat=seat_name(chombo.seat, dealer, texts, names))
    if part.ending is not None and not any(due.op is Op.BUST for due in part.dues):
        ending = part.ending
        again = "again_by_default" if is_repeat_open else "again"
        how = "passes" if ending.dealer_passes else again if ending.is_repeat else "stays"
        yield texts.text(f"follows.{how}")
        yield texts.text(f"follows.returns_{ending.returned_sticks}")


def _payment_sentences(part: Part, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> Iterator[str]:
    def sentence(key: str, seat: Seat, points: int) -> str:
        return texts.text(key, seat=seat_name(seat, dealer, texts, names), points=f"{points:,}")

    deltas = part.deltas
    for chombo in part.chombos:  # each as its clause has it, although two may also pay one another
        deltas = subtract(deltas, chombo.deltas)
        if points := -chombo.deltas[chombo.seat]:
            yield sentence("follows.pays", chombo.seat, points)
    losers = [seat for seat in SEATS if deltas[seat] < 0]
    pot = part.pot if len(losers) == 1 else 0
    for seat in losers:
        if points := -deltas[seat] - pot:
            yield sentence("follows.pays", seat, points)
        if pot:
            yield sentence("follows.pot", seat, pot)
    if part.outside:
        yield texts.text("follows.outside", points=f"{part.outside:,}")


def _excused_sentences(found: Consequence, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> Iterator[str]:
    for seat in found.excused_seats:
        yield texts.text("follows.excused", seat=seat_name(seat, dealer, texts, names))


def _due_sentence(due: Due, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    seat = seat_name(due.seat, dealer, texts, names)
    if due.op is Op.CARD:
        colour, _, scope = due.detail.partition(" ")
        values = {"colour": texts.text(f"card.{colour}"), "scope": texts.text(f"scope.{scope}")}
        return texts.text("follows.card", seat=seat, card=texts.text("card.within", **values))
    return texts.text(f"follows.{due.op.value}", seat=seat, points=f"{due.amount:,}")


def _void_call_text(
    sanction: Sanction, outlook: Outlook, dealer: Seat, texts: Catalogue, names: Sequence[str]
) -> str | None:
    """Returns what becomes of a void call whose tiles do not go back; None for anything else."""
    is_call = sanction.op is Op.VOID and sanction.effect.param("what") in ("call", "pon")
    if not is_call or outlook.void_call == "back":
        return None
    key = "void_utterance" if outlook.void_call == "said" else "void_call_stays"
    return texts.text(f"follows.{key}", seat=seat_name(sanction.seat, dealer, texts, names))


def sanction_text(sanction: Sanction, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns what a seat must not do or must do, or what hands do now."""
    return texts.text(f"follows.{_key(sanction)}", seat=seat_name(sanction.seat, dealer, texts, names))


def _key(sanction: Sanction) -> str:
    op, effect = sanction.op, sanction.effect
    word: str = op.value
    if op in _SETTLING:
        return "settles"
    if op in _BY_PARAM:
        return f"{_SHORT.get(op, op.value)}_{effect.param(_BY_PARAM[op])}"
    if op is Op.FIX_COUNT:
        return "discard_extra" if effect.number("discard_extra") else "draw_extra"
    if op is Op.RESTORE and effect.param("exact") is False:
        return "restore_anyhow"
    return word


def _question(name: str, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    if name.startswith("hand "):
        return texts.text("ask.hand", seat=seat_name(int(name.removeprefix("hand ")), dealer, texts, names))
    if question_kind(name) not in (None, "option"):
        return texts.text(f"ask.{name}")
    return texts.text("ask.referee", clause=clause_words(name, texts))


def question_kind(name: str) -> str | None:
    """Returns how people answer a question about a foul: `yes_no`, `number`, `seat` or `option`.

    For `option`, the referee chooses one. None if the page has no answer for it.
    """
    if name == CHOMBO_PAYMENT:
        return "option"
    if name in {fact.value for fact in Fact}:
        return "yes_no"
    if name == OUTSIDE or name in {count.value for count in Count}:
        return "number"
    return "seat" if name in {role.value for role in FoulRole} else None
