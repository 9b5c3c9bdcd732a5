"""FHIR as NDJSON, a resource a line, as bulk exports have it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.io.fhir.elements import elements
from veil.io.fhir.people import People
from veil.io.fhir.reading import read_resource
from veil.io.fhir.references import PEOPLE, own_reference
from veil.io.fhir.rendering import Resource
from veil.io.files import BOM, FileWriter, Ids, begins_with_bom, reading
from veil.io.json_raw import JsonError, parse
from veil.io.reading import lines
from veil.io.rewriting import Item

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.io.json_raw import Value
    from veil.io.reading import Piece
    from veil.io.rewriting import TableOptions

_LONGEST_FIRST_LINE = 1 << 24
# Files of a bulk export that hold people: Patient.ndjson, 1.Patient.ndjson, practitioner-2.ndjson.
_PEOPLE_FILE = re.compile(
    rf"(?:.*[._\-])?(?:{'|'.join(sorted(PEOPLE))})(?:[._\-].*)?\.ndjson", re.IGNORECASE
)
_PLAIN_REFERENCE = re.compile(r"[A-Za-z]{1,64}/[A-Za-z0-9.\-]{1,64}")
_QUOTED_PEOPLE = tuple(f'"{kind}"'.encode() for kind in PEOPLE)


class RewritableFhirNdjson:
    """Resources line by line; what the people's resources say is known for all others."""

    name = "fhir-ndjson"
    about = "FHIR R4 as NDJSON, a resource a line"
    suffixes = (".ndjson", ".jsonl", ".json")
    resumable = True

    def sniff(self, file: Path) -> bool:
        with file.open("rb") as source:
            first = source.readline(_LONGEST_FIRST_LINE).removeprefix(BOM)
            while first and not first.strip():
                first = source.readline(_LONGEST_FIRST_LINE)
            second = source.read(1)
        if not first.lstrip().startswith(b"{") or b'"resourceType"' not in first:
            return False
        # One resource in a .json file is the other format's.
        return file.suffix.lower() != ".json" or (first.rstrip().endswith(b"}") and second == b"{")

    def items(self, file: Path, options: TableOptions) -> Iterator[Item | RecordError]:
        ids = Ids()
        with reading(file):
            people = _people_around(file) if file.is_file() else None
            for line in lines(file):
                yield from _read(line, file, people, ids)

    def writer(
        self, source: Path, target: Path, options: TableOptions, *, resume: bool = False
    ) -> FileWriter:
        return FileWriter(target, head=BOM if begins_with_bom(source) else b"", resume=resume)


def _read(line: Piece, file: Path, people: People | None, ids: Ids) -> Iterator[Item | RecordError]:
    try:
        raw = line.decode(file)
        if not raw.strip():
            yield Item((), Resource(raw), is_record=False)
            return
        value = parse(raw)
    except JsonError as error:
        yield RecordError(str(error), path=file, line=line.line)
        return
    except RecordError as error:
        yield error
        return
    if not value.string("resourceType"):
        yield RecordError("no resource: it has no resourceType", path=file, line=line.line)
        return
    name = ids.claim(resource_name(value, f"{file.stem}-{line.line}"), line.line)
    if people is None:
        people = People()
        people.add(value)
    yield from read_resource(raw, value, people, name=name, file=file, line=line.line)


def resource_name(resource: Value, otherwise: str) -> str:
    """What a resource is called in reports; an unusual type or id may be a piece of a record."""
    reference = own_reference(resource)
    is_plain = resource.string("resourceType") in elements().resources
    return reference if is_plain and _PLAIN_REFERENCE.fullmatch(reference) else otherwise


def _people_around(file: Path) -> People:
    """Whoever has a resource in a file or in those of people beside it."""
    beside = (
        each
        for each in sorted(file.parent.iterdir())
        if each != file and _PEOPLE_FILE.fullmatch(each.name) and each.is_file()
    )
    people = _people_of(tuple((each, *_state(each)) for each in beside)).copy()
    _take_in(people, file)
    return people


@lru_cache(maxsize=1)
def _people_of(files: tuple[tuple[Path, int, int], ...]) -> People:
    """The people of several files, read once for all files beside them."""
    people = People()
    for file, _, _ in files:
        _take_in(people, file)
    return people


def _state(file: Path) -> tuple[int, int]:
    state = file.stat()
    return state.st_size, state.st_mtime_ns


def _take_in(people: People, file: Path) -> None:
    """Take in the people of a file; lines that cannot be read are told when their turn comes."""
    for line in lines(file):
        if any(kind in line.data for kind in _QUOTED_PEOPLE):
            try:
                people.add(parse(line.decode(file)))
            except (JsonError, RecordError):
                continue
