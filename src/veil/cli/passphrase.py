"""Where the passphrase of a mapping comes from: never from the arguments, which others can see."""

from __future__ import annotations

import getpass
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError

if TYPE_CHECKING:
    import argparse

VARIABLE = "VEIL_PASSPHRASE"


def add_passphrase_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        type=Path,
        help="file whose first line is the passphrase of the mapping; without, the environment "
        f"variable {VARIABLE}, or it is asked for",
    )


def find_passphrase(file: Path | None, *, new: bool = False) -> str:
    """The passphrase of a file, of the environment, or typed (twice, if it is a new one)."""
    if file is not None:
        found, where = _first_line(file), str(file)
    elif VARIABLE in os.environ:
        found, where = os.environ[VARIABLE], VARIABLE
    else:
        found, where = _ask("Passphrase of the mapping: "), "what was typed"
        if new and found != _ask("The same again: "):
            raise InputError("the two passphrases differ")
    if not found:
        raise InputError(f"{where}: there is no passphrase")
    return found


def _first_line(file: Path) -> str:
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{file}: the passphrase cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: the passphrase is not UTF-8") from None
    return text.partition("\n")[0].removesuffix("\r")


def _ask(prompt: str) -> str:
    try:
        with warnings.catch_warnings():
            # Where it cannot be typed unseen, it is not asked for.
            warnings.simplefilter("error", getpass.GetPassWarning)
            return getpass.getpass(prompt)
    except (getpass.GetPassWarning, EOFError):
        raise InputError(
            f"no terminal to ask for the passphrase on; give --passphrase-file or set {VARIABLE}"
        ) from None
