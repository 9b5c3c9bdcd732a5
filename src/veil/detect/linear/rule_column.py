"""What the rules of a language say of each token, as a column: a learner then weighs their word."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from veil.core.document import Document
from veil.core.resolve import resolve
from veil.detect.rules import RuleDetector
from veil.features.columns import key_of
from veil.features.places import NONE
from veil.features.rules import OUTSIDE
from veil.languages import base_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Span
    from veil.features.stream import Longs, Stream


def rule_column(stream: Stream, spans: Sequence[Sequence[Span]]) -> Longs:
    """For each word the key of "B-" or "I-" and the label of the rule's span that it is in."""
    settled = [
        resolve(Document("", text), own) for text, own in zip(stream.texts, spans, strict=True)
    ]
    words = stream.words
    firsts, ends = stream.words_under(settled)
    keys = np.array([_keys_of(span.label) for own in settled for span in own], np.int64)
    begins, goes_on = keys.reshape(-1, 2).T
    lengths = ends - firsts
    # The places of all words of the first span, then of the second ...
    inside = np.arange(lengths.sum()) + np.repeat(firsts - (np.cumsum(lengths) - lengths), lengths)
    column = np.full(len(stream), NONE, np.int64)
    column[words] = key_of(OUTSIDE)
    column[words[inside]] = np.repeat(goes_on, lengths)
    column[words[firsts[0 < lengths]]] = begins[0 < lengths]
    return column


@cache
def _keys_of(label: str) -> tuple[int, int]:
    return key_of(f"B-{label}"), key_of(f"I-{label}")


def spans_of_rules(texts: Sequence[str], language: str) -> list[list[Span]]:
    """What the rules that come with Veil find in texts."""
    return _rules(base_language(language)).detect_many([Document("", text) for text in texts])


@cache
def _rules(language: str) -> RuleDetector:
    return RuleDetector(language)
