"""The consequences of a foul in words and points, one sentence each, in one language. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from table.dashboard.web.clause_names import book_of
from table.dashboard.web.view import View
from table.i18n import NOBODY, Catalogue, seat_name, signed
from table.rules.penalties.consequence import Consequence, Due, Part, Sanction
from table.rules.penalties.effect_terms import Count, Fact, Op, Who
from table.rules.penalties.foul_facts import OUTSIDE, Facts
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
_KNOWN_BEST: Final = frozenset({"in_riichi", "after_last_discard", "offender_wins", "occurrence"})
"""Facts that the table has seen, more reliably than people remember them."""


def following_view(found: Consequence, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY) -> View:
    """Returns the sentences of a consequence, and the immediate payments by seat; `names` are the players'."""
    moved = found.now.moved
    return {
        "sentences": list(sentences(found, dealer, texts, names)),
        "points": [signed(points) for points in moved] if any(moved) else None,
    }


def asks_view(names: Iterable[str], facts: Facts, texts: Catalogue) -> list[View]:
    """Returns the questions that decide the consequences, each with the answer given or seen so far.

    A question is `{"ask", "kind", "text", "value"}`: kind `yes_no` for a fact, `number` for a count, `seat` for a role.
    What only the referee or an open hand can answer becomes a sentence instead; what the table knows is not asked.
    """
    asked = [(name, _value(name, facts)) for name in dict.fromkeys(names) if _kind(name) is not None]
    return [
        {"ask": name, "kind": _kind(name), "text": texts.text(f"ask.{name}"), "value": value}
        for name, value in asked
        if value is None or name not in _KNOWN_BEST
    ]


def fact_text(fact: str, texts: Catalogue) -> str:
    """Returns a stated fact as its question with the answer: `Was it deliberate? No`."""
    name, is_number, number = fact.removeprefix("not ").partition("=")
    answer = number if is_number else texts.text("fouls.no" if fact.startswith("not ") else "fouls.yes")
    return f"{texts.text(f'ask.{name}')} {answer}"


def _value(name: str, facts: Facts) -> bool | int | None:
    if name == OUTSIDE:
        return facts.outside
    kind = _kind(name)
    if kind == "yes_no":
        return facts.answers.get(Fact(name))
    if kind == "number":
        return facts.counts.get(Count(name))
    seat = facts.roles.get(Who(name))
    return None if seat is None else int(seat)


def _kind(name: str) -> str | None:
    if name in {each.value for each in Fact}:
        return "yes_no"
    if name == OUTSIDE or name in {each.value for each in Count}:
        return "number"
    return "seat" if name in {each.value for each in Who} else None


def sentences(found: Consequence, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY) -> Iterator[str]:
    """Yields the consequences, one sentence each."""
    if found.option is None:
        yield texts.text("follows.referee")
        return
    yield from _of_part(found.now, dealer, texts, names)
    for each in (*found.sanctions, *found.instructions):
        yield sanction_text(each, dealer, texts, names)
    for when, part in (("at_draw", found.at_draw), ("at_win", found.at_win), ("at_end", found.at_end)):
        if not part.is_empty:
            yield texts.text(f"follows.{when}", what=" ".join(_of_part(part, dealer, texts, names)))
    if found.questions:
        asks = " · ".join(_question(each, dealer, texts, names) for each in found.questions)
        yield texts.text("follows.unknown", asks=asks)
    elif found.now.ending is None:
        yield texts.text("follows.goes_on")


def _of_part(part: Part, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> Iterator[str]:
    losers = [seat for seat in SEATS if part.moved[seat] < 0]
    for seat in losers:
        paid = -part.moved[seat] - (part.pot if len(losers) == 1 else 0)
        if paid:
            yield texts.text("follows.pays", seat=seat_name(seat, dealer, texts, names), points=f"{paid:,}")
        if part.pot and len(losers) == 1:
            yield texts.text("follows.pot", seat=seat_name(seat, dealer, texts, names), points=f"{part.pot:,}")
    if part.outside:
        yield texts.text("follows.outside", points=f"{part.outside:,}")
    for due in part.dues:
        yield _of_due(due, dealer, texts, names)
    if part.ending is not None and not any(due.op is Op.BUST for due in part.dues):
        ending = part.ending
        how = "passes" if ending.dealer_passes else "again" if ending.is_repeat else "stays"
        yield texts.text(f"follows.{how}")
        yield texts.text(f"follows.returns_{ending.returns}")


def _of_due(due: Due, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    seat = seat_name(due.seat, dealer, texts, names)
    if due.op is Op.CARD:
        colour, _, scope = due.detail.partition(" ")
        within = {"colour": texts.text(f"card.{colour}"), "scope": texts.text(f"scope.{scope}")}
        return texts.text("follows.card", seat=seat, card=texts.text("card.within", **within))
    return texts.text(f"follows.{due.op.value}", seat=seat, points=f"{due.amount:,}")


def sanction_text(each: Sanction, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY) -> str:
    """Returns what a seat must not do or must do, or what hands do now."""
    return texts.text(f"follows.{_key(each)}", seat=seat_name(each.seat, dealer, texts, names))


def _key(each: Sanction) -> str:
    op, effect = each.op, each.effect
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
    if _kind(name) is not None:
        return texts.text(f"ask.{name}")
    return texts.text("ask.referee", clause=book_of(texts).title(name))
