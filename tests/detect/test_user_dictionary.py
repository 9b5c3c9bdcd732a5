"""A user dictionary in training and detection: a feature of Japanese models, kept with them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.conftest import marked_record

from veil import Document, InputError
from veil.cli import main
from veil.detect.base import load_detector
from veil.detect.crf import LinearDetector
from veil.io import write
from veil.learn.recipe import method_pipeline, recipe
from veil.learn.training import train

if TYPE_CHECKING:
    from pathlib import Path

# Hospitals that the analyser cuts into pieces: nothing but the dictionary tells them from the rest.
NOTES = [
    marked_record(f"n{number}", marked)
    for number, marked in enumerate(
        [
            "患者は[HOSPITAL|ひばり荘]へ。",
            "翌日[HOSPITAL|さくら棟]から。",
            "母は[HOSPITAL|もみじ園]に。",
            "昨日[HOSPITAL|ひばり荘]を。",
            "患者は学校へ。",
            "翌日会社から。",
            "母は居間に。",
            "昨日部屋を。",
        ]
    )
]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("words") / "words.txt"
    file.write_text("# units of the hospital\nひばり荘\nさくら棟\nもみじ園\nあおい館\n", "utf-8")
    return file


@pytest.fixture(scope="module")
def detector(words: Path) -> LinearDetector:
    made = train(replace(recipe("kajiyama-2018-crf"), dictionary=words), NOTES, dev=NOTES, seed=1)
    assert isinstance(made, LinearDetector)
    return made


def found(detector: LinearDetector, text: str) -> list[str]:
    return [text[span.start : span.end] for span in detector.detect(Document("x", text))]


def test_a_word_of_the_dictionary_is_a_feature(detector: LinearDetector) -> None:
    """A hospital that no training record has is found because the dictionary has it."""
    assert found(detector, "患者はあおい館へ。") == ["あおい館"]
    assert found(detector, "患者は学校へ。") == []


def test_the_dictionary_is_kept_with_the_model(
    detector: LinearDetector, words: Path, tmp_path: Path
) -> None:
    """A model that was saved has the words of its dictionary, and gives the same spans."""
    detector.save(tmp_path / "model")
    copy = tmp_path / "model" / "dictionary.txt"
    assert copy.read_bytes() == words.read_bytes()
    loaded = LinearDetector.load(tmp_path / "model")
    for record in NOTES:
        assert loaded.detect(record.document) == detector.detect(record.document)
    copy.unlink()
    with pytest.raises(InputError, match=r"dictionary\.txt: cannot be read"):
        LinearDetector.load(tmp_path / "model")


def test_another_dictionary_can_be_used(detector: LinearDetector, tmp_path: Path) -> None:
    """The words of another hospital replace those that the model was trained with."""
    detector.save(tmp_path / "model")
    other = tmp_path / "other.txt"
    other.write_text("すみれ寮\n", "utf-8")
    loaded = load_detector(tmp_path / "model", dictionary=other)
    text = "患者はすみれ寮へ。"
    assert [text[span.start : span.end] for span in loaded.detect(Document("x", text))] == [
        "すみれ寮"
    ]


def test_two_stages_share_the_dictionary(words: Path, tmp_path: Path) -> None:
    """Both models of a two-stage detector cut texts with the same words, also when loaded."""
    two_stage = replace(recipe("kajiyama-2018-crf"), kind="two-stage", folds=2, dictionary=words)
    made = train(two_stage, NOTES, dev=NOTES, seed=1)
    made.save(tmp_path / "model")
    docs = [record.document for record in NOTES]
    assert load_detector(tmp_path / "model").detect_many(docs) == made.detect_many(docs)


def test_a_method_takes_a_dictionary(tmp_path: Path) -> None:
    """The rules of the paper see a word of the user as one noun."""
    file = tmp_path / "words.txt"
    file.write_text("にしだ\n", "utf-8")
    text = "後ににしだクリニックへ"
    spans = method_pipeline("kajiyama-2018-rules", file).detect(Document("x", text))
    assert [text[span.start : span.end] for span in spans] == ["にしだクリニック"]
    with pytest.raises(InputError, match="name modules have no user dictionary"):
        method_pipeline("carlsson-2010", file)


def test_other_languages_have_no_dictionary(words: Path, tmp_path: Path) -> None:
    """A recipe for a language without an analyser refuses one, and so is an empty one refused."""
    with pytest.raises(InputError, match="'es' has none"):
        train(replace(recipe("cotik-2019-crf"), dictionary=words), NOTES)
    empty = tmp_path / "empty.txt"
    empty.write_text("\n", "utf-8")
    with pytest.raises(InputError, match=r"empty\.txt: no word"):
        train(replace(recipe("kajiyama-2018-crf"), dictionary=empty), NOTES)


def test_a_recipe_names_a_dictionary_beside_it(words: Path, tmp_path: Path) -> None:
    """The path in a recipe starts at the folder of the recipe."""
    (tmp_path / "own.txt").write_bytes(words.read_bytes())
    file = tmp_path / "own.toml"
    file.write_text('extends = "kajiyama-2018-crf"\ndictionary = "own.txt"\n', "utf-8")
    assert recipe(file).dictionary == tmp_path / "own.txt"
    file.write_text('extends = "kajiyama-2018-crf"\ndictionary = "none.txt"\n', "utf-8")
    with pytest.raises(InputError, match=r"own\.toml: .*none\.txt: cannot be read"):
        recipe(file)


def test_the_commands_take_a_dictionary(
    words: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`veil train --dictionary` writes a model whose card names it; `veil detect` uses it."""
    write(iter(NOTES), tmp_path / "notes.jsonl", format="jsonl")
    corpus, model, out = (str(tmp_path / name) for name in ("notes.jsonl", "model", "out.jsonl"))
    options = ["--dictionary", str(words)]
    assert main(["train", "kajiyama-2018-crf", "--corpus", corpus, "-o", model, *options]) == 0
    assert "User dictionary: words.txt." in (tmp_path / "model" / "CARD.md").read_text("utf-8")
    assert main(["detect", corpus, "-o", out, "--model", model]) == 0
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert len(json.loads(lines[0])["spans"]) == 1
    assert main(["detect", corpus, "-o", str(tmp_path / "no.jsonl"), *options]) == 2
    assert "--dictionary" in capsys.readouterr().err
