"""The data files of known patients."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from veil.languages import read_language_toml


@cache
def read_columns() -> dict[str, Any]:
    """Read the names of columns in tables of patients."""
    return tomllib.loads((resources.files(__package__) / "columns.toml").read_text("utf-8"))


def read_data(language: str) -> dict[str, Any]:
    """Read what must be known of a language."""
    return read_language_toml(language, "known.toml")


def read_nicknames(language: str) -> dict[str, dict[str, list[str]]]:
    """Read the short forms of given names, and of surnames where a language has such."""
    return read_language_toml(language, "nicknames.toml")
