"""`veil compare` as a user calls it: tables, files, messages, exit codes."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from veil import InputError, Record, RecordError, io
from veil.bench.systems import Run, run_system
from veil.cli.main import main
from veil.files.comparison import compare_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from veil import Document
    from veil.bench.systems import System


def veil(*args: object) -> int:
    return main([str(arg) for arg in args])


def test_an_example_with_the_methods_of_its_language(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every system of the language is in the table, the page and the JSON file, without text."""
    page, numbers = tmp_path / "systems.html", tmp_path / "systems.json"
    call = ("compare", "--corpus", examples / "sv", "--html", page, "--json", numbers)
    assert veil(*call) == 0
    printed = capsys.readouterr().out
    found = json.loads(numbers.read_text("utf-8"))
    assert (found["language"], found["scheme"], found["documents"]) == ("sv", "stockholm", 1)
    names = [system["name"] for system in found["systems"]]
    assert names == [
        *("default", "default, recall high", "rules", "veil-sv", "carlsson-2010", "veil-names")
    ]
    html = page.read_text("utf-8")
    for name in names:
        assert name in printed
        assert name in html
    assert all(system["characters_per_cpu_second"] > 0 for system in found["systems"])
    schemes = {system["name"]: system["scheme"] for system in found["systems"]}
    assert (schemes["default"], schemes["veil-sv"]) == ("veil", "stockholm")
    # Name modules find names alone.
    scores = {each["name"]: each["metrics"]["strict f1"]["value"] for each in found["systems"]}
    assert 0 < scores["carlsson-2010"] < scores["default"]
    for text in ("Wiklander", "Tallmyra", "480711"):
        assert text not in printed + html + numbers.read_text("utf-8")


def test_models_and_recipes_are_compared_too(
    small_folder: Path, small_model: Path, quick_recipe: Path
) -> None:
    """Models count alone and with rules, recipes are trained first; common texts are a warning."""
    steps: list[int | None] = []
    result = compare_files(
        small_folder,
        lang="es",
        models=[small_model, "veil-es"],
        train=small_folder,
        recipes=[quick_recipe],
        step=steps.append,
    )
    systems = {system.name: system for system in result.comparison.systems}
    own = ["small", "small with rules", "quick, trained"]
    assert list(systems)[-3:] == own
    assert steps == [len(systems)] * len(systems)
    # Both were trained on these very notes.
    assert systems["small"].metrics["strict f1"].value == 1.0
    assert systems["quick, trained"].metrics["strict f1"].value == 1.0
    assert all(systems[name].model_bytes for name in own)
    assert result.count == 12
    assert any(
        "12 record(s) have texts that are also in the training" in w for w in result.warnings
    )


def test_models_in_folders_of_the_same_name_are_told_apart(
    small_folder: Path, small_model: Path, tmp_path: Path
) -> None:
    """Two folders with the same name have their paths in the table, and no path is in both."""
    folders = [tmp_path / run / "model" for run in ("a", "b")]
    for folder in folders:
        shutil.copytree(small_model, folder)
    result = compare_files(small_folder, lang="es", models=folders)
    assert [system.name for system in result.comparison.systems][-4:] == [
        name
        for folder in folders
        for name in (folder.as_posix(), f"{folder.as_posix()} with rules")
    ]


def test_a_withheld_record_is_compared_for_no_system(
    small_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one system cannot process is named with the system, and left out of all scores."""

    def run(system: System, docs: Sequence[Document]) -> Run:
        outcomes, speed = run_system(system, docs)
        if system.name == "rules":
            outcomes[0] = RecordError("withheld: detector failed", record=docs[0].id)
        return Run(outcomes, speed)

    monkeypatch.setattr("veil.files.comparison.run_system", run)
    result = compare_files(small_folder, lang="es")
    assert list(map(str, result.problems)) == ["record nota-00: rules: withheld: detector failed"]
    assert {system.totals.documents for system in result.comparison.systems} == {11}
    assert result.warnings == ["warning: 1 record(s) that a system withheld were not compared"]


def test_records_of_another_language_are_left_out(
    small_corpus: list[Record], tmp_path: Path
) -> None:
    """A record that names another language is not compared, and a warning says so."""
    corpus = tmp_path / "mixed.jsonl"
    io.write(small_corpus[:2], corpus, format="jsonl")
    first, second = map(json.loads, corpus.read_text("utf-8").splitlines())
    lines = [
        json.dumps(each | {"language": code}) for each, code in ((first, "es"), (second, "en"))
    ]
    corpus.write_text("\n".join(lines) + "\n", "utf-8")
    result = compare_files(corpus)
    assert (result.comparison.language, result.comparison.documents) == ("es", 1)
    assert any("1 record(s) name another language than es" in each for each in result.warnings)


def test_wrong_calls_are_refused(
    small_folder: Path, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Recipes without records, a model of another language and missing gold are errors."""
    corpus = ("compare", "--corpus", small_folder)
    assert veil(*corpus, "--recipe", "cotik-2019-crf") == 2
    assert "give --train and --recipe together" in capsys.readouterr().err
    assert veil(*corpus, "--lang", "sv", "--model", small_model) == 2
    assert "a model for 'es', not for 'sv'" in capsys.readouterr().err
    assert veil(*corpus, "--json", small_folder / "x.json") == 2
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "a.txt").write_text("Paciente Ana Ruiz.", "utf-8")
    (foreign / "a.ann").write_text("T1\tAlguien 9 17\tAna Ruiz\n", "utf-8")
    capsys.readouterr()
    assert veil(*corpus, "--train", foreign, "--recipe", "cotik-2019-crf") == 2
    assert "1 of 1 label(s) are not in any scheme" in capsys.readouterr().err
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.txt").write_text("Paciente Ana Ruiz, de Lugo.", "utf-8")
    with pytest.raises(InputError, match="no annotated record"):
        compare_files(plain, lang="es")
