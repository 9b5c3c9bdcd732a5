"""The two-stage detector of aramaki-2006: a second CRF uses the labels that the first gave.

If "Dr. ROOM" is a doctor, the "ROOM" further down is one too. The first model's labels are counted
for each token and each entry, in the record and in the corpus, and the majorities are features of
the second model (`veil.features.consistency`).
"""

from __future__ import annotations

from copy import copy
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from veil.core.errors import InputError
from veil.core.toml import write_toml
from veil.detect.crf import hold_out, train_linear_model, with_dictionary
from veil.detect.linear.calibration import check_bias, dialled, fit_calibration, measure_dial
from veil.detect.linear.model import FORMAT_VERSION, SETTINGS_FILE, load_model, save_model
from veil.detect.linear.tagger import Tagger, as_spans
from veil.features.consistency import (
    FirstPass,
    Majorities,
    MajorityCounts,
    consistency_columns,
)
from veil.languages import language_with_dictionary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from veil.core.document import Document, Record, Span
    from veil.detect.crf import LinearRecipe, Report
    from veil.detect.linear.model import LinearModel
    from veil.languages import Language

    Tagged = list[list[tuple[int, int, str, float]]]

KIND = "two-stage"
CONSISTENCY_GROUP = "aramaki-consistency"
_FIRST, _SECOND = "first", "second"


class TwoStageTagger:
    """Tags texts in two passes. Without a `corpus`, the texts of one call are the corpus."""

    def __init__(
        self, first: LinearModel, second: LinearModel, corpus: Sequence[str] | Majorities = ()
    ) -> None:
        self.first = Tagger(first)
        self.second = Tagger(second)
        if isinstance(corpus, Majorities):
            self._corpus: Majorities | None = corpus
        else:
            self._corpus = Majorities.of(first_pass(self.first, corpus)) if corpus else None

    def tag(
        self, texts: Sequence[str], *, outside: float = 0.0, probabilities: bool = False
    ) -> Tagged:
        """Return the spans of each text: start, end, label, probability (1 if not requested)."""
        passes = first_pass(self.first, texts)
        corpus = self._corpus or Majorities.of(passes)
        return self.second.tag(
            texts,
            outside=outside,
            probabilities=probabilities,
            given=[consistency_columns(each, corpus) for each in passes],
        )


def first_pass(tagger: Tagger, texts: Sequence[str]) -> list[FirstPass]:
    """Tag texts and convert the spans to token indexes."""
    settings = tagger.model.settings
    tagged = tagger.tag(texts, outside=settings.outside)
    spoken = language_with_dictionary(settings.tokens, tagger.model.dictionary)
    return [_in_tokens(text, spans, spoken) for text, spans in zip(texts, tagged, strict=True)]


def _in_tokens(text: str, spans: list[tuple[int, int, str, float]], spoken: Language) -> FirstPass:
    cuts = spoken.tokens(text)
    starts = [start for start, _ in cuts]
    first = np.searchsorted(starts, [start for start, _, _, _ in spans]).tolist()
    end = np.searchsorted(starts, [end for _, end, _, _ in spans]).tolist()
    labels = [label for _, _, label, _ in spans]
    return FirstPass([text[a:b] for a, b in cuts], list(zip(first, end, labels, strict=True)))


class TwoStageDetector:
    """Finds spans with two linear models; the second uses the labels of the first.

    The *corpus* whose majorities count consists of the documents of one call of `detect_many`. If a
    result must not depend on these, as with several processes, pass the documents as `corpus`, or
    the majorities that were counted in them: they are then used instead. `outside` is the bias of
    the O tag in the second model: lower values raise recall and lower precision; None is the
    model's own.
    """

    def __init__(
        self,
        first: LinearModel,
        second: LinearModel,
        *,
        corpus: Sequence[Document] | Majorities = (),
        outside: float | None = None,
        probabilities: bool = True,
    ) -> None:
        self.model = second
        self.name = second.settings.name
        self.outside = check_bias(second.settings.outside if outside is None else outside)
        self.probabilities = probabilities
        texts = corpus if isinstance(corpus, Majorities) else [doc.text for doc in corpus]
        self.tagger = TwoStageTagger(first, second, texts)

    @classmethod
    def fit(
        cls,
        recipe: LinearRecipe,
        records: Sequence[Record],
        *,
        dev: Sequence[Record] = (),
        report: Report | None = None,
    ) -> TwoStageDetector:
        """Train both models; `dev` calibrates probabilities and the recall dial.

        The labels for training the second model are made by cross-validation, so that they have the
        same kind of errors as the first model makes on new records.
        """
        kept, held_out = (records, dev) if dev else hold_out(records)
        groups = tuple(name for name in recipe.groups if name != CONSISTENCY_GROUP)
        plain = replace(recipe, kind="crf", groups=groups, outside=0.0)
        passes = cross_validate(plain, kept, report)
        corpus = Majorities.of(passes)
        first = train_linear_model(plain, kept, report=report)
        second = train_linear_model(
            replace(recipe, kind="crf", groups=(*groups, CONSISTENCY_GROUP)),
            kept,
            given=[consistency_columns(each, corpus) for each in passes],
            report=report,
        )
        detector = cls(first, second)
        return cls(
            first,
            second.with_settings(
                calibration=fit_calibration(detector, held_out),
                dial=measure_dial(detector, held_out),
            ),
        )

    @classmethod
    def load(
        cls, folder: Path, *, dictionary: Path | None = None, **options: Any
    ) -> TwoStageDetector:
        first, second = load_model(folder / _FIRST), load_model(folder / _SECOND)
        return cls(
            with_dictionary(first, dictionary), with_dictionary(second, dictionary), **options
        )

    def save(self, folder: Path, *, compact: bool = False) -> None:
        save_model(self.tagger.first.model, folder / _FIRST, compact=compact)
        save_model(self.model, folder / _SECOND, compact=compact)
        settings = asdict(replace(self.model.settings, kind=KIND))
        labels = list(self.model.tagset.labels)
        write_toml(
            folder / SETTINGS_FILE,
            {"format_version": FORMAT_VERSION, **settings, "labels": labels},
        )

    def with_recall(self, recall: float) -> TwoStageDetector:
        """The same models, with the threshold set for at least this character recall."""
        other = copy(self)
        other.outside = dialled(self.model.settings, recall)
        return other

    def count(self, texts: Sequence[str]) -> MajorityCounts:
        """Count the labels that the first model gives in texts of a corpus."""
        counts = MajorityCounts()
        for record in first_pass(self.tagger.first, texts):
            counts.add(record)
        return counts

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_many([doc])[0]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        texts = [doc.text for doc in docs]
        tagged = self.tagger.tag(texts, outside=self.outside, probabilities=self.probabilities)
        return as_spans(tagged, self.name)


def cross_validate(
    recipe: LinearRecipe, records: Sequence[Record], report: Report | None = None
) -> list[FirstPass]:
    """Tag each record with a model that was trained on the other folds."""
    folds = min(recipe.folds, len(records))
    if folds < 2:
        raise InputError("a two-stage model needs two training records at least")
    passes: dict[int, FirstPass] = {}
    for fold in range(folds):
        others = [record for index, record in enumerate(records) if index % folds != fold]
        tagger = Tagger(train_linear_model(recipe, others, report=report))
        own = range(fold, len(records), folds)
        texts = [records[index].document.text for index in own]
        passes.update(zip(own, first_pass(tagger, texts), strict=True))
    return [passes[index] for index in range(len(records))]
