"""TOML: read with clear errors, written in a simple form, since Python cannot write it.

The content of Veil's own files is also stored as JSON, which is some thirty times as fast to read.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from veil.core.errors import InputError
from veil.core.tables import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from veil.core.tables import Table

_STORE = Store("toml")

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, or raise an error that says where it is broken."""
    data = _read_bytes(path)
    stored = _STORE.get(data)
    if stored is not None:
        return cast("dict[str, Any]", json.loads(bytes(stored)))
    return _parse(_decode(path, data), path)


def read_text(path: Path) -> str:
    """Read a user's file in UTF-8; the error names the line that is not UTF-8."""
    return _decode(path, _read_bytes(path))


def stored_toml(files: Callable[[], Iterable[Path]]) -> Table:
    """Return the table with the contents of files, except those that JSON cannot express."""

    def contents() -> dict[bytes, bytes]:
        found = {}
        for file in files():
            data = _read_bytes(file)
            with contextlib.suppress(TypeError):  # a date
                content = json.dumps(_parse(_decode(file, data), file), ensure_ascii=False)
                found[data] = content.encode()
        return found

    return _STORE.table(contents)


def _parse(text: str, path: Path) -> dict[str, Any]:
    import tomllib  # rarely needed

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from None


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _decode(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from None


def write_toml(path: Path, data: Mapping[str, Any]) -> None:
    """Write nested mappings, lists, strings, numbers and booleans; None is left out."""
    path.write_text("\n".join(_table(data, ())) + "\n", encoding="utf-8")


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [
        f"{_key(key)} = {_value(value)}"
        for key, value in data.items()
        if value is not None and not isinstance(value, Mapping)
    ]
    for key, value in data.items():
        here = (*path, key)
        if isinstance(value, Mapping):
            lines += ["", f"[{'.'.join(map(_key, here))}]", *_table(value, here)]
    return lines


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _json(key)


def _json(value: int | str) -> str:
    """Return a string, whole number or boolean, which JSON and TOML write alike."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, float):
        # NumPy's floats are floats too, but their own repr is not TOML.
        return float.__repr__(value)
    if isinstance(value, int | str):
        return _json(value)
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_value(item)}" for key, item in value.items() if item is not None)
        return "{ " + ", ".join(pairs) + " }"
    items = [_value(item) for item in value if item is not None]
    if any(isinstance(item, Mapping) for item in value):
        return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    return "[" + ", ".join(items) + "]"
