"""The data files of this package."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def read_data(name: str) -> dict[str, Any]:
    """Read a file of `data/`: "columns", or what must be known of a language."""
    return _read("data", name)


@cache
def read_nicknames(language: str) -> dict[str, dict[str, list[str]]]:
    """Read the short forms of given names, and of surnames where a language has such."""
    return {} if language == "ja" else _read("nicknames", language)


def _read(folder: str, name: str) -> dict[str, Any]:
    place = resources.files("veil.detect.known") / folder / f"{name}.toml"
    return tomllib.loads(place.read_text("utf-8"))
