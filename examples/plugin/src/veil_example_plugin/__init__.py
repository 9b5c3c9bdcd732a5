"""An example plug-in for Veil: a detector of trial numbers, and an action that writes stars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from veil import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from veil import Document
    from veil.replace.base import Case


class TrialNumbers:
    """Finds numbers of trial participants: "BLUE-0042"."""

    name = "trial-numbers"
    _pattern = re.compile(r"\bBLUE-[0-9]{4}\b")

    def detect(self, doc: Document) -> list[Span]:
        return [
            Span(*match.span(), "IDNUM", 1.0, self.name)
            for match in self._pattern.finditer(doc.text)
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


class Stars:
    """Writes three stars, whatever the length of the original."""

    def replace(self, case: Case, span: Span) -> str:
        return "***"


def trial_numbers(language: str) -> TrialNumbers:
    """Make the detector; trial numbers look the same in every language."""
    return TrialNumbers()


def stars(options: Mapping[str, Any]) -> Stars:
    """Make the replacer; the action has no options."""
    return Stars()
