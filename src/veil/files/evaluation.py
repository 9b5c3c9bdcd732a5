"""Score predicted records against gold."""

from __future__ import annotations

import json as json_format
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.core.labels import scheme as scheme_of
from veil.core.values import split_values
from veil.detect.rules import RuleDetector
from veil.evaluate import evaluate, html_report
from veil.files.reading import FilesResult, Reader, Reading, first_of
from veil.files.schemes import convert_records, guess_of
from veil.io.outputs import check_pages, write_text
from veil.languages import base_language, identify, language

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Unpack

    from veil.core.document import Record, Span
    from veil.evaluate import Evaluation
    from veil.files.reading import FilePath


@dataclass
class EvaluationResult(FilesResult):
    """The evaluation of predicted against gold records."""

    evaluation: Evaluation = field(kw_only=True)


def evaluate_files(
    gold: FilePath,
    predicted: FilePath,
    *,
    scheme: str | None = None,
    baseline: FilePath | None = None,
    sentences: FilePath | None = None,
    json: FilePath | None = None,
    html: FilePath | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> EvaluationResult:
    """Score predicted records against gold, after converting both to `scheme` if one is given.

    `baseline` is the output of another system to compare with, `sentences` a folder of MEDDOCAN's
    files with one line for each sentence. `json` and `html` are files to write.
    """
    paths = {"gold": gold, "predicted": predicted, **({"baseline": baseline} if baseline else {})}
    check_pages([html, json], [*paths.values(), sentences], overwrite=overwrite)
    reader = Reader(reading)
    sides = {side: list(reader.read(path)) for side, path in paths.items()}
    if not set.intersection(*({record.id for record in each} for each in sides.values())):
        names = ", ".join(f"{len(records)} {side}" for side, records in sides.items())
        unread = first_of(map(str, reader.log.problems), len(reader.log.problems))
        raise InputError(
            f"{gold}, {predicted}: no record has the same id on all sides ({names} records), so "
            f"that nothing can be compared{f'; withheld: {unread}' if unread else ''}"
        )
    conversions = []
    if scheme is not None:
        for side, records in sides.items():
            converted, converter = convert_records(records, scheme, None, reader.log)
            sides[side] = list(converted)
            conversions.append(converter)
    evaluation = evaluate(
        sides["gold"],
        sides["predicted"],
        scheme=guess_of(sides["gold"]) if scheme is None else scheme_of(scheme),
        sentences=_sentence_counts(sides["gold"], sentences),
        baseline=sides.get("baseline"),
        values=_clinical_values(sides["gold"]),
    )
    result = EvaluationResult(len(sides["gold"]), evaluation=evaluation)
    for converter in conversions:
        result.add_conversion(converter)
    for ids, there, lacking in (
        (evaluation.missing_predictions, "GOLD", "PREDICTED"),
        (evaluation.missing_gold, "PREDICTED", "GOLD"),
    ):
        if ids:
            result.warnings.append(
                f"warning: {len(ids)} record(s) of {there} are not in {lacking} and were not "
                f"counted: {first_of(ids, len(ids))}"
            )
    result.add(reader.log)
    if json is not None:
        numbers = json_format.dumps(evaluation.to_json(), indent=2, ensure_ascii=False)
        write_text(json, [numbers, "\n"])
    if html is not None:
        title = f"Evaluation of {predicted}"
        page = html_report(evaluation, sides["gold"], sides["predicted"], title=title)
        write_text(html, [page])
    return result


def _sentence_counts(gold: Sequence[Record], folder: FilePath | None) -> Mapping[str, int]:
    counts = {}
    for record in gold:
        text = record.document.text
        if folder is None:
            spoken = language(record.document.language or identify(text))
            counts[record.id] = len(spoken.sentences(text))
            continue
        file = Path(folder, f"{Path(record.id).name}.ann")
        if not file.is_file():
            raise InputError(f"{file}: no such file; --sentences needs one for every gold record")
        counts[record.id] = len(file.read_bytes().splitlines())
    return counts


def _clinical_values(records: Iterable[Record]) -> dict[str, list[Span]]:
    """The clinical values that the rules of each record's language recognise, by record."""
    detector = cache(RuleDetector)
    values = {}
    for record in records:
        doc = record.document
        found = detector(base_language(doc.language or identify(doc.text))).detect(doc)
        values[record.id] = split_values(found)[1]
    return values
