"""`tachiai completion SHELL`: prints the shell code for tab completion of commands, flags and files.

eval "$(tachiai completion bash)"          # in ~/.bashrc
eval "$(tachiai completion zsh)"           # in ~/.zshrc
tachiai completion fish | source           # in ~/.config/fish/config.fish
"""

from __future__ import annotations

import argparse
from typing import Final

from argcomplete.shell_integration import shellcode

SHELLS: Final = ("bash", "zsh", "fish")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "completion",
        help="print the shell code for tab completion",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"the shell: {', '.join(SHELLS)}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the shell's code."""
    print(shellcode(["tachiai"], shell=args.shell))
    return 0
