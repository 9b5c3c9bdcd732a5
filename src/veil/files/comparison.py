"""Compare the systems of a language on annotated records."""

from __future__ import annotations

import json as json_format
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from veil.bench.systems import model_system, run_system, veil_systems
from veil.core.errors import InputError, RecordError
from veil.core.labels import Converter
from veil.core.labels import scheme as scheme_of
from veil.detect.assembly import DetectionOptions
from veil.evaluate.compare import SystemOutput, compare, comparison_page
from veil.files.reading import (
    FilesResult,
    Reader,
    Reading,
    first_of,
    language_of,
    paths_of,
    read_corpus,
)
from veil.files.schemes import known_scheme
from veil.files.training import train_files
from veil.io.outputs import check_pages, write_text
from veil.learn.recipe import recipe as recipe_of
from veil.models import find_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from veil.bench.systems import System
    from veil.core.document import Record
    from veil.core.labels import Scheme
    from veil.evaluate.compare import Comparison
    from veil.files.reading import FilePath
    from veil.io import ReadLog


@dataclass
class ComparisonResult(FilesResult):
    """A comparison of systems on the same records; `count` is the number of records read."""

    comparison: Comparison = field(kw_only=True)


def compare_files(
    corpus: FilePath | Sequence[FilePath],
    *,
    lang: str | None = None,
    models: Sequence[FilePath] = (),
    train: FilePath | Sequence[FilePath] = (),
    recipes: Sequence[FilePath] = (),
    scheme: str | None = None,
    json: FilePath | None = None,
    html: FilePath | None = None,
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> ComparisonResult:
    """Compare all systems of a language on annotated records with its default pipeline.

    The systems are those of Veil, your own `models` with and without the rules, and `recipes`
    trained on the records of `train`. Annotations are compared in `scheme`, or in the scheme of
    the corpus. `json` and `html` are files to write; neither contains text of a record. `step` is
    called after each system with the total number of systems.
    """
    paths, train_paths = paths_of(corpus), paths_of(train)
    if bool(train_paths) != bool(recipes):
        raise InputError("give --train and --recipe together: the records and how to train on them")
    check_pages([json, html], [*paths, *train_paths], overwrite=overwrite)
    folders = [find_model(model) for model in models]
    for name in recipes:
        recipe_of(name)
    reader = Reader(reading)
    records = read_corpus(paths, reader)
    if not records:
        raise InputError("no records to compare systems on")
    code = lang or language_of(records)
    result_warnings = []
    own = [record for record in records if record.document.language in (None, code)]
    if len(own) < len(records):
        result_warnings.append(
            f"warning: {len(records) - len(own)} record(s) name another language than {code} and "
            "were left out; compare them with --lang"
        )
    gold, labels = _gold_in(own, scheme, paths)
    with tempfile.TemporaryDirectory(prefix="veil-") as made:
        systems = veil_systems(code) + _model_systems(folders, code)
        total = len(systems) + len(recipes)
        if recipes:
            # Unreadable records are reported by the training.
            training = read_corpus(train_paths, reader.apart())
            known_scheme(training)
            trained, log = _train_systems(train_paths, recipes, code, Path(made), reading)
            systems += trained
            result_warnings += log.warnings + _warn_of_common_texts(gold, training)
            reader.log.problems += log.problems
        outputs = []
        for system in systems:
            outputs.append(_run_system(system, gold, labels, reader.log))
            step(total)
    found = compare(gold, outputs, language=code, scheme=labels.name)
    result = ComparisonResult(len(records), comparison=found)
    result.warnings += result_warnings
    if found.documents < len(gold):
        result.warnings.append(
            f"warning: {len(gold) - found.documents} record(s) that a system withheld were not "
            "compared"
        )
    result.add(reader.log)
    if json is not None:
        write_text(json, [json_format.dumps(found.to_json(), indent=2, ensure_ascii=False), "\n"])
    if html is not None:
        title = f"Systems compared on {', '.join(path.resolve().name for path in paths)}"
        write_text(html, [comparison_page(found, title=title)])
    return result


def _gold_in(
    records: Sequence[Record], name: str | None, paths: Sequence[Path]
) -> tuple[list[Record], Scheme]:
    """Return the records in the given scheme, or in their own, and that scheme."""
    source = known_scheme(records)
    if source is None:
        raise InputError(f"{first_of(map(str, paths), len(paths))}: no annotated records")
    target = source if name is None else scheme_of(name)
    converter = Converter(source, target)
    return [converter.convert_record(record) for record in records], target


def _model_systems(folders: Sequence[Path], code: str) -> list[System]:
    """The user's models, with and without the rules; models with the same name get their path."""
    bundled = {model.folder for model in DetectionOptions(lang=code).models()}
    own = [folder for folder in dict.fromkeys(folders) if folder not in bundled]
    names = Counter(folder.name for folder in own)
    systems = []
    for folder in own:
        name = folder.name if names[folder.name] == 1 else folder.as_posix()
        systems.append(model_system(folder, code, name=name))
        systems.append(model_system(folder, code, name=f"{name} with rules", with_rules=True))
    return systems


def _train_systems(
    paths: Sequence[Path],
    recipes: Sequence[FilePath],
    code: str,
    folder: Path,
    reading: Reading,
) -> tuple[list[System], FilesResult]:
    """Train the recipes; unreadable records are reported once, since all read the same records."""
    systems, log = [], FilesResult()
    for number, name in enumerate(recipes):
        model = folder / str(number) / Path(name).stem
        log = train_files(name, paths, model, lang=code, **reading)
        about = f"the recipe {log.recipe}, trained on {log.count} record(s), alone"
        systems.append(model_system(model, code, name=f"{log.recipe}, trained", about=about))
    return systems, log


def _warn_of_common_texts(gold: Sequence[Record], training: Sequence[Record]) -> list[str]:
    texts = {record.document.text for record in training}
    common = sum(record.document.text in texts for record in gold)
    if not common:
        return []
    return [
        f"warning: {common} record(s) have texts that are also in the training records: the scores "
        "of the trained systems are too high"
    ]


def _run_system(
    system: System, gold: Sequence[Record], target: Scheme, log: ReadLog
) -> SystemOutput:
    """The spans of a system in the scheme of gold; withheld records are added to the log."""
    run = run_system(system, [record.document for record in gold])
    converter = Converter(scheme_of(system.scheme), target)
    found = []
    for outcome in run.outcomes:
        if isinstance(outcome, RecordError):
            log.withhold(RecordError(f"{system.name}: {outcome.reason}", record=outcome.record))
        else:
            found.append(converter.convert_record(outcome))
    return SystemOutput(system.name, system.about, system.scheme, found, run.speed, system.size)
