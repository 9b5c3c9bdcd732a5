"""Functions over reviews: open, export, and use them for training and masking."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, printable
from veil.core.labels import VEIL
from veil.masking.audit import MaskedOutput
from veil.masking.corrections import digest
from veil.masking.report import sample_size
from veil.review.material import (
    AnnotationSource,
    Detectors,
    annotated,
    audited,
    learning_order,
)
from veil.review.project import Project
from veil.review.source import ReviewSource, read_path, stored_path
from veil.review.store import RecordRow, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from veil.core.document import Record
    from veil.masking.corrections import Corrections
    from veil.replace.secret import Key
    from veil.review.material import Analysed, Mark, ReviewText

_MAGIC = b"SQLite format 3\0"
_READING = ("from_format", "text_columns", "id_column", "patient_column", "encoding")


def open_project(
    source: ReviewSource,
    path: Path | None = None,
    *,
    progress: Callable[[int | None], None] = lambda _: None,
) -> Project:
    """Open a review or create it; creating runs detection on all records, which takes a while."""
    source.check()
    target = path or source.default_store()
    if target.exists():
        store = Store.open(target)
        try:
            if store.is_complete:
                return _reopen(store, source)
        except BaseException:
            store.close()
            raise
        store.close()
        _remove(target)  # the first start was interrupted, so it contains no decisions
    return _begin(source, target, progress)


def _begin(source: ReviewSource, target: Path, progress: Callable[[int | None], None]) -> Project:
    output = MaskedOutput.open(source.path) if source.originals else None
    detectors = Detectors(source.detection_options())
    meta: dict[str, Any] = {
        "mode": source.mode,
        "title": printable(source.path.resolve().name),
        "double": source.double,
        "path": stored_path(source.path, target),
        "originals": [stored_path(path, target) for path in source.originals],
        "reading": {
            name: value for name, value in (source.reading or {}).items() if name in _READING
        },
    }
    store = Store.create(target, meta)
    try:
        texts: list[ReviewText] = []
        analysed: list[Analysed] = []
        for text, found in _analysed(source, output, detectors, meta):
            texts.append(text)
            analysed.append(found)
            progress(None)
        if not texts:
            raise InputError(f"{source.path}: no records to review")
        _fill(store, texts, analysed, meta)
    except BaseException:
        store.close()
        _remove(target)
        raise
    return Project(store, texts, source, detectors)


def _remove(store: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{store}{suffix}").unlink(missing_ok=True)


def _analysed(
    source: ReviewSource,
    output: MaskedOutput | None,
    detectors: Detectors,
    meta: dict[str, Any],
) -> Iterator[tuple[ReviewText, Analysed]]:
    """Yield the records to be reviewed; `meta` gets the data about all of them."""
    if output is not None:
        seal = output.report["seal"]["digest"]
        meta |= {
            "seal": seal,
            "scheme": VEIL,
            "run": {
                "policy": output.report["policy"]["name"],
                "key": output.report["key"]["fingerprint"],
                "files": output.report["seal"]["files"],
            },
        }
        total = sum(1 for _ in source.pairs())
        order = random_order(seal, total)
        wanted = source.sample or max(output.report["sample"]["size"], sample_size(total))
        _set_sample(meta, order, wanted, only=source.only_sample)
        chosen = set(meta["chosen"])
        pairs = (pair for number, pair in enumerate(source.pairs()) if number in chosen)
        for pair, found in audited(pairs, output, detectors):
            yield pair.text, found
        return
    records = AnnotationSource(source.path, source.reading or {})
    digests = hashlib.sha256()
    found_records = []
    for text, found in annotated(records, detectors):
        digests.update(hashlib.sha256(text.packed).digest())
        found_records.append((text, found))
    meta |= {"seal": None, "scheme": records.labels.name, "run": None}
    meta["withheld"] = len(records.problems)
    order = random_order(digests.hexdigest(), len(found_records))
    wanted = source.sample or sample_size(len(found_records))
    _set_sample(meta, order, wanted, only=source.only_sample)
    chosen = set(meta["chosen"])
    yield from (pair for number, pair in enumerate(found_records) if number in chosen)


def random_order(seed: str, count: int) -> list[int]:
    """The numbers of records in a random order that the seed determines."""
    return sorted(range(count), key=lambda n: hashlib.sha256(f"{seed}:{n}".encode()).digest())


def _set_sample(meta: dict[str, Any], order: Sequence[int], size: int, *, only: bool) -> None:
    """Store the random order, the sample size, and the records in the review."""
    size = min(size, len(order))
    chosen = sorted(order[:size]) if only else list(range(len(order)))
    rank = {number: place for place, number in enumerate(order)}
    meta |= {
        "population": len(order),
        "sample_size": size,
        "chosen": chosen,
        "ranks": [rank[number] for number in chosen],
    }


def _fill(
    store: Store,
    texts: Sequence[ReviewText],
    analysed: Sequence[Analysed],
    meta: dict[str, Any],
) -> None:
    salt = store.salt
    learning = learning_order(
        [(len(text.original), found.doubts) for text, found in zip(texts, analysed, strict=True)]
    )
    place = {record: rank for rank, record in enumerate(learning)}
    ranks = meta.pop("ranks")
    meta["chosen"] = None if len(meta["chosen"]) == meta["population"] else meta["chosen"]

    def rows() -> Iterator[tuple[RecordRow, list[Any], Sequence[Mark]]]:
        for number, (text, found) in enumerate(zip(texts, analysed, strict=True)):
            whole, masked = text.original, text.masked
            row = RecordRow(
                number,
                printable(text.name),
                digest(salt, whole),
                None if masked is None else digest(salt, masked),
                found.language,
                len(whole),
                place[number],
                found.missed,
                ranks[number],
            )
            parts = [
                (
                    replace(part, document=printable(part.document)),
                    digest(salt, whole[part.start : part.end]),
                )
                for part in text.parts
            ]
            yield row, parts, found.marks

    store.fill(rows(), meta)


def _reopen(store: Store, source: ReviewSource) -> Project:
    """Read the texts of an existing review, and check that they are unchanged."""
    meta = store.meta
    if meta["mode"] != source.mode:
        raise InputError(
            f"{store.path}: is the store of another kind of review ({meta['mode']}); choose "
            "another --store"
        )
    chosen = None if meta["chosen"] is None else set(meta["chosen"])
    texts = [
        text for number, text in enumerate(source.texts()) if chosen is None or number in chosen
    ]
    rows = store.records()
    salt = store.salt
    for row, text in zip(rows, texts, strict=False):
        masked = text.masked
        same_masked = masked is None or digest(salt, masked) == row.masked_digest
        if digest(salt, text.original) != row.digest or not same_masked:
            raise InputError(
                f"{row.name}: its text has changed since the review; restore the file, or "
                "begin a new review with another --store"
            )
    if len(rows) != len(texts):
        raise InputError(
            f"{store.path}: has {len(rows):,} record(s), but {len(texts):,} were read; begin a new "
            "review with another --store"
        )
    return Project(store, texts, source)


def is_store(path: Path) -> bool:
    """Whether a path is the store of a review, by its first bytes."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def source_of_store(path: Path, key: Key | None = None) -> ReviewSource:
    """The source of a store: where its records were when the review began."""
    with closing(Store.open(path)) as store:
        meta = store.meta
    return ReviewSource(
        read_path(meta["path"], path),
        tuple(read_path(each, path) for each in meta["originals"]),
        key=key,
        reading=meta.get("reading") or {},
        double=meta["double"],
    )


def export_review(
    project: Project,
    output: str | Path,
    *,
    to: str = "jsonl",
    scheme: str | None = None,
    only_done: bool = False,
) -> int:
    """Write the records of a review with their corrected spans; return their number."""
    return project.export(to, output, only_done=only_done, to_scheme=scheme)


def corrections_of(store: str | Path) -> Corrections:
    """The corrections of a review, for masking again with `mask_files`; reads no text."""
    with closing(Store.open(Path(store))) as opened:
        if not opened.is_complete:
            raise InputError(f"{store}: the review was not started; open it with veil review first")
        return Project(opened, (), source_of_store(Path(store))).corrections()


def reviewed_records(store: str | Path, *, key: Key | None = None) -> list[Record]:
    """The records of a review that were marked as done, with their corrected spans."""
    path = Path(store)
    project = open_project(source_of_store(path, key), path)
    with closing(project.store):
        records = list(project.results(only_done=True))
    if not records:
        raise InputError(f"{store}: no record is marked as done")
    return records
