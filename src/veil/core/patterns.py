"""Regular expressions whose compiled code is stored, since compiling hundreds takes a second."""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import json
import re
import sys
from array import array
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, cast

from veil.core.tables import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from veil.core.tables import Table

# Code can be exchanged between versions of Python with the same value of this number.
_STORE = Store(f"patterns-{_sre.MAGIC}", key=f"{_sre.MAGIC} {_sre.CODESIZE} {sys.maxunicode}")
_SIZE = _sre.CODESIZE


def compile_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a regular expression like `re.compile`, from stored code if available."""
    stored = _STORE.get(_key(source, flags))
    if stored is None:
        return re.compile(source, flags)
    all_flags, groups, size = stored[: 3 * _SIZE].cast("I")
    names = json.loads(bytes(stored[3 * _SIZE : 3 * _SIZE + size]))
    code = stored[3 * _SIZE + size :].cast("I").tolist()
    numbers: list[str | None] = [None] * (groups + 1)
    for name, number in names.items():
        numbers[number] = name
    try:
        made = _sre.compile(source, all_flags, code, groups, names, tuple(numbers))
    except RuntimeError:  # Python checks the code and rejects code that it did not make
        return re.compile(source, flags)
    return cast("re.Pattern[str]", made)


def stored_patterns(patterns: Callable[[], Iterable[re.Pattern[str]]]) -> Table:
    """Return the table with the code of regular expressions."""

    def codes() -> dict[bytes, bytes]:
        found = {}
        for pattern in patterns():
            source = pattern.pattern
            # Flags may be in the source, too.
            flags = 0 if re.compile(source) == pattern else pattern.flags & ~re.UNICODE
            found[_key(source, flags)] = _compiled(source, flags)
        return found

    return _STORE.table(codes)


def _key(source: str, flags: int) -> bytes:
    return f"{flags:d} {source}".encode("utf-8", "surrogatepass")


def _compiled(source: str, flags: int) -> bytes:
    parsed: Any = _parser.parse(source, flags)
    code = array("I", _compiler._code(parsed, flags))
    names = json.dumps(parsed.state.groupdict).encode()
    head = array("I", [parsed.state.flags, parsed.state.groups - 1, len(names)])
    return head.tobytes() + names + code.tobytes()
