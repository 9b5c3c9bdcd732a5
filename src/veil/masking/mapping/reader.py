"""Reading a mapping: originals for masked texts that are as they were written."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, Self

from veil.core.errors import InputError, RecordError
from veil.masking.mapping.entries import Entry, digest
from veil.masking.mapping.sealed import CLOSING, OPENED, Seal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from veil.masking.mapping.entries import Placed
    from veil.masking.mapping.sealed import Frame


class _Place(NamedTuple):
    """Where an entry stands, and a hash of its edits."""

    start: int
    number: int
    edits: int


class MappingReader:
    """A mapping that is whole and was opened with its passphrase; `count` is that of its entries.

    All of it is checked when it is opened. In memory are kept the places of entries by hashes of
    masked texts and ids, no text.
    """

    def __init__(self, path: Path, passphrase: str) -> None:
        self.count = 0
        self._path = path
        # None where the edits of several entries differ.
        self._by_text: dict[bytes, _Place | None] = {}
        self._by_record: dict[bytes, _Place | None] = {}
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        try:
            self._seal = Seal.read(self._file, passphrase, path)
            for frame, entry in self._entries():
                self.count += 1
                place = _Place(frame.start, frame.number, hash(entry.edits))
                text = bytes.fromhex(entry.digest)
                _note(self._by_text, text, place)
                _note(self._by_record, _record_key(text, entry.record), place)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def original(self, text: str, *, record: str | None = None) -> str:
        """The original of a masked text, or the error that says why there is none to give."""
        return self.entry(text, record=record).original(text)

    def entry(self, text: str, *, record: str | None = None) -> Entry:
        """The entry of a masked text, or the error that says why there is none.

        The text itself leads back; the record's id is asked only where different texts became
        this one.
        """
        key = bytes.fromhex(digest(text))
        if key not in self._by_text:
            raise RecordError(
                "its text is not in this mapping: it was changed since it was masked, or is of "
                "another run",
                record=record,
            )
        place = self._by_text[key]
        if place is None and record is not None:
            place = self._by_record.get(_record_key(key, record))
        if place is None:
            raise RecordError(
                "several texts were masked to this one, and its id does not tell which it was",
                record=record,
            )
        return self._entry(place)

    def edits(self, record: str) -> list[tuple[Placed, ...]]:
        """The edits of each text of a record, each text once."""
        self._file.seek(OPENED)
        found = {entry: None for _, entry in self._entries() if entry.record == record}
        if not found:
            raise RecordError("is not in this mapping", record=record)
        return [entry.edits for entry in found]

    def _entries(self) -> Iterator[tuple[Frame, Entry]]:
        """Yield the entries from where the file stands to its end."""
        last = 0
        for frame in self._seal.frames(self._file):
            if frame.kind == CLOSING:
                return
            last = frame.number
            yield frame, Entry.from_bytes(frame.payload)
        raise InputError(
            f"{self._path}: cut off after entry {last}, or its run did not end; let "
            "`veil mask --resume` go on, or use a whole copy"
        )

    def _entry(self, place: _Place) -> Entry:
        self._file.seek(place.start)
        frame = self._seal.next_frame(self._file, place.number)
        if frame is None:
            raise self._seal.damaged(place.number)
        return Entry.from_bytes(frame.payload)


def _note(index: dict[bytes, _Place | None], key: bytes, place: _Place) -> None:
    before = index.setdefault(key, place)
    if before is not None and before.edits != place.edits:
        index[key] = None


def _record_key(text: bytes, record: str) -> bytes:
    """What an entry is known by if its masked text alone does not tell it from others."""
    return blake2b(text + record.encode("utf-8", "surrogatepass"), digest_size=16).digest()
