"""What depends on how often (cards, repetitions, deposits of whoever is short) follows every change of the fouls."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import pytest

from table.i18n import catalogue
from table.i18n.foul_text import foul_sentences
from table.rulebook import rules_named
from table.rules.advance import advance, new_game
from table.rules.foul_totals import in_force
from table.rules.fouls.foul_outlook import outlook_of
from table.rules.notation.event_notation import parse_events
from table.rules.penalties.effect_terms import Op
from table.rules.state import LoggedFoul
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import RulesError
from tests.table.rules.fouls.counted_articles import COUNTED_RULES
from tests.table.rules.fouls.fouled_hands import NOTEN, TENPAI, at
from tests.table.rules.invariants import check
from tests.table.rules.situations import START, Table, settlement_of

EXPOSED = "1 foul 'M.League exposed' facts=exposed=2"
EARLY = "1 foul 7-05-10 option=c"
NOBODY = "draw; 0 noten; 1 noten; 2 noten; 3 noten; confirm"


def m_league() -> Table:
    return Table(rules_named("m-league").ruleset).feed(START)


def red(table: Table) -> list[int]:
    """What is due after uma, by the fouls of every hand."""
    hands = [*(line.fouls for line in table.state.history), table.state.live.fouls if table.state.live else ()]
    parts = [foul.consequence.now for fouls in hands for foul in in_force(fouls)]
    return [due.amount for part in parts for due in part.dues if due.op is Op.AFTER_UMA]


def following(table: Table) -> str:
    assert table.state.next_start is not None
    return str(table.state.next_start)


def test_the_second_card_costs_nothing_once_the_first_is_cancelled() -> None:
    table = m_league().feed(f"{EXPOSED}; {EXPOSED}")
    assert red(table) == [20000]
    table.feed("cancel-foul 0 reason=wrong")
    assert red(table) == []
    table.feed(NOBODY)
    assert [due.op for due in table.state.history[0].dues] == [Op.CARD]
    assert "after_uma" not in table.announcements[-1].args


@pytest.mark.parametrize("is_settled", [False, True])
def test_the_second_card_of_a_later_hand_costs_nothing_once_the_first_is_cancelled(is_settled: bool) -> None:
    table = m_league().feed(f"{EXPOSED}; {NOBODY}")
    table.feed(f"{following(table)}; {EXPOSED}")
    if is_settled:
        table.feed(NOBODY)
    table.feed("cancel-foul 0 reason=wrong hand=0")
    assert red(table) == []
    table.feed(NOBODY if not is_settled else "end-game")
    assert [due.op for line in table.state.history for due in line.dues] == [Op.CARD]


def test_a_card_of_an_earlier_hand_makes_the_later_one_the_second() -> None:
    table = m_league().feed(NOBODY)
    table.feed(f"{following(table)}; {EXPOSED}; {EXPOSED} hand=0")
    assert red(table) == [20000]
    assert [due.op for due in table.state.history[0].dues] == [Op.CARD]


def test_a_repeated_exposure_costs_no_points_once_the_first_is_cancelled() -> None:
    exposed = "1 foul 'WRC exposed' facts=exposed=1"
    table = Table(rules_named("wrc-2025").ruleset).feed(f"{START}; {exposed}; {exposed}; draw; confirm")
    assert red(table) == [5000]
    table.feed("cancel-foul 0 reason=wrong")
    assert red(table) == []
    assert [due.op for due in table.state.history[0].dues] == [Op.CARD]


@pytest.mark.parametrize(
    ("first", "second"),
    [("'WRC exposed'", "7-06-01"), ("7-06-01", "7-06-03"), ("7-07-01-01", "'WRC exposed'"), ("7-06-01", "7-06-01")],
)
@pytest.mark.parametrize("is_later_hand", [False, True])
def test_an_article_counts_a_repetition_under_every_clause_that_it_answers(
    first: str, second: str, is_later_hand: bool
) -> None:
    """The table's button names the article, phones the clause of the catalogue."""
    table = Table(rules_named("wrc-2025").ruleset).feed(f"{START}; 1 foul {first} facts=exposed=1")
    if is_later_hand:
        table.feed(NOBODY)
        table.feed(following(table))
    table.feed(f"1 foul {second} facts=exposed=1")
    assert red(table) == [5000]
    assert red(table.feed(f"2 foul {second} facts=exposed=1")) == [5000]


