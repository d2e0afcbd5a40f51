"""Loads a command's module only when it runs; its arguments are in a separate module, so that help is fast."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module


def deferred(module: str) -> Callable[[argparse.Namespace], int]:
    """Returns a function that imports the module and runs its command."""

    def run(args: argparse.Namespace) -> int:
        code: int = import_module(module).run(args)
        return code

    return run
