"""Entry point: parse arguments, run a command, and turn errors into messages and exit codes.

Exit codes: 0 done; 1 done, but records were withheld or a check failed;
2 the input or the call was wrong, or nothing could be done.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING

from veil.cli.common import say
from veil.cli.config import Call, parse
from veil.cli.parser import make_parser
from veil.core.errors import VeilError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

COMMANDS = {
    "mask": ("mask", "run_mask"),
    "spark": ("spark", "run_spark"),
    "inspect": ("inspecting", "run_inspect"),
    "reveal": ("masked", "run_reveal"),
    "audit": ("masked", "run_audit"),
    "review": ("review", "run_review"),
    "key": ("mask", "run_key"),
    "detect": ("detect", "run_detect"),
    "train": ("learning", "run_train"),
    "vectors": ("learning", "run_vectors"),
    "synth": ("records", "run_synth"),
    "models": ("learning", "run_models"),
    "modules": ("measure", "run_modules"),
    "reproduce": ("learning", "run_reproduce"),
    "explain": ("learning", "run_explain"),
    "serve": ("serving", "run_serve"),
    "bench": ("measure", "run_bench"),
    "evaluate": ("measure", "run_evaluate"),
    "compare": ("measure", "run_compare"),
    "check": ("measure", "run_check"),
    "convert": ("records", "run_convert"),
    "show": ("records", "run_show"),
    "tokens": ("records", "run_tokens"),
    "config": ("config", "run_config"),
    "completion": ("completion", "run_completion"),
}
"""The module and the function of each command; the module is imported when the command runs."""

_NEW_OBJECTS_PER_COLLECTION = 100_000


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of all commands; the CLI reference is made from it."""
    return make_parser(COMMANDS)


def _run(args: argparse.Namespace) -> int:
    module, function = COMMANDS[args.command]
    return int(getattr(import_module(f"veil.cli.{module}"), function)(args))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # Modules, rules and word lists stay in memory: scanning them for garbage slows down the start.
    gc.set_threshold(_NEW_OBJECTS_PER_COLLECTION)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # File names, and ids made from them, may contain bytes that are not UTF-8.
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:] if argv is None else list(argv)
    parser = make_parser(COMMANDS, used=Call.of(arguments).command)
    try:
        args = parse(parser, arguments)
        if args.command is None:
            parser.print_help()
            return 2
        return _run(args)
    except VeilError as error:
        return _fail(str(error))
    except BrokenPipeError:
        # The reader of the output ended ("| head"): not an error, now or at shutdown.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:
        # strerror and filename contain no text of a record, unlike str() of other exceptions.
        return _fail(f"{error.filename or 'file'}: {error.strerror}")
    except Exception as error:
        # The message of an unexpected error may quote a record: show only its type and line.
        if os.environ.get("VEIL_DEBUG"):
            raise
        frame = traceback.extract_tb(error.__traceback__)[-1]
        line = f"{os.path.basename(frame.filename)}:{frame.lineno}"  # noqa: PTH119
        return _fail(
            f"internal error {type(error).__name__} at {line}; the message is hidden because it "
            "may quote a record; set VEIL_DEBUG=1 to see the traceback"
        )


def _fail(message: str) -> int:
    say(message)
    return 2
