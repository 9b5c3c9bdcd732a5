"""Reproduce papers, and study the name modules of carlsson-2010."""

from __future__ import annotations

import json as json_format
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import veil.learn.experiments  # noqa: F401 - adds experiments of papers
from veil.core.errors import InputError
from veil.core.labels import VEIL, Converter
from veil.core.labels import scheme as scheme_of
from veil.detect.names import AS_PUBLISHED, NameOptions
from veil.files.reading import FilesResult, Reader, Reading, language_of, read_corpus
from veil.files.schemes import known_scheme, labels_of
from veil.io.outputs import check_pages, write_text
from veil.learn.name_study import all_orders, run_orders
from veil.learn.name_study_report import study_csv, study_page
from veil.learn.reproduce import Material, paper, reproduce, reproduction_page
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from veil.core.document import Record
    from veil.files.reading import FilePath
    from veil.learn.name_study import Study
    from veil.learn.reproduce import Paper, Reproduction


@dataclass
class ReproductionResult(FilesResult):
    """The measured and the published tables of a paper."""

    reproduction: Reproduction = field(kw_only=True)


def reproduce_files(
    name: str,
    corpus: FilePath | None = None,
    *,
    fast: bool = False,
    json: FilePath | None = None,
    html: FilePath | None = None,
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> ReproductionResult:
    """Run the experiments of a paper on its corpus, or on dummy records in its scheme.

    `fast` uses fewer records, folds and iterations, to check that everything runs.
    """
    check_pages([json, html], [corpus] if corpus else [], overwrite=overwrite)
    made = paper(name)
    reader = Reader(reading)
    material = (
        _dummy_material(made, fast=fast)
        if corpus is None
        else _material(made, Path(corpus), reader, fast=fast)
    )
    found = reproduce(name, material, fast=fast, report=lambda *_: step(None))
    result = ReproductionResult(len(material.train) + len(material.test), reproduction=found)
    result.add(reader.log)
    if json is not None:
        write_text(json, [json_format.dumps(found.to_json(), indent=2, ensure_ascii=False), "\n"])
    if html is not None:
        write_text(html, [reproduction_page(found)])
    return result


def _dummy_material(made: Paper, *, fast: bool) -> Material:
    size = made.fast if fast else made.dummy
    converter = Converter(scheme_of(VEIL), scheme_of(made.scheme))
    records = [
        converter.convert_record(record)
        for record in dummy_records(made.language, size.records + size.test)
    ]
    if made.sources:
        records = _in_sources(records, len(made.sources))
    parts = f"{size.records} to train on, {size.test} to test on" if size.test else ""
    source = f"{len(records)} dummy records" + (f" ({parts})" if parts else "")
    # Kinds of notes alternate, so that both parts have all of them.
    return Material(records[: size.records], records[size.records :], source, is_dummy=True)


def _in_sources(records: Sequence[Record], count: int) -> list[Record]:
    """Use kinds of notes as sources of records: the first kinds are the first source."""
    kinds = sorted({record.id.rpartition("-")[0] for record in records})
    source = {kind: 1 + place * count // len(kinds) for place, kind in enumerate(kinds)}
    return [
        replace(
            record,
            document=replace(
                record.document, id=f"{source[record.id.rpartition('-')[0]]}/{record.id}"
            ),
        )
        for record in records
    ]


def _material(made: Paper, corpus: Path, reader: Reader, *, fast: bool) -> Material:
    if not made.has_test_part:
        paths = [corpus]
        if made.sources and corpus.is_dir():
            paths = sorted(path for path in corpus.iterdir() if path.is_dir()) or paths
        train, test = read_corpus(paths, reader), []
    else:
        train, test = (read_corpus(_parts(corpus, part), reader) for part in ("train", "test"))
    wanted = scheme_of(made.scheme)
    if labels_of([*train, *test]) - set(wanted.labels):
        converter = Converter(known_scheme([*train, *test]) or wanted, wanted)
        train = [converter.convert_record(record) for record in train]
        test = [converter.convert_record(record) for record in test]
    if fast:
        # Every nth record, so that all sources are included.
        train = train[:: max(1, len(train) // made.fast.records)][: made.fast.records]
        test = test[: made.fast.test]
    if not train or (made.has_test_part and not test):
        raise InputError(f"{corpus}: no records to train or test on")
    records = f"{len(train)} records" + (f" and {len(test)} to test on" if test else "")
    return Material(train, test, f"{records} of {corpus.name}", is_dummy=False)


def _parts(corpus: Path, part: str) -> list[Path]:
    """The subfolders of a corpus whose names begin with "train" or "test"."""
    found = (
        sorted(path for path in corpus.iterdir() if path.name.lower().startswith(part))
        if corpus.is_dir()
        else []
    )
    if not found:
        raise InputError(
            f"{corpus}: this paper trains on one part of its corpus and tests on another; put them "
            "into subfolders whose names begin with 'train' and 'test'"
        )
    return found


@dataclass
class NameStudyResult(FilesResult):
    """Scores of the name modules of carlsson-2010 in several orders."""

    study: Study = field(kw_only=True)


def study_name_modules(
    corpus: FilePath,
    *,
    order: str | None = None,
    modules: str = "TCDL",
    lang: str | None = None,
    labels: Sequence[str] = (),
    dictionaries: Sequence[str] = (),
    as_published: bool = False,
    html: FilePath | None = None,
    table: FilePath | None = None,
    overwrite: bool = False,
    step: Callable[[int | None], None] = lambda total: None,
    **reading: Unpack[Reading],
) -> NameStudyResult:
    """Measure the name modules in one order, or in every order of every combination."""
    check_pages([html, table], [corpus], overwrite=overwrite)
    reader = Reader(reading)
    records = list(reader.read(corpus))
    if not records:
        raise InputError(f"{corpus}: no records to measure")
    options = AS_PUBLISHED if as_published else NameOptions()
    if dictionaries:
        options = replace(options, dictionaries=tuple(dictionaries))
    orders = [order] if order else all_orders(modules)
    study = run_orders(
        records,
        lang or language_of(records),
        orders,
        options=options,
        labels=labels,
        step=partial(step, len(orders)),
    )
    result = NameStudyResult(study=study)
    result.add(reader.log)
    if table is not None:
        write_text(table, [study_csv(study)])
    if html is not None:
        title = f"Orders of name modules on {Path(corpus).name}"
        write_text(html, [study_page(study, title=title)])
    return result
