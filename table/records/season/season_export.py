"""Exports a season as JSON and CSV: every figure with its number of cases and its confidence interval.

An unknown value is null in JSON and an empty cell in CSV, never zero.
"""

from __future__ import annotations

import csv
import io
from typing import Any, Final

from table.records.formats.csv_writer import spreadsheet_text
from table.records.season.definitions import DEFINITIONS
from table.records.season.intervals import CONFIDENCE, Interval
from table.records.season.season_figures import HeadToHead, Mean, PersonFigures, Rate, Season
from table.records.season.tally import AMOUNTS, SHARES, BestHand

MEANS: Final = ("place", "points", "uma", "result")
"""The averages over games."""
Data = dict[str, Any]


def season_json(season: Season) -> Data:
    """Returns the season by the contract `season.schema.json`."""
    return {
        "games": season.games,
        "left_out": season.left_out,
        "sure": CONFIDENCE,
        "people": [person_json(person) for person in season.people],
        "definitions": {
            name: {"sources": list(definition.sources), "ours": definition.is_ours}
            for name, definition in DEFINITIONS.items()
        },
    }


def person_json(person: PersonFigures) -> Data:
    """Returns one person's figures."""
    tally = person.tally
    return {
        "id": person.id,
        "name": person.name,
        "names": list(person.names),
        "games": len(person.games),
        "hands": tally.hands,
        "total": person.result,
        "places": [_rate(rate) for rate in person.places],
        **{name: _mean(person.mean_of(name)) for name in (*MEANS, *AMOUNTS)},
        **{name: _rate(person.rate_of(name)) for name in SHARES},
        "deal_in_turns": {str(turn): count for turn, count in sorted(tally.deal_in_turns.items())},
        "deal_in_turns_unknown": tally.turns_unknown,
        "dealership": tally.dealership,
        "best": None if person.best is None else _best(person.best),
        "against": [_against(name, figures) for name, figures in sorted(person.against.items())],
        "history": [
            {"utc": game.utc, "place": game.place, "points": game.points, "uma": game.uma, "result": game.result}
            for game in person.games
        ],
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [round(end, 6) for end in interval]


def _rate(rate: Rate) -> Data:
    value = None if rate.value is None else round(rate.value, 6)
    return {"hits": rate.hits, "of": rate.of, "unknown": rate.unknown, "rate": value, "interval": _ends(rate.interval)}


def _mean(mean: Mean) -> Data:
    value = None if mean.value is None else round(mean.value, 6)
    return {"count": mean.count, "unknown": mean.unknown, "mean": value, "interval": _ends(mean.interval)}


def _best(best: BestHand) -> Data:
    return {
        "points": best.points,
        "han": best.han,
        "fu": best.fu,
        "yakuman": best.yakuman,
        "yaku": [list(pair) for pair in best.yaku],
        "utc": best.utc,
        "hand": best.hand,
        "tiles": best.tiles or None,
        "winning_tile": best.winning_tile or None,
        "melds": list(best.melds),
    }


def _against(name: str, figures: HeadToHead) -> Data:
    return {
        "name": name,
        "games": figures.games,
        "above": figures.above,
        "result": figures.result,
        "won": {"hands": figures.won.count, "points": figures.won.total},
        "lost": {"hands": figures.lost.count, "points": figures.lost.total},
    }


def season_csv(season: Season, *, separator: str = ",") -> str:
    """Returns one row per figure: person, figure, value, interval, number of known cases, number of unknown cases.

    A last row without a person says how many games do not count, if any.
    Spreadsheets in languages with a decimal comma expect a semicolon as `separator`, and get decimal commas with it.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(["person", "figure", "value", "low", "high", "hits", "of", "unknown"])
    for person in season.people:
        name = spreadsheet_text(person.name)
        for row in _rows(person):
            writer.writerow([name, *(_cell(cell, separator) for cell in row)])
    if season.left_out:
        writer.writerow(["", "games_left_out", season.left_out, *[""] * 5])
    return out.getvalue()


def _cell(value: Any, separator: str) -> Any:
    if value is None:
        return ""
    return str(value).replace(".", ",") if isinstance(value, float) and separator == ";" else value


def _rows(person: PersonFigures) -> list[list[Any]]:
    data = person_json(person)
    numbers = [[name, data[name]] for name in ("games", "hands", "total", "dealership", "deal_in_turns_unknown")]
    rates = [("place_" + str(place), rate) for place, rate in enumerate(data["places"], start=1)]
    rates += [(name, data[name]) for name in SHARES]
    rows = [[*row, None, None, None, None, None] for row in numbers]
    rows += [
        [name, rate["rate"], *(rate["interval"] or (None, None)), rate["hits"], rate["of"], rate["unknown"]]
        for name, rate in rates
    ]
    rows += [
        [name, data[name]["mean"], *(data[name]["interval"] or (None, None)), None, *_known_and_unknown(data[name])]
        for name in (*MEANS, *AMOUNTS)
    ]
    rows += [
        [f"deal_in_turn_{turn}", count, None, None, None, None, None] for turn, count in data["deal_in_turns"].items()
    ]
    return rows + _best_rows(data["best"]) + _against_rows(data["against"]) + _history_rows(data["history"])


def _known_and_unknown(mean: Data) -> list[int]:
    return [mean["count"], mean["unknown"]]


def _best_rows(best: Data | None) -> list[list[Any]]:
    if best is None:
        return [["best_points", *[None] * 6]]
    figures = {
        "best_points": best["points"],
        "best_han": best["han"],
        "best_fu": best["fu"],
        "best_yakuman": best["yakuman"] or None,
        "best_yaku": " ".join(name for name, _ in best["yaku"]) or None,
        "best_hand": " ".join(filter(None, [best["tiles"], *best["melds"], best["winning_tile"]])) or None,
    }
    return [[name, value, *[None] * 5] for name, value in figures.items()]


def _against_rows(against: list[Data]) -> list[list[Any]]:
    return [
        [f"against {opponent['name']}: {name}", value, *[None] * 5]
        for opponent in against
        for name, value in (
            ("games", opponent["games"]),
            ("above", opponent["above"]),
            ("result", opponent["result"]),
            ("won_points", opponent["won"]["points"]),
            ("won_hands", opponent["won"]["hands"]),
            ("lost_points", opponent["lost"]["points"]),
            ("lost_hands", opponent["lost"]["hands"]),
        )
    ]


def _history_rows(history: list[Data]) -> list[list[Any]]:
    return [
        [f"game_{number}_{name}", game[name], *[None] * 5]
        for number, game in enumerate(history, start=1)
        for name in ("utc", "place", "points", "uma", "result")
    ]
