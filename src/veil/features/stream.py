"""A batch of documents as one row of tokens, in arrays, with padding between documents.

A *form* is the text of a token. Only one token in ten is a new form: features of the form alone are
computed once and then looked up by its number.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from veil.core import native, tables
from veil.features.forms import FORM_FEATURES, Forms, Resources, roles_inputs
from veil.features.groups import WIDEST_WINDOW
from veil.languages.base import Offsets, base_language
from veil.languages.latin import compiled_latin, latin_pieces
from veil.lexicons import marks_inputs
from veil.lexicons.classes import classes_inputs
from veil.lexicons.folding import genitive_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from veil.core.document import Span

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Cuts = Sequence[tuple[int, int]] | Offsets
    Described = NDArray[np.integer[Any]]

PADS = WIDEST_WINDOW
"""Tokens of padding at the ends of a document."""

PAD, LINE_END = "", "\n"
RARE, PADDING, FIRST_VALUE = 0, 1, 2
"""The ids of values that the training set lacks, of padding, and of the first known value."""

_MOST_FORMS = 5_000
_ROOM = 8_000
"""Forms for which there is room at first: those of a batch can come on top of the most forms."""
_MOST_PIECES = 2 * _MOST_FORMS
_MASK = (1 << 64) - 1

WORD = "word"
"""The feature whose values are forms."""
# Modules on which a description of forms depends, in addition to the lexicons.
_INPUTS = tuple(
    Path(__file__).with_name(name)
    for name in ("forms.py", "stream.py", "templates.py", "templates.toml")
)


class Rows(NamedTuple):
    """The tokens of documents in a row, and the bounds of each document's tokens."""

    form: Ints
    start: Ints
    end: Ints
    bounds: list[tuple[int, int]]


class FormTable:
    """Numbers forms and caches their features; the cache is cleared when it grows too large."""

    def __init__(
        self,
        vocabularies: Mapping[str, Mapping[str, int]],
        resources: Resources,
        stored: Described | None = None,
    ) -> None:
        """`stored` are the descriptions of all values of `WORD` (see `StoredWords`)."""
        self.vocabularies = dict(vocabularies)
        self.columns = {name: column for column, name in enumerate(self.vocabularies)}
        self.resources = resources
        self._stored = stored
        self._known_words = self.vocabularies.get(WORD, {}) if stored is not None else {}
        self.generation = 0
        core = native.CORE
        # Seeded, so that no input can be crafted to fill one hash bucket.
        self._core = core and core.Forms(compiled_latin(core), hash(LINE_END) & _MASK)
        self._look_ups = [
            (FORM_FEATURES.get(name), values.get) for name, values in self.vocabularies.items()
        ]
        self._forget()

    def _forget(self) -> None:
        if self._core is not None:
            self._core.clear()
        self.numbers: dict[str, int] = {}
        self._of_pieces: dict[str, int] = {}
        self.words: list[str] = []
        self._word_numbers: dict[str, int] = {}
        self.size = 0
        capacity = _ROOM
        self.values = np.zeros((capacity, len(self.vocabularies)), np.int32)
        self.cases = np.zeros(capacity, np.uint8)
        self.codes = np.zeros(capacity, np.uint8)
        self.word_of = np.zeros(capacity, np.int32)
        self.lengths = np.zeros(capacity, np.int32)
        self.add([PAD, LINE_END])
        self.values[0] = PADDING

    def number(self, pieces: list[str]) -> list[int]:
        """Return the numbers of forms, adding new ones; spaces after a form are ignored."""
        known = self._of_pieces
        numbers: list[Any] = list(map(known.get, pieces))
        if None in numbers:
            new = [index for index, number in enumerate(numbers) if number is None]
            forms = {pieces[index]: _form_of(pieces[index]) for index in new}
            self.add([form for form in dict.fromkeys(forms.values()) if form not in self.numbers])
            known.update((piece, self.numbers[form]) for piece, form in forms.items())
            for index in new:
                numbers[index] = known[pieces[index]]
        return numbers

    def make_room(self) -> None:
        """Clear the cache between two batches if it has very many forms."""
        is_torn = self._core is not None and self._core.size != self.size  # by an interrupt
        if _MOST_FORMS < self.size or is_torn:
            self.generation += 1
            self._forget()
        if _MOST_PIECES < len(self._of_pieces):
            self._of_pieces = {}

    def add(self, forms: Sequence[str]) -> None:
        """Number forms that are new."""
        if self._core is not None:
            for form in forms:
                self._core.add(form)
        self._add(forms)

    def _add(self, forms: Sequence[str]) -> None:
        if not forms:
            return
        first, size = self.size, self.size + len(forms)
        while len(self.cases) < size:
            for name in ("values", "cases", "codes", "word_of", "lengths"):
                array = getattr(self, name)
                setattr(self, name, np.concatenate([array, np.zeros_like(array)]))
        new = slice(first, size)
        described = self._described([form or LINE_END for form in forms])
        self.values[new] = described[:, :-2]
        self.cases[new] = described[:, -2]
        self.codes[new] = described[:, -1]
        self.word_of[new] = self._number_words([form.lower() or LINE_END for form in forms])
        self.lengths[new] = list(map(len, forms))
        self.numbers.update(zip(forms, range(first, size), strict=True))
        self.size = size

    def _described(self, forms: list[str]) -> Described:
        if self._stored is None:
            return self.describe(forms)
        rows = np.fromiter(map(self._known_words.get, forms, repeat(RARE)), np.int32, len(forms))
        described = self._stored[rows].astype(np.int32)
        described[:, self.columns[WORD]] = rows
        new = np.flatnonzero(rows == RARE)
        if len(new):
            described[new] = self.describe([forms[index] for index in new.tolist()])
        return described

    def describe(self, texts: list[str]) -> Described:
        """Return the ids of the features of forms, their cases and codes: one row per form."""
        forms = Forms(texts, self.resources)
        columns = [
            list(map(number, values_of(forms), repeat(RARE)))
            for values_of, number in self._look_ups
        ]
        return np.array([*columns, list(map(ord, forms.cases)), forms.codes], np.int32).T

    def lay_out(self, texts: Sequence[str], tokens: Sequence[Cuts] | None) -> Rows:
        """Return the tokens of texts in a row, including line ends and padding."""
        if self._core is None:
            return self._lay_out(texts, tokens)
        cuts = None if tokens is None else [_as_offsets(each) for each in tokens]
        *arrays, bounds, new = self._core.lay_out(list(texts), cuts, PADS)
        self._add(new)
        form, start, end = (np.frombuffer(array, np.int32) for array in arrays)
        return Rows(form, start, end, bounds)

    def _lay_out(self, texts: Sequence[str], tokens: Sequence[Cuts] | None) -> Rows:
        pieces, starts = [PAD] * PADS, [0] * PADS
        bounds = []
        for index, text in enumerate(texts):
            cut = latin_pieces(text) if tokens is None else _pieces_of_lines(text, tokens[index])
            first = len(pieces)
            pieces += cut[0]
            starts += cut[1]
            bounds.append((first, len(pieces)))
            pieces += [PAD] * PADS
            starts += [0] * PADS
        form = np.array(self.number(pieces), np.int32)
        start = np.array(starts, np.int32)
        return Rows(form, start, start + self.lengths[form], bounds)

    def _number_words(self, words: list[str]) -> list[int]:
        numbers = self._word_numbers
        for word in words:
            if word not in numbers:
                # In this order, so that an interrupt cannot leave two words with the same number.
                self.words.append(word)
                numbers[word] = len(self.words) - 1
        return [numbers[word] for word in words]

    def word_number(self, lower: str) -> int | None:
        return self._word_numbers.get(lower)


