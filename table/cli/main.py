"""The command line: `tachiai COMMAND …`.

Exit codes: 0 for success; 2 for a wrong command line, independent of any files; 1 for any other failure, with one
message on stderr; 130 for what was stopped.
"""

from __future__ import annotations

import argparse
import codecs
import errno
import io
import json
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec

from table.cli import COMMANDS, EXIT_STOPPED
from table.cli.command_parser import CommandParser, verbosity
from table.cli.deferred import DeferredCommand
from table.cli.early_stop import raise_when_stopped
from table.cli.memory_lack import check_addresses, is_lack, lack_text
from table.cli.streams.colour import BOLD, RED, coloured
from table.cli.streams.output_encoding import use_utf8
from table.cli.streams.progress import remove_bar
from table.cli.streams.standard_error import outlive_standard_error
from table.cli.tasks import listing, summary_of
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import TachiaiError, UsageError
from vision.atomic_files import FULL
from vision.errors import VisionError, reason_and_place

OUR_ERRORS = (TachiaiError, RulesError, VisionError)
"""The errors with a message for users; any other is a fault of the program and shows its traceback."""
EXIT_FAILED, EXIT_WRONG_USE = 1, 2
"""Exit codes."""
DESCRIPTION = "Watches a physical riichi table, follows the rules, and settles the score."
EXIT_CODES = "Exit codes: 0 for success, 2 for a wrong command line, 130 for what was stopped, 1 for any other failure."
_JSON_ESCAPE = "tachiai.json_escape"
"""The name of our way of encoding characters that standard output lacks."""
_log = logging.getLogger(__name__)


def build_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Returns the parser with every working command, or with the one that `argv` names.

    If a command is named, only its module is loaded; the list of all commands loads none. On a small machine this
    saves seconds.
    """
    parser = CommandParser(
        prog="tachiai",
        usage="tachiai [-h] [--version] [-v] COMMAND ...",
        description=DESCRIPTION,
        epilog=f"{listing(COMMANDS)}\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tachiai {version('tachiai')}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", prog=parser.prog, help=argparse.SUPPRESS
    )
    command = next((word for word in argv if not word.startswith("-")), None)
    for name, module in COMMANDS.items():
        if not argv or name == command:
            import_module(arguments_module(module)).register(commands)
        else:
            commands.add_parser(name, help=summary_of(name))
    return parser


def arguments_module(module: str) -> str:
    """Returns the module of a command's arguments: a separate one if running the command needs heavy imports."""
    separate_module = f"{module}_arguments"
    return module if find_spec(separate_module) is None else separate_module


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    program = "tachiai"
    _fill_missing_streams()
    outlive_standard_error()
    _escape_unencodable()
    try:
        if "_ARGCOMPLETE" in os.environ:
            complete()
        args = _parsed(words)
        program = f"tachiai {args.command}"
        level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbosity(args), 2)]
        if not verbosity(args):
            _silence_opencv()
        logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
        if getattr(args, "json", False):
            use_utf8()
        if isinstance(args.run, DeferredCommand):
            check_addresses()
            args.run.load()
        raise_when_stopped()
        with ExitStack() as args.at_end:
            code: int = args.run(args)
        sys.stdout.flush()
    except UsageError as error:
        return _print_error(program, str(error), EXIT_WRONG_USE)
    except OUR_ERRORS as error:
        return _print_error(program, str(error), EXIT_FAILED)
    except KeyboardInterrupt:
        return _print_error(program, "stopped", EXIT_STOPPED)
    except RuntimeError as error:  # Python before 3.12 hides Ctrl-C in this while a class is made
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _print_error(program, "stopped", EXIT_STOPPED)
        return _report_lack(program, error)
    except BrokenPipeError:
        _discard_output()  # the reader has read enough (`| head`)
        return EXIT_FAILED
    except OSError as error:
        _log.debug("refused by the system", exc_info=error)
        return _print_error(program, lack_text(error) if is_lack(error) else _os_error_text(error), EXIT_FAILED)
    except Exception as error:
        return _report_lack(program, error)
    return code


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """Returns the arguments of a command line, or prints the help that it asks for and ends the program."""
    try:
        return build_parser(words or ["--help"]).parse_args(words)
    except SystemExit:
        sys.stdout.flush()
        raise


def _report_lack(program: str, error: Exception) -> int:
    """Reports a lack of memory and returns the exit code; raises any other error again."""
    if not is_lack(error):
        raise error
    _log.debug("too little memory", exc_info=error)
    return _print_error(program, lack_text(error), EXIT_FAILED)


def _silence_opencv() -> None:
    """Silences OpenCV, since our own messages say why a picture or a camera cannot be opened."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def complete() -> None:
    """Answers the shell's request for completions, and ends the program."""
    import argcomplete  # noqa: PLC0415 - only for shells

    line = os.environ.get("COMP_LINE", "")[: int(os.environ.get("COMP_POINT", "0")) or None]
    words = line.split()[1:] if line.endswith(" ") else line.split()[1:-1]
    argcomplete.autocomplete(build_parser(words or ["--help"]))


def _fill_missing_streams() -> None:
    """Replaces closed standard streams (`2>&-`): the input is empty, messages are lost, and output is refused.

    Otherwise errors could end up among the output, and the output in a file that is opened later.
    """
    for name, mode, flags in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, flags)  # written to, one for reading fails as a closed one does
            setattr(sys, name, open(descriptor, mode, encoding="utf-8"))  # noqa: SIM115 - open until Python exits


def _escape_unencodable() -> None:
    """Makes standard output escape characters that its encoding lacks, as JSON does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error(_JSON_ESCAPE, _json_escape)
        sys.stdout.reconfigure(errors=_JSON_ESCAPE)


def _json_escape(error: UnicodeError) -> tuple[str, int]:
    """Returns the characters that could not be encoded as JSON escapes, and where encoding goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _print_error(program: str, message: str, code: int) -> int:
    _discard_output()
    remove_bar()
    print(coloured(f"{program}:", BOLD, RED, to=sys.stderr), message, file=sys.stderr)
    return code


def _os_error_text(error: OSError) -> str:
    """Returns an operating system error as one sentence: expected, got, where."""
    if error.errno in FULL:  # of two names, the second is written to; only standard output has no name
        target = error.filename2 or error.filename or "standard output"
        return f"expected room on the disk, got none: {error.strerror}, at {target}"
    if error.errno == errno.EBADF and error.filename is None:
        return "expected a standard output to write to, got a closed one"
    return f"expected usable files and addresses, got: {reason_and_place(error)}"


def _discard_output() -> None:
    """Writes what was printed so far; discards what standard output cannot take, also when Python exits."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
