"""Results of long measurements, kept line by line in a file, so that an interrupted run goes on where it ended."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, TypeVar

import cv2

K = TypeVar("K")
R = TypeVar("R")


class KeptResults(Generic[K, R]):
    """Results by what they are of; without a file, in memory only."""

    def __init__(self, path: Path | None, read: Callable[[dict[str, Any]], R], key: Callable[[R], K]) -> None:
        """Reads what the file holds, if there is one.

        Args:
            path: the file; None to keep nothing.
            read: returns the result of a line's JSON, the fields of a dataclass.
            key: returns what a result is of.
        """
        self._path, self._key = path, key
        self._by_key: dict[K, R] = {}
        if path is not None and path.is_file():
            results = [read(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
            self._by_key = {key(result): result for result in results}

    @property
    def all(self) -> Sequence[R]:
        """All results, in the order in which they were measured."""
        return list(self._by_key.values())

    def get(self, key: K) -> R | None:
        """Returns what is known of something."""
        return self._by_key.get(key)

    def add(self, result: Any) -> None:
        """Keeps a result."""
        self._by_key[self._key(result)] = result
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")


def run_films(
    film: Callable[[int], R],
    kind: Callable[..., R],
    report: Callable[[Sequence[R]], str],
    *,
    doc: str | None,
    option: str,
    count: int,
) -> None:
    """Parses the command line of a benchmark of numbered films, measures those that are not kept yet, and prints.

    Args:
        film: films and measures one number.
        kind: the dataclass of a result, whose `number` is that number.
        report: returns the figures of all results.
        doc: the help.
        option: the option with the number of films, like ``--films``.
        count: its default.
    """
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument(option, dest="count", type=int, default=count)
    parser.add_argument("--first", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--store", type=Path, metavar="FILE", help="lines kept from run to run")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    kept = KeptResults(args.store, lambda values: kind(**values), _number)
    for number in range(args.first, args.first + args.count):
        if kept.get(number) is None:
            kept.add(film(number))
    print(report(sorted(kept.all, key=_number)))


def _number(result: Any) -> int:
    return int(result.number)
