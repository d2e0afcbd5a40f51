"""Loads a command's module only when it runs; its arguments are in a separate module, so that help is fast."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class DeferredCommand:
    """Runs the command of a module."""

    module: str

    def load(self) -> None:
        """Imports the module."""
        import_module(self.module)

    def __call__(self, args: argparse.Namespace) -> int:
        """Runs the command and returns its exit code."""
        code: int = import_module(self.module).run(args)
        return code
