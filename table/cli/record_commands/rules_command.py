"""`tachiai rules list|show|diff|export|import|play`: shows and manages rule sets, and plays hands by them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from table.cli.arguments.given_rules import given_rules
from table.cli.arguments.path_arguments import any_file, folder, output_file
from table.cli.arguments.user_language import add_language
from table.cli.record_commands.rules_play import add_play, play
from table.cli.streams.input_files import STANDARD_INPUT, check_inputs, input_name, is_standard
from table.cli.streams.output_encoding import use_utf8
from table.cli.streams.output_files import check_outputs, write_output
from table.i18n import catalogue
from table.rulebook.clause_catalogue import BookOption, Clause, all_clauses, catalogue_of_clauses, clause_named
from table.rulebook.clause_texts import ORIGINAL, book_languages, book_texts
from table.rulebook.house_rules import MARKS, REFEREE, Article, HouseRules
from table.rulebook.option_amounts import amounts_of
from table.rulebook.ruleset_difference import Difference, differences
from table.rulebook.ruleset_reader import SWITCHES
from table.rulebook.ruleset_registry import SETS, default_folder, imported_names, known_names, read_file, store
from table.rulebook.ruleset_writer import switch_texts, write_house
from table.rules.penalties.effect_terms import Effect
from table.rules.penalties.penalty_rules import QuickFoul
from table.rules.terms.amounts import amount
from table.runtime.table_errors import ConfigError, UsageError
from vision.strict_reader import mismatch

LEFT_TO_REFEREE = "left to the referee"


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser with its six actions."""
    parser = commands.add_parser("rules", help="show rule sets and every penalty clause", description=__doc__)
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    list_parser = _action(actions, "list", "list every penalty clause with the chosen option")
    show_parser = _action(
        actions, "show", "show every switch of a rule set with its source, or one clause, article or switch"
    )
    what_help = "a rule set or its .toml file, a clause such as 7-05-01, an article, or a switch; of a set: SET WHAT"
    show_parser.add_argument("what", metavar="WHAT", nargs="+", help=what_help)
    list_parser.add_argument("set", metavar="SET", nargs="?", help=f"{SETS} (home)")
    for action in (list_parser, show_parser):
        action.add_argument("--ruleset", metavar="SET", help="the same")
    diff_parser = _action(actions, "diff", "show what two rule sets decide differently")
    for name in ("a", "b"):
        diff_parser.add_argument(name, metavar=name.upper(), help=SETS)
    for action in (list_parser, show_parser, diff_parser):
        action.add_argument("--json", action="store_true", help="print JSON")
    export_parser = _action(actions, "export", "write a rule set as one TOML file with comments")
    export_parser.add_argument("ruleset", metavar="SET", help=SETS)
    export_parser.add_argument(
        "file", metavar="FILE", type=output_file, nargs="?", help="the output file (default: standard output)"
    )
    for action in (list_parser, show_parser, diff_parser, export_parser):
        add_language(action, "the clauses")
    import_parser = _action(actions, "import", "check a rule set's file and store it under its name")
    import_parser.add_argument("file", metavar="FILE", type=any_file, help="the file; - for standard input")
    play_parser = add_play(actions)
    play_parser.add_argument("--ruleset", metavar="SET", default="home", help=f"{SETS} (home)")
    for action in (list_parser, show_parser, diff_parser, export_parser, import_parser, play_parser):
        action.add_argument(
            "--folder", type=folder, help="the folder of imported rule sets (default: ~/.config/tachiai/rules)"
        )


def run(args: argparse.Namespace) -> int:
    """Runs the action.

    Raises:
        ConfigError: a rule set, clause or file cannot be used; stored rule sets stay unchanged.
    """
    if args.action == "play":
        check_inputs([args.ruleset, args.file])
        return play(args, given_rules(args.ruleset, args.folder).ruleset)
    text = {"list": _list, "show": _show, "diff": _diff, "export": _export, "import": _import}[args.action](args)
    print(text, end="" if text.endswith("\n") else "\n")
    return 0


def clause_json(house: HouseRules, clause: Clause) -> dict[str, Any]:
    """Returns a clause with number, titles, options, effects and choice."""
    return {
        "number": clause.number,
        "parent": clause.parent,
        "titles": {language: book_texts(language).title(clause.number) for language in book_languages()},
        "conditions": {
            language: book_texts(language).conditions[clause.number]
            for language in book_languages()
            if clause.number in book_texts(language).conditions
        },
        "unreviewed": [language for language in book_languages() if not book_texts(language).is_reviewed],
        "note": clause.note,
        "suggested": clause.suggested,
        "options": [_option_json(house, clause, option) for option in clause.options],
        "choice": house.choices[clause.number],
        "source": house.sources.get(clause.number, ""),
    }


