"""The han, fu and yaku that a hand can have, to check results that people enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.rules.scoring.hand_value import YAKUMAN_HAN, is_yakuman
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.yaku import YAKU

LIMIT_HAN: Final = 5
"""The han from which fu do not matter."""
ANY_FU: Final = 30
"""The fu assumed if none are given."""
THREE_CLOSED_KANS_HAN: Final = 4
"""The han that three closed kans are worth: two as three kans, two as three closed triplets."""
MOST_FU: Final = 110
"""The most fu of a hand without three closed kans."""
MOST_LIMIT_FU: Final = 140
"""The most fu of a hand with three closed kans, which is at least a mangan."""
MOST_YAKU_HAN: Final = 40
"""The most han of one name that is not a yakuman; dora can have the most."""


def check_count(han: int, fu: int | None, *, is_tsumo: bool) -> None:
    """Checks that a hand can have these han and fu; without fu, any are possible.

    Raises:
        InvalidValueError: if no hand can have them; the message names what was expected.
    """
    most = MOST_FU if han < THREE_CLOSED_KANS_HAN else MOST_LIMIT_FU
    is_possible_fu = fu is None or fu in (20, 25, *range(ANY_FU, most + 1, 10))
    least = 3 if is_tsumo else 2
    for is_right, expected in (
        (han >= 1, f"han from 1, got {han}"),
        (is_possible_fu, f"fu such as 20, 25, 30 … {most}, got {fu}"),
        (fu != 20 or (is_tsumo and han >= 2), f"20 fu for a drawn pinfu only, of two han or more, got {han}"),
        (fu != 25 or han >= least, f"{least} han at least for seven pairs of 25 fu, got {han}"),
    ):
        if not is_right:
            sentence = "han" if fu is None else "count"
            raise InvalidValueError(f"expected {expected}", says=sentence, han=han, fu=fu)


def check_yaku(yaku: Sequence[tuple[str, int]]) -> None:
    """Checks that a hand can have these yaku with their han.

    Raises:
        InvalidValueError: for an unknown yaku, han that it cannot have, or a yaku counted twice.
    """
    for name, han in yaku:
        if name not in YAKU:
            raise InvalidValueError(
                f"expected the name of a yaku, such as riichi or tanyao, got {name!r:.80}", says="yaku", name=name
            )
        possible_han = (YAKUMAN_HAN, 2 * YAKUMAN_HAN) if is_yakuman(name) else range(1, MOST_YAKU_HAN + 1)
        if han not in possible_han:
            raise InvalidValueError(
                f"expected a yaku with the han that it can have, got {name}+{han}", says="yaku_han", han=han, name=name
            )
    names = [name for name, _ in yaku]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        times = f"{names.count(repeated)} times"
        raise InvalidValueError(f"expected each yaku once, got {repeated} {times}", says="yaku_twice", name=repeated)
