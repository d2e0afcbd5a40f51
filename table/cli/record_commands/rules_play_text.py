"""The text of `tachiai rules play`: each event in words, its consequences, open questions, and the result."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from table.dashboard.scores.open_questions import missing_text
from table.dashboard.scores.score_text import points_text, settlement_title, value_text, win_title, yaku_texts
from table.dashboard.web.clause_names import clause_title
from table.i18n import Catalogue, announcement_sentence, round_name, seat_name, signed
from table.i18n.announcement_text import payments_text
from table.i18n.clause_books import book_of
from table.i18n.event_text import event_sentence
from table.i18n.foul_text import foul_sentences
from table.records.walkthrough import EndPosition, FollowedEvent, known_furiten, logged_foul
from table.rules.aspects.ippatsu import window_to_show
from table.rules.events import ClaimsConfirmed, FoulLogged, HandStarted
from table.rules.foul_totals import in_force
from table.rules.fouls.foul_outlook import Outlook, outlook_of_newest
from table.rules.penalties.consequence import game_end_costs
from table.rules.ruleset import Ruleset
from table.rules.state import Furiten, GameState, HandState, LoggedFoul, MissingFact, RiichiStage
from table.rules.terms.announcements import Announcement, AnnouncementId, Suspicion
from table.rules.terms.results import NOTHING, Deltas, Settlement, Win, subtract
from table.rules.terms.seats import SEATS, Seat, four, seats_from
from table.rules.transitions.hand_end import preview_dues, preview_settlement
from table.rules.transitions.settlement_news import sticks_paid

INDENT: Final = "    "
EVIDENCE_LANGUAGE: Final = "en"
"""The language in which the rules say what raised a question."""
_REPEATS_OF_EVENT: Final = (AnnouncementId.FOUL_LOGGED, AnnouncementId.FOUL_CANCELLED, AnnouncementId.HAND_STARTED)
"""Announcements that only repeat their event."""
_RIICHI: Final = {RiichiStage.DECLARED: "riichi_declared", RiichiStage.ACCEPTED: "riichi_accepted"}


class PlayText:
    """The text of one run of events under one rule set, in one language."""

    def __init__(self, ruleset: Ruleset, texts: Catalogue, *, width: int) -> None:
        """Takes the rules, the language, and the number of characters at which lines are wrapped."""
        self._rules = ruleset
        self._width = width
        self._texts = texts
        self._number: int | None = None
        self._last_hand: HandState | None = None
        self._missing: tuple[MissingFact, ...] = ()

    def event_lines(self, followed: FollowedEvent) -> Iterator[str]:
        """Yields the lines of one event; before the first of a hand, the seats.

        A start that ends the hand in play first says what becomes of that hand, whose seats have other winds.
        """
        state, left_count = followed.step.state, _left_hand_count(followed)
        if left_count:
            yield followed.text
            left_news = followed.step.announcements[:left_count]
            yield from self._paragraph("", " ".join(self._sentences(left_news, followed, state.history[-1].dealer)))
        yield from self._heading(state)
        if not left_count:
            yield followed.text
        if followed.error is not None:
            yield from self._paragraph("! ", self._texts.text("stands.nothing_changed", reason=followed.error))
            return
        yield from self._paragraph("", " ".join(self._announcements(followed)))
        for suspicion in followed.step.suspicions:
            yield from self._paragraph("? ", self._question(suspicion, self._dealer(state)))
        yield from self._newly_missing(state, is_asked=isinstance(followed.event, ClaimsConfirmed))

    def end_lines(self, end: EndPosition) -> Iterator[str]:
        """Yields the final state: points, open questions, and the settlement made or proposed."""
        hand, state, texts = end.hand, end.state, self._texts
        yield ""
        place = texts.text("stands.hand", round=round_name(hand.round, texts), honba=hand.start.honba)
        yield texts.labelled(texts.text("stands.title"), f"{place} · {texts.text(f'stands.{hand.phase.value}')}")
        yield INDENT + " · ".join(self._seat_score(seat, hand.dealer, state) for seat in seats_from(hand.dealer))
        if state.deposits or state.deposit_points:
            points = f"{state.deposit_points:,}"
            yield INDENT + texts.text("fouls.pot", sticks=state.deposits, points=points)
        if hand.is_live:
            yield from self._paragraph("", " ".join(self._open_facts(hand)))
        if hand.missing:
            yield from self._paragraph("", self._missing_list(hand.missing, hand))
        yield from self._settlement(end)
        yield from self._next_hand(end)

    def _heading(self, state: GameState) -> Iterator[str]:
        hand = state.hand
        number = len(state.history) - (hand is None or not hand.is_live)
        if hand is None or number == self._number:
            return
        if self._last_hand is not None:
            yield ""
        self._number, self._last_hand, self._missing = number, hand, ()
        texts, start = self._texts, hand.start
        place = texts.text("stands.hand", round=round_name(start.round, texts), honba=start.honba)
        seats = " · ".join(f"{int(seat)} {self._name(seat, start.dealer)}" for seat in SEATS)
        yield texts.labelled(texts.with_note(place, self._rules.name), seats)
        yield ""

    def _announcements(self, followed: FollowedEvent) -> Iterator[str]:
        """Yields the event in words, its announcements, and the consequences of a foul."""
        state, event = followed.step.state, followed.event
        dealer = self._dealer(state)
        if event is not None:
            title = self._title(event.clause) if isinstance(event, FoulLogged) else ""
            yield event_sentence(event, dealer, self._texts, title)
        yield from self._sentences(followed.step.announcements[_left_hand_count(followed) :], followed, dealer)
        if isinstance(event, FoulLogged):
            yield from self._foul_consequences(
                logged_foul(state, event), outlook_of_newest(state, event, self._rules), dealer
            )

    def _sentences(self, announcements: Sequence[Announcement], followed: FollowedEvent, dealer: Seat) -> Iterator[str]:
        """Yields announcements of an event, except those that repeat it or another one."""
        is_settled = any(announcement.id is AnnouncementId.SETTLEMENT_CONFIRMED for announcement in announcements)
        for announcement in announcements:
            is_said = announcement.id is AnnouncementId.SETTLEMENT_PROPOSED and is_settled
            is_said = is_said or (announcement.id is AnnouncementId.WIN_VOID and isinstance(followed.event, FoulLogged))
            if not is_said and announcement.id not in _REPEATS_OF_EVENT:
                yield announcement_sentence(announcement, dealer, self._texts)

    def _foul_consequences(self, foul: LoggedFoul, outlook: Outlook, dealer: Seat) -> Iterator[str]:
        option = foul.consequence.option
        text = book_of(self._texts).options.get(f"{foul.clause} {option}")
        if text is not None:
            yield self._texts.text("stands.option", option=option, text=text.rstrip(".。"))
        yield from foul_sentences(outlook, dealer, self._texts)

    def _question(self, suspicion: Suspicion, dealer: Seat) -> str:
        """Returns a suspicion as a question; what was seen follows only in the language that it is written in."""
        title, seat = self._title(suspicion.clause), self._name(suspicion.seat, dealer)
        question = self._texts.text("stands.suspected", seat=seat, title=title, clause=suspicion.clause)
        if self._texts.language != EVIDENCE_LANGUAGE:
            return question
        return self._texts.labelled(question, f"{'; '.join(suspicion.evidence)}.")

    def _title(self, clause: str) -> str:
        """Returns a clause's title to print beside its number; empty if no rule names it."""
        title = clause_title(clause, self._rules, self._texts)
        is_unknown = title == self._texts.text("irregular.other", clause=clause)
        return self._texts.text("irregular.unnamed") if is_unknown else title

    def _newly_missing(self, state: GameState, *, is_asked: bool) -> Iterator[str]:
        """Yields what the settlement still needs, if that has changed or somebody confirms."""
        hand = preview_settlement(state, self._rules)
        missing = () if hand is None else hand.missing
        if hand is not None and missing and (is_asked or missing != self._missing):
            yield from self._paragraph("", self._missing_list(missing, hand))
        self._missing = missing

    def _missing_list(self, missing: tuple[MissingFact, ...], hand: HandState) -> str:
        words = dict.fromkeys(missing_text(fact, hand, self._rules, self._texts) for fact in missing)
        return self._texts.labelled(self._texts.text("page.missing"), self._texts.list_text(words))

    def _seat_score(self, seat: Seat, dealer: Seat, state: GameState) -> str:
        return f"{self._name(seat, dealer)} {signed(state.scores[seat], plus='')}"

    def _open_facts(self, hand: HandState) -> Iterator[str]:
        """Yields who is in riichi, whose ippatsu is open, and who is known to be furiten."""
        furiten = known_furiten(hand, self._rules)
        for seat in SEATS:
            if (key := _RIICHI.get(hand.riichi[seat].stage)) is not None:
                yield self._seat_text(key, seat, hand.dealer)
            if window_to_show(hand, seat) is not None:
                yield self._seat_text("ippatsu_open", seat, hand.dealer)
            if (kind := furiten[seat]) is not None:
                yield self._furiten(kind, seat, hand.dealer)

    def _seat_text(self, key: str, seat: Seat, dealer: Seat) -> str:
        return self._texts.text(f"say.{key}", seat=self._name(seat, dealer))

    def _furiten(self, kind: Furiten, seat: Seat, dealer: Seat) -> str:
        return self._seat_text(f"furiten.{kind.value}", seat, dealer)

    def _settlement(self, end: EndPosition) -> Iterator[str]:
        hand, texts = end.hand, self._texts
        settlement, later = _settlement_and_later(end)
        if settlement is None or (hand.is_live and hand.missing and not settlement.wins):
            return
        title = settlement_title(settlement, texts, hand.dealer)
        yield texts.labelled(texts.text("page.settlement"), title) if hand.is_live else title
        for win in settlement.wins:
            yield from self._paragraph("", self._win(win, hand.dealer))
        sticks = sticks_paid(hand.start, settlement, _charged_seats(end))
        dues = preview_dues(end.state, self._rules) if hand.is_live else end.state.history[-1].dues
        payments = payments_text(
            subtract(settlement.deltas, later), hand.dealer, texts, sticks=sticks, later=game_end_costs(dues)
        )
        yield from self._paragraph("", texts.labelled(texts.text("page.payments"), payments))
        if any(later):
            yield from self._paragraph(
                "", texts.text("stands.later", payments=payments_text(later, hand.dealer, texts))
            )

    def _win(self, win: Win, dealer: Seat) -> str:
        texts = self._texts
        title = win_title(win.seat, win.from_seat, dealer, texts)
        value = value_text(win.han, win.fu, win.yakuman, texts)
        yaku = texts.list_text(yaku_texts(win.yaku, texts))
        return " · ".join(part for part in (title, value, points_text(win.points, texts), yaku) if part)

    def _next_hand(self, end: EndPosition) -> Iterator[str]:
        state, texts = end.state, self._texts
        if state.is_over:
            yield texts.text("page.game_over")
        elif state.next_start is not None:
            start = state.next_start
            yield texts.text("page.next_hand", round=round_name(start.round, texts), honba=start.honba)

    def _paragraph(self, mark: str, text: str) -> Iterator[str]:
        first = INDENT[len(mark) :] + mark if mark else INDENT
        yield from textwrap.wrap(text, self._width, initial_indent=first, subsequent_indent=INDENT)

    def _name(self, seat: Seat, dealer: Seat) -> str:
        return seat_name(int(seat), dealer, self._texts)

    def _dealer(self, state: GameState) -> Seat:
        hand = state.hand or self._last_hand
        return Seat.NEAR if hand is None else hand.dealer


def _left_hand_count(followed: FollowedEvent) -> int:
    """Returns how many announcements of a start concern the hand before it, which it ends; these come first."""
    ids = [announcement.id for announcement in followed.step.announcements]
    is_start = isinstance(followed.event, HandStarted) and AnnouncementId.HAND_STARTED in ids
    return ids.index(AnnouncementId.HAND_STARTED) if is_start else 0


def _settlement_and_later(end: EndPosition) -> tuple[Settlement | None, Deltas]:
    """Returns the settlement made or proposed, and what of its payments is for fouls found afterwards."""
    if end.hand.is_live or end.hand.proposal is None:
        return end.hand.proposal, NOTHING
    line = end.state.history[-1]
    late = [foul.outcome.deltas for foul in in_force(line.fouls) if foul.is_late]
    return line.settlement, four(map(sum, zip(NOTHING, *late, strict=True)))


def _charged_seats(end: EndPosition) -> tuple[Seat, ...]:
    """Returns the seats charged for riichi in the hand on the table."""
    if not end.hand.is_live:
        return end.state.history[-1].riichi
    return tuple(seat for seat in SEATS if (riichi := end.hand.riichi[seat]).is_declared and riichi.has_passed)
