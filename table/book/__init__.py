"""The penalty book: the catalogue of clauses and options as data, rulebook presets, and a house's choice among them."""

from table.book.catalogue import BookOption, Clause, all_clauses, catalogue_of_clauses
from table.book.house import Article, HouseRules
from table.book.presets import preset_names, rules_named
from table.book.reading import parse_house
from table.book.texts import BookTexts, book_languages, book_texts
from table.book.writing import write_house

__all__ = [
    "Article",
    "BookOption",
    "BookTexts",
    "Clause",
    "HouseRules",
    "all_clauses",
    "book_languages",
    "book_texts",
    "catalogue_of_clauses",
    "parse_house",
    "preset_names",
    "rules_named",
    "write_house",
]
