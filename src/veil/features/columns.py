"""Columns: values for tokens that come from outside a stream, such as parts of speech.

Some features need more than the text: a tagger, a morphological analyser, the labels of a first
pass. The code that builds a stream passes their values; here they become position features.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.core.registry import Registry
from veil.features.positions import NONE, position_feature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.features.groups import Channel
    from veil.features.stream import Longs, Stream


COLUMNS: Registry[str] = Registry("column")
"""The columns by name, each with a description of its source."""

_TEXTS: dict[int, str] = {}


def column_feature(name: str, source: str) -> None:
    """Register a column as a position feature under its own name."""
    COLUMNS.add(name, source)

    @position_feature(name, show=_show)
    def column(stream: Stream) -> Longs:
        if name not in stream.extras:
            raise InputError(f"the feature '{name}' needs {source}")
        return stream.extras[name]


def _show(_: Callable[[str, int], str], number: int) -> str:
    return "(none)" if number == NONE else value_of(number) or str(number)


def columns_of(channels: Sequence[Channel]) -> tuple[str, ...]:
    """The columns that channels use."""
    names = (channel.feature for channel in channels if channel.feature in COLUMNS)
    return tuple(dict.fromkeys(names))


def value_key(value: str) -> int:
    """Hash a value such as "NOUN" to a number that is the same in every run and every model."""
    key = zlib.crc32(value.encode("utf-8"))
    _TEXTS[key] = value
    return key


def value_of(key: int) -> str | None:
    """The value of a number that `value_key` returned in this process, for display."""
    return _TEXTS.get(key)


SHORT_TAG = 2
"""The letters of a short tag: "NO" of "NOUN", "np" of "np00000" (cotik-2019, section 3.5)."""

column_feature("pos", "a part-of-speech tagger of the language")
column_feature("short-pos", "a part-of-speech tagger of the language")
# Finer than the universal tags, if the language defines how: in English like the Penn Treebank.
column_feature("fine-pos", "a part-of-speech tagger of the language")
column_feature("short-fine-pos", "a part-of-speech tagger of the language")
# kajiyama-2018, section 1.2: what the analyser adds to a morpheme's part of speech.
for _name in ("pos-detail", "in-user-dictionary"):
    column_feature(_name, "tokens of a language with a morphological analyser, such as Japanese")


# What the rules of a language find.
OUTSIDE = "O"
"""The value of the column for a token in which no rule finds anything."""

RULE = "rule"

column_feature(RULE, "the rules of the language")
