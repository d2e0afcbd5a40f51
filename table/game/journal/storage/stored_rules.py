"""The rule sets of a journal: each is stored once, and games refer to it by the hash of its text.

So the hash of the entry that opens a game, and with it the hash chain, covers every byte of the rules too. In journals
of format 1 each opening contains its rules, and is read as before.
"""

from __future__ import annotations

import json
import sqlite3
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, cast

from table.game.journal.entries import Body, GameOpened
from table.game.journal.storage.journal_codec import TAG, decode, encode, parse_stored
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import JournalError

RULES_TABLE: Final = "CREATE TABLE ruleset (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID"
STORE_RULES: Final = "INSERT OR IGNORE INTO ruleset VALUES (?, ?)"
GAMES_INDEX: Final = """CREATE INDEX game ON entry (number) WHERE substr(body, 1, 19) = '{"is": "GameOpened"'"""
"""SQL: the index of the entries that open games, which SQLite maintains and can rebuild."""
UNDOING_INDEX: Final = """CREATE INDEX IF NOT EXISTS undoing ON entry (json_extract(body, '$.act'))
    WHERE substr(body, 1, 15) IN ('{"is": "Undone"', '{"is": "Redone"')"""
"""SQL: the index of the entries that undo and redo, by what they undo and redo."""
OPENINGS_UNDOABLE: Final = 5
"""The first format in which the opening of a game can be undone."""
OPENINGS: Final = """SELECT number FROM entry WHERE substr(body, 1, 19) = '{"is": "GameOpened"' AND number > ?"""
"""SQL: the entries above a number that open games, also if they are undone."""
GAME_STARTS: Final = f"""{OPENINGS} AND (
    (SELECT user_version FROM pragma_user_version) < {OPENINGS_UNDOABLE} OR
    CASE WHEN json_valid(CAST(envelope AS TEXT)) THEN json_extract(CAST(envelope AS TEXT), '$.act') END IS NULL OR
    (SELECT substr(later.body, 9, 6) FROM entry AS later
        WHERE substr(later.body, 1, 15) IN ('{{"is": "Undone"', '{{"is": "Redone"')
        AND json_valid(CAST(later.body AS TEXT)) AND json_extract(later.body, '$.act') = +entry.number
        ORDER BY later.number DESC LIMIT 1) IS NOT 'Undone')"""  # noqa: S608 - constants alone
"""SQL: the entries above a number that open games and are not undone, as `table.game.journal.game_openings` says; it
also works without the indexes of newer journals."""
GAMES: Final = GAME_STARTS.replace(
    "number", "number, (SELECT hash FROM entry AS earlier WHERE earlier.number = entry.number - 1)", 1
)
"""SQL: the same, each with the hash of the entry before it."""
_REFERENCES: Final = """SELECT number, json_extract(body, '$.ruleset') FROM entry
    WHERE substr(body, 1, 19) = '{"is": "GameOpened"' AND json_type(body, '$.ruleset') = 'text' ORDER BY number"""
"""SQL: the openings that refer to a rule set, with their references; openings of format 1 contain the rules."""
_SIZE: Final = 16


def key_of(rules: str) -> str:
    """Returns the key of a rule set's text."""
    return blake2b(rules.encode(), digest_size=_SIZE).hexdigest()


def body_and_rules(body: Body) -> tuple[str, tuple[str, str] | None]:
    """Returns the text of an entry's body, and the key and text of the rule set to store with it, if any."""
    data = encode(body)
    if not isinstance(body, GameOpened):
        return json.dumps(data), None
    rules = json.dumps(data["ruleset"])
    return json.dumps(data | {"ruleset": key_of(rules)}), (key_of(rules), rules)


def with_rules(data: Any, database: sqlite3.Connection) -> Any:
    """Returns a body's JSON, in which the rule set itself stands in place of the reference to it.

    Raises:
        JournalError: the rule set is missing or altered, or cannot be read.
        sqlite3.Error: the file cannot be read.
    """
    if not isinstance(data, dict) or data.get(TAG) != GameOpened.__name__ or not isinstance(data.get("ruleset"), str):
        return data
    key = data["ruleset"]
    found = database.execute("SELECT CAST(body AS TEXT) FROM ruleset WHERE key = ?", (key,)).fetchone()
    if found is None or key_of(found[0]) != key:
        raise JournalError(f"expected the rule set {key} in the journal, got {'none' if found is None else 'another'}")
    return data | {"ruleset": _ruleset_of(found[0])}


@lru_cache(maxsize=8)
def _ruleset_of(text: str) -> Ruleset:
    """Returns the rule set of its text. It is long, and mostly the same for all games of a journal."""
    return cast("Ruleset", decode(Ruleset, parse_stored(text)))


def check_rules(database: sqlite3.Connection, location: str) -> None:
    """Checks that no rule set is missing or altered.

    Raises:
        JournalError: one is; the message names the first game that was opened under it.
        sqlite3.Error: the file cannot be read.
    """
    rows = database.execute("SELECT key, CAST(body AS BLOB) FROM ruleset")
    intact_keys = {key for key, rules in rows if blake2b(rules, digest_size=_SIZE).hexdigest() == key}
    for number, key in database.execute(_REFERENCES):
        if key not in intact_keys:
            raise JournalError(
                f"expected a whole journal in {location}, "
                f"got one whose rules of the game of entry {number} were altered"
            )
