"""Reviews for users: opening and exporting them, training on them, and masking with them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.review.project import Project, ReviewSource, open_project, read_path, seal_problems
from veil.review.store import Store

if TYPE_CHECKING:
    from veil.core.document import Record
    from veil.masking.corrections import Corrections
    from veil.replace.secret import Key

__all__ = [
    "Project",
    "ReviewSource",
    "corrections_of",
    "export_review",
    "is_store",
    "open_project",
    "open_store",
    "reviewed_records",
    "seal_problems",
    "source_of_store",
]

_MAGIC = b"SQLite format 3\0"


def is_store(path: Path) -> bool:
    """Whether a path is the store of a review, by its first bytes."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def open_store(path: Path) -> Store:
    return Store.open(path)


def source_of_store(path: Path, key: Key | None = None) -> ReviewSource:
    """What a store is about: where its records were when the review began."""
    with closing(Store.open(path)) as store:
        meta = store.meta
    original = meta["original"]
    return ReviewSource(
        read_path(meta["path"], path),
        None if original is None else read_path(original, path),
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
    """The corrections of a review, with which `mask_files` masks again; no text is read."""
    with closing(Store.open(Path(store))) as opened:
        if not opened.is_complete:
            raise InputError(f"{store}: the review was not begun")
        return Project(opened, (), source_of_store(Path(store))).corrections()


def reviewed_records(store: str | Path, *, key: Key | None = None) -> list[Record]:
    """The records of a review that were read, with their corrected spans."""
    path = Path(store)
    project = open_project(source_of_store(path, key), path)
    with closing(project.store):
        records = list(project.results(only_done=True))
    if not records:
        raise InputError(f"{store}: no record is marked as done")
    return records