def test_a_repetition_of_another_clause_is_none() -> None:
    table = Table(rules_named("wrc-2025").ruleset).feed(f"{START}; 1 foul 7-05-16; 1 foul 7-06-01 facts=exposed=1")
    assert red(table) == []


def test_who_has_a_card_of_an_earlier_game_gets_the_third_of_the_day_after_the_second() -> None:
    manner = "1 foul 'M.League manner'"
    table = m_league().feed(f"{manner} facts=cards=2; {manner}")
    assert red(table) == [20000]
    assert red(table.feed(EXPOSED)) == [20000, 20000]
    table.feed("cancel-foul 0 reason=no")
    assert red(table) == [20000]


def test_a_repetition_that_people_counted_goes_on_from_there() -> None:
    table = at(f"{EARLY} facts=occurrence=3; {EARLY}")
    assert (table.state.scores[1], table.state.deposit_points) == (23000, 2000)


@pytest.mark.parametrize("cancelled", [0, 1])
def test_7_05_10_c_up_to_twice_without_a_penalty_counts_the_fouls_in_force(cancelled: int) -> None:
    table = at(f"{EARLY}; {EARLY}; {EARLY}")
    assert (table.state.scores[1], table.state.deposit_points) == (24000, 1000)
    table.feed(f"cancel-foul {cancelled} reason=no")
    assert (table.state.scores[1], table.state.deposit_points) == (25000, 0)
    table.feed(EARLY)
    assert (table.state.scores[1], table.state.deposit_points) == (24000, 1000)


@pytest.mark.parametrize("end", ["draw; confirm", "0 discards 5p; 2 ron han=1 fu=30; confirm"])
@pytest.mark.parametrize("is_next_dealt", [False, True])
def test_the_third_in_a_settled_hand_is_paid_back_once_the_first_is_cancelled(end: str, is_next_dealt: bool) -> None:
    without_foul = at(f"{EARLY}; {EARLY}; {end}").state
    table = at(f"{EARLY}; {EARLY}; {EARLY}; {end}")
    if is_next_dealt:
        table.feed(following(table))
    table.feed("cancel-foul 0 reason=no hand=0")
    assert (table.state.scores, table.state.deposit_points) == (without_foul.scores, without_foul.deposit_points)
    assert settlement_of(table).deltas == without_foul.history[0].settlement.deltas  # type: ignore[union-attr]


def test_the_third_becomes_the_fourth_and_a_later_one_the_third_by_one_of_an_earlier_hand() -> None:
    table = at("draw; confirm")
    table.feed(f"{following(table)}; {EARLY}; {EARLY}; draw; confirm")
    assert table.state.deposit_points == 0
    table.feed(f"{EARLY} hand=0")
    assert (table.state.scores[1], table.state.deposit_points) == (24000, 1000)
    table.feed("cancel-foul 0 reason=no hand=0")
    assert (table.state.scores[1], table.state.deposit_points) == (25000, 0)


SHORT = START.replace("25000,25000,25000,25000", "30000,1500,35000,33500")
DEPOSIT = "1 foul 7-05-11"


