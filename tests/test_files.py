from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from veil import Document, InputError, Record, RecordError
from veil.detect.assembly import load_pipeline
from veil.detect.pipeline import DetectionPipeline
from veil.files import detect_documents

if TYPE_CHECKING:
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
