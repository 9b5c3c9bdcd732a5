"""A batch of documents as one row of tokens, in arrays, with padding between documents.

A *form* is a token together with whether a blank follows it. Only one token in ten is a new form:
what depends on the form alone is computed once and gathered by its number afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.features.forms import FORM_FEATURES, Form, Resources
from veil.features.groups import WIDEST_WINDOW
from veil.languages.base import Offsets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from veil.core.document import Span

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Cuts = Sequence[tuple[int, int]] | Offsets

PADS = WIDEST_WINDOW
"""Tokens of padding at the ends of a document."""

PAD, LINE_END = "", "\n"
RARE, PADDING, FIRST_VALUE = 0, 1, 2
"""The ids of values that the training set lacks, of padding, and of the first known value."""

_MOST_FORMS = 40_000


class FormTable:
    """Numbers forms and keeps what is known of each; forgets all when there are too many."""

    def __init__(self, vocabularies: Mapping[str, Mapping[str, int]], resources: Resources) -> None:
        self.vocabularies = dict(vocabularies)
        self.resources = resources
        self.generation = 0
        self._look_ups = [
            (values.get, FORM_FEATURES.get(name)) for name, values in self.vocabularies.items()
        ]
        self._forget()

    def _forget(self) -> None:
        self.numbers: dict[str, int] = {}
        self.words: list[str] = []
        self._word_numbers: dict[str, int] = {}
        self._of_text: dict[str, tuple[list[int], int, int, int]] = {}
        self.size = 0
        capacity = 1 << 12
        self.values = np.zeros((capacity, len(self.vocabularies)), np.int32)
        self.cases = np.zeros(capacity, np.uint8)
        self.codes = np.zeros(capacity, np.uint8)
        self.word_of = np.zeros(capacity, np.int32)
        self.add([PAD, LINE_END])
        self.values[0] = PADDING

    def number(self, pieces: list[str]) -> list[int]:
        """Return the numbers of forms, new ones included."""
        numbers = list(map(self.numbers.get, pieces))
        new = [index for index, number in enumerate(numbers) if number is None]
        if new:
            self.add(list(dict.fromkeys(pieces[index] for index in new)))
            for index in new:
                numbers[index] = self.numbers[pieces[index]]
        return numbers  # type: ignore[return-value]

    def make_room(self) -> None:
        """Forget all forms between two batches if there are very many."""
        if _MOST_FORMS < self.size:
            self.generation += 1
            self._forget()

    def add(self, pieces: Sequence[str]) -> None:
        first, self.size = self.size, self.size + len(pieces)
        while len(self.cases) < self.size:
            for name in ("values", "cases", "codes", "word_of"):
                array = getattr(self, name)
                setattr(self, name, np.concatenate([array, np.zeros_like(array)]))
        known = self._of_text
        rows, cases, codes, words = [], [], [], []
        for number, piece in enumerate(pieces, first):
            self.numbers[piece] = number
            text = piece.rstrip() or LINE_END
            if text not in known:
                known[text] = self._describe(text)
            row, case, code, word = known[text]
            rows.append(row)
            cases.append(case)
            codes.append(code)
            words.append(word)
        new = slice(first, self.size)
        self.values[new] = rows
        self.cases[new] = cases
        self.codes[new] = codes
        self.word_of[new] = words

    def _describe(self, text: str) -> tuple[list[int], int, int, int]:
        """The ids of all features of a form, its case, its code and its word."""
        form = Form(text, self.resources)
        row = [get(function(form), RARE) for get, function in self._look_ups]
        word = self._word_numbers.setdefault(form.lower, len(self.words))
        if word == len(self.words):
            self.words.append(form.lower)
        return row, ord(form.case), form.code, word

    def word_number(self, lower: str) -> int | None:
        return self._word_numbers.get(lower)


@dataclass
class Stream:
    """Tokens of several documents in arrays; padding and line ends are tokens that are `breaks`.

    `line` numbers the sequences to be labelled: lines, or sentences. `first` and `last` are the
    first token of each and the break that ends it. `extras` are columns that came from outside
    (`veil.features.columns`), a number a token. `memo` keeps what several features ask for.
    """

    texts: Sequence[str]
    table: FormTable
    form: Ints
    start: Ints
    end: Ints
    doc: Ints
    breaks: Flags
    line: Ints
    first: Ints
    last: Ints
    bounds: list[tuple[int, int]]
    extras: dict[str, Longs] = field(default_factory=dict)
    memo: dict[str, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.form)

    @cached_property
    def words(self) -> Ints:
        """The tokens that are no breaks, in order."""
        return np.flatnonzero(~self.breaks).astype(np.int32)

    @cached_property
    def text_starts(self) -> Longs:
        """Where each text starts when all stand in a row, with one character between them."""
        lengths = [0, *(len(text) + 1 for text in self.texts)]
        return np.cumsum(lengths, dtype=np.int64)[:-1]

    @cached_property
    def word_starts(self) -> Longs:
        """Where each word starts when all texts stand in a row: one search serves them all."""
        return self.start[self.words] + self.text_starts[self.doc[self.words]]

    def words_under(self, spans: Sequence[Sequence[Span]]) -> tuple[Longs, Longs]:
        """Where among `words` each span begins and ends, those of the first document first.

        A word that a span cuts belongs to it.
        """
        shift = np.repeat(self.text_starts, [len(own) for own in spans])
        starts = np.array([span.start for own in spans for span in own], np.int64) + shift
        ends = np.array([span.end for own in spans for span in own], np.int64) + shift
        word_ends = self.word_starts + (self.end - self.start)[self.words]
        return (
            np.searchsorted(word_ends, starts, side="right"),
            np.searchsorted(self.word_starts, ends),
        )

    def column(self, feature: str) -> Ints:
        """The ids of a form feature over all tokens."""
        index = list(self.table.vocabularies).index(feature)
        return self.table.values[:, index][self.form]

    def cases(self) -> NDArray[np.uint8]:
        return self.table.cases[self.form]


def build_stream(
    texts: Sequence[str],
    tokens: Sequence[Cuts],
    table: FormTable,
    *,
    sentences: Sequence[Sequence[tuple[int, int]]] | None = None,
) -> Stream:
    """Lay documents out in a row: sequences are lines, or the sentences that are given.

    Windows look across the ends of lines, but not of sentences, as is usual in the papers.
    """
    table.make_room()
    forms: list[Ints] = []
    starts: list[Ints] = []
    ends: list[Ints] = []
    bounds = []
    padding = np.zeros(PADS, np.int32)
    position = PADS
    for index, (text, cuts) in enumerate(zip(texts, tokens, strict=True)):
        start, end = _offsets(cuts)
        if sentences is None:
            start, end = _with_line_ends(text, start, end)
        spaced = np.append(end[:-1] < start[1:], False) if len(end) else end.astype(bool)
        pieces = [text[a:b] for a, b in zip(start.tolist(), (end + spaced).tolist(), strict=True)]
        form = np.array(table.number(pieces), np.int32)
        if sentences is not None:
            form, start, end = _with_padding(sentences[index], form, start, end)
        bounds.append((position, position + len(form)))
        position += len(form) + PADS
        forms += [padding, form]
        starts += [padding, start]
        ends += [padding, end]
    return _finish(
        texts,
        table,
        np.concatenate([*forms, padding]),
        np.concatenate([*starts, padding]),
        np.concatenate([*ends, padding]),
        bounds,
    )


def _finish(
    texts: Sequence[str],
    table: FormTable,
    form: Ints,
    start: Ints,
    end: Ints,
    bounds: list[tuple[int, int]],
) -> Stream:
    opens = np.zeros(len(form), np.int32)
    opens[[first for first, _ in bounds[1:]]] = 1
    # Not by the form: a line end before an indented line is a form of its own, with a blank.
    breaks = table.codes[form] == ord(LINE_END)
    after_break = np.concatenate(([True], breaks[:-1]))
    first = np.flatnonzero(after_break).astype(np.int32)
    return Stream(
        texts=texts,
        table=table,
        form=form,
        start=start,
        end=end,
        doc=np.cumsum(opens, dtype=np.int32),
        breaks=breaks,
        line=np.cumsum(after_break, dtype=np.int32) - 1,
        first=first,
        last=np.append(first[1:] - 1, len(form) - 1).astype(np.int32),
        bounds=bounds,
    )


def _offsets(cuts: Cuts) -> tuple[Ints, Ints]:
    if isinstance(cuts, Offsets):
        return np.array(cuts.starts, np.int32), np.array(cuts.ends, np.int32)
    # Several times as fast as making an array of pairs.
    flat = np.fromiter(chain.from_iterable(cuts), np.int32, 2 * len(cuts))
    return flat[::2].copy(), flat[1::2].copy()


def _with_line_ends(text: str, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Add a token for every line feed."""
    offsets = []
    offset = text.find("\n")
    while offset >= 0:
        offsets.append(offset)
        offset = text.find("\n", offset + 1)
    line_ends = np.array(offsets, np.int32)
    at = np.searchsorted(start, line_ends)
    return np.insert(start, at, line_ends), np.insert(end, at, line_ends + 1)


def _with_padding(
    sentences: Sequence[tuple[int, int]], form: Ints, start: Ints, end: Ints
) -> tuple[Ints, Ints, Ints]:
    """Add padding after each sentence but the last."""
    opens = np.searchsorted(start, [first for first, _ in sentences[1:]])
    at = np.repeat(opens, PADS)
    nothing = np.zeros(len(at), np.int32)
    return np.insert(form, at, nothing), np.insert(start, at, nothing), np.insert(end, at, nothing)
