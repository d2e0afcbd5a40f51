"""``python3 -m tests.config_schema`` writes the contract of the configuration anew, from the classes that read it."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from table.config import Config
from tests.contracts import FOLDER
from vision.strict_reader import Between

FILE = FOLDER / "config.schema.json"
HEAD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:tachiai:config:1",
    "title": "The configuration, `tachiai.toml`: every key is optional",
}
_TYPE_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def config_keys() -> Iterator[str]:
    """Yields every key as `section.key`: what the example file must explain."""
    for section in fields(Config):
        for key in fields(typing.get_type_hints(Config)[section.name]):
            yield f"{section.name}.{key.name}"


def config_schema() -> dict[str, Any]:
    """The schema of the whole file."""
    return HEAD | _schema_of(Config)


def _schema_of(kind: Any) -> dict[str, Any]:
    """The schema of a value of a type."""
    if is_dataclass(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        return {
            "type": "object",
            "properties": {
                field.name: _schema_of(hints[field.name])
                | ({} if field.default is MISSING else {"default": _as_json(field.default)})
                for field in fields(kind)
            },
            "additionalProperties": False,
        }
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        limits = args[1]
        found = _schema_of(args[0])
        if isinstance(limits, Between):
            return found | {"minimum": limits.least, "maximum": limits.most}
        return found | {"description": limits.text}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin is tuple:
        if args[-1] is Ellipsis:
            return {"type": "array", "items": _schema_of(args[0])}
        return {
            "type": "array",
            "prefixItems": [_schema_of(arg) for arg in args],
            "items": False,
            "minItems": len(args),
        }
    assert not isinstance(kind, types.UnionType), kind
    return {"type": _TYPE_NAMES[kind]}


def _as_json(value: Any) -> Any:
    return [_as_json(each) for each in value] if isinstance(value, tuple) else value


def schema_text() -> str:
    """The file as it stands among the contracts."""
    return json.dumps(config_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
