"""The parts of a bundle, read one after the other: what stands around its entries, and these."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import RecordError
from veil.io.fhir.people import People
from veil.io.json_raw import JsonError, Value, parse
from veil.io.json_stream import JsonStream

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

_MARK = "\ufeff"


class Entry(NamedTuple):
    """An entry of a bundle with the blanks around it."""

    before: str
    raw: str
    value: Value
    after: str
    line: int


class Frame(NamedTuple):
    """A bundle without its entries, which begin at `split`, or a single resource."""

    raw: str
    value: Value
    split: int | None


def read_frame(file: Path) -> tuple[Frame, People]:
    """Read a file once, for what stands around its entries and for its people."""
    people = People()
    pieces = []
    for part in _parts(file):
        if isinstance(part, str):
            pieces.append(part)
            continue
        resource = part.value.get("resource")
        if resource:
            people.add(resource, part.value.string("fullUrl"))
    raw = "".join(pieces)
    value = _parsed(raw, file)
    if value.string("resourceType") == "Bundle" and len(pieces) == 2:
        return Frame(raw, value, len(pieces[0])), people
    # Other resources have entries too, but these are no resources.
    raw = file.read_bytes().decode("utf-8").removeprefix(_MARK)
    value = _parsed(raw, file)
    people.add(value)
    return Frame(raw, value, None), people


def _parsed(raw: str, file: Path) -> Value:
    try:
        value = parse(raw)
    except JsonError as error:
        raise RecordError(str(error), path=file) from None
    if not value.string("resourceType"):
        raise RecordError("no resource: it has no resourceType", path=file)
    return value


def read_entries(file: Path) -> Iterator[Entry]:
    """Yield the entries of a bundle."""
    return (part for part in _parts(file) if isinstance(part, Entry))


def _parts(file: Path) -> Iterator[str | Entry]:
    """Yield what comes before the array of entries, the entries, and what comes after them."""
    with file.open("rb") as source:
        stream = JsonStream(source, file)
        if stream.next_is(_MARK):
            stream.sign(_MARK)
        raw = [stream.blank(), stream.sign("{"), stream.blank()]
        while not stream.next_is("}"):
            key_raw, key = stream.value()
            raw += [key_raw, stream.blank(), stream.sign(":"), stream.blank()]
            if key.text == "entry" and stream.next_is("["):
                yield "".join([*raw, stream.sign("[")])
                raw = yield from _array(stream)
            else:
                raw.append(stream.value()[0])
            raw.append(stream.blank())
            if not stream.next_is("}"):
                raw += [stream.sign(","), stream.blank()]
        yield "".join([*raw, stream.rest()])


def _array(stream: JsonStream) -> Generator[Entry, None, list[str]]:
    """Yield the elements of an array that is open; return its end."""
    before = stream.blank()
    while not stream.next_is("]"):
        line = stream.line
        raw, value = stream.value()
        yield Entry(before, raw, value, stream.blank(), line)
        before = ""
        if not stream.next_is("]"):
            stream.sign(",")
            before = stream.blank()
            if stream.next_is("]"):
                raise stream.error("not JSON")
    return [before, stream.sign("]")]
