"""Holds JSON against the contracts' schemas."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

import table
from table.records.contracts import contract

FOLDER = Path(table.__file__).parent / "records" / "contracts"


@cache
def schema(name: str) -> Any:
    """The schema `NAME.schema.json`."""
    return contract(f"{name}.schema.json")


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of a schema that is itself valid."""
    Draft202012Validator.check_schema(schema(name))
    return Draft202012Validator(schema(name))


def assert_keeps(name: str, data: Any) -> None:
    """Fails with every place where `data` breaks the contract."""
    errors = [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)]
    assert not errors, "\n".join(errors)
