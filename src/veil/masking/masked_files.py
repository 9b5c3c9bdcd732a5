"""The public functions that reveal and check masked files."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.encodings import UTF8
from veil.core.errors import InputError
from veil.io.columns import table_options
from veil.io.outputs import check_apart, check_output, check_pages, write_text
from veil.masking.audit import (
    OLD_REPORT,
    MaskedOutput,
    check_inputs,
    check_seal,
    draw_sample,
    sample_page,
    sample_text,
)
from veil.masking.files import typed
from veil.masking.journal import ChangedValue
from veil.masking.mapping import MappingReader
from veil.masking.plan import Plan, make_plan
from veil.masking.reveal import reveal_plan, reveal_to_jsonl
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from veil.masking.audit import Sample
    from veil.masking.files import FilePath, Passphrase
    from veil.masking.mapping import Placed
    from veil.masking.reveal import Revealed


def reveal_files(
    masked: FilePath,
    output: FilePath,
    *,
    mapping: FilePath,
    passphrase: Passphrase,
    as_jsonl: bool = False,
    text_columns: Sequence[str] = (),
    id_column: str | None = None,
    columns: Mapping[str, str] | None = None,
    hash_columns: Sequence[str] = (),
    columns_file: FilePath | None = None,
    preset: str | None = None,
    encoding: str = UTF8,
    overwrite: bool = False,
    apart: Sequence[FilePath] = (),
) -> Revealed:
    """Write the originals of masked files, in their format or as JSON lines with ids and texts.

    Files in `apart` must not lie in the output.
    """
    message = "lies in the output and might be overwritten; choose another output"
    check_apart([mapping, *apart], [output], message)
    check_output(Path(masked), Path(output), overwrite=overwrite)
    options = table_options(
        text_columns=text_columns,
        id_column=id_column,
        columns=columns,
        hash_columns=hash_columns,
        columns_file=columns_file,
        preset=preset,
        encoding=encoding,
    )
    options = replace(options, dropped=())  # they are not in the masked file
    target = Path(output)
    with MappingReader(Path(mapping), typed(passphrase)) as opened:
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

    `files` and `digest` come from the seal. `warnings` are about the report itself.
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
    """Check that masked output is unchanged and, with the key of the run, that inputs are, too."""
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


@dataclass(frozen=True)
class ValuesResult:
    """How many clinical values a run found and changed; `listed` are the first changes."""

    found: int
    changed: int
    listed: tuple[ChangedValue, ...]


def changed_values(output: FilePath) -> ValuesResult:
    """Return the clinical values that were changed in masked output, according to its report."""
    values = MaskedOutput.open(Path(output)).report["clinical_values"]
    if values is None:
        raise InputError(f"{output}: was masked by a version of Veil that did not count values")
    listed = tuple(
        ChangedValue(each["file"], *(each[name] for name in ChangedValue._fields[1:]))
        for each in values["listed"]
    )
    return ValuesResult(values["found"], values["changed"], listed)


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
