"""The Python API: `veil.mask`, `veil.Veil` and the functions over files."""

from __future__ import annotations

import json
import pickle
import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

import veil
from veil.cli import main
from veil.replace.base import undo_edits
from veil.replace.secret import Key

if TYPE_CHECKING:
    from pathlib import Path

KEY = Key(b"0123456789abcdef")
NOTE = "Mr. John Hale was seen by Dr. Okafor in Toledo on 3/5/2019."


def test_a_text_is_masked_in_one_call() -> None:
    """Names, towns and dates become numbered labels, and the language is found."""
    assert veil.mask(NOTE) == (
        "Mr. [PATIENT-1] was seen by Dr. [DOCTOR-1] in [CITY-1] on [DATE-1]."
    )


@pytest.mark.parametrize(
    ("lang", "text", "names"),
    [
        ("en", NOTE, ["Hale", "Okafor", "Toledo", "3/5/2019"]),
        (
            "es",
            "Nombre: Lucía Barroso Peña. Dra. García. Ingreso: 5/3/2019.",
            ["Barroso", "García"],
        ),
        (
            "sv",
            "Anna Lindgren söker 2023-04-12. Dr Berg bedömer.",
            ["Lindgren", "Berg", "2023-04-12"],
        ),
        (
            "ja",
            "患者：田中太郎様、72歳男性。主治医 佐藤。平成23年3月5日入院。",
            ["田中", "佐藤", "平成23年3月5日"],
        ),
    ],
)
def test_every_language_has_stand_ins(lang: str, text: str, names: list[str]) -> None:
    """With the policy surrogate none of the names or dates is left, and no label stands there."""
    masked = veil.mask(text, lang=lang, policy="surrogate")
    # A surrogate may contain an original as a part of a word: Bergman, where Berg was.
    words = masked if lang == "ja" else set(re.findall(r"[\w/-]+", masked))
    assert not any(name in words for name in names)
    assert "[" not in masked


@pytest.fixture(scope="module")
def surrogates() -> veil.Veil:
    return veil.Veil("en", policy="surrogate", key=KEY, model="rules")


def test_a_result_has_text_spans_and_edits(surrogates: veil.Veil) -> None:
    """The spans are those of the original, and the edits restore it."""
    masked = surrogates.mask(NOTE)
    assert [NOTE[span.start : span.end] for span in masked.spans] == [
        edit.old for edit in masked.edits
    ]
    assert masked.spans == tuple(surrogates.detect(NOTE))
    assert undo_edits(masked.text, masked.edits) == NOTE
    assert [masked.text[start:end] for start, end in masked.new_offsets] == [
        edit.new for edit in masked.edits
    ]
    assert (masked.language, masked.id) == ("en", "text")
    assert "Hale" not in repr(masked)


def test_kept_spans_are_in_the_result(tmp_path: Path) -> None:
    """A span that the policy keeps is among the spans, and not among the edits."""
    policy = tmp_path / "mine.toml"
    policy.write_text('default = "tag"\n[labels]\nCITY = "keep"\n')
    masked = veil.Veil("en", policy=policy, model="rules").mask(NOTE)
    assert "Toledo" in masked.text
    assert {"CITY"} == {span.label for span in masked.spans} - {e.label for e in masked.edits}


def test_threads_share_an_object(surrogates: veil.Veil) -> None:
    """Threads get the same result as one call, also if they are the first to use the object."""
    alone = surrogates.mask(NOTE, patient="7")
    fresh = veil.Veil("en", policy="surrogate", key=KEY, model="rules")
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: fresh.mask(NOTE, "7"), range(12)))
    assert {result.text for result in results} == {alone.text}
    assert surrogates.mask(NOTE, patient="8") != alone


def test_a_pickled_object_masks_alike(tmp_path: Path) -> None:
    """A copy has the key and the policy, also of a file that is gone, and no loaded model."""
    policy = tmp_path / "mine.toml"
    policy.write_text('default = "redact"\n[labels]\nNAME = "substitute"\n')
    original = veil.Veil("en", policy=policy, model="rules")
    masked = original.mask(NOTE)
    policy.unlink()
    data = pickle.dumps(original)
    assert len(data) < 4_000
    assert pickle.loads(data).mask(NOTE) == masked  # noqa: S301 - our own bytes


