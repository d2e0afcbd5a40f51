"""Chips (祝儀), which payers give a winner in addition to the points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches

from table.rules.ruleset_checks import check_field
from table.rules.terms.rule_errors import InvalidValueError


@dataclass(frozen=True, slots=True, kw_only=True)
class Chips:
    """How many chips (祝儀) each payer gives the winner in addition to the points, by their reason."""

    ippatsu: int = 0
    ura: int = 0
    """For each ura dora."""
    red: int = 0
    """For each red five."""
    yakuman: int = 0
    """For each yakuman, and then for nothing else in the hand; a counted yakuman of 13 han does not count as one."""

    def __post_init__(self) -> None:
        for field in fields(self):
            check_field(f"chips.{field.name}", int, value := getattr(self, field.name))
            if value < 0:
                raise InvalidValueError(f"expected chips.{field.name} of 0 or more, got {value!r:.200}")

    @classmethod
    def of(cls, amounts: Mapping[str, object]) -> Chips:
        """Returns the chips with these amounts by name; omitted ones are 0.

        Raises:
            InvalidValueError: for an unknown name, or an amount that is not a number of 0 or more.
        """
        names = [field.name for field in fields(cls)]
        for name in amounts:
            if name not in names:
                nearest = get_close_matches(str(name), names, n=1)
                hint = f"; did you mean {nearest[0]}?" if nearest else ""
                raise InvalidValueError(f"expected chips for {', '.join(names)}, got {name!r:.200}{hint}")
        return cls(**amounts)  # type: ignore[arg-type]  # __post_init__ checks every value

    @property
    def are_played(self) -> bool:
        """Whether the rules use chips."""
        return any(getattr(self, field.name) for field in fields(self))

    def __str__(self) -> str:
        return f"{{ {', '.join(f'{field.name} = {getattr(self, field.name)}' for field in fields(self))} }}"
