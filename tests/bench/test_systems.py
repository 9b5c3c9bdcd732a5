"""The systems that can be compared."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.bench.systems import DEFAULT, System, model_system, run_system, veil_systems
from veil.detect.assembly import default_pipeline
from veil.languages import language_codes
from veil.learn.recipe import METHODS

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Record


@pytest.mark.parametrize("code", language_codes())
def test_each_language_has_its_systems(code: str) -> None:
    """Default, high recall, rules and model of the language, and the methods for it alone."""
    systems = veil_systems(code)
    methods = [name for name in METHODS.names() if METHODS.get(name).language == code]
    assert [system.name for system in systems] == [
        *(DEFAULT, "default, recall high", "rules", f"veil-{code}"),
        *methods,
    ]
    assert [system.name for system in systems if system.size is None] == ["rules", *methods]
    assert all(system.about for system in systems)


def test_a_language_without_a_model_has_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an installed model the default is the rules, which are listed once."""
    monkeypatch.setattr("veil.detect.assembly.installed", list)
    code = "en"
    assert [system.name for system in veil_systems(code)] == [DEFAULT]


def test_a_run_finds_what_the_pipeline_finds(small_corpus: list[Record]) -> None:
    """The outcomes are those of the default pipeline, and the speed is a positive number."""
    docs = [record.document for record in small_corpus[:3]]
    code = "es"
    run = run_system(veil_systems(code)[0], docs)
    assert run.outcomes == list(default_pipeline(code).detect_many(docs))
    assert run.speed > 0


def test_a_model_keeps_its_labels_unless_rules_are_added(small_model: Path) -> None:
    """Alone it has the scheme that it was trained on; with the rules it has Veil's labels."""

    def system(*, with_rules: bool) -> System:
        return model_system(small_model, "es", with_rules=with_rules)

    assert (system(with_rules=False).scheme, system(with_rules=True).scheme) == ("meddocan", "veil")
    with pytest.raises(InputError, match="a model for 'es', not for 'sv'"):
        model_system(small_model, "sv")
    kind = "the model quick (crf)"  # a model has the name of its recipe
    assert system(with_rules=False).about == f"{kind} alone, trained on notas"
    assert system(with_rules=True).about == f"{kind} with the rules, trained on notas"


def test_a_model_without_a_scheme_is_refused(small_model: Path, tmp_path: Path) -> None:
    """Labels that no scheme has cannot be compared; the message says what to do."""
    folder = tmp_path / "own"
    shutil.copytree(small_model, folder)
    settings = folder / "model.toml"
    lines = settings.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("scheme = ")]
    assert len(kept) == len(lines) - 1
    settings.write_text("".join(kept), "utf-8")
    with pytest.raises(InputError, match="train it again with --scheme"):
        model_system(folder, "es")