@pytest.mark.parametrize("later", ["", "; draw; confirm"])
def test_7_08_06_a_deposit_is_due_once_an_earlier_one_is_cancelled(later: str) -> None:
    table = at(f"{DEPOSIT}; {DEPOSIT}{later}", {"7-08-06": "b"}, start=SHORT)
    assert (table.state.scores[1], table.state.deposit_points) == (500, 1000)
    table.feed("cancel-foul 0 reason=no")
    fouls = table.hand.fouls
    assert (fouls[1].consequence.now.pot, table.state.scores[1], table.state.deposit_points) == (1000, 500, 1000)
    table.feed("cancel-foul 1 reason=no")
    assert (table.state.scores[1], table.state.deposit_points) == (1500, 0)


def test_7_08_06_a_deposit_of_a_later_hand_is_due_once_an_earlier_one_is_cancelled() -> None:
    table = at(f"{DEPOSIT}; draw; confirm", {"7-08-06": "b"}, start=SHORT)
    table.feed(f"{following(table)}; {DEPOSIT}")
    assert (table.state.scores[1], table.state.deposit_points) == (500, 1000)
    table.feed("cancel-foul 0 reason=no hand=0")
    assert table.hand.fouls[0].consequence.now.pot == 1000
    assert (table.state.scores[1], table.state.deposit_points) == (500, 1000)


def test_7_08_06_who_has_won_enough_by_then_pays_for_a_foul_that_is_found_after_the_settlement() -> None:
    start = SHORT.replace("1500,35000", "500,36000")
    table = at("0 discards 5p; 1 ron han=1 fu=30; confirm; 1 foul 7-05-11", {"7-08-06": "b"}, start=start)
    assert (table.state.scores[1], table.state.deposit_points) == (500, 1000)


