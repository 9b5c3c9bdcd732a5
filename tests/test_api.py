"""The short way: `veil.mask` and `veil.Pipeline`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

import veil
from veil.replace.secret import Key

if TYPE_CHECKING:
    from pathlib import Path

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
    assert not any(name in masked for name in names)
    assert "[" not in masked


def test_a_pipeline_is_used_from_many_threads() -> None:
    """Threads get what one call gets."""
    pipeline = veil.Pipeline("en", policy="surrogate", key=Key(b"0123456789abcdef"))
    alone = pipeline.mask(NOTE, patient="7")
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: pipeline.mask(NOTE, patient="7"), range(12)))
    assert set(results) == {alone}
    assert pipeline.mask(NOTE, patient="8") != alone


def test_a_key_file_makes_runs_agree(tmp_path: Path) -> None:
    """Two pipelines with the same key file give the same stand-ins."""
    file = tmp_path / "my.key"
    file.write_bytes(b"a secret of sixteen bytes or more")
    first, second = (
        veil.Pipeline("en", policy="surrogate", key=file).mask(NOTE, patient="7") for _ in range(2)
    )
    assert first == second


def test_unknown_names_are_refused() -> None:
    """An unknown policy or model lists what there is."""
    with pytest.raises(veil.VeilError, match="safe-harbor"):
        veil.Pipeline("en", policy="nothing")
    with pytest.raises(veil.VeilError, match="veil-en"):
        veil.Pipeline("en", model="nothing")
    with pytest.raises(AttributeError):
        _ = veil.nothing


@pytest.mark.parametrize("text", [None, b"Dr. Hale", 7])
def test_what_is_no_text_is_refused(text: object) -> None:
    """A clear TypeError says what was given."""
    with pytest.raises(TypeError, match=f"a text is a str, not {type(text).__name__}"):
        veil.mask(text, "en")  # type: ignore[arg-type]


def test_the_public_names_are_listed() -> None:
    """`dir(veil)` shows the public names, those that are imported late as well."""
    assert dir(veil) == sorted(veil.__all__)
    assert {"mask", "Pipeline", "Document", "Span"} <= set(dir(veil))