def article_json(house: HouseRules, article: Article) -> dict[str, Any]:
    """Returns a rulebook's article in the shape of a clause with one option."""
    effects = house.effects("", article.number)
    option = {
        "letter": "a",
        "texts": {"en": article.title},
        "certainty": article.evidence,
        "digit_lost": False,
        "amounts": amounts_of(effects),
        "effects": [effect.data for effect in effects],
    }
    return {
        "number": article.number,
        "parent": None,
        "titles": {"en": article.title},
        "conditions": {},
        "unreviewed": [],
        "note": "",
        "suggested": "",
        "options": [option],
        "choice": "a",
        "source": "" if article.is_certain else "[S]",
    }


def switches_json(house: HouseRules) -> dict[str, Any]:
    """Returns every switch of a rule set with its value and source, as in the contract."""
    switches = [
        {"name": name, "value": getattr(house.switches, name), "source": house.switch_sources.get(name, "")}
        for name in SWITCHES
    ]
    return {"name": house.name, "switches": switches}


def _action(actions: Any, name: str, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    return parser


def _option_json(house: HouseRules, clause: Clause, option: BookOption) -> dict[str, Any]:
    effects = house.effects(clause.number, option.letter)
    return {
        "letter": option.letter,
        "texts": {language: book_texts(language).option(clause.number, option.letter) for language in book_languages()},
        "certainty": option.certainty,
        "digit_lost": house.is_guess(clause, option),
        "amounts": amounts_of(effects),
        "effects": [effect.data for effect in effects],
    }


def _named_set(args: argparse.Namespace, name: str | None) -> str:
    """Returns the rule set that is named before what is shown, or by `--ruleset`; the home rules if none is.

    Raises:
        UsageError: both are given.
    """
    if name is not None and args.ruleset is not None:
        raise UsageError(f"expected one rule set, got {name!r:.80} and --ruleset {args.ruleset}")
    return next((given for given in (name, args.ruleset) if given is not None), "home")


def _list(args: argparse.Namespace) -> str:
    house = given_rules(_named_set(args, args.set), args.folder)
    if args.json:
        clauses = [clause_json(house, clause) for clause in all_clauses().values()]
        return _json([*clauses, *(article_json(house, article) for article in house.articles)])
    lines = [f"{house.name}:"]
    for clause in all_clauses().values():
        lines.append(f"{clause.number:<12}{book_texts(args.language).title(clause.number)}")
        lines.append(f"{'':<12}{_choice_text(house, clause.number, args.language)}")
    lines += [
        f"{article.number}{'' if article.is_certain else '  [S]'}\n{'':<12}{article.title}"
        for article in house.articles
    ]
    lines += [
        f"quick {number:<6}{_quick_foul_text(house, foul, args.language)}" for number, foul in enumerate(house.quick, 1)
    ]
    return "\n".join(lines)


def _quick_foul_text(house: HouseRules, foul: QuickFoul, language: str) -> str:
    article = house.article(foul.clause)
    title = book_texts(language).title(foul.clause) if article is None else article.title
    return " ".join([foul.clause, title, *(f"({fact})" for fact in foul.facts)])


def _show(args: argparse.Namespace) -> str:
    *sets, subject = args.what
    if len(sets) > 1:
        raise UsageError(f"expected a rule set and what to show of it, got {' '.join(args.what)!r:.80}")
    if not sets and (subject in known_names(args.folder) or subject.endswith(".toml") or is_standard(subject)):
        house_rules = given_rules(subject, args.folder)
        return _json(switches_json(house_rules)) if args.json else _switches_text(house_rules)
    house = given_rules(_named_set(args, sets[0] if sets else None), args.folder)
    if (article := house.article(subject)) is not None:
        if args.json:
            return _json(article_json(house, article))
        return f"{article.number}: {article.title}\n{_effects_text(house.effects('', article.number))}"
    if subject in switch_texts():
        return _switch_text(house, subject, args)
    clause = _clause(subject, house, args.folder)
    return _json(clause_json(house, clause)) if args.json else _clause_text(house, clause, args.language)


def _switch_text(house: HouseRules, name: str, args: argparse.Namespace) -> str:
    value = getattr(house.switches, name)
    if args.json:
        return _json({name: value})
    source = house.switch_sources.get(name)
    text = _switch_title(name, args.language) or switch_texts()[name]
    return "\n".join([f"{name} = {_value_text(value)}", text, *([f"source: {source}"] if source else [])])


def _switch_title(name: str, language: str) -> str:
    """Returns the name of a switch or setting; empty in English, which has descriptions, and for one without a name."""
    texts = {} if language == "en" else catalogue(language).texts
    return next((texts[key] for group in ("switch", "play", "rules") if (key := f"{group}.{name}") in texts), "")


def _switches_text(house: HouseRules) -> str:
    width = max(map(len, SWITCHES)) + 2
    lines = [
        f"{name:<{width}}{_value_text(value):<26}  {house.switch_sources.get(name, '')}".rstrip()
        for name, value in ((name, getattr(house.switches, name)) for name in SWITCHES)
    ]
    return "\n".join([f"{house.name}:", *lines, "", MARKS])


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return (
            ", ".join(f"({_value_text(item)})" if isinstance(item, tuple) else _value_text(item) for item in value)
            or "-"
        )
    return str(value)


def _clause(number: str, house: HouseRules, folder: Path | None) -> Clause:
    clauses = all_clauses()
    if number in clauses:
        return clauses[number]
    if number.startswith("7-"):
        return clause_named(number)
    names = [*clauses, *(article.number for article in house.articles), *switch_texts(), *known_names(folder)]
    expected = "a rule set or its .toml file, a clause of `tachiai rules list`, an article of the set or a switch"
    raise ConfigError(mismatch(expected, number, names))


def _clause_text(house: HouseRules, clause: Clause, language: str) -> str:
    texts = book_texts(language)
    lines = [f"{clause.number} {clause.title}"]
    if texts.language != ORIGINAL:
        lines.append(f"{texts.title(clause.number)}{'' if texts.is_reviewed else '  (translation not reviewed)'}")
    if condition := texts.conditions.get(clause.number):
        lines.append(f"({condition})")
    for option in clause.options:
        lines += [
            f"{'>' if house.choices[clause.number] == option.letter else ' '} {option.letter}  {option.text}",
            *([f"     {texts.option(clause.number, option.letter)}"] if texts.language != ORIGINAL else []),
            *(
                ["     a digit is missing in the source: the amount is a guess"]
                if house.is_guess(clause, option)
                else []
            ),
            _effects_text(house.effects(clause.number, option.letter)),
        ]
    lines.append(f"chosen: {_choice_text(house, clause.number, language)}")
    if clause.note:
        lines.append(f"note: {clause.note}")
    return "\n".join(lines)


def _effects_text(effects: Iterable[Effect]) -> str:
    params = (" ".join(f"{key}={value}" for key, value in effect.data.items()) for effect in effects)
    return "\n".join(f"     [{effect}]" for effect in params)


def _choice_text(house: HouseRules, number: str, language: str) -> str:
    choice = house.choices[number]
    source = f"  ({house.sources[number]})" if number in house.sources else ""
    if choice == REFEREE:
        return f"{REFEREE}: {LEFT_TO_REFEREE}{source}"
    article = house.article(choice)
    text = book_texts(language).option(number, choice) if article is None else article.title
    return f"{choice}: {text}{source}"


def _diff(args: argparse.Namespace) -> str:
    check_inputs([args.a, args.b])
    first, second = (given_rules(name, args.folder) for name in (args.a, args.b))
    found = differences(first, second)
    if args.json:
        return _json(
            [{field.name: getattr(difference, field.name) for field in fields(Difference)} for difference in found]
        )
    if not found:
        return f"{first.name} and {second.name} decide everything the same way"
    return "\n".join(_difference_text(difference, first, second, args.language) for difference in found)


def _difference_text(difference: Difference, first: HouseRules, second: HouseRules, language: str) -> str:
    sides = (
        _side_text(difference.kind, difference.key, value, house, language)
        for house, value in ((first, difference.a), (second, difference.b))
    )
    title = (
        book_texts(language).title(difference.key)
        if difference.kind == "clause"
        else _switch_title(difference.key, language)
    )
    return "\n".join([f"{difference.kind} {difference.key} {title}".rstrip(), *sides])


def _side_text(kind: str, key: str, value: Any, house: HouseRules, language: str) -> str:
    article = house.article(key)
    if kind == "clause":
        value = _choice_text(house, key, language)
    elif kind == "article" and article is not None:
        value = article.title
    return f"  {house.name}: {'-' if value is None else _value_text(value)}"


def _export(args: argparse.Namespace) -> str:
    text = write_house(given_rules(args.ruleset, args.folder), args.language)
    if args.file is None or is_standard(args.file):
        use_utf8()
        return text
    check_outputs([args.file], [])
    write_output(args.file, text)
    return f"wrote {args.file}"


def _import(args: argparse.Namespace) -> str:
    house = given_rules(STANDARD_INPUT) if is_standard(args.file) else read_file(args.file)
    folder = args.folder or default_folder()
    is_known = house.name in imported_names(folder)
    path = store(house, folder, place=input_name(args.file))
    book_clauses, own_clauses = (
        _decisions_text(house, catalogue_of_clauses()),
        _decisions_text(house, all_clauses().keys() - catalogue_of_clauses()),
    )
    replaced = ", in place of the earlier set of that name" if is_known else ""
    return f"{house.name}: {book_clauses}; our own {own_clauses}; stored in {path}{replaced}"


def _decisions_text(house: HouseRules, numbers: Collection[str]) -> str:
    left_count = sum(house.choices[number] == REFEREE for number in numbers)
    return f"{amount(len(numbers), 'clause')}, {left_count} {LEFT_TO_REFEREE}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=asdict)
