"""A corpus with labels of its own: train, detect, evaluate, convert and mask with a scheme file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.cli import main

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("Hale", "Okafor", "Lindqvist", "Ruiz", "Barroso", "Berg", "Castro", "Dunn")
SCHEME = """
about = "Labels of our hospital"
[to_veil]
PersonName = "NAME"
VisitDate = "DATE"
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen short notes in brat with labels that no scheme of Veil has, and a model of them."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "notes").mkdir()
    for number in range(16):
        name, date = NAMES[number % 8], f"{number % 12 + 1}/3/2019"
        text = f"Seen on {date}. Mr. {name} is well.\n"
        start = text.index(name)
        spans = [("VisitDate", 8, 8 + len(date)), ("PersonName", start, start + len(name))]
        lines = [
            f"T{index}\t{label} {start} {end}\t{text[start:end]}\n"
            for index, (label, start, end) in enumerate(spans, start=1)
        ]
        (folder / "notes" / f"n{number}.txt").write_text(text, encoding="utf-8")
        (folder / "notes" / f"n{number}.ann").write_text("".join(lines), encoding="utf-8")
    (folder / "house-labels.toml").write_text(SCHEME, encoding="utf-8")
    scheme = str(folder / "house-labels.toml")
    notes, model = str(folder / "notes"), str(folder / "model")
    args = ["--corpus", notes, "--dev", notes, "--scheme", scheme, "-o", model, "-q"]
    assert main(["train", "wi-deid-2015", *args]) == 0
    return folder


def test_the_model_carries_its_scheme(corpus: Path) -> None:
    """The model folder contains the scheme, so that it can be moved and used alone."""
    assert 'PersonName = "NAME"' in (corpus / "model" / "house-labels.toml").read_text("utf-8")


def test_a_model_with_own_labels_masks(corpus: Path, tmp_path: Path) -> None:
    """What the model calls PersonName is masked as a name."""
    out, text = tmp_path / "masked.txt", tmp_path / "note.txt"
    args = ["--model", str(corpus / "model"), "-o", str(out), "-q"]
    text.write_text("Seen on 5/3/2019. Mr. Hale is well.\n", encoding="utf-8")
    assert main(["mask", str(text), *args]) == 0
    assert out.read_text("utf-8") == "Seen on [DATE-1]. Mr. [NAME-1] is well.\n"


def test_detection_and_scores_keep_the_own_labels(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model's own labels are written and scored."""
    out = tmp_path / "found"
    args = ["--model", str(corpus / "model"), "--to", "brat", "-o", f"{out}/", "-q"]
    assert main(["detect", str(corpus / "notes"), *args]) == 0
    assert "PersonName" in (out / "n0.ann").read_text("utf-8")
    scheme = str(corpus / "house-labels.toml")
    assert main(["evaluate", str(corpus / "notes"), str(out), "--scheme", scheme, "-q"]) == 0
    assert "PersonName" in capsys.readouterr().out


def test_own_labels_are_converted(corpus: Path, tmp_path: Path) -> None:
    """With a scheme file, records are converted to another scheme."""
    scheme, out = str(corpus / "house-labels.toml"), tmp_path / "converted"
    args = ["--to", "brat", "--scheme", "meddocan", "--from-scheme", scheme, "-q"]
    assert main(["convert", str(corpus / "notes"), f"{out}/", *args]) == 0
    assert "FECHAS" in (out / "n0.ann").read_text("utf-8")


@pytest.mark.parametrize("command", ["convert", "evaluate"])
def test_unknown_labels_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """A conversion that would lose spans writes nothing and ends with exit code 2."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("Seen by Berg.\n", encoding="utf-8")
    (tmp_path / "notes" / "a.ann").write_text("T1\tZyxName 8 12\tBerg\n", encoding="utf-8")
    notes, out = str(tmp_path / "notes"), tmp_path / "out"
    args = {"convert": [notes, f"{out}/", "--to", "brat"], "evaluate": [notes, notes]}[command]
    assert main([command, *args, "--scheme", "i2b2-2014", "-q"]) == 2
    message = capsys.readouterr().err
    assert "label(s) are not in any scheme; write a scheme file" in message
    assert "Zyx" not in message
    assert not out.exists()


def test_an_unknown_scheme_lists_the_known_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistyped name is an error that lists the names."""
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    args = ["--to", "brat", "--scheme", "meddokan", "-q"]
    assert main(["convert", str(tmp_path / "a.txt"), f"{tmp_path}-out/", *args]) == 2
    assert "unknown scheme 'meddokan'; known: hipaa" in capsys.readouterr().err
