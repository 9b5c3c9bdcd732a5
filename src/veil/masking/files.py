"""The public functions that mask files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.encodings import UTF8
from veil.core.errors import InputError
from veil.detect.assembly import RULES, DetectionOptions
from veil.detect.known import KnownTable
from veil.io.columns import table_options
from veil.io.fhir.formats import SECURITY_LABELS
from veil.io.outputs import check_apart
from veil.masking import stream
from veil.masking.file_names import identifying_names
from veil.masking.plan import Plan, make_plan
from veil.masking.run import Detection, MappingFile, MaskJob, run_job
from veil.replace.policy import load_policy
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Unpack

    from veil.detect.assembly import DetectionKeywords
    from veil.masking.corrections import Corrections
    from veil.masking.run import Progress, Summary

    FilePath = str | Path
    Passphrase = str | Callable[[], str]

_LISTED = 20
_LISTED_NAMES = 3


@dataclass
class MaskResult:
    """What a masking run did: its summary, the path of its report, and remarks about the input.

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
    columns: Mapping[str, str] | None = None,
    hash_columns: Sequence[str] = (),
    drop_columns: Sequence[str] = (),
    columns_file: FilePath | None = None,
    preset: str | None = None,
    encoding: str = UTF8,
    output_encoding: str | None = None,
    security_label: str | None = None,
    rescan: bool = True,
    two_pass: bool = False,
    rename: bool = False,
    workers: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    apart: Sequence[FilePath] = (),
    watch: Callable[[Progress], None] = lambda _: None,
    announce: Callable[[Progress], None] = lambda _: None,
    report: bool = True,
    run: Callable[..., Summary] | None = None,
    corrections: Corrections | None = None,
    **options: Unpack[DetectionKeywords],
) -> MaskResult:
    """Mask files and folders and, with `report`, write a report beside the output.

    A file becomes a file; a folder, several files, or an output that ends with a slash become a
    folder. `policy` is the name of a policy or a TOML file, `key` a key or its file; without a key
    one is made for the run. `mapping` is a file for the mapping, encrypted with `passphrase`.
    The columns are those of tables: `columns` are the labels of columns whose cells are identifiers
    as a whole, and `columns_file` or a `preset` names any of them. `encoding` is that of text files
    and of the table of known patients, or "auto" to detect it; the output has the same unless
    `output_encoding` is given. `security_label` is a code that masked resources of FHIR get in
    `meta.security`: ANONYED or PSEUDED.
    With `two_pass` the input is read twice, and names, units and number formats that are certain in
    several records are found in all of them. `rename` gives files and folders keyed names; the
    mapping leads back. `resume` continues an interrupted run. Files in
    `apart` must lie neither in the input nor in the output. `run` executes the job; by default
    this process and its workers do. `corrections` come from a review
    (`veil.review.files.corrections_of`). The other keywords are those of `DetectionOptions`.
    """
    paths = [sources] if isinstance(sources, (str, Path)) else sources
    plan = make_plan(
        [Path(path) for path in paths], Path(output), as_folder=str(output).endswith(os.sep)
    )
    table = table_options(
        text_columns=text_columns,
        id_column=id_column,
        patient_column=patient_column,
        columns=columns,
        hash_columns=hash_columns,
        drop_columns=drop_columns,
        columns_file=columns_file,
        preset=preset,
        encoding=encoding,
        output_encoding=output_encoding,
    )
    if security_label is not None:
        table = replace(table, security_label=_security_label(security_label))
    detection = DetectionOptions.of({**options, "encoding": table.encoding})
    policy_file = Path(policy).resolve() if str(policy).endswith(".toml") else None
    secrets = [path for path in (key, mapping, *apart) if isinstance(path, (str, Path))]
    _check_apart(plan, secrets, [*_given(detection).values(), policy_file])
    load_policy(policy)
    known = detection.known_table() or KnownTable()
    job = MaskJob(
        _detection(detection, known),
        policy_file or policy,
        key if key is None or isinstance(key, Key) else Key.read(Path(key)),
        rescan=rescan,
        options=table,
        mapping=None if mapping is None else MappingFile(Path(mapping), typed(passphrase)),
        report=report,
        two_pass=two_pass,
        rename=rename,
        corrections=corrections,
    )
    summary = (run or run_job)(
        plan,
        job,
        workers=_useful_workers(workers, plan),
        resume=resume,
        overwrite=overwrite,
        watch=watch,
        announce=announce,
    )
    result = MaskResult(summary, plan.report(".html"))
    # Other machines do not report which ids were looked up.
    was_counted = run is None and not resume
    _add_remarks(result, plan, known, detection.known, was_counted=was_counted)
    if not (rename or plan.alone):
        _warn_of_names(result, plan)
    return result


def _security_label(name: str) -> str:
    code = name.upper()
    if code not in SECURITY_LABELS:
        known = ", ".join(SECURITY_LABELS)
        raise InputError(f"unknown security label '{name}'; known: {known}")
    return code


def typed(passphrase: Passphrase) -> str:
    """Return the passphrase; if it is a function, call it only now, after all checks."""
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
            f"{options.model}: the model's labels belong to no known scheme; no policy applies"
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
        options,
    )


def _given(options: DetectionOptions) -> dict[str, FilePath | None]:
    """The files that the user gave for detection."""
    return {
        "own_rules": options.own_rules,
        "known": options.known,
        "allow": options.allow,
        "deny": options.deny,
    }


def _warn_of_names(result: MaskResult, plan: Plan) -> None:
    """Warn of names of files and folders that look identifying: they are kept."""
    languages = result.summary.tally.languages
    if named := identifying_names((file.name for file in plan.files()), languages):
        listed = ", ".join(named[:_LISTED_NAMES])
        more = f" and {len(named) - _LISTED_NAMES:,} more" if _LISTED_NAMES < len(named) else ""
        result.warnings.append(
            f"warning: names of files or folders look identifying, and are kept: {listed}{more}; "
            "give --rename"
        )


def _add_remarks(
    result: MaskResult, plan: Plan, table: KnownTable, known: FilePath | None, *, was_counted: bool
) -> None:
    for encoding, count in sorted(result.summary.tally.encodings.items()):
        result.notes.append(f"{count:,} file(s) read as {encoding}")
    if known and not result.summary.tally.known:
        result.warnings.append(f"no record has an id of {known}: no known values were searched for")
    elif table.unasked and was_counted:  # those of a resumed run were not
        result.notes.append(f"{len(table.unasked)} id(s) of {known} belong to no record")
    hidden = plan.hidden()
    if named := list(islice(hidden, _LISTED)):
        more = sum(1 for _ in hidden)
        result.notes.append(
            f"{len(named) + more:,} hidden file(s) or folder(s) skipped: {', '.join(named)}"
            f"{f' and {more:,} more' if more else ''}"
        )