@pytest.mark.parametrize("language", ["en", "ja", "ko", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("settled_first", ["", "draw; confirm; "])
def test_7_08_06_an_excused_deposit_is_said_with_its_clause_until_an_earlier_one_is_cancelled(
    language: str, settled_first: str
) -> None:
    table = at(f"{settled_first}{DEPOSIT}; {DEPOSIT}", {"7-08-06": "b"}, start=SHORT)
    lines = consequences_of(table, language)
    assert [("7-08-06" in line, "1,000" in line) for line in lines].count((True, True)) == 1
    table.feed("cancel-foul 0 reason=no")
    assert not any("7-08-06" in each for each in consequences_of(table, language))


def consequences_of(table: Table, language: str) -> list[str]:
    """What is said of the newest foul."""
    game = table.state
    outlook = outlook_of(game, len(game.history) - (game.live is None), -1, table.ruleset)
    return list(foul_sentences(outlook, table.hand.dealer, catalogue(language)))


def test_an_excused_deposit_beside_a_dead_hand_says_both() -> None:
    text = "1 foul 7-05-11; 1 foul 7-04-02 option=e"
    lines = consequences_of(at(text, {"7-08-06": "b"}, start=SHORT), "en")
    assert lines[0] == "South has fewer than 1,000 points, so no deposit is due (7-08-06)."
    assert len(lines) == 3


def test_a_chombo_that_is_cancelled_is_no_more_proposed() -> None:
    table = at("1 foul 7-04-01 option=a; cancel-foul 0 reason=no")
    assert (table.hand.proposal, table.missing) == (None, ())


def counted_table(text: str) -> Table:
    return Table(COUNTED_RULES).feed(f"{START}; {text}")


def test_a_settlement_that_was_proposed_is_proposed_anew_once_a_foul_of_it_is_cancelled() -> None:
    table = at(f"0 discards 9m; 1 discards 9p sideways; 2 discards 9s; 1 stick; {DEPOSIT}; draw; 1 noten; confirm")
    assert (table.missing, table.hand.proposal.deposit_points) == (("hand 1",), 1000)  # type: ignore[union-attr]
    table.feed("cancel-foul 0 reason=no")
    assert table.sayings == [("foul_cancelled", 1), ("settlement_proposed", None)]
    assert table.hand.proposal.deposit_points == 0  # type: ignore[union-attr]


def test_a_hand_that_the_second_offence_ends_goes_on_once_the_first_is_cancelled() -> None:
    table = counted_table("1 foul 'A 1'; draw; confirm")
    table.feed(f"{following(table)}; 1 foul 'A 1'")
    assert "settlement_proposed" in dict(table.sayings)
    table.feed("cancel-foul 0 reason=no hand=0")
    assert "settlement_proposed" not in dict(table.sayings)
    table.feed("draw; confirm")
    assert settlement_of(table).reason is None


def test_the_second_offence_ends_the_hand_in_play_once_the_first_is_entered_for_an_earlier_hand() -> None:
    table = counted_table("draw; confirm")
    table.feed(f"{following(table)}; 1 foul 'A 1'; 1 foul 'A 1' hand=0")
    assert "settlement_proposed" in dict(table.sayings)
    assert settlement_of(table.feed("confirm")).reason is AbortReason.CHOMBO


def test_a_hand_is_dead_once_an_earlier_offence_is_entered_and_alive_once_that_is_cancelled() -> None:
    table = counted_table("draw; confirm")
    table.feed(f"{following(table)}; 2 foul 'A 3'; 2 foul 'A 3' hand=0")
    assert ("dead_hand", 2) in table.sayings
    assert table.feed("1 discards 5p; 2 ron han=1 fu=30").clauses == [("7-09-01", 2)]
    table.feed("cancel-foul 0 reason=no hand=0; 2 ron han=1 fu=30")
    assert (table.clauses, [int(claim.seat) for claim in table.hand.claims]) == ([], [2])


def test_a_card_of_another_hand_is_not_counted_where_the_scope_is_the_hand() -> None:
    table = counted_table("1 foul 'A 4'; draw; confirm; 1 foul 'A 4'")
    assert red(table) == [3000]
    table.feed("cancel-foul 0 reason=no hand=0")
    assert red(table) == []
    table.feed(f"{following(table)}; 1 foul 'A 4'")
    assert red(table) == []


# A foul that is cancelled leaves nothing behind

LIGHT: Final = (
    *(
        "7-05-10",
        "7-05-11",
        "7-05-11 option=d",
        "7-05-17 option=a",
        "7-06-01 option=d facts=exposed=2",
        "7-08-05 option=a",
    ),
    *("7-05-07 option=b", "7-05-09 option=b", "'A 2'", "'A 4'", "'A 5'"),
)
"""What moves points only; it may be cancelled in a later hand."""
RIICHI: Final = "0 discards 9m; 1 discards 9p sideways; 2 discards 9s; 1 stick; 3 discards 1z"
RULES: Final = COUNTED_RULES.but(tobi="never")
HEAVY: Final = ("7-04-01", "7-04-02 option=e", "7-04-01 option=c", "7-05-07 option=c", "7-05-11 option=b", "'A 3'")
"""What changes the result too; it is cancelled before play goes on."""
ENDS: Final = (
    f"draw; 0 shows {TENPAI}; 1 tenpai; 2 noten; 3 noten; confirm",
    f"draw; 0 noten; 1 shows {NOTEN}; 2 tenpai; 3 tenpai; confirm",
    "0 discards 5p; 2 ron han=1 fu=30; confirm",
    "0 discards 5p; 1 ron han=2 fu=30; 3 ron han=1 fu=40; confirm",
    "0 tsumo han=2 fu=30; confirm",
    "told draw tenpai=13",
    "told ron win0=3:1:2:30:0::",
)


def any_game(rng: random.Random) -> list[str]:
    """Hands with fouls at any time: each is dealt, played, ended and talked about, also in the next one."""
    lines: list[str] = []
    for hand in range(rng.randrange(1, 5)):
        lines += ["deal", *any_fouls(rng, hand)]
        if rng.random() < 0.5:
            lines += [RIICHI, *any_fouls(rng, hand)]
        lines += [rng.choice(ENDS), *any_fouls(rng, hand)]
    return lines + (["deal", *any_fouls(rng, hand + 1)] if rng.random() < 0.5 else [])


def any_fouls(rng: random.Random, hand: int) -> list[str]:
    fouls = []
    for _ in range(rng.randrange(3)):
        hand_option = f" hand={rng.randrange(hand)}" if hand and rng.random() < 0.3 else ""
        kinds = LIGHT if hand_option or rng.random() < 0.8 else HEAVY
        fouls.append(f"{rng.randrange(2)} foul {rng.choice(kinds)}{hand_option}")
    return fouls


def last_chance(lines: Sequence[str], foul: int) -> int:
    """The last line after which a foul can be cancelled so that nothing but its consequence was different before."""
    if any(lines[foul].split(" foul ")[1].startswith(kind) for kind in HEAVY if kind not in LIGHT):
        for at, line in enumerate(lines[foul + 1 :], foul):
            if line in ("deal", RIICHI, *ENDS):
                return at
    return len(lines) - 1


class Game:
    """A game with these rules, in which what is impossible is left out."""

    def __init__(self) -> None:
        self.state = new_game(RULES)
        self.refused_events: list[str] = []

    def feed(self, text: str) -> None:
        for line in [str(self.state.next_start)] if text == "deal" and self.state.next_start else text.split("; "):
            try:
                (event,) = parse_events(line)
                self.state = advance(self.state, event, RULES).state
            except RulesError:
                self.refused_events.append(line)
                continue
            check(self.state, RULES)

    @property
    def fouls(self) -> list[tuple[LoggedFoul, ...]]:
        live = self.state.live
        return [*(line.fouls for line in self.state.history), () if live is None else live.fouls]

    def feed_foul(self, text: str) -> str | None:
        """Logs a foul; returns the line that cancels it, None if it opens a hand or drops a claimed win."""
        before, old_hand = self.fouls, self.state.live
        self.feed(text)
        live = self.state.live
        if live is not None and (old_hand is None or old_hand.claims != live.claims):
            return None
        for hand, fouls in enumerate(self.fouls):
            if hand >= len(before) or len(fouls) > len(before[hand]):
                return f"cancel-foul {len(fouls) - 1} reason=no hand={hand}" if fouls else None
        return None


def everything(game: Game) -> dict[str, Any]:
    """The game as people find it, without the fouls that were cancelled."""
    state, hand = game.state, game.state.hand
    lines = [replace(line, fouls=tuple(in_force(line.fouls)), dues=()) for line in state.history]
    found: dict[str, Any] = {
        "scores": (state.scores, state.deposits, state.deposit_points, state.next_start, state.ranking),
        "history": lines,
        "dues": [sorted(map(str, line.dues)) for line in state.history],
    }
    if hand is not None:
        found["hand"] = replace(
            hand, fouls=tuple(in_force(hand.fouls)), proposal=hand.proposal if hand.is_live else None
        )
    return found


@pytest.mark.parametrize("batch", range(10))
def test_after_a_foul_is_cancelled_all_is_as_if_it_had_never_been_entered(batch: int) -> None:
    count = 0
    for seed in range(40):
        rng = random.Random(f"{batch} {seed}")
        lines = any_game(rng)
        fouls = [at for at, line in enumerate(lines) if " foul " in line]
        if not fouls:
            continue
        gone = rng.choice(fouls)
        until = rng.randrange(gone, last_chance(lines, gone) + 1)
        with_it, without, cancel = Game(), Game(), None
        for place, line in enumerate(lines):
            if place == gone:
                cancel = with_it.feed_foul(line)
            else:
                with_it.feed(line)
                without.feed(line)
            if place == until and cancel is not None:
                with_it.feed(cancel)
        if cancel is not None:
            count += 1
            case = (batch, seed, lines[: until + 1], lines[gone], cancel, lines[until + 1 :])
            assert with_it.refused_events == without.refused_events, case
            assert everything(with_it) == everything(without), case
    assert count > 20
