"""Annotated records: convert, show and synthesise them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from veil import io
from veil.core.errors import InputError
from veil.core.labels import VEIL, Converter
from veil.core.labels import scheme as scheme_of
from veil.files.reading import FilesResult, Reader, Reading
from veil.files.schemes import convert_records
from veil.io.outputs import check_free, check_output, check_pages, write_text
from veil.render import record_view, render_page
from veil.synth.inject import inject
from veil.synth.notes import dummy_records
from veil.synth.swap import MentionPool, swap_mentions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from veil.files.reading import FilePath


def convert_files(
    source: FilePath,
    target: FilePath,
    *,
    to: str,
    scheme: str | None = None,
    from_scheme: str | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> FilesResult:
    """Convert annotated records to another format and, with `scheme`, to another label scheme."""
    if from_scheme is not None and scheme is None:
        raise InputError("--from-scheme needs --scheme, the label scheme of the output")
    check_output(Path(source), Path(target), overwrite=overwrite)
    reader = Reader(reading)
    records = reader.read(source)
    converter = None
    if scheme is not None:
        records, converter = convert_records(records, scheme, from_scheme, reader.log)
    result = FilesResult(io.write(records, target, format=to, log=reader.log))
    result.add(reader.log, converter)
    return result


def show_files(
    source: FilePath, page: FilePath, *, overwrite: bool = False, **reading: Unpack[Reading]
) -> FilesResult:
    """Write an HTML page that shows records with their spans highlighted."""
    check_pages([page], [source], overwrite=overwrite)
    reader = Reader(reading)
    views = map(record_view, reader.read(source))
    title = Path(source).name
    write_text(page, render_page("records", title=title, paragraphs=(), records=views))
    return FilesResult.of(reader)


def synth_files(
    lang: str,
    output: FilePath,
    *,
    count: int = 100,
    seed: int = 0,
    kinds: Sequence[str] = (),
    base: FilePath | None = None,
    swap: FilePath | None = None,
    to: str = "jsonl",
    scheme: str | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> FilesResult:
    """Write dummy records with gold spans.

    With `base`, identities are inserted into the texts of that folder, which have none; with
    `swap`, the spans of annotated records are replaced by others with the same label.
    """
    if scheme is not None and swap is not None:
        raise InputError("--scheme, with --swap: leave out --scheme, labels are not converted")
    check_free(Path(output), overwrite=overwrite)
    reader = Reader(reading)
    source = base or swap
    if source is not None:
        check_output(Path(source), Path(output), overwrite=overwrite)
    if base is not None:
        from veil.detect.assembly import rules_pipeline  # slow to import, and rarely needed

        silver = rules_pipeline(lang).detect
        docs = (record.document for record in reader.read(base))
        records = inject(docs, lang, silver=silver, seed=seed)
    elif swap is not None:
        annotated = list(reader.read(swap))
        records = swap_mentions(annotated, MentionPool.of(annotated), seed=seed)
    else:
        records = dummy_records(lang, count, seed=seed, only=kinds)
        progress = reading.get("progress")
        records = iter(progress(records, count)) if progress else records
    converter = None
    if scheme not in (None, VEIL):
        converter = Converter(scheme_of(VEIL), scheme_of(scheme))
        records = map(converter.convert_record, records)
    result = FilesResult(io.write(records, output, format=to))
    result.add(reader.log, converter)
    return result
