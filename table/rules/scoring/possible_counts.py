"""Which han, fu and yaku a hand can have: what people tell is held against it where it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.rules.scoring.hand_value import YAKUMAN_HAN, is_yakuman
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.yaku import YAKU

LIMIT_HAN: Final = 5
"""From so many han on fu change nothing."""
ANY_FU: Final = 30
"""Fu that stand for those that were left out."""
MOST_FU: Final = 110
MOST_LIMIT_FU: Final = 140
"""With several kans, in hands that are worth more than their fu."""
MOST_YAKU_HAN: Final = 40
"""Han of one yaku that is no yakuman: dora count the most."""


def check_count(han: int, fu: int | None, *, is_tsumo: bool) -> None:
    """Refuses han and fu that no hand has together; fu that were left out stand for any.

    Raises:
        InvalidValueError: no hand is worth that; the message says what was expected.
    """
    most = MOST_FU if han < LIMIT_HAN else MOST_LIMIT_FU
    known = fu is None or fu in (20, 25, *range(ANY_FU, most + 1, 10))
    least = 3 if is_tsumo else 2
    for is_right, expected in (
        (han >= 1, f"han from 1, got {han}"),
        (known, f"fu such as 20, 25, 30 … {most}, got {fu}"),
        (fu != 20 or (is_tsumo and han >= 2), f"20 fu for a drawn pinfu only, of two han or more, got {han}"),
        (fu != 25 or han >= least, f"{least} han at least for seven pairs of 25 fu, got {han}"),
    ):
        if not is_right:
            says = "han" if fu is None else "count"
            raise InvalidValueError(f"expected {expected}", says=says, han=han, fu=fu)


def check_yaku(yaku: Sequence[tuple[str, int]]) -> None:
    """Refuses yaku with their han that no hand has: one that there is not, its han, or one that counts twice.

    Raises:
        InvalidValueError: the message says what was expected.
    """
    for name, han in yaku:
        if name not in YAKU:
            raise InvalidValueError(
                f"expected the name of a yaku, such as riichi or tanyao, got {name!r}", says="yaku", name=name
            )
        worth = (YAKUMAN_HAN, 2 * YAKUMAN_HAN) if is_yakuman(name) else range(1, MOST_YAKU_HAN + 1)
        if han not in worth:
            raise InvalidValueError(
                f"expected a yaku with the han that it can have, got {name}+{han}", says="yaku_han", han=han, name=name
            )
    names = [name for name, _ in yaku]
    if twice := next((name for name in names if names.count(name) > 1), None):
        times = f"{names.count(twice)} times"
        raise InvalidValueError(f"expected each yaku once, got {twice} {times}", says="yaku_twice", name=twice)