def test_another_process_masks_alike(surrogates: veil.Veil) -> None:
    """The method of an object can be sent to a process, as joblib and Spark do."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(surrogates.mask, NOTE).result() == surrogates.mask(NOTE)


def test_many_texts_and_documents(surrogates: veil.Veil) -> None:
    """Texts and documents may be mixed, and come in order."""
    docs: list[str | veil.Document] = [
        NOTE,
        veil.Document("a", NOTE, meta={"patient": "7"}),
        veil.Document("b", "le"),
    ]
    text, doc, other = surrogates.mask_many(docs)
    assert text == surrogates.mask(NOTE)
    assert isinstance(doc, veil.MaskedText)
    assert (doc.id, doc.text) == ("a", surrogates.mask(NOTE, patient="7").text)
    assert isinstance(other, veil.MaskedText)
    assert other.edits == ()


def test_a_text_that_fails_is_withheld() -> None:
    """A text in a language without support is an error, in its place among the others."""
    german = "Der Patient klagt seit gestern über starke Schmerzen und wurde nicht aufgenommen."
    first, second = veil.Veil(model="rules").mask_many([german, NOTE])
    assert isinstance(first, veil.RecordError)
    assert isinstance(second, veil.MaskedText)
    with pytest.raises(veil.RecordError, match="German"):
        veil.mask(german)


def test_a_key_file_makes_runs_agree(tmp_path: Path) -> None:
    """Two objects with the same key file give the same surrogates."""
    file = tmp_path / "my.key"
    file.write_bytes(b"a secret of sixteen bytes or more")
    first, second = (
        veil.Veil("en", policy="surrogate", key=file, model="rules").mask(NOTE, patient="7")
        for _ in range(2)
    )
    assert first == second


def test_unknown_names_are_refused() -> None:
    """An unknown policy or model lists the known ones."""
    with pytest.raises(veil.VeilError, match="safe-harbor"):
        veil.Veil("en", policy="nothing")
    with pytest.raises(veil.VeilError, match="veil-en"):
        veil.Veil("en", model="nothing")
    with pytest.raises(AttributeError):
        _ = veil.nothing


@pytest.mark.parametrize("text", [None, b"Dr. Hale", 7])
def test_what_is_no_text_is_refused(text: object) -> None:
    """A clear TypeError says what was given."""
    with pytest.raises(TypeError, match=f"a text must be a str, not {type(text).__name__}"):
        veil.mask(text, "en")  # type: ignore[arg-type]


def test_the_public_names_are_listed() -> None:
    """`dir(veil)` shows the public names, and each can be imported."""
    assert dir(veil) == sorted(veil.__all__)
    assert {"mask", "Veil", "Document", "Span", "mask_files", "detect_files"} <= set(dir(veil))
    assert all(hasattr(veil, name) for name in veil.__all__)


SPANISH = "Paciente: Ana Ruiz. Ingreso: 11/03/2018. Dra. García, Lugo."


@pytest.mark.parametrize(
    ("options", "call"),
    [
        ({}, ()),
        ({"model": "rules"}, ("--rules-only",)),
        ({"model": "rules"}, ("--model", "rules")),
        ({"model": "veil-es"}, ("--model", "veil-es")),
        ({"model": "veil-es", "with_rules": True}, ("--model", "veil-es", "--with-rules")),
    ],
)
def test_a_model_means_the_same_everywhere(
    options: dict[str, object], call: tuple[str, ...], tmp_path: Path
) -> None:
    """Python and the command line find the same spans with the same `model`."""
    note, out = tmp_path / "note.txt", tmp_path / "found.jsonl"
    note.write_text(SPANISH, "utf-8")
    spans = veil.Veil("es", **options).detect(SPANISH)  # type: ignore[arg-type]
    scheme = ("--scheme", "veil")
    assert main(["detect", str(note), "-o", str(out), "--lang", "es", *call, *scheme, "-q"]) == 0
    found = json.loads(out.read_text("utf-8"))["spans"]
    assert [(span["start"], span["end"], span["label"]) for span in found] == [
        (span.start, span.end, span.label) for span in spans
    ]
    assert found
