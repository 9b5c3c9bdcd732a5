"""What the rules of a language say of each token, as a column: a learner then weighs their word."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from veil.core.document import Document
from veil.detect.rules import RuleDetector
from veil.features.columns import key_of
from veil.features.rules import OUTSIDE
from veil.lexicons.store import base_language
from veil.resolve import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Span
    from veil.features.stream import Longs
    from veil.languages.base import Offsets


def rule_column(text: str, tokens: Offsets, spans: Sequence[Span]) -> Longs:
    """For each token the key of "B-" or "I-" and the label of the rule's span that it is in."""
    column = np.full(len(tokens.starts), key_of(OUTSIDE), np.int64)
    settled = resolve(Document("", text), spans)
    # A token that a span cuts belongs to it.
    firsts = np.searchsorted(tokens.ends, [span.start for span in settled], side="right")
    ends = np.searchsorted(tokens.starts, [span.end for span in settled])
    for span, first, end in zip(settled, firsts.tolist(), ends.tolist(), strict=True):
        column[first:end] = key_of(f"I-{span.label}")
        column[first : first + 1] = key_of(f"B-{span.label}")
    return column


def spans_of_rules(texts: Sequence[str], language: str) -> list[list[Span]]:
    """What the rules that come with Veil find in texts."""
    return _rules(base_language(language)).detect_many([Document("", text) for text in texts])


@cache
def _rules(language: str) -> RuleDetector:
    return RuleDetector(language)
