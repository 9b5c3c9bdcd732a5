"""Masked files for users: masking, revealing, and checking what was masked."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.detect.assembly import RULES, DetectionOptions
from veil.detect.known import KnownTable
from veil.io import TableOptions
from veil.io.outputs import check_apart, check_output, check_pages, write_text
from veil.masking import stream
from veil.masking.audit import (
    OLD_REPORT,
    MaskedOutput,
    check_inputs,
    check_seal,
    draw_sample,
    sample_page,
    sample_text,
)
from veil.masking.mapping import MappingReader
from veil.masking.plan import Plan, make_plan
from veil.masking.reveal import reveal_plan, reveal_to_jsonl
from veil.masking.run import Detection, MappingFile, MaskJob, run_job
from veil.replace.policy import load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from veil.detect.assembly import DetectionKeywords
    from veil.masking.audit import Sample
    from veil.masking.mapping import Placed
    from veil.masking.reveal import Revealed
    from veil.masking.run import Progress, Summary

    FilePath = str | Path
    Passphrase = str | Callable[[], str]

_LISTED = 20


@dataclass
class MaskResult:
    """What a masking run did: its summary, the paths of its report, and remarks about the input.

    `warnings` are remarks that need attention.
    """

    summary: Summary
    report: Path
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def mask_files(
    sources: FilePath | Sequence[FilePath],
    output: FilePath,
    *,
    policy: FilePath = "tag",
    key: Key | FilePath | None = None,
    mapping: FilePath | None = None,
    passphrase: Passphrase = "",
    text_columns: Sequence[str] = (),
    id_column: str | None = None,
    patient_column: str | None = None,
    rescan: bool = True,
    workers: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    apart: Sequence[FilePath] = (),
    watch: Callable[[Progress], None] = lambda _: None,
    **options: Unpack[DetectionKeywords],
) -> MaskResult:
    """Mask files and folders and write a report beside the output.

    A file becomes a file; a folder, several files, or an output that ends with a slash become a
    folder. `policy` is the name of a policy or a TOML file, `key` a key or its file; without a key
    one is made for the run. `mapping` is a file for the mapping, encrypted with `passphrase`.
    The columns are those of tables. `resume` continues an interrupted run. Files in `apart` must
    lie neither in the input nor in the output. The other keywords are those of `DetectionOptions`.
    """
    paths = [sources] if isinstance(sources, (str, Path)) else sources
    plan = make_plan(
        [Path(path) for path in paths], Path(output), as_folder=str(output).endswith(os.sep)
    )
    detection = DetectionOptions.of(options)
    policy_file = Path(policy).resolve() if str(policy).endswith(".toml") else None
    secrets = [path for path in (key, mapping, *apart) if isinstance(path, (str, Path))]
    _check_apart(plan, secrets, [*_given(detection).values(), policy_file])
    load_policy(policy)
    table = KnownTable.read(Path(detection.known)) if detection.known else KnownTable()
    job = MaskJob(
        _detection(detection, table),
        policy_file or policy,
        key if key is None or isinstance(key, Key) else Key.read(Path(key)),
        rescan=rescan,
        options=TableOptions(
            text_columns=tuple(text_columns), id_column=id_column, patient_column=patient_column
        ),
        mapping=None if mapping is None else MappingFile(Path(mapping), _typed(passphrase)),
    )
    summary = run_job(
        plan,
        job,
        workers=_useful_workers(workers, plan),
        resume=resume,
        overwrite=overwrite,
        watch=watch,
    )
    result = MaskResult(summary, plan.report(".html"))
    _add_remarks(result, plan, table, detection.known, resume=resume)
    return result


def _typed(passphrase: Passphrase) -> str:
    """A passphrase may be a function, so that it is asked for after everything is checked."""
    return passphrase if isinstance(passphrase, str) else passphrase()


def _check_apart(plan: Plan, secrets: Sequence[FilePath], given: Sequence[FilePath | None]) -> None:
    """Refuse secrets in the input or output, and given files in the output."""
    written = [plan.folder]
    if plan.alone:
        written = [plan.output, plan.report(".json"), plan.report(".html"), plan.work]
    message = "lies in the input or output; keep it apart from both"
    check_apart(secrets, [*plan.sources, *written], message)
    check_apart(given, written, "lies in the output; choose another output")


def _useful_workers(wanted: int, plan: Plan) -> int:
    """As many processes as wanted, if there is a batch for each of them."""
    size = 0
    for file in plan.files():
        size += file.size
        if wanted * stream.CHARACTERS_AT_ONCE <= size:
            return wanted
    return min(wanted, 1 + size // stream.CHARACTERS_AT_ONCE)


def _detection(options: DetectionOptions, table: KnownTable) -> Detection:
    if options.scheme is None:
        raise InputError(
            f"{options.model}: the model's labels are of no scheme that Veil knows; no policy fits"
        )
    models = options.check()
    settings: dict[str, Any] = {
        "lang": options.lang,
        "assume_language": options.assume_language,
        "recall": options.recall,
        "bias": options.bias,
        "rules_only": options.model == RULES,
        "with_rules": options.with_rules,
        "detectors": list(options.detectors),
        "model": models[0].name if options.model not in (None, RULES) else None,
    }
    return Detection(
        partial(options.load, veil_labels=True),
        {name: value for name, value in settings.items() if value},
        tuple(model.folder for model in models),
        {name: Path(path) for name, path in _given(options).items() if path},
        (lambda doc: table(doc) is not None) if options.known else None,
    )


def _given(options: DetectionOptions) -> dict[str, FilePath | None]:
    """The files that the user gave for detection."""
    return {
        "own_rules": options.own_rules,
        "known": options.known,
        "allow": options.allow,
        "deny": options.deny,
    }


def _add_remarks(
    result: MaskResult, plan: Plan, table: KnownTable, known: FilePath | None, *, resume: bool
) -> None:
    if known and not result.summary.tally.known:
        result.warnings.append(
            f"no record has an id of {known}: nothing that is known was looked for"
        )
    elif table.unasked and not resume:  # those of an interrupted run were not counted
        result.notes.append(f"{len(table.unasked)} id(s) of {known} belong to no record")
    hidden = plan.hidden()
    if named := list(islice(hidden, _LISTED)):
        more = sum(1 for _ in hidden)
        result.notes.append(
            f"{len(named) + more:,} hidden file(s) or folder(s) skipped: {', '.join(named)}"
            f"{f' and {more:,} more' if more else ''}"
        )


def reveal_files(
    masked: FilePath,
    output: FilePath,
    *,
    mapping: FilePath,
    passphrase: Passphrase,
    as_jsonl: bool = False,
    text_columns: Sequence[str] = (),
    id_column: str | None = None,
    overwrite: bool = False,
    apart: Sequence[FilePath] = (),
) -> Revealed:
    """Write the originals of masked files, in their form or as JSON lines with ids and texts.

    Files in `apart` must not lie in the output.
    """
    message = "lies in the output and might be overwritten; choose another output"
    check_apart([mapping, *apart], [output], message)
    check_output(Path(masked), Path(output), overwrite=overwrite)
    options = TableOptions(text_columns=tuple(text_columns), id_column=id_column)
    target = Path(output)
    with MappingReader(Path(mapping), _typed(passphrase)) as opened:
        if as_jsonl:
            plan = Plan((Path(masked),), target.parent, target.name)
            revealed = reveal_to_jsonl(plan, opened, target, options=options)
        else:
            plan = make_plan([Path(masked)], target, as_folder=str(output).endswith(os.sep))
            revealed = reveal_plan(plan, opened, options=options)
    if not (revealed.count or revealed.problems):
        raise InputError(f"{masked}: no record found that could be revealed")
    return revealed


def reveal_record(record: str, *, mapping: FilePath, passphrase: str) -> list[tuple[Placed, ...]]:
    """Return the edits of each text of a record."""
    with MappingReader(Path(mapping), passphrase) as opened:
        return opened.edits(record)


@dataclass(frozen=True)
class AuditResult:
    """What differs from the report of a run; nothing if the seal holds.

    `files` and `digest` are those of the seal. `warnings` are about the report itself.
    """

    problems: tuple[str, ...]
    files: int
    digest: str
    warnings: tuple[str, ...] = ()


def audit_files(
    output: FilePath,
    *,
    inputs: Sequence[FilePath] = (),
    key: Key | FilePath | None = None,
) -> AuditResult:
    """Check that masked output is what was written and, with its key, that inputs are unchanged."""
    masked = MaskedOutput.open(Path(output))
    problems = check_seal(masked)
    warnings: tuple[str, ...] = ()
    if inputs:
        if key is None:
            raise InputError("inputs can be checked only with the key of the run")
        own = key if isinstance(key, Key) else Key.read(Path(key))
        problems += check_inputs(masked, [Path(path) for path in inputs], own)
    elif not masked.has_keyed_inputs:
        warnings = (f"{output}: {OLD_REPORT}",)
    seal = masked.report["seal"]
    return AuditResult(tuple(problems), seal["files"], seal["digest"], warnings)


def sample_files(
    output: FilePath,
    size: int | None = None,
    *,
    seed: int | None = None,
    page: FilePath | None = None,
    overwrite: bool = False,
) -> Sample:
    """Draw records of masked output for a person to read; by default as many as the report says.

    `page` is a file to write: HTML if its name ends with .html or .htm, else text.
    """
    check_pages([page], [output], overwrite=overwrite)
    masked = MaskedOutput.open(Path(output))
    wanted = masked.report["sample"]["size"] if size is None else size
    sample = draw_sample(masked, wanted, seed=seed)
    if page is not None:
        is_html = Path(page).suffix.lower() in (".html", ".htm")
        write_text(page, sample_page(masked, sample) if is_html else sample_text(sample))
    return sample
