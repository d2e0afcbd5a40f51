"""Reads the forms of the desk's owner: each field is validated, and an invalid one named."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from table.config import TABLE_NAME
from table.mqtt.desk_signal import DESK
from table.mqtt.tournament.acts import (
    AppealDecided,
    GameMoved,
    PenaltyCancelled,
    PenaltyGiven,
    PlayerReplaced,
    ResultTold,
    TournamentOpened,
)
from table.mqtt.tournament.book_penalties import BookPenalty, book_penalties
from table.mqtt.tournament.round_seating import find_seating, rounds_without_repeats
from table.mqtt.tournament.tournament import MOST_MINUTES, MOST_POINTS, Tournament
from table.mqtt.tournament.tournament_csv import (
    MOST_LETTERS_OF_NAME,
    MOST_ROUNDS,
    CsvError,
    Fault,
    Seating,
    is_seating,
    read_players,
    read_seating,
)
from table.mqtt.tournament.tournament_rules import rules_to_store, tournament_rules
from table.rulebook import known_rules
from table.rules.ruleset import Ruleset
from table.rules.terms.seats import four
from table.runtime.person_name import checked_name, normalised_name
from table.runtime.table_errors import ConfigError, PressError
from table.runtime.typed_text import is_line, typed_line
from table.runtime.whole_number import whole_number

Form = Mapping[str, str]
MOST_LETTERS: Final = 200
draw_lots: Final[Callable[[list[str]], None]] = random.SystemRandom().shuffle
"""Draws at random which player gets which number."""


def whole_field(form: Form, name: str, minimum: int, maximum: int) -> int:
    """Returns a whole number from a form.

    Raises:
        PressError: it is not a whole number from `minimum` to `maximum`.
    """
    text = form.get(name, "").strip()
    number = whole_number(text, minimum, maximum)
    if number is None:
        raise PressError(
            f"expected {name} from {minimum} to {maximum}, got {text!r}",
            says="desk_number",
            field=name,
            least=minimum,
            most=maximum,
            got=text[:20] or "–",
        )
    return number


def text_field(form: Form, name: str) -> str:
    """Returns a line of text from a form.

    Raises:
        PressError: it is longer than `MOST_LETTERS`, or has signs that no line of text has.
    """
    text = typed_line(form.get(name, ""))
    if len(text) > MOST_LETTERS or not is_line(text):
        error = f"expected {name} as a line of {MOST_LETTERS} letters at most, got {text!r:.80}"
        raise PressError(error, says="long_line", field=name, most=MOST_LETTERS)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentForm:
    """A tournament as entered in a form."""

    opening: TournamentOpened
    """Without rounds if those have to be searched for."""
    rounds_to_search: int
    """Number of rounds to search for; 0 if all are given."""


def read_tournament(form: Form, text: str, away: Collection[str]) -> TournamentForm:
    """Returns the tournament that a form opens.

    Args:
        form: its fields.
        text: the players or their seating, as CSV.
        away: the names of the tables that are offline.

    Raises:
        CsvError: the players or their seating cannot be read.
        PressError: another field cannot be read.
    """
    seating, rounds_to_search = _read_seating(form, text)
    count, title = len(seating.players) // 4, text_field(form, "title")
    opening = TournamentOpened(
        title=title if normalised_name(title) else "",
        rules=_read_rules(form.get("rules", "")),
        players=seating.players,
        rounds=seating.rounds,
        tables=_read_tables(form.get("tables", ""), count, offered=form.get("offered", ""), away=away),
        minutes=whole_field(form, "minutes", 0, MOST_MINUTES),
        event=secrets.token_hex(4),
        house=rules_to_store(form.get("rules", "")),
    )
    return TournamentForm(opening=opening, rounds_to_search=rounds_to_search)


def _read_seating(form: Form, text: str) -> tuple[Seating, int]:
    """Returns the players with their rounds, or with the number of rounds to search for."""
    if is_seating(text):
        return read_seating(text), 0
    players = list(read_players(text))
    rounds = whole_field(form, "rounds", 1, MOST_ROUNDS)
    draw_lots(players)
    if rounds > rounds_without_repeats(len(players)):
        return Seating(players=tuple(players), rounds=()), rounds
    return Seating(players=tuple(players), rounds=tuple(find_seating(len(players), rounds))), 0


def _read_rules(name: str) -> str:
    try:
        known_rules(name)
    except ConfigError as error:
        raise PressError(str(error), says="rules_gone") from error
    return name


def _read_tables(text: str, count: int, offered: str, away: Collection[str]) -> tuple[str, ...]:
    """Reads the tables' names, one a line; tables without a name are entered by hand.

    If nobody changed the names that the page `offered`, the first `count` of them are taken, tables that are `away`
    only where others are too few.
    """
    filled_in = text.split()
    taken = sorted(filled_in, key=lambda name: name in away)[:count]
    lines = [name for name in filled_in if name in taken] if filled_in == offered.split() else text.splitlines()
    names, faults = list[str](), list[Fault]()
    for line, name in enumerate(map(str.strip, lines), 1):
        if name and (not re.fullmatch(TABLE_NAME, name) or name == DESK):
            faults.append(Fault(line=line, expects="table_name", got=name[:40]))
        elif name and name in names:
            faults.append(Fault(line=line, expects="once", got=name, values={"line": names.index(name) + 1}))
        names.append(name)
    given_names = [name for name in names if name]
    if not faults and len(given_names) > count:
        faults.append(Fault(line=0, expects="tables", got=str(len(given_names)), values={"tables": count}))
    if faults:
        raise CsvError(faults)
    return (*given_names, *[""] * (count - len(given_names)))


def read_result(form: Form, now: Tournament, rules: Ruleset | None) -> ResultTold:
    """Returns a table's result; four empty fields withdraw one that was entered.

    Raises:
        PressError: a field cannot be read, nothing was entered that could be withdrawn, or the points do not add up to
            those of the rules and nobody has confirmed this sum: sticks may be left over, and a foul may be paid to
            nobody at the table.
    """
    round_, table = whole_field(form, "round", 1, MOST_ROUNDS) - 1, whole_field(form, "table", 1, 1000) - 1
    fields = [f"score{wind}" for wind in range(4)]
    if not any(form.get(name, "").strip() for name in fields):
        entered = now.entered_results.get((round_, table))
        if entered is None or entered.scores is None:
            raise PressError("expected four scores, got empty fields", says="desk_no_scores")
        return ResultTold(round=round_, table=table, scores=None)
    scores = four(whole_field(form, name, -MOST_POINTS, MOST_POINTS) for name in fields)
    total = sum(scores) if rules is None else 4 * rules.starting_points
    if sum(scores) != total and form.get("sure") != str(sum(scores)):
        raise PressError(
            f"expected points of {total} in all, got {sum(scores)}", says="desk_sum", total=total, got=sum(scores)
        )
    return ResultTold(round=round_, table=table, scores=scores)


def read_penalty(form: Form, opening: TournamentOpened) -> PenaltyGiven:
    """Returns a penalty: an article of the tournament's rule set or the points entered, as many times as the form says.

    Raises:
        PressError: a field cannot be read, there is no such article, or the form has both or neither.
    """
    player, reason = _read_player(form), text_field(form, "why")
    times = whole_field(form, "times", 1, 100) if "times" in form else 1
    article = _read_article(form, opening)
    if article is None:
        if not form.get("points", "").strip():
            raise PressError("expected an article or points, got neither", says="desk_penalty_none")
        each = whole_field(form, "points", 1, MOST_POINTS)
        points = whole_field({"points": str(each * times)}, "points", 1, MOST_POINTS)
        label = f"{each} × {times}" if times > 1 else ""
    else:
        points = article.cost(times)
        label = f"{article.article} × {times}" if article.per or times > 1 else article.article
    return PenaltyGiven(player=player, points=points, why=": ".join(filter(None, (label, reason))))


def _read_player(form: Form) -> int:
    """Reads which player is chosen, by number.

    Raises:
        PressError: nobody is chosen, or the field is not a number.
    """
    if not form.get("player", "").strip():
        raise PressError("expected a player, got none", says="desk_player")
    return whole_field(form, "player", 0, 1000)


def _read_article(form: Form, opening: TournamentOpened) -> BookPenalty | None:
    """Reads which article costs points; None if the form names none."""
    key = form.get("article", "")
    if not key:
        return None
    if form.get("points", "").strip():
        raise PressError(f"expected points or an article, got both: {key}", says="desk_article_points")
    house = tournament_rules(opening)
    found = {
        f"{penalty.article} {penalty.points}": penalty for penalty in (() if house is None else book_penalties(house))
    }
    if key not in found:
        raise PressError(f"expected an article of the rules, got {key}", says="overtaken")
    return found[key]


def read_cancellation(form: Form) -> PenaltyCancelled:
    """Returns which penalty is cancelled.

    Raises:
        PressError: a field cannot be read, or there is no reason.
    """
    reason = text_field(form, "why")
    if not reason:
        raise PressError("expected why the penalty is cancelled, got nothing", says="desk_why")
    return PenaltyCancelled(penalty=whole_field(form, "penalty", 0, 100_000), why=reason)


def read_replacement(form: Form, now: Tournament) -> PlayerReplaced:
    """Returns who substitutes for whom; an empty name with empty points withdraws the substitute.

    Raises:
        PressError: a field cannot be read; the substitute's name is missing, invisible or too long; or somebody of that
            name plays in this round.
    """
    round_, player = whole_field(form, "round", 1, len(now.opening.rounds)) - 1, _read_player(form)
    points = None if not form.get("points", "").strip() else whole_field(form, "points", -MOST_POINTS, MOST_POINTS)
    entered = form.get("by", "")
    by = checked_name(entered, most=MOST_LETTERS_OF_NAME)
    earlier = now.replacements.get((round_, player))
    if entered.strip() and not by:
        raise PressError("expected a name that can be seen, got an invisible one", says="name_unseen")
    if not by and (points is not None or earlier is None or not earlier.by):
        raise PressError("expected the substitute's name, got none", says="desk_substitute")
    if by.casefold() in {name.casefold() for name in _players_of_round(now, round_, player)}:
        raise PressError(f"expected somebody who does not play in this round, got {by}", says="desk_plays", name=by)
    return PlayerReplaced(round=round_, player=player, by=by, points=points)


def _players_of_round(now: Tournament, round_: int, player: int) -> Iterator[str]:
    """Returns who plays in a round: everybody who sits there, and the substitutes of the others than `player`."""
    if round_ < len(now.opening.rounds):
        yield from (now.opening.players[seat] for table in now.opening.rounds[round_] for seat in table)
    yield from (
        replacement.by
        for (at, of), replacement in now.replacements.items()
        if at == round_ and of != player and replacement.by
    )


def read_moved_game(form: Form, now: Tournament) -> GameMoved:
    """Returns which round a game counts for; round 0 is none.

    Raises:
        PressError: a field cannot be read.
    """
    round_ = whole_field(form, "round", 0, len(now.opening.rounds))
    game = whole_field(form, "game", 0, 99_999_999)
    opened_at = form.get("opened", "")[:40]
    return GameMoved(table=form.get("table", ""), game=game, round=round_ - 1 if round_ else None, opened=opened_at)


def read_ruling(form: Form) -> AppealDecided:
    """Returns the referee's ruling on an appeal.

    Raises:
        PressError: it is not a line of text.
    """
    return AppealDecided(
        table=form.get("table", "")[:40], clip=form.get("clip", "")[:60], ruling=text_field(form, "ruling")
    )
