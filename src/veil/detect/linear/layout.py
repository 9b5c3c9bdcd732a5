"""Preparing texts for a model: tokens, sequences, and columns in addition to the word forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from veil.core import native
from veil.core.document import Document
from veil.core.resolve import resolve
from veil.features.columns import OUTSIDE, RULE, SHORT_TAG, value_key
from veil.features.positions import NONE
from veil.features.stream import build_stream
from veil.languages import base_language, language_with_dictionary
from veil.languages.base import AnalysedLanguage, Offsets
from veil.languages.latin import has_latin_tokens, latin_offsets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from veil.core.document import Span
    from veil.detect.rules import RuleDetector
    from veil.features.stream import FormTable, Longs, Stream
    from veil.languages.base import Morpheme

    Columns = Mapping[str, Longs]


_OF_MORPHEMES: dict[str, Callable[[Morpheme], int]] = {
    "pos": lambda morpheme: value_key(morpheme.pos),
    "short-pos": lambda morpheme: value_key(morpheme.pos[:SHORT_TAG]),
    "fine-pos": lambda morpheme: value_key(f"{morpheme.pos}-{morpheme.pos_detail}"),
    # A Japanese part of speech has up to six characters; two of them identify it.
    "short-fine-pos": lambda morpheme: value_key(morpheme.pos[:SHORT_TAG]),
    "pos-detail": lambda morpheme: value_key(morpheme.pos_detail),
    "in-user-dictionary": lambda morpheme: int(morpheme.in_user_dictionary),
}
_OF_TAGGER = ("pos", "short-pos", "fine-pos", "short-fine-pos")
_OUTSIDE = value_key(OUTSIDE)


@dataclass(frozen=True)
class Layout:
    """Texts with the offsets of their tokens; `columns` have one mapping per text.

    `tokens` is None if they are those of `latin_offsets`, which streams compute themselves.
    `rule_spans` are the spans of the rules, for models that use them.
    """

    texts: Sequence[str] = field(repr=False)
    tokens: Sequence[Offsets] | None
    sentences: Sequence[Sequence[tuple[int, int]]] | None
    columns: Sequence[Columns]
    tagged: tuple[str, ...] = ()
    rule_spans: Sequence[Sequence[Span]] | None = None

    def offsets(self) -> Sequence[Offsets]:
        """The offsets of the tokens of each text."""
        return list(map(latin_offsets, self.texts)) if self.tokens is None else self.tokens

    def stream(self, table: FormTable) -> Stream:
        """Number the forms of all tokens and gather the columns."""
        stream = build_stream(self.texts, self.tokens, table, sentences=self.sentences)
        for name in self.columns[0] if self.columns else ():
            stream.extras[name] = np.full(len(stream), NONE, np.int64)
            stream.extras[name][stream.words] = np.concatenate(
                [each[name] for each in self.columns]
            )
        if self.rule_spans is not None:
            stream.extras[RULE] = rule_column(stream, self.rule_spans)
        if self.tagged:
            # The tagger is a model itself, prepared and run like all others.
            from veil.detect.linear.pos import pos_tagger

            tagger = pos_tagger(table.resources.language)
            stream.extras.update(tagger.columns(stream, self.tagged))
        return stream


def lay_out(
    texts: Sequence[str],
    *,
    tokens: str,
    sequences: str,
    wanted: Sequence[str] = (),
    given: Sequence[Columns] | None = None,
    rule_spans: Sequence[Sequence[Span]] | None = None,
    dictionary: str = "",
) -> Layout:
    """Cut texts into the tokens of a language and into "lines" or "sentences".

    `wanted` names the columns that a model uses; those that are not `given` (one mapping per text)
    come from the language's analyser, from a part-of-speech tagger or from the rules, which are run
    unless their spans are given (`rule_spans`). `dictionary` is the content of a user dictionary.
    """
    spoken = language_with_dictionary(tokens, dictionary)
    columns: list[dict[str, Longs]] = [dict(each) for each in given or [{} for _ in texts]]
    tagged: tuple[str, ...] = ()
    cuts: list[Offsets] | None = None
    # Last, since checking for the methods of a protocol is slow.
    if not _OF_MORPHEMES.keys().isdisjoint(wanted) and isinstance(spoken, AnalysedLanguage):
        cuts = []
        for text, own in zip(texts, columns, strict=True):
            morphemes = spoken.morphemes(text)
            cuts.append(Offsets.of((morpheme.start, morpheme.end) for morpheme in morphemes))
            own.update(_morpheme_columns(morphemes, wanted))
    else:
        if sequences == "sentences" or not has_latin_tokens(spoken):
            cuts = [spoken.offsets(text) for text in texts]
        tagged = tuple(name for name in _OF_TAGGER if name in wanted)
    if RULE not in wanted:
        rule_spans = None
    elif rule_spans is None:
        rule_spans = spans_of_rules(texts, tokens)
    sentences = None
    if sequences == "sentences":
        sentences = [spoken.sentences(text) for text in texts]
    return Layout(texts, cuts, sentences, columns, tagged, rule_spans)


def _morpheme_columns(morphemes: Sequence[Morpheme], wanted: Sequence[str]) -> dict[str, Longs]:
    return {
        name: np.array([value(morpheme) for morpheme in morphemes], np.int64)
        for name, value in _OF_MORPHEMES.items()
        if name in wanted
    }


def rule_column(stream: Stream, spans: Sequence[Sequence[Span]]) -> Longs:
    """For each word the key of "B-" or "I-" and the label of the rule's span that contains it."""
    settled = [
        resolve(Document("", text), own) for text, own in zip(stream.texts, spans, strict=True)
    ]
    keys = np.array([_keys_of(span.label) for own in settled for span in own], np.int64)
    column = np.full(len(stream), NONE, np.int64)
    if native.CORE is not None:
        native.CORE.span_column(
            *(stream.start, stream.end, stream.breaks, stream.bounds),
            *(settled, keys, _OUTSIDE, column),
        )
        return column
    words = stream.words
    firsts, ends = stream.words_under(settled)
    begins, goes_on = keys.reshape(-1, 2).T
    lengths = ends - firsts
    # The indexes of all words of the first span, then of the second ...
    inside = np.arange(lengths.sum()) + np.repeat(firsts - (np.cumsum(lengths) - lengths), lengths)
    column[words] = _OUTSIDE
    column[words[inside]] = np.repeat(goes_on, lengths)
    column[words[firsts[0 < lengths]]] = begins[0 < lengths]
    return column


@cache
def _keys_of(label: str) -> tuple[int, int]:
    return value_key(f"B-{label}"), value_key(f"I-{label}")


def spans_of_rules(texts: Sequence[str], language: str) -> list[list[Span]]:
    """Return the spans of the rules that come with Veil."""
    return _rules(base_language(language)).detect_many([Document("", text) for text in texts])


@cache
def _rules(language: str) -> RuleDetector:
    # A model without this feature does not load the rules.
    from veil.detect.rules import RuleDetector

    return RuleDetector(language)
