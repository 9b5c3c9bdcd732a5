"""Word vectors that are learned from a few invented lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from veil import InputError
from veil.cli import main
from veil.features.vectors import read_vectors
from veil.learn.vectors import VectorSettings, learn_vectors

if TYPE_CHECKING:
    from pathlib import Path

_DRUGS, _TOWNS = ("aspirin", "insulin", "heparin"), ("leeds", "york", "derby")
TEXTS = [
    *(f"she takes {drug} twice daily with {n} meals" for drug in _DRUGS for n in range(6)),
    *(f"he moved from {town} to a house near the river {n}" for town in _TOWNS for n in range(6)),
]
SMALL = VectorSettings(dimensions=6, window=3)


def test_words_in_similar_contexts_have_similar_vectors() -> None:
    """A drug is nearer to another drug than to a town."""
    words, vectors = learn_vectors(TEXTS, "en", SMALL)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    of = dict(zip(words, unit, strict=True))
    assert of["aspirin"] @ of["york"] < of["aspirin"] @ of["insulin"]
    assert of["leeds"] @ of["heparin"] < of["leeds"] @ of["derby"]


def test_the_same_texts_give_the_same_vectors() -> None:
    """Nothing is random."""
    (first, one), (second, two) = (learn_vectors(TEXTS, "en", SMALL) for _ in range(2))
    assert first == second
    assert np.array_equal(one, two)


def test_too_little_text_is_an_error() -> None:
    """A hundred dimensions need more words than that."""
    with pytest.raises(InputError, match="give more text"):
        learn_vectors(TEXTS, "en")


def test_the_command_writes_what_training_reads(tmp_path: Path) -> None:
    """`veil vectors` writes a file of word vectors, and not over another without being told."""
    (tmp_path / "notes").mkdir()
    for number, text in enumerate(TEXTS):
        (tmp_path / "notes" / f"{number}.txt").write_text(text, "utf-8")
    out = tmp_path / "en.vec"
    command = ["vectors", "--corpus", str(tmp_path / "notes"), "-o", str(out), "--lang", "en"]
    assert main([*command, "--dimensions", "6"]) == 0
    read = read_vectors(out)
    assert read.values.shape[1] == 6
    assert "aspirin" in read.words
    assert main([*command, "--dimensions", "6"]) == 2
