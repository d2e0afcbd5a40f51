from __future__ import annotations

from collections.abc import Callable

from table.runtime.log_throttle import MINUTE_S, LogThrottle


def test_each_kind_is_due_once_a_minute() -> None:
    now = [5.0]
    throttle = LogThrottle(lambda: now[0])
    assert [throttle.is_due(kind) for kind in ("a", "a", "b", "a")] == [True, False, True, False]
    now[0] += MINUTE_S - 1
    assert not throttle.is_due("a")
    now[0] += 1
    assert [throttle.is_due("a") for _ in range(3)] == [True, False, False]


FACES: dict[int, str] = {}


def test_errors_of_one_type_from_one_line_are_one_kind() -> None:
    throttle = LogThrottle(lambda: 0.0)

    def is_due(make: Callable[[], object]) -> bool:
        try:
            make()
        except (ArithmeticError, LookupError) as error:
            return throttle.is_due_for(error)
        return False

    def divide() -> float:
        return 1 / int("0")

    def look_up() -> str:
        return {"a": "b"}["c"]

    assert [is_due(make) for make in (divide, divide, look_up, look_up, lambda: FACES[0])] == [1, 0, 1, 0, 1]
    assert throttle.is_due_for(ZeroDivisionError()), "raised nowhere"


def test_any_number_of_kinds_takes_little_memory_and_the_newest_are_remembered() -> None:
    throttle = LogThrottle(lambda: 0.0)
    assert all(throttle.is_due(str(number)) for number in range(10_000))
    assert not throttle.is_due("9999")
    assert throttle.is_due("1")
