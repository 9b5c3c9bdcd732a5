"""Laying texts out as a model sees them: tokens, sequences, and columns beside the word forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from veil.features.columns import key_of
from veil.features.places import NONE
from veil.features.pos import SHORT_TAG
from veil.features.rules import RULE
from veil.features.stream import build_stream
from veil.languages import language
from veil.languages.base import Offsets
from veil.languages.ja import JapaneseLanguage, Morpheme
from veil.languages.latin import LatinLanguage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from veil.core.document import Span
    from veil.features.stream import FormTable, Longs, Stream

    Columns = Mapping[str, Longs]

_OF_MORPHEMES: dict[str, Callable[[Morpheme], int]] = {
    "pos": lambda morpheme: key_of(morpheme.pos),
    "short-pos": lambda morpheme: key_of(morpheme.pos[:SHORT_TAG]),
    "pos-detail": lambda morpheme: key_of(morpheme.pos_detail),
    "in-user-dictionary": lambda morpheme: int(morpheme.in_user_dictionary),
}
_OF_TAGGER = ("pos", "short-pos")


@dataclass(frozen=True)
class Layout:
    """Texts with the places of their tokens; `columns` hold a number a token, a mapping a text.

    `rule_spans` is what the rules find, where a model looks at it.
    """

    texts: Sequence[str] = field(repr=False)
    tokens: Sequence[Offsets]
    sentences: Sequence[Sequence[tuple[int, int]]] | None
    columns: Sequence[Columns]
    tagged: tuple[str, ...] = ()
    rule_spans: Sequence[Sequence[Span]] | None = None

    def stream(self, table: FormTable) -> Stream:
        """Number the forms of all tokens and gather the columns."""
        stream = build_stream(self.texts, self.tokens, table, sentences=self.sentences)
        words = stream.words
        for name in self.columns[0] if self.columns else ():
            stream.extras[name] = np.full(len(stream), NONE, np.int64)
            stream.extras[name][words] = np.concatenate([each[name] for each in self.columns])
        if self.rule_spans is not None:
            # Imported here: a model without this feature does not load the rules.
            from veil.detect.linear.rule_column import rule_column

            stream.extras[RULE] = rule_column(stream, self.rule_spans)
        if self.tagged:
            # The tagger is a model that is laid out and run as all others are.
            from veil.detect.linear.pos import pos_tagger

            stream.extras.update(pos_tagger(table.resources.language).columns(stream))
        return stream


def lay_out(
    texts: Sequence[str],
    *,
    tokens: str,
    sequences: str,
    wanted: Sequence[str] = (),
    given: Sequence[Columns] | None = None,
    rule_spans: Sequence[Sequence[Span]] | None = None,
) -> Layout:
    """Cut texts into the tokens of a language and into "lines" or "sentences".

    `wanted` names the columns that a model looks at; those that are not `given`, a mapping a text,
    come from the Japanese analyser, from a part-of-speech tagger or from the rules, which are run
    unless what they find is known already (`rule_spans`).
    """
    spoken = language(tokens)
    columns: list[dict[str, Longs]] = [dict(each) for each in given or [{} for _ in texts]]
    tagged: tuple[str, ...] = ()
    if isinstance(spoken, JapaneseLanguage) and not _OF_MORPHEMES.keys().isdisjoint(wanted):
        cuts: list[Offsets] = []
        for text, own in zip(texts, columns, strict=True):
            morphemes = spoken.morphemes(text)
            cuts.append(Offsets.of((morpheme.start, morpheme.end) for morpheme in morphemes))
            own.update(_morpheme_columns(morphemes, wanted))
    else:
        cuts = [
            spoken.offsets(text)
            if isinstance(spoken, LatinLanguage | JapaneseLanguage)
            else Offsets.of(spoken.tokens(text))
            for text in texts
        ]
        tagged = tuple(name for name in _OF_TAGGER if name in wanted)
    if RULE not in wanted:
        rule_spans = None
    elif rule_spans is None:
        from veil.detect.linear.rule_column import spans_of_rules

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
