"""A season in words: every figure with its confidence interval, number of cases, and definition. Pure."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from markupsafe import Markup

from table.dashboard.games.season.season_pictures import AXES, bars, line_of_points, radar
from table.dashboard.scores.score_text import thousands, value_text
from table.dashboard.web.view import View
from table.i18n import Catalogue, running_text
from table.records.season.definitions import DEFINITIONS
from table.records.season.season_export import MEANS
from table.records.season.season_figures import HeadToHead, Mean, PersonFigures, Rate, Season
from table.records.season.tally import AMOUNTS, SHARES, BestHand
from table.rules.terms.tiles import parse_tiles
from table.runtime.clock import local_day

RANKED_PEOPLE: Final = 100
"""Number of people listed on the season's page."""
LAST_TURN: Final = 20
"""Last turn with a bar of its own in the picture of deal-ins; later turns share the last bar."""


def season_view(season: Season, texts: Catalogue) -> list[View]:
    """Returns the people of a season, best points first, with a few figures each; an unknown figure is None."""
    return [
        {
            "id": person.id,
            "name": person.name,
            "games": len(person.games),
            "total": thousands(person.result) if person.games else None,
            "place": _mean(person.mean_of("place"), "place", texts)["value"] if person.games else None,
            "wins": _percent_or_none(person.rate_of("wins")),
            "deal_ins": _percent_or_none(person.rate_of("deal_ins")),
        }
        for person in season.people[:RANKED_PEOPLE]
    ]


def _percent_or_none(rate: Rate) -> str | None:
    return None if rate.value is None else percent(rate.value)


def person_view(person: PersonFigures, texts: Catalogue) -> View:
    """Returns all figures of one person."""
    figures = [_figure("games", {"value": str(len(person.games))}, texts)]
    figures += [_figure(name, _mean(person.mean_of(name), name, texts), texts) for name in MEANS]
    figures += [_figure(name, _rate(person.rate_of(name), texts), texts) for name in SHARES]
    figures += [_figure(name, _mean(person.mean_of(name), name, texts), texts) for name in AMOUNTS]
    figures.append(_figure("dealership", _dealership(person, texts), texts))
    return {
        "id": person.id,
        "name": person.name,
        "also": [name for name in person.names if name != person.name],
        "total": thousands(person.result),
        "hands": person.tally.hands,
        "figures": figures,
        "best": None if person.best is None else best_view(person.best, texts),
        "about_best": _figure("best", {"value": ""}, texts),
        "about_against": _figure("against", {"value": ""}, texts),
        "against": [_against(name, record, texts) for name, record in sorted(person.against.items())],
        "pictures": _pictures(person, texts),
    }


def _figure(name: str, value_view: View, texts: Catalogue) -> View:
    definition = DEFINITIONS[name]
    return {
        "name": texts.text(f"season.{name}"),
        "interval": "",
        "rests_on": "",
        "unknown": "",
        **value_view,
        "about": texts.text(f"season.about.{name}"),
        "sources": definition.sources,
        "ours": texts.text("season.ours") if definition.is_ours else "",
    }


def percent(share: float) -> str:
    """Returns a share as a percentage."""
    return f"{100 * share:.1f}%"


def _rate(rate: Rate, texts: Catalogue) -> View:
    unknown = texts.text("season.unknown", count=rate.unknown) if rate.unknown else ""
    if rate.value is None or rate.interval is None:
        return {"value": texts.text("season.not_known"), "unknown": unknown}
    low, high = rate.interval
    return {
        "value": percent(rate.value),
        "interval": f"{100 * low:.1f}–{100 * high:.1f}%",
        "rests_on": texts.text("season.of", hits=rate.hits, of=rate.of),
        "unknown": unknown,
    }


def _mean(mean: Mean, name: str, texts: Catalogue) -> View:
    unknown = texts.text("season.unknown", count=mean.unknown) if mean.unknown else ""
    if mean.value is None:
        return {"value": texts.text("season.not_known"), "unknown": unknown}
    digits = 2 if name in ("place", "riichi_turn") else 0
    signed = name in ("uma", "result")
    return {
        "value": _amount(mean.value, digits, signed=signed),
        "interval": " – ".join(_amount(end, digits, signed=signed) for end in mean.interval or ()),
        "rests_on": texts.text("season.over", count=mean.count),
        "unknown": unknown,
    }


