from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from veil import InputError, Record
from veil.core.toml import read_toml
from veil.learn import TrainingData, recipe, train_model

if TYPE_CHECKING:
    from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_training_gives_the_same_bytes(
    workers: int, small_model: Path, quick_recipe: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """Trained again, in one process or with a process for each seed, no byte differs."""
    data = TrainingData(small_corpus, ("notas",), "fictitious")
    again = train_model(replace(recipe(quick_recipe), workers=workers), data, dev=data)
    again.save(tmp_path / "small")
    assert contents(tmp_path / "small") == contents(small_model)


def test_another_seed_gives_another_model(
    small_model: Path, quick_recipe: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """The seed is written down, and the weights differ."""
    data = TrainingData(small_corpus, ("notas",), "fictitious")
    train_model(recipe(quick_recipe), data, dev=data, seed=9).save(tmp_path / "other")
    other, first = contents(tmp_path / "other"), contents(small_model)
    assert other["weights.npz"] != first["weights.npz"]
    assert read_toml(tmp_path / "other" / "model.toml")["card"]["seeds"] == [9, 10]


def test_the_card_says_what_the_model_is(small_model: Path) -> None:
    """Data, licence, numbers of spans and scores stand in model.toml and on both pages."""
    card = read_toml(small_model / "model.toml")["card"]
    assert card["training"]["data"] == ["notas"]
    assert card["training"]["labels"]["NOMBRE_SUJETO_ASISTENCIA"] == 12
    assert card["scores"]["f1"] == 1.0
    page = (small_model / "CARD.md").read_text("utf-8")
    assert "Licence of the data: fictitious." in page
    assert "| NOMBRE_SUJETO_ASISTENCIA | 12 |" in page
    html = (small_model / "CARD.html").read_text("utf-8")
    assert '<th scope="row">NOMBRE_SUJETO_ASISTENCIA</th><td>12</td>' in html


def test_the_card_holds_no_text_of_a_record(small_model: Path, small_corpus: list[Record]) -> None:
    """None of the names, towns and dates of the training records is on a page of the card."""
    pages = [(small_model / name).read_text("utf-8") for name in ("CARD.md", "CARD.html")]
    for record in small_corpus:
        for span in record.spans:
            assert not any(record.document.text[span.start : span.end] in page for page in pages)


def test_the_card_draws_the_curve_and_lists_the_folds(
    quick_recipe: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """With a curve the page has a drawing, with folds a table of cross-validation."""
    made = train_model(
        recipe(quick_recipe),
        TrainingData(small_corpus[:8], ("a",)),
        dev=TrainingData(small_corpus[8:], ("b",)),
        folds=2,
        curve=True,
    )
    made.save(tmp_path / "model")
    assert [point["records"] for point in made.card["curve"]] == [1, 2, 4, 8]
    assert made.card["curve"][-1]["f1"] == made.card["scores"]["f1"]
    html = (tmp_path / "model" / "CARD.html").read_text("utf-8")
    assert html.count("<polyline") == 2
    assert "Cross-validation, 2 folds by document" in html


def test_a_failed_save_leaves_nothing(
    quick_recipe: Path, small_corpus: list[Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model folder is whole or absent."""
    made = train_model(recipe(quick_recipe), TrainingData(small_corpus))

    def fail(*_: object) -> str:
        raise OSError("disk full")

    monkeypatch.setattr("veil.learn.model.card_html", fail)
    with pytest.raises(OSError, match="disk full"):
        made.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_saving_destroys_nothing_else(
    quick_recipe: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """A model is replaced only when told to, and a folder of something else never is."""
    made = train_model(recipe(quick_recipe), TrainingData(small_corpus))
    made.save(tmp_path / "model")
    with pytest.raises(InputError, match="exists already"):
        made.save(tmp_path / "model")
    made.save(tmp_path / "model", overwrite=True)
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "mine.txt").write_text("keep me", "utf-8")
    with pytest.raises(InputError, match="something else than a model"):
        made.save(tmp_path / "letters", overwrite=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["letters", "model"]
