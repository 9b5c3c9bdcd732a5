"""Label consistency: the labels of a first pass for the same words elsewhere (aramaki-2006).

Four columns, after Krishnan and Manning (2006): the label that a first pass gave most often to the
same *token*, and to the same *entry* (a sequence of tokens that it labelled as one span), in the
record and in the corpus. A token votes with each of its occurrences, including O; an entry with
each span, so that a name found once is an entry wherever it occurs. A tie goes to the label that
comes first in the alphabet, with O last: masking a word unnecessarily does less harm.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from veil.features.columns import column_feature, value_key
from veil.features.positions import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from veil.features.stream import Longs

Key = TypeVar("Key")
Entry = tuple[str, ...]

CONSISTENCY = (
    "token-majority-in-record",
    "token-majority-in-corpus",
    "entry-majority-in-record",
    "entry-majority-in-corpus",
)
for _name in CONSISTENCY:
    column_feature(_name, "the labels of a first pass: train it as a two-stage detector")

_OUTSIDE = "O"
# Longer spans rarely recur, and searching for them everywhere takes time.
_LONGEST_ENTRY = 20


@dataclass(frozen=True)
class FirstPass:
    """The tokens of a record and the spans that a first pass found: first token, end, label."""

    tokens: Sequence[str] = field(repr=False)
    spans: Sequence[tuple[int, int, str]]

    def labels(self) -> list[str]:
        labels = [_OUTSIDE] * len(self.tokens)
        for first, end, label in self.spans:
            labels[first:end] = [label] * (end - first)
        return labels

    def entries(self) -> list[tuple[Entry, str]]:
        return [
            (tuple(self.tokens[first:end]), label)
            for first, end, label in self.spans
            if end - first <= _LONGEST_ENTRY
        ]


@dataclass
class MajorityCounts:
    """How often a first pass gave each label to tokens and entries: sums over records.

    They can be added in any order. They contain text of records.
    """

    tokens: Counter[tuple[str, str]] = field(default_factory=Counter, repr=False)
    entries: Counter[tuple[Entry, str]] = field(default_factory=Counter, repr=False)

    def add(self, record: FirstPass) -> None:
        """Count the labels of a record."""
        self.tokens.update(zip(record.tokens, record.labels(), strict=True))
        self.entries.update(record.entries())

    def merge(self, other: MajorityCounts) -> None:
        """Add the counts of other records."""
        self.tokens.update(other.tokens)
        self.entries.update(other.entries)

    def majorities(self) -> Majorities:
        return Majorities(_most_frequent(self.tokens), _most_frequent(self.entries))


@dataclass(frozen=True)
class Majorities:
    """The most frequent labels of tokens and of entries, in a record or in a corpus."""

    tokens: Mapping[str, str] = field(repr=False)
    entries: Mapping[Entry, str] = field(repr=False)

    @classmethod
    def of(cls, records: Sequence[FirstPass]) -> Majorities:
        counts = MajorityCounts()
        for record in records:
            counts.add(record)
        return counts.majorities()

    def by_token(self, record: FirstPass) -> Longs:
        """The key of each token's majority label; NONE for tokens without one."""
        keys = self._keys_of_tokens
        return np.array([keys.get(token, NONE) for token in record.tokens], np.int64)

    def by_entry(self, record: FirstPass) -> Longs:
        """The key of the majority tag (B- or I-) of the entry that each token is in, or NONE.

        Of entries that overlap the first counts, and of those that begin together the longest.
        """
        keys = np.full(len(record.tokens), NONE, np.int64)
        for first, end, label in self._find(record.tokens):
            keys[first] = value_key(f"B-{label}")
            keys[first + 1 : end] = value_key(f"I-{label}")
        return keys

    @cached_property
    def _keys_of_tokens(self) -> dict[str, int]:
        return {token: value_key(label) for token, label in self.tokens.items()}

    @cached_property
    def _lengths_of_entries(self) -> dict[str, list[int]]:
        """By first token: the lengths of entries, longest first."""
        lengths: dict[str, set[int]] = {}
        for entry in self.entries:
            lengths.setdefault(entry[0], set()).add(len(entry))
        return {token: sorted(each, reverse=True) for token, each in lengths.items()}

    def _find(self, tokens: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        longest_first = self._lengths_of_entries
        position = 0
        for first, token in enumerate(tokens):
            if first < position or token not in longest_first:
                continue
            for length in longest_first[token]:
                label = self.entries.get(tuple(tokens[first : first + length]))
                if label is not None:
                    position = first + length
                    yield first, position, label
                    break


def _most_frequent(counts: Counter[tuple[Key, str]]) -> dict[Key, str]:
    best: dict[Key, tuple[int, bool, str]] = {}
    for (key, label), count in counts.items():
        rank = (-count, label == _OUTSIDE, label)
        if key not in best or rank < best[key]:
            best[key] = rank
    return {key: label for key, (_, _, label) in best.items()}


def consistency_columns(record: FirstPass, corpus: Majorities) -> dict[str, Longs]:
    """The four columns of a record; without a majority in the corpus that of the record counts."""
    own = Majorities.of([record])
    token, entry = own.by_token(record), own.by_entry(record)
    token_in_corpus, entry_in_corpus = corpus.by_token(record), corpus.by_entry(record)
    columns = (
        token,
        np.where(token_in_corpus == NONE, token, token_in_corpus),
        entry,
        np.where(entry_in_corpus == NONE, entry, entry_in_corpus),
    )
    return dict(zip(CONSISTENCY, columns, strict=True))
