"""Errors, with messages that a user can act on.

A message names files, records, lines and offsets. It never holds text of a record: whatever is
logged, printed or sent back to a client may be read by somebody who must not see the record.
"""

from __future__ import annotations

import importlib
import unicodedata
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import ModuleType


T = TypeVar("T")


def printable(text: str) -> str:
    """Return a name or message as one line without control sequences that a terminal would obey.

    Names of files and ids of records may hold escape sequences, line breaks, and characters that
    change the text direction: they become escapes such as `\\x1b`, `\\n` and `\\u202e`.
    """
    if text.isprintable():
        return text
    return "".join(
        sign
        if sign.isprintable() or unicodedata.category(sign) == "Zs"  # ideographic spaces
        else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


class VeilError(Exception):
    """An error whose message is meant for the user: no traceback is needed to understand it."""


class InputError(VeilError):
    """A file, folder or option that cannot be used."""


class UnknownNameError(VeilError):
    """A name that a registry does not hold."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} '{name}'; known: {', '.join(sorted(known))}")


class RecordError(VeilError):
    """One record that cannot be read, processed or written; other records are not affected."""

    def __init__(
        self,
        reason: str,
        *,
        record: str | None = None,
        path: Path | None = None,
        line: int | None = None,
        byte: int | None = None,
    ) -> None:
        self.reason = reason
        self.record = record
        self.path = path
        self.line = line
        self.byte = byte
        super().__init__(f"{self._place()}: {reason}")

    def _place(self) -> str:
        parts = {"": self.path, "line ": self.line, "byte ": self.byte, "record ": self.record}
        known = (f"{name}{value}" for name, value in parts.items() if value is not None)
        return ", ".join(known) or "record"


def require(module: str, *, extra: str) -> ModuleType:
    """Import a module of an optional dependency, or raise an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise InputError(
            f"this needs the package of '{module}'; install it with: "
            f"pip install 'veil-deid[{extra}]'"
        ) from None


_WITHHELD = "withheld: "


def withheld(reason: str, record: str) -> RecordError:
    """Return the error for a record that is withheld."""
    return RecordError(f"{_WITHHELD}{reason.removeprefix(_WITHHELD)}", record=record)


def attempt(step: str, do: Callable[[], T]) -> T | RecordError:
    """Run one step on a record; an exception becomes an error without text of the record."""
    try:
        return do()
    except RecordError as error:
        return error
    except VeilError:  # the configuration is wrong, not the record; the message contains no text
        raise
    except Exception as error:
        # The new error is made outside this block, so that it does not have this one as context.
        reason = failure(step, error)
    return RecordError(reason)


def failure(step: str, error: Exception) -> str:
    """The reason for an unforeseen error: its type only, since its message may quote a record."""
    return f"{step} failed ({type(error).__name__})"
