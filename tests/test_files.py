from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import veil
from veil import Document, InputError, Record, RecordError
from veil.detect.assembly import load_pipeline
from veil.detect.pipeline import DetectionPipeline
from veil.files.detection import detect_documents

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def test_workers_change_nothing(
    small_model: Path, small_corpus: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes give the same records in the same order as one, over several batches."""
    monkeypatch.setattr("veil.core.batches.CHARACTERS_AT_ONCE", 500)
    load = partial(load_pipeline, small_model)
    docs = [record.document for record in small_corpus]
    alone, together = (list(detect_documents(docs, load, workers=n)) for n in (1, 2))
    assert together == alone
    assert [r.id for r in together if isinstance(r, Record)] == [doc.id for doc in docs]


def test_withheld_documents_come_back_from_workers() -> None:
    """A failure in another process names the document and the kind of error, and no text."""
    # `len` stands for a broken detector that can be sent to another process.
    broken: Any = SimpleNamespace(name="broken", detect_many=len)
    load = partial(DetectionPipeline, [broken])
    outcomes = list(detect_documents([Document("r1", "Ana")], load, workers=2))
    assert [str(outcome) for outcome in outcomes if isinstance(outcome, RecordError)] == [
        "record r1: withheld: detector broken failed (TypeError)"
    ]


def test_a_model_that_cannot_be_loaded_is_told_once(tmp_path: Path) -> None:
    """What is wrong with the model is said by this process, not by each worker."""
    load = partial(load_pipeline, tmp_path / "none")
    with pytest.raises(InputError, match=r"model\.toml"):
        list(detect_documents([Document("r1", "Ana")], load, workers=2))


def test_show_and_explain_write_pages(
    small_model: Path, small_folder: Path, tmp_path: Path
) -> None:
    """`show_files` and `explain_files` write pages, and never over what exists."""
    page, why = tmp_path / "page.html", tmp_path / "why.html"
    assert veil.show_files(small_folder, page).problems == []
    assert page.read_text("utf-8").startswith("<!doctype html>")
    explained = veil.explain_files(small_folder, model=small_model, html=why)
    assert explained.explanations
    assert why.is_file()
    with pytest.raises(InputError, match="exists already"):
        veil.show_files(small_folder, page)


def test_explain_files_tells_why_something_was_missed(tmp_path: Path) -> None:
    """Offsets or a text say what was missed; the page has the sentences and features in words."""
    note, page = tmp_path / "note.txt", tmp_path / "why.html"
    note.write_text("The chest is clear to auscultation. History of Parkinson disease.", "utf-8")
    result = veil.explain_files(
        note, lang="en", missed=[(10, 12), "Parkinson"], html=page, overwrite=True
    )
    assert [(why.start, why.end) for _, why in result.missed] == [(10, 12), (47, 56)]
    assert result.explanations == []
    shown = page.read_text("utf-8")
    assert "It lies in a clinical value" in shown
    assert '<mark class="missed">is<' in shown
    with pytest.raises(InputError, match="no record contains the missed text"):
        veil.explain_files(note, missed=["Zebra"])
    with pytest.raises(InputError, match="no record has the id 'x'"):
        veil.explain_files(note, missed=["Parkinson"], record="x")


def test_offsets_belong_to_one_record(tmp_path: Path) -> None:
    """Of several records one is named."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("Seen by Dr. Harlow.", "utf-8")
    with pytest.raises(InputError, match="has 2 records; say with --record ID"):
        veil.explain_files(tmp_path, lang="en", missed=[(0, 4)])
    result = veil.explain_files(tmp_path, lang="en", missed=[(0, 4)], record="b")
    assert [doc.id for doc, _ in result.missed] == ["b"]
    assert {doc.id for doc, _ in veil.explain_files(tmp_path, lang="en").explanations} == {"a", "b"}


def test_train_files_writes_a_model(small_folder: Path, quick_recipe: Path, tmp_path: Path) -> None:
    """`train_files` reports its steps and writes a model that can be used at once."""
    steps: list[int | None] = []
    result = veil.train_files(
        quick_recipe, small_folder, tmp_path / "model", step=steps.append, workers=1
    )
    assert result.model is not None
    assert steps
    assert veil.Veil(model=tmp_path / "model").detect("Nombre: Ana Ruiz.") is not None
    with pytest.raises(InputError, match="give -o MODEL"):
        veil.train_files(quick_recipe, small_folder)


def test_progress_wraps_the_records(small_folder: Path, tmp_path: Path) -> None:
    """`progress` gets the records and their number, as tqdm does."""
    totals: list[int | None] = []

    def progress(records: Iterable[Record], total: int | None) -> Iterable[Record]:
        totals.append(total)
        return records

    result = veil.convert_files(
        small_folder, tmp_path / "out.jsonl", to="jsonl", from_format="brat", progress=progress
    )
    assert totals == [result.count]


def test_samples_and_single_records(tmp_path: Path) -> None:
    """A sample of masked files can be drawn, and what was replaced in a record be listed."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("Seen by Dr. Hale.")
    phrase = "one two three four"
    veil.mask_files(
        tmp_path / "notes",
        tmp_path / "masked",
        lang="en",
        model="rules",
        mapping=tmp_path / "my.map",
        passphrase=phrase,
    )
    page = tmp_path / "sample.txt"
    sample = veil.sample_files(tmp_path / "masked", seed=1, page=page)
    assert (len(sample.records), sample.population) == (1, 1)
    assert "[DOCTOR-1]" in page.read_text("utf-8")
    ((edit,),) = veil.reveal_record("a", mapping=tmp_path / "my.map", passphrase=phrase)
    assert edit.old == "Hale"
    (tmp_path / "masked" / "a.txt").write_text("changed")
    assert veil.audit_files(tmp_path / "masked").problems == ("a.txt: was changed",)