class StoredWords:
    """The descriptions of all words that a model has weights for, stored when Veil is released.

    They are found by the name of the model, and used only if `key`, a digest of its vocabularies,
    is unchanged. Most new forms of a text are such words.
    """

    def __init__(
        self,
        name: str,
        key: str,
        vocabularies: Mapping[str, Mapping[str, int]],
        resources: Resources,
    ) -> None:
        self._name = f"forms-{name}"
        self._key = key
        self.vocabularies = vocabularies
        self.resources = resources
        # The number of a word is that of its row, which need not be stored.
        others = [len(values) for name, values in vocabularies.items() if name != WORD]
        largest = max(others, default=0) + FIRST_VALUE
        self._dtype = np.promote_types(np.min_scalar_type(largest), np.uint8)

    def table(self) -> tables.Table:
        """Return the table: one row for each id of a word, including RARE and PADDING."""
        language = self.resources.language
        versions = (self._key, genitive_of(base_language(language)), unicodedata.unidata_version)
        inputs = (
            *_INPUTS,
            *marks_inputs(language),
            *classes_inputs(language),
            *roles_inputs(language),
        )
        return tables.Table(self._name, inputs, self._build, " ".join(versions))

    def _build(self) -> bytes:
        words = [LINE_END] * FIRST_VALUE + list(self.vocabularies[WORD])
        described = FormTable(self.vocabularies, self.resources).describe(words)
        described[:, list(self.vocabularies).index(WORD)] = 0
        return described.astype(self._dtype).tobytes()

    def read(self) -> Described | None:
        """Return the stored descriptions, or None if there are none for these vocabularies."""
        if not (tables.FOLDER / self._name).is_file():
            return None
        data = self.table().read()
        if data is None:
            return None
        return np.frombuffer(data, self._dtype).reshape(-1, len(self.vocabularies) + 2)


