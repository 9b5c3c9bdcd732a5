"""The user's lists: terms that are always masked (deny) and terms that never are (allow).

A list is a text file in UTF-8 with one term per line; `#` starts a comment. Case and white space
are ignored. A term matches whole words only. In a deny list a tab and a label may follow the term:
`Projekt Nordstern<TAB>OTHER`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.core.document import Span
from veil.core.errors import InputError
from veil.core.labels import VEIL, scheme
from veil.core.toml import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.core.document import Document

_DEFAULT_LABEL = "OTHER"
# A word ends where a letter or digit is followed by something else. Scripts without spaces between
# words (kana, kanji) have no such ends: a term matches anywhere in them.
_WORD_CHARACTER = r"[^\W_\u3041-\u30ff\u3400-\u9fff\uff66-\uff9f]"


class DenyList:
    """A detector of the terms of a list, which are always masked."""

    name = "deny"

    def __init__(self, labels: Mapping[str, str]) -> None:
        self._labels = {_key(term): label for term, label in labels.items()}
        longest_first = sorted(self._labels, key=lambda term: (-len(term), term))
        terms = "|".join(r"\s+".join(map(re.escape, term.split())) for term in longest_first)
        self._pattern = re.compile(
            rf"(?<!{_WORD_CHARACTER})(?:{terms})(?!{_WORD_CHARACTER})"
            rf"|(?=[\u3041-\u9fff])(?:{terms})",
            re.IGNORECASE,
        )
        self.reach = max(map(len, self._labels)) + 1

    @classmethod
    def read(cls, path: Path) -> DenyList:
        labels: dict[str, str] = {}
        for number, line in _lines(path):
            term, _, label = line.partition("\t")
            label = label.strip() or _DEFAULT_LABEL
            if label not in scheme(VEIL).labels:
                known = ", ".join(scheme(VEIL).labels)
                raise InputError(f"{path}, line {number}: unknown label; known: {known}")
            labels[term] = label
        return cls(labels)

    def detect(self, doc: Document) -> list[Span]:
        return [
            Span(*match.span(), self._labels.get(_key(match[0]), _DEFAULT_LABEL), 1.0, self.name)
            for match in self._pattern.finditer(doc.text)
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


class AllowList:
    """Terms that are never masked: a span is dropped if its whole text is one of them.

    Spans of a deny list and of known patients are never dropped.
    """

    def __init__(self, terms: Sequence[str]) -> None:
        self._terms = frozenset(map(_key, terms))

    @classmethod
    def read(cls, path: Path) -> AllowList:
        return cls([line for _, line in _lines(path)])

    def without_allowed(self, doc: Document, spans: Sequence[Span]) -> list[Span]:
        """Return the spans without those that are allowed terms."""
        return [
            span
            for span in spans
            if _key(doc.text[span.start : span.end]) not in self._terms or _is_given(span)
        ]


def _is_given(span: Span) -> bool:
    return span.source.partition(":")[0] in (DenyList.name, "known")


def _key(term: str) -> str:
    return " ".join(term.casefold().split())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the terms with their line numbers; a list without a term is an error."""
    found = False
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        term = line.partition("#")[0].strip()
        if not term:
            continue
        if not any(map(str.isalnum, term)):
            raise InputError(f"{path}, line {number}: no letter or digit; remove the line")
        found = True
        yield number, term
    if not found:
        raise InputError(f"{path}: the list is empty; write one term per line")
