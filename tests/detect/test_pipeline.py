from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from veil import Document, InputError, Record, RecordError, Span
from veil.core.batches import CHARACTERS_AT_ONCE
from veil.core.document import CONTEXT
from veil.detect.assembly import default_pipeline, load_pipeline, rules_pipeline
from veil.detect.crf import LinearDetector
from veil.detect.pipeline import DetectionPipeline, batches
from veil.languages import identify
from veil.learn import TrainingData, recipe, train_model

if TYPE_CHECKING:
    from collections.abc import Sequence


class WordDetector:
    """Finds a word; fails on texts that hold another word, and quotes them in its error."""

    def __init__(self, word: str, label: str, *, fails_on: str = "\0") -> None:
        self.name = f"find-{word}"
        self.word, self.label, self.fails_on = word, label, fails_on

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_many([doc])[0]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        found = []
        for doc in docs:
            if self.fails_on in doc.text:
                raise KeyError(doc.text)
            place = doc.text.find(self.word)
            hits = [] if place < 0 else [Span(place, place + len(self.word), self.label)]
            found.append(hits)
        return found


DOCS = [Document("a", "Ana Ruiz, Lugo"), Document("b", "kaputt: Ana"), Document("c", "Ana Gil")]


def test_candidates_of_all_detectors_are_settled() -> None:
    """Two detectors that overlap give disjoint spans."""
    pipeline = DetectionPipeline(
        [WordDetector("Ana Ruiz", "NAME"), WordDetector("Ana", "RELATIVE")]
    )
    assert [span.key for span in pipeline.detect(DOCS[0])] == [(0, 8, "NAME")]


def test_language_is_given_to_documents_without_one() -> None:
    """A document that names its language keeps it."""
    docs = [DOCS[0], Document("sv", "Ana", "sv")]
    records = list(
        DetectionPipeline([WordDetector("Ana", "NAME")], language="es").detect_many(docs)
    )
    assert [r.document.language for r in records if isinstance(r, Record)] == ["es", "sv"]


def test_a_document_that_fails_is_withheld_and_the_others_go_on() -> None:
    """One failure in a batch gives one error with the document's id, in its place."""
    pipeline = DetectionPipeline([WordDetector("Ana", "NAME", fails_on="kaputt")])
    first, second, third = pipeline.detect_many(DOCS)
    assert isinstance(first, Record)
    assert isinstance(second, RecordError)
    assert isinstance(third, Record)
    assert second.record == "b"


def test_an_error_holds_no_text_of_the_document() -> None:
    """The exception's message quotes the text; the error and its context do not."""
    pipeline = DetectionPipeline([WordDetector("Ana", "NAME", fails_on="kaputt")])
    with pytest.raises(RecordError) as caught:
        pipeline.detect(DOCS[1])
    assert str(caught.value) == "record b: withheld: detector find-Ana failed (KeyError)"
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def test_a_later_detector_cannot_save_a_withheld_document() -> None:
    """What failed in one detector stays withheld, whatever the next one finds."""
    failing = WordDetector("Ana", "NAME", fails_on="kaputt")
    (outcome,) = DetectionPipeline([failing, WordDetector("Ana", "NAME")]).detect_many([DOCS[1]])
    assert isinstance(outcome, RecordError)


def test_a_span_outside_the_text_withholds_the_document() -> None:
    """What cannot be settled is not passed through."""

    class Wild(WordDetector):
        def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
            return [[Span(0, 999, "NAME")] for _ in docs]

    (outcome,) = DetectionPipeline([Wild("Ana", "NAME")]).detect_many(DOCS[:1])
    assert isinstance(outcome, RecordError)
    assert "resolve failed (ValueError)" in str(outcome)


def test_a_detector_that_loses_documents_is_not_trusted() -> None:
    """Fewer results than documents withholds them all: which belongs to which is not known."""

    class Losing(WordDetector):
        def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
            return super().detect_many(docs[:1])

    outcomes = list(DetectionPipeline([Losing("Ana", "NAME")]).detect_many(DOCS))
    assert all(isinstance(outcome, RecordError) for outcome in outcomes)


