"""What the sentence tells, and those around it (aramaki-2006, table 2; kajiyama-2018).

A sentence is a sequence of the stream: where the sequences are lines, it is a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.features.places import NONE, place_feature

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.features.stream import Longs, Stream

_TOP_LINES, _BOTTOM_LINES = 10, 5
_TOP, _BOTTOM, _OTHER = 1, 2, 0


def _show_place(_: Callable[[str, int], str], number: int) -> str:
    return ("elsewhere", "top", "bottom")[number]


@place_feature("place-in-record", show=_show_place)
def _place_in_record(stream: Stream) -> Longs:
    """In the top ten lines, in the bottom five, or elsewhere; lines that are empty do not count."""
    place = np.full(len(stream), _OTHER, np.int64)
    words = stream.words
    for text, bounds in zip(stream.texts, stream.bounds, strict=True):
        own = words[slice(*np.searchsorted(words, bounds))]
        lines = np.searchsorted(_line_ends(text), stream.start[own])
        _, number = np.unique(lines, return_inverse=True)
        bottom = number.max(initial=0) - _BOTTOM_LINES < number
        place[own] = np.where(number < _TOP_LINES, _TOP, np.where(bottom, _BOTTOM, _OTHER))
    return place


def _line_ends(text: str) -> Longs:
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.flatnonzero(characters == ord("\n")).astype(np.int64)


@place_feature("sentence-length", by_line=True)
def _sentence_length(stream: Stream) -> Longs:
    """The number of words, in classes from 5 on: exact lengths do not come again."""
    words = stream.last - stream.first
    return np.where(words < 5, words, 1 + 2 * np.log2(np.maximum(words, 1))).astype(np.int64)


@place_feature("previous-sentence-length", by_line=True)
def _previous_sentence_length(stream: Stream) -> Longs:
    return _length_of(stream, _neighbours(stream)[0])


@place_feature("next-sentence-length", by_line=True)
def _next_sentence_length(stream: Stream) -> Longs:
    return _length_of(stream, _neighbours(stream)[1])


def _length_of(stream: Stream, sentences: Longs) -> Longs:
    return np.where(sentences == NONE, NONE, _sentence_length(stream)[sentences])


def _neighbours(stream: Stream) -> tuple[Longs, Longs]:
    """The sentences before and after each, passing over empty ones; NONE at a record's ends."""
    before = np.full(len(stream.first), NONE, np.int64)
    after = before.copy()
    full = np.flatnonzero(stream.first < stream.last)
    docs = stream.doc[stream.first[full]]
    joined = np.flatnonzero(docs[1:] == docs[:-1])
    before[full[joined + 1]] = full[joined]
    after[full[joined]] = full[joined + 1]
    return before, after


def _show_word(value: Callable[[str, int], str], number: int) -> str:
    return "(none)" if number == NONE else value("word", number)


@place_feature("last-word-before", by_line=True, needs=("word",), show=_show_word)
def _last_word_before(stream: Stream) -> Longs:
    return _word_before(stream, 1)


@place_feature("second-last-word-before", by_line=True, needs=("word",), show=_show_word)
def _second_last_word_before(stream: Stream) -> Longs:
    return _word_before(stream, 2)


@place_feature("third-last-word-before", by_line=True, needs=("word",), show=_show_word)
def _third_last_word_before(stream: Stream) -> Longs:
    return _word_before(stream, 3)


def _word_before(stream: Stream, place: int) -> Longs:
    """A word of the previous sentence, counted from its end; NONE where it has fewer."""
    before, _ = _neighbours(stream)
    at = stream.last[before] - place
    there = (before != NONE) & (stream.first[before] <= at)
    words = stream.column("word").astype(np.int64)
    return np.where(there, words[np.where(there, at, 0)], NONE)


@place_feature("sentence-start")
def _sentence_start(stream: Stream) -> Longs:
    starts = np.zeros(len(stream), np.int64)
    starts[stream.first] = 1
    return starts