def _amount(value: float, digits: int, *, signed: bool) -> str:
    return (f"{value:+,.{digits}f}" if signed else f"{value:,.{digits}f}").replace("-", "−")


def _dealership(person: PersonFigures, texts: Catalogue) -> View:
    return {"value": str(person.tally.dealership) if person.tally.hands else texts.text("season.not_known")}


def best_view(best: BestHand, texts: Catalogue) -> View:
    """Returns a person's best hand, to be drawn, with its value."""
    return {
        "points": f"{best.points:,}",
        "worth": value_text(best.han, best.fu, best.yakuman, texts),
        "yaku": [texts.name("yaku", name) for name, _ in best.yaku],
        "tiles": [tile.text for tile in parse_tiles(best.tiles)] if best.tiles else [],
        "winning_tile": best.winning_tile,
        "melds": [[tile.text for tile in parse_tiles(meld.strip("()"))] for meld in best.melds],
        "when": local_day(best.utc),
    }


def _against(name: str, figures: HeadToHead, texts: Catalogue) -> View:
    return {
        "name": name,
        "above": texts.text("season.above", above=figures.above, games=figures.games),
        "result": thousands(figures.result),
        "won": f"{figures.won.total:,}",
        "lost": f"{figures.lost.total:,}",
    }


def _pictures(person: PersonFigures, texts: Catalogue) -> list[View]:
    pictures = [_points(person, texts), _places(person, texts), _style(person, texts), _deal_ins(person, texts)]
    return [picture for picture in pictures if picture is not None]


def _picture(name: str, svg: str, alt: str, texts: Catalogue) -> View:
    return {"title": texts.text(f"season.picture.{name}"), "svg": Markup(svg), "alt": alt}  # noqa: S704 - drawn here, texts escaped


def _points(person: PersonFigures, texts: Catalogue) -> View | None:
    results = [game.result for game in person.games]
    if not results:
        return None
    sums = [0, *accumulate(results)]
    alt = texts.text(
        "season.alt.points",
        games=len(results),
        total=thousands(sums[-1]),
        high=thousands(max(sums)),
        low=thousands(min(sums)),
    )
    return _picture("points", line_of_points(results, alt), alt, texts)


def _places(person: PersonFigures, texts: Catalogue) -> View | None:
    if not person.games:
        return None
    places = [(texts.text("page.place", place=place), rate) for place, rate in enumerate(person.places, start=1)]
    columns = [(label, rate.hits, _rate(rate, texts)) for label, rate in places]
    alt = texts.list_text(
        texts.labelled(label, texts.with_note(str(count), texts.list_text((rate_view["value"], rate_view["interval"]))))
        for label, count, rate_view in columns
    )
    picture = _picture("places", bars([(label, count) for label, count, _ in columns], alt), alt, texts)
    return {**picture, "about": _figure("places", {"value": ""}, texts)}


def _style(person: PersonFigures, texts: Catalogue) -> View | None:
    values = {name: person.rate_of(name).value if name in SHARES else person.mean_of(name).value for name in AXES}
    if all(value is None for value in values.values()):
        return None
    names = {name: texts.text(f"season.{name}") for name in AXES}
    value_texts = {
        name: texts.text("season.not_known") if value is None else percent(value) if name in SHARES else f"{value:,.0f}"
        for name, value in values.items()
    }
    alt = texts.list_text(texts.labelled(names[name], value_texts[name]) for name in AXES)
    marked = {name: f"{text} ?" if values[name] is None else text for name, text in names.items()}
    return _picture("style", radar(values, marked, alt), alt, texts)


def _deal_ins(person: PersonFigures, texts: Catalogue) -> View | None:
    turns = person.tally.deal_in_turns
    if not turns:
        return None
    last = min(LAST_TURN, max(turns))
    counts = [(str(turn), turns.get(turn, 0)) for turn in range(1, last)]
    later = sum(count for turn, count in turns.items() if turn >= last)
    counts.append((f"{last}+" if max(turns) > last else str(last), later))
    commonest = max(turns, key=lambda turn: (turns[turn], -turn))
    alt = texts.text("season.alt.deal_ins", turn=commonest, count=turns[commonest], of=sum(turns.values()))
    if person.tally.turns_unknown:
        alt = running_text((alt, texts.text("season.unknown", count=person.tally.turns_unknown)))
    return _picture("deal_ins", bars(counts, alt), alt, texts)