def test_a_wrong_set_up_is_not_blamed_on_documents() -> None:
    """An error for the user, such as a missing package, ends the run with its own message."""

    class Missing(WordDetector):
        def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
            raise InputError("install it")

    with pytest.raises(InputError, match="install it"):
        DetectionPipeline([Missing("Ana", "NAME")]).detect(DOCS[0])


def test_batches_keep_order_and_size() -> None:
    """Batches hold about so many characters; a longer document has one to itself."""
    sizes = [CHARACTERS_AT_ONCE // 2, CHARACTERS_AT_ONCE // 2, 1, 3 * CHARACTERS_AT_ONCE, 1]
    docs = [Document(str(number), "x" * size) for number, size in enumerate(sizes)]
    assert [[doc.id for doc in batch] for batch in batches(docs)] == [
        ["0", "1"],
        ["2"],
        ["3"],
        ["4"],
    ]


def test_a_model_makes_a_pipeline(small_model: Path, small_corpus: list[Record]) -> None:
    """A loaded model finds what it was trained on, with its name, its language and a score."""
    pipeline = load_pipeline(small_model, language="es")
    (outcome,) = pipeline.detect_many([small_corpus[0].document])
    assert isinstance(outcome, Record)
    assert outcome.document.language == "es"
    assert [span.key for span in outcome.spans] == [span.key for span in small_corpus[0].spans]
    assert {span.source for span in outcome.spans} == {"quick"}
    assert all(0 < span.score <= 1 for span in outcome.spans)


def test_the_dial_finds_more(small_model: Path) -> None:
    """A low bias finds at least what the model's own balance finds, a high one nothing."""
    doc = Document("new", "Acude con Pedro Lanza a Burgos el 3/4.\n")
    usual, much, nothing = (
        sum(span.end - span.start for span in load_pipeline(small_model, bias=bias).detect(doc))
        for bias in (None, -12.0, 40.0)
    )
    assert nothing == 0
    assert usual < much


def test_recall_sets_the_dial(small_model: Path, small_corpus: list[Record]) -> None:
    """With a recall that was measured, a detector with a fitting bias is made."""
    assert load_pipeline(small_model, recall=0.9).detect(small_corpus[1].document)


def test_a_two_stage_model_takes_a_corpus(
    quick_recipe: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """A model of two stages is kept and loaded as others are, and counts in a given corpus."""
    made = replace(
        recipe(quick_recipe),
        kind="two-stage",
        folds=2,
        trainer="lbfgs",
        parameters={"max_iterations": 20},
    )
    train_model(made, TrainingData(small_corpus)).save(tmp_path / "model")
    docs = [record.document for record in small_corpus]
    pipeline = load_pipeline(tmp_path / "model", corpus=docs)
    assert [span.key for span in pipeline.detect(docs[0])] == [s.key for s in small_corpus[0].spans]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"corpus": DOCS}, "a corpus is for two-stage models"),
        ({"language": "sv"}, "a model for 'es', not for 'sv'"),
        ({"recall": 0.9, "bias": -1.0}, "give one of them"),
        ({"recall": 1.01}, "recall must be above 0"),
        ({"recall": float("nan")}, "recall must be above 0"),
        ({"bias": float("nan")}, "a bias of nan cannot be set"),
        ({"bias": float("inf")}, "a bias of inf cannot be set"),
        ({"bias": -1e30}, "give a number from -1000 to 1000"),
    ],
)
def test_what_a_model_cannot_do_is_said(
    small_model: Path, options: dict[str, Any], message: str
) -> None:
    """Another language, two dials at once and a balance that no model can have are refused."""
    with pytest.raises(InputError, match=message):
        load_pipeline(small_model, **options)


def test_a_detector_takes_no_endless_bias(small_model: Path) -> None:
    """A bias that is no finite number would hide all finds: the detector itself refuses it."""
    model = LinearDetector.load(small_model).model
    for bias in ("nan", "inf", "-inf"):
        with pytest.raises(InputError, match="cannot be set"):
            LinearDetector(model, outside=float(bias))


