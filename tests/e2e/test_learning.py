"""Training and detecting as a user calls them: exit codes, messages, files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from veil import Record, io

if TYPE_CHECKING:
    from pathlib import Path


def veil(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "veil", *map(str, args)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
    )


@pytest.mark.parametrize("command", ["train", "detect", "models"])
def test_every_command_helps_with_an_example(command: str) -> None:
    """--help ends well and shows an example."""
    done = veil(command, "--help")
    assert done.returncode == 0
    assert f"example:\n  veil {command}" in done.stdout


def test_from_a_folder_of_brat_to_spans(
    small_folder: Path, quick_recipe: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """Train, look at the card, detect with one and two workers: the spans are those of gold."""
    model = tmp_path / "model"
    done = veil(
        *("train", quick_recipe, "--corpus", small_folder, "--dev", small_folder, "-o", model),
        *("--licence", "fictitious"),
    )
    assert done.returncode == 0, done.stderr
    assert "1.0000  F1, exact spans and labels" in done.stdout
    assert f"model written to {model}" in done.stderr

    card = veil("models", model).stdout
    assert "Licence of the data: fictitious." in card
    assert str(tmp_path) not in card
    assert str(small_folder.parent) not in (model / "model.toml").read_text("utf-8")
    assert "fictitious" in veil("models", model, model).stdout

    for workers in (1, 2):
        done = veil(
            *("detect", small_folder, "-o", tmp_path / f"found-{workers}", "--to", "brat"),
            *("--scheme", "meddocan", "--lang", "es", "--model", model, "--workers", workers),
        )
        assert done.returncode == 0, done.stderr
    for record in small_corpus:
        one, two = ((tmp_path / f"found-{n}" / f"{record.id}.ann").read_bytes() for n in (1, 2))
        assert one == two == (small_folder / f"{record.id}.ann").read_bytes()


def test_several_inputs_in_json_lines_by_default(
    small_model: Path, small_folder: Path, tmp_path: Path
) -> None:
    """Files and folders are read in turn; an id that comes again is withheld and named."""
    note = tmp_path / "nueva.txt"
    note.write_text("Nombre: Eva Mora.\n", "utf-8")
    out = tmp_path / "found.jsonl"
    twice = small_folder / "nota-00.txt"
    done = veil("detect", note, small_folder, twice, "-o", out, "--model", small_model)
    assert done.returncode == 1
    assert "record nota-00: duplicate id" in done.stderr
    found = list(io.read(out))
    assert [record.id for record in found][:2] == ["nueva", "nota-00"]
    assert len(found) == 13
    assert all(span.source == "quick" and span.score <= 1 for span in found[0].spans)


def test_labels_are_mapped_and_the_rest_is_counted(
    small_model: Path, small_folder: Path, tmp_path: Path
) -> None:
    """Another scheme of the output has its own labels; what it cannot hold is counted."""
    out = tmp_path / "found.jsonl"
    done = veil("detect", small_folder, "-o", out, "--model", small_model, "--scheme", "hipaa")
    assert done.returncode == 0, done.stderr
    labels = {span.label for record in io.read(out) for span in record.spans}
    assert labels == {"NAME", "DATE", "LOCATION"}
    assert "12 span(s) of NOMBRE_PERSONAL_SANITARIO have no place in hipaa" in done.stderr


def test_cross_validation_alone_writes_no_model(
    small_folder: Path, quick_recipe: Path, tmp_path: Path
) -> None:
    """--folds without -o prints pooled scores and the mean of the folds."""
    done = veil("train", quick_recipe, "--corpus", small_folder, "--folds", 2, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Cross-validation, 2 folds by document" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_word_vectors_of_a_file(small_folder: Path, quick_recipe: Path, tmp_path: Path) -> None:
    """--vectors trains an SVM with word vectors; the model names their file and no folder."""
    (tmp_path / "place").mkdir()
    vectors = tmp_path / "place" / "small.vec"
    vectors.write_text("2 3\nana 1 0 0.5\nfiebre -1 0 0.5\n", "utf-8")
    model = tmp_path / "model"
    train = ("--corpus", small_folder, "-o", model, "--vectors", vectors)
    done = veil("train", "cotik-2019-svm", *train)
    assert done.returncode == 0, done.stderr
    assert "Word vectors: small.vec." in veil("models", model).stdout
    for name in ("model.toml", "CARD.md", "CARD.html"):
        assert str(vectors.parent) not in (model / name).read_text("utf-8")
    vectors.unlink()
    done = veil("explain", small_folder / "nota-00.txt", "--model", model, "--top", 99)
    assert done.returncode == 0, done.stderr
    assert "word vector" in done.stdout

    (tmp_path / "bad.vec").write_text("2 3\nana 1 0 0.5\nfiebre -1 0\n", "utf-8")
    for made, file, message in (
        ("cotik-2019-svm", vectors, "small.vec: no such file of word vectors"),
        ("cotik-2019-svm", tmp_path / "bad.vec", "bad.vec, line 3: 2 numbers instead of 3"),
        (quick_recipe, tmp_path / "bad.vec", "word vectors are for recipes with the trainer 'svm'"),
    ):
        done = veil(
            *("train", made, "--corpus", small_folder, "-o", tmp_path / "no"), "--vectors", file
        )
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stderr.count("Traceback") == 0
    assert not (tmp_path / "no").exists()


def test_a_record_that_cannot_be_read_is_named(
    small_model: Path, small_folder: Path, tmp_path: Path
) -> None:
    """A broken file is withheld with exit code 1, and the others are written."""
    folder = tmp_path / "in"
    shutil.copytree(small_folder, folder)
    (folder / "latin.txt").write_bytes("Señora Quiñones".encode("latin-1"))
    done = veil("detect", folder, "-o", tmp_path / "out.jsonl", "--model", small_model)
    assert done.returncode == 1
    assert "latin.txt, byte 2" in done.stderr
    assert len(list(io.read(tmp_path / "out.jsonl"))) == 12


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda model: (model / "weights.npz").write_bytes(b"PK"), "damaged"),
        (lambda model: (model / "weights.npz").unlink(), "No such file"),
        (lambda model: (model / "model.toml").write_text("kind = ", "utf-8"), "not TOML"),
        (lambda model: (model / "model.toml").write_text("", "utf-8"), "is damaged"),
        (lambda model: (model / "model.toml").unlink(), "no model here"),
    ],
)
def test_a_damaged_model_is_a_message(
    damage: object, message: str, small_model: Path, small_folder: Path, tmp_path: Path
) -> None:
    """Whatever is wrong with a model folder, one line says so and nothing is written."""
    model = tmp_path / "model"
    shutil.copytree(small_model, model)
    assert callable(damage)
    damage(model)
    done = veil("detect", small_folder, "-o", tmp_path / "out.jsonl", "--model", model)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out.jsonl").exists()


def test_wrong_calls_are_messages(
    small_model: Path, small_folder: Path, quick_recipe: Path, tmp_path: Path
) -> None:
    """What is missing or taken is said before any work is done."""
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "note.txt").write_text("Sin datos.\n", "utf-8")
    train = ("train", quick_recipe, "--corpus")
    for args, message in (
        ((*train, empty, "-o", tmp_path / "m"), "not recognised"),
        ((*train, tmp_path / "plain", "-o", tmp_path / "m"), "no annotated span"),
        ((*train, small_folder), "give -o MODEL"),
        ((*train, small_folder, "-o", small_model), "exists already"),
        ((*train, small_folder, "-o", tmp_path / "m", "--curve"), "--curve needs --dev"),
        (("train", "veil-tlh", "--corpus", small_folder, "-o", tmp_path / "m"), "known: aramaki"),
        (
            ("detect", small_folder, "-o", tmp_path / "o", "--model", tmp_path / "x"),
            "no such model",
        ),
        (("models", tmp_path / "x"), "no such model"),
    ):
        done = veil(*args)
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr
    assert not (tmp_path / "m").exists()


def test_explain_tells_why(small_model: Path, small_folder: Path, tmp_path: Path) -> None:
    """Each span comes with its runner-up and features, in the terminal and as a page."""
    page = tmp_path / "why.html"
    shown = veil("explain", small_folder, "--model", small_model, "--top", 3)
    assert shown.returncode == 0
    assert "second: " in shown.stdout
    assert "other features" in shown.stdout
    assert veil("explain", small_folder, "--model", small_model, "--html", page).returncode == 0
    assert "<mark" in page.read_text("utf-8")


@pytest.mark.parametrize("command", ["explain", "bench"])
def test_wrong_kinds_of_model_are_refused(command: str, small_folder: Path) -> None:
    """A part-of-speech model finds no spans, so there is nothing to explain or measure."""
    done = veil(command, small_folder, "--model", "pos-es")
    assert done.returncode == 2
    assert "unknown kind of detector 'pos'" in done.stderr


def test_bench_prints_speeds(small_model: Path, small_folder: Path, tmp_path: Path) -> None:
    """The tables have the speeds, the ratio to CRFsuite and the shares; JSON has them too."""
    done = veil("bench", small_folder, "--model", small_model, "--json", tmp_path / "speed.json")
    assert done.returncode == 0
    for name in ("new word forms", "CRFsuite", "search", "first result", "megabytes"):
        assert name in done.stdout
    numbers = json.loads((tmp_path / "speed.json").read_text("utf-8"))
    (plain,) = numbers["other systems, characters per CPU second"].values()
    assert min(plain.values()) > 0
