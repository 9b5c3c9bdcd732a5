"""TOML: read with a clear error, written small. Python reads TOML but does not write it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, or raise an error that says where it is broken."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from None


def read_text(path: Path) -> str:
    """Read a file of the user's in UTF-8; the error names the line that is not UTF-8."""
    try:
        data = path.read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from None


def write_toml(path: Path, data: Mapping[str, Any]) -> None:
    """Write nested mappings, lists, strings, numbers and truth values; None is left out."""
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
    """Return a string, whole number or truth value, which JSON and TOML write alike."""
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
