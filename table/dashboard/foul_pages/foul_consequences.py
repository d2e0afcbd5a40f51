"""The consequences of a foul, and the questions that decide them, as their page shows them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from table.dashboard.web.view import View
from table.game.journal.entries import NOBODY
from table.i18n import Catalogue, signed
from table.i18n.clause_books import book_of
from table.i18n.foul_text import foul_sentences, question_kind
from table.rules.fouls.foul_outlook import Outlook
from table.rules.penalties.effect_terms import Count, Fact, FoulRole
from table.rules.penalties.foul_facts import CHOMBO_PAYMENT, OUTSIDE, Facts
from table.rules.terms.seats import Seat

_SEEN_BY_TABLE: Final = frozenset({"in_riichi", "after_last_discard", "offender_wins", "occurrence"})
"""Facts that the table has seen, more reliably than people remember them."""


def outlook_view(outlook: Outlook, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY) -> View:
    """Returns what follows from a foul in sentences and as payments by seat; arguments as in `foul_sentences`."""
    payments = outlook.part.deltas
    return {
        "sentences": list(foul_sentences(outlook, dealer, texts, names)),
        "points": [signed(points) for points in payments] if any(payments) else None,
    }


def questions_view(names: Iterable[str], facts: Facts, texts: Catalogue, options: Sequence[View] = ()) -> list[View]:
    """Returns the questions that decide the consequences, each with the answer given or seen so far.

    A question is `{"ask", "kind", "text", "value"}`: kind `yes_no` for a fact, `number` for a count, `seat` for a role,
    `option` for a ruling of the referee, with its `options`. Questions that no control can answer are left out, as are
    those that the table has answered.

    Args:
        names: the questions.
        facts: the known facts.
        texts: the language.
        options: what the referee can choose as the payment for a chombo.
    """
    questions = [(name, _value(name, facts)) for name in dict.fromkeys(names) if question_kind(name) is not None]
    return [
        {"ask": name, "kind": question_kind(name), "text": _question_text(name, texts), "value": value}
        | ({"options": list(options)} if name == CHOMBO_PAYMENT else {})
        for name, value in questions
        if value is None or name not in _SEEN_BY_TABLE
    ]


def fact_text(fact: str, texts: Catalogue) -> str:
    """Returns a stated fact as its question with the answer: `Was it deliberate? No`."""
    name, is_number, number = fact.removeprefix("not ").partition("=")
    if name == CHOMBO_PAYMENT:
        return texts.labelled(_question_text(name, texts), book_of(texts).options.get(f"{name} {number}", number))
    answer = number if is_number else texts.text("fouls.no" if fact.startswith("not ") else "fouls.yes")
    return f"{_question_text(name, texts)} {answer}"


def _question_text(name: str, texts: Catalogue) -> str:
    return book_of(texts).title(name) if name == CHOMBO_PAYMENT else texts.text(f"ask.{name}")


def _value(name: str, facts: Facts) -> bool | int | str | None:
    if name == CHOMBO_PAYMENT:
        return facts.chombo_payment
    if name == OUTSIDE:
        return facts.outside
    kind = question_kind(name)
    if kind == "yes_no":
        return facts.answers.get(Fact(name))
    if kind == "number":
        return facts.counts.get(Count(name))
    seat = facts.roles.get(FoulRole(name))
    return None if seat is None else int(seat)
