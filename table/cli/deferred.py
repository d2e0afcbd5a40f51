"""Runs a command whose module is loaded only then: its arguments stand in a module of their own, so help is quick."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module


def deferred(module: str) -> Callable[[argparse.Namespace], int]:
    """Returns what runs the command in that module."""

    def run(args: argparse.Namespace) -> int:
        code: int = import_module(module).run(args)
        return code

    return run
