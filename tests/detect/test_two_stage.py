"""The two-stage detector: a word that the first pass finds once is found wherever it stands."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from veil.core.document import Document, Record, Span
from veil.core.errors import InputError
from veil.detect.base import load_detector
from veil.detect.crf import LinearRecipe
from veil.detect.linear.tagger import Tagger
from veil.detect.two_stage import TwoStageDetector, cross_validate, first_pass

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = LinearRecipe(
    name="room",
    kind="two-stage",
    language="en",
    groups=("bias", "aramaki-local", "aramaki-consistency"),
    trainer="dropout",
    parameters={"epochs": 12, "dropout": 0.5, "batch": 60},
    folds=3,
)


def capitals(rng: random.Random) -> str:
    return "".join(rng.choices("BCDFGHKLMNPRSTVZ", k=4))


def make_record(number: int, name: str = "", *, titled: bool = True) -> Record:
    """A doctor is named after a title and again in a place where other capitals stand more often.

    Only the first mention can be told by its context, as in figure 2 of aramaki-2006.
    """
    rng = random.Random(number)  # noqa: S311
    name = name or capitals(rng)
    text = "Seen by the nurse today.\n"
    spans = []
    if titled:
        text = f"Seen by Dr. {name} today.\n"
        spans.append(Span(12, 12 + len(name), "DOCTOR"))
    lines = [capitals(rng), capitals(rng), name]
    rng.shuffle(lines)
    for word in lines:
        if word == name:
            spans.append(Span(len(text), len(text) + len(name), "DOCTOR"))
        text += f"{word} was noted again.\n"
    return Record.of(Document(f"room-{number}", text), spans)


def doctor_of(record: Record) -> str:
    return record.document.text[record.spans[0].start : record.spans[0].end]


# Every doctor has a record with a title and another one without, both in the same fold: a first
# pass that had seen the name would know it.
TITLED = [make_record(number) for number in range(42)]
UNTITLED = [
    make_record(100 + number, doctor_of(record), titled=False)
    for number, record in enumerate(TITLED)
]
RECORDS = [*TITLED, *UNTITLED]
DEV = [make_record(number) for number in range(200, 210)]
NEW = make_record(1000, name="ROOM")


@pytest.fixture(scope="module")
def detector() -> TwoStageDetector:
    return TwoStageDetector.fit(RECIPE, RECORDS, dev=DEV)


def keys(spans: list[Span]) -> list[tuple[int, int, str]]:
    return sorted(span.key for span in spans)


def test_the_second_pass_finds_what_the_first_missed(detector: TwoStageDetector) -> None:
    """The first pass finds ROOM after its title alone, the second finds it everywhere."""
    first = detector.tagger.first.tag([NEW.document.text])[0]
    assert [span[:3] for span in first] == [NEW.spans[0].key]
    assert keys(detector.detect(NEW.document)) == [span.key for span in NEW.spans]


def test_spans_have_probabilities_and_a_source(detector: TwoStageDetector) -> None:
    """Each span says how sure the model is, and which one it was."""
    for span in detector.detect(NEW.document):
        assert 0.5 < span.score <= 1
        assert span.source == "room"


def test_the_batch_is_the_corpus(detector: TwoStageDetector) -> None:
    """A name that other records of the batch hold is known where its own record says nothing."""
    alone = make_record(2000, name="ROOM", titled=False)
    others = [replace(NEW.document, id=f"other-{number}") for number in range(3)]
    assert detector.detect(alone.document) == []
    together = detector.detect_many([*others, alone.document])[-1]
    assert keys(together) == [span.key for span in alone.spans]


def test_a_given_corpus_counts_instead_of_the_batch(detector: TwoStageDetector) -> None:
    """With a corpus the result is the same for a document alone and in any batch."""
    others = [replace(NEW.document, id=f"other-{number}") for number in range(3)]
    alone = make_record(2000, name="ROOM", titled=False)
    corpus = [*others, alone.document]
    given = TwoStageDetector(detector.tagger.first.model, detector.model, corpus=corpus)
    assert keys(given.detect(alone.document)) == [span.key for span in alone.spans]
    assert given.detect_many([RECORDS[0].document, alone.document])[1] == given.detect(
        alone.document
    )


@pytest.mark.parametrize("compact", [False, True])
def test_save_and_load(detector: TwoStageDetector, tmp_path: Path, compact: bool) -> None:
    """A detector that was saved finds the same spans, and `load_detector` knows its kind."""
    detector.save(tmp_path / "model", compact=compact)
    loaded = load_detector(tmp_path / "model")
    assert isinstance(loaded, TwoStageDetector)
    docs = [NEW.document, *(record.document for record in RECORDS[:10])]
    found = [list(map(keys, each.detect_many(docs))) for each in (loaded, detector)]
    assert found[0] == found[1]


def test_the_same_seed_gives_the_same_bytes(detector: TwoStageDetector, tmp_path: Path) -> None:
    """Training is deterministic, to the last file of the folder."""
    detector.save(tmp_path / "one")
    TwoStageDetector.fit(RECIPE, RECORDS, dev=DEV).save(tmp_path / "two")
    files = sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert [file.relative_to(tmp_path / "one").as_posix() for file in files] == [
        "first/model.toml",
        "first/weights.npz",
        "model.toml",
        "second/model.toml",
        "second/weights.npz",
    ]
    for file in files:
        twin = tmp_path / "two" / file.relative_to(tmp_path / "one")
        assert file.read_bytes() == twin.read_bytes()


def test_the_recall_dial(detector: TwoStageDetector) -> None:
    """More recall moves the balance of the second model and nothing else."""
    eager = detector.with_recall(1.0)
    assert eager.outside <= detector.outside + 1
    assert eager.tagger is detector.tagger
    bold = TwoStageDetector(detector.tagger.first.model, detector.model, outside=-8.0)
    assert len(detector.detect(NEW.document)) < len(bold.detect(NEW.document))


def test_the_group_is_added_where_a_recipe_lacks_it() -> None:
    """The second model alone has consistency features, whatever the recipe says."""
    recipe = replace(RECIPE, groups=("bias", "aramaki-local"), parameters={"epochs": 1})
    made = TwoStageDetector.fit(recipe, RECORDS[:12])
    first, second = (
        {channel.feature for channel in model.space.channels}
        for model in (made.tagger.first.model, made.model)
    )
    assert second - first == {
        *("token-majority-in-record", "token-majority-in-corpus"),
        *("entry-majority-in-record", "entry-majority-in-corpus"),
    }


def test_labels_of_the_first_pass_are_of_models_that_did_not_see_the_record() -> None:
    """Cross-validation tags each record once, in order, with a model of the other folds."""
    plain = replace(RECIPE, kind="crf", groups=("bias", "aramaki-local"))
    passes = cross_validate(plain, RECORDS)
    assert [each.tokens[4] for each in passes[: len(TITLED)]] == list(map(doctor_of, TITLED))
    assert all((4, 5, "DOCTOR") in each.spans for each in passes[: len(TITLED)])


def test_first_pass_counts_in_tokens(detector: TwoStageDetector) -> None:
    """Spans of characters become spans of tokens."""
    tagger = Tagger(detector.tagger.first.model)
    (found,) = first_pass(tagger, ["Seen by Dr. ROOM today.\n"])
    assert found.tokens == ["Seen", "by", "Dr", ".", "ROOM", "today", "."]
    assert found.spans == [(4, 5, "DOCTOR")]


def test_one_record_is_too_few() -> None:
    """Cross-validation needs two records."""
    with pytest.raises(InputError, match="two training records"):
        TwoStageDetector.fit(RECIPE, RECORDS[:1])