@dataclass
class Stream:
    """Tokens of several documents in arrays; padding and line ends are tokens that are `breaks`.

    `line` numbers the sequences to be labelled: lines, or sentences. `first` and `last` are the
    first token of each and the break that ends it. `extras` are columns from outside
    (`veil.features.columns`), one number per token. `memo` caches values that several features use.
    """

    texts: Sequence[str] = field(repr=False)
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
        """The tokens that are not breaks, in order."""
        return np.flatnonzero(~self.breaks).astype(np.int32)

    @cached_property
    def text_starts(self) -> Longs:
        """Where each text starts if all are concatenated with one character between them."""
        lengths = [0, *(len(text) + 1 for text in self.texts)]
        return np.cumsum(lengths, dtype=np.int64)[:-1]

    @cached_property
    def word_starts(self) -> Longs:
        """Where each word starts if all texts are concatenated: one search is enough for all."""
        return self.start[self.words] + self.text_starts[self.doc[self.words]]

    def words_under(self, spans: Sequence[Sequence[Span]]) -> tuple[Longs, Longs]:
        """The bounds of each span as indexes into `words`, those of the first document first.

        A word that a span covers in part belongs to it.
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
        return self.table.values[:, self.table.columns[feature]][self.form]

    def cases(self) -> NDArray[np.uint8]:
        return self.table.cases[self.form]


def build_stream(
    texts: Sequence[str],
    tokens: Sequence[Cuts] | None,
    table: FormTable,
    *,
    sentences: Sequence[Sequence[tuple[int, int]]] | None = None,
) -> Stream:
    """Concatenate documents: sequences are lines, or the sentences that are given.

    Windows reach across the ends of lines, but not of sentences, as is usual in the papers. Without
    `tokens`, which sentences require, documents are split into those of `veil.languages.latin`.
    """
    table.make_room()
    if sentences is None:
        return _finish(texts, table, table.lay_out(texts, tokens))
    padding = np.zeros(PADS, np.int32)
    forms, starts, ends = [padding], [padding], [padding]
    bounds = []
    position = PADS
    for text, cuts, own in zip(texts, tokens or (), sentences, strict=True):
        start, end = (np.array(offsets, np.int32) for offsets in _as_offsets(cuts))
        pieces = [text[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True)]
        form = np.array(table.number(pieces), np.int32)
        form, start, end = _with_padding(own, form, start, end)
        bounds.append((position, position + len(form)))
        position += len(form) + PADS
        forms += [form, padding]
        starts += [start, padding]
        ends += [end, padding]
    rows = Rows(np.concatenate(forms), np.concatenate(starts), np.concatenate(ends), bounds)
    return _finish(texts, table, rows)


def _finish(texts: Sequence[str], table: FormTable, rows: Rows) -> Stream:
    breaks, doc, line, first, last = _lines(table, rows)
    return Stream(
        texts=texts,
        table=table,
        form=rows.form,
        start=rows.start,
        end=rows.end,
        doc=doc,
        breaks=breaks,
        line=line,
        first=first,
        last=last,
        bounds=rows.bounds,
    )


def _lines(table: FormTable, rows: Rows) -> tuple[Flags, Ints, Ints, Ints, Ints]:
    """The breaks, documents and lines of tokens, and the first and last token of each line."""
    size = len(rows.form)
    if native.CORE is not None:
        breaks = np.empty(size, bool)
        doc, line, first, last = np.empty((4, size), np.int32)
        lines = native.CORE.lines_of(
            rows.form, table.codes, rows.bounds, breaks, doc, line, first, last
        )
        return breaks, doc, line, first[:lines], last[:lines]
    opens = np.zeros(size, np.int32)
    opens[[first for first, _ in rows.bounds[1:]]] = 1
    breaks = table.codes[rows.form] == ord(LINE_END)
    after_break = np.empty(size, bool)
    after_break[0] = True
    after_break[1:] = breaks[:-1]
    first = np.flatnonzero(after_break).astype(np.int32)
    last = np.empty_like(first)
    last[:-1] = first[1:] - 1
    last[-1] = size - 1
    line = np.cumsum(after_break, dtype=np.int32) - 1
    return breaks, np.cumsum(opens, dtype=np.int32), line, first, last


def _form_of(piece: str) -> str:
    return piece.rstrip() or piece[:1]


def _as_offsets(cuts: Cuts) -> Offsets:
    return cuts if isinstance(cuts, Offsets) else Offsets.of(cuts)


def _pieces_of_lines(text: str, cuts: Cuts) -> tuple[list[str], list[int]]:
    """Return tokens and line feeds, and where they start."""
    starts, ends = _as_offsets(cuts)
    if "\n" in text:
        line_ends = [match.start() for match in re.finditer("\n", text)]
        starts = sorted([*starts, *line_ends])
        ends = sorted([*ends, *(offset + 1 for offset in line_ends)])
    return [text[start:end] for start, end in zip(starts, ends, strict=True)], starts


def _with_padding(
    sentences: Sequence[tuple[int, int]], form: Ints, start: Ints, end: Ints
) -> tuple[Ints, Ints, Ints]:
    """Add padding after each sentence but the last."""
    opens = np.searchsorted(start, [first for first, _ in sentences[1:]])
    at = np.repeat(opens, PADS)
    nothing = np.zeros(len(at), np.int32)
    return np.insert(form, at, nothing), np.insert(start, at, nothing), np.insert(end, at, nothing)