def test_the_lowest_bias_finds_all(small_model: Path, small_corpus: list[Record]) -> None:
    """At the end of the dial nothing is lost in rounding: every word is found."""
    found = load_pipeline(small_model, bias=-1000.0).detect(small_corpus[0].document)
    assert sum(span.end - span.start for span in found) > 0.8 * len(small_corpus[0].document.text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bias": float("-inf")}, "a bias of -inf"),
        ({"recall": 0.9999999}, "was not reached"),
        ({"recall": 0.9, "bias": 0.0}, "give one of them"),
        ({"own_rules": Path("nowhere")}, "no such folder of rules"),
        ({"known": Path("nowhere.csv")}, "nowhere.csv: "),
    ],
)
def test_set_up_is_checked_before_the_first_record(options: dict[str, Any], message: str) -> None:
    """What is wrong for any language is said when the pipeline is made, not in mid-run."""
    with pytest.raises(InputError, match=message):
        default_pipeline(**options)


def test_rules_of_ones_own_are_checked_before_the_first_record(tmp_path: Path) -> None:
    """A rule that cannot be compiled is an error when the pipeline of all languages is made."""
    (tmp_path / "own.toml").write_text("[[rule]]\nname = 'x'\nlabel = 'AGE'\npattern = '('\n")
    with pytest.raises(InputError, match=r"own\.toml, rule x: missing"):
        rules_pipeline(own_rules=tmp_path)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ana Ruiz left", "Ana Ruiz"),
        ("x A\u200bna\u00a0Ru\u00adiz\u200b left", "A\u200bna\u00a0Ru\u00adiz"),
        ("A&#110;a Ruiz left", "A&#110;a Ruiz"),
        ("Ana Ru-\niz left", "Ana Ru-\niz"),
        ("A n a   R u i z left", "A n a   R u i z"),
        ("Ａｎａ　Ｒｕｉｚ left", "Ａｎａ　Ｒｕｉｚ"),
        ("Ana Ruiz\u0301\u0336 left", None),  # Ruiź is another name
        ("Ana Ruiz\ufe0f left", "Ana Ruiz\ufe0f"),
    ],
)
def test_detectors_read_views_and_spans_are_of_the_text(text: str, found: str | None) -> None:
    """Spans have offsets of the document, whose text stays as it was, and split no character."""
    record = next(
        DetectionPipeline([WordDetector("Ana Ruiz", "NAME")]).detect_many([Document("a", text)])
    )
    assert isinstance(record, Record)
    assert record.document.text == text
    assert [text[span.start : span.end] for span in record.spans] == ([found] if found else [])


def test_normal_text_is_shown_to_detectors_once() -> None:
    """A text without variant characters is read as it stands, and only once."""
    shown: list[Document] = []

    class Watcher(WordDetector):
        def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
            shown.extend(docs)
            return super().detect_many(docs)

    list(DetectionPipeline([Watcher("Ana", "NAME")]).detect_many(DOCS))
    assert all(doc is own for doc, own in zip(shown, DOCS, strict=True))


def test_a_document_whose_joined_view_fails_is_withheld() -> None:
    """What goes wrong in one view of a text is not hidden by the other."""
    docs = [Document("a", "ka-\nputt: Ana"), Document("b", "Ana")]
    pipeline = DetectionPipeline([WordDetector("Ana", "NAME", fails_on="kaputt")])
    first, second = pipeline.detect_many(docs)
    assert isinstance(first, RecordError)
    assert isinstance(second, Record)


def test_parts_of_a_record_have_its_language() -> None:
    """A part of a few words has the language that all texts of its record are in."""
    pipeline = rules_pipeline()
    note = "Patienten mår bra och kan gå hem i morgon efter ronden. Hon har ingen feber."
    doc = Document("a:header", "The ward of the hospital", meta={CONTEXT: note})
    (record,) = pipeline.detect_batch([doc])
    assert isinstance(record, Record)
    assert record.document.language == identify(note)
    assert record.document.language != identify(doc.text)
