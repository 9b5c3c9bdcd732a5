from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, RecordError
from veil.io import Format, Item, TableOptions
from veil.io.text import TextFormat
from veil.masking.journal import Position
from veil.masking.plan import make_plan
from veil.masking.stream import Begin, End, Event, Fail, Take, event_batches, read_events
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from veil.io.base import Source

OPTIONS = TableOptions()
KEY = Key(b"a key for tests alone")


def events_of(folder: Path, file_format: Format | None = None) -> list[Event]:
    files = make_plan([folder], folder.parent / "out").files()
    with pytest.MonkeyPatch.context() as patched:
        if file_format is not None:
            patched.setattr("veil.masking.stream.find_format", lambda _: file_format)
        return list(read_events(files, OPTIONS, KEY))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Short and long files: texts, and JSON lines that go over several batches."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name, lines in {"a": 2, "c": 9, "d": 1, "f": 5, "g": 0}.items():
        texts = [json.dumps({"id": f"{name}{n}", "text": "x" * 300}) for n in range(lines)]
        (folder / f"{name}.jsonl").write_text("".join(f"{text}\n" for text in texts))
    for name in "be":
        (folder / f"{name}.txt").write_text("y" * 350)
    return folder


def texts(batch: list[Event]) -> list[str]:
    return [doc.id for event in batch if isinstance(event, Take) for doc in event.item.documents]


@pytest.mark.usefixtures("small_batches")
def test_batches_are_cut_alike_wherever_reading_goes_on(mixed: Path) -> None:
    """From the end of any batch, inside a file or between two, the following cuts are the same."""
    plan = make_plan([mixed], mixed.parent / "out")
    batches = list(event_batches(read_events(plan.files(), OPTIONS, KEY)))
    assert 5 < len(batches)
    files = list(plan.files())
    ended, inside, current = 0, 0, ""
    for place, batch in enumerate(batches[:-1]):
        for event in batch:
            if isinstance(event, Begin):
                inside, current = 0, event.file.path
            elif isinstance(event, Take):
                inside += 1
            elif isinstance(event, End):
                ended, current = ended + 1, ""
        after = Position(current, True, inside, inside, 0, 0) if current else None
        again = event_batches(read_events(files[ended:], OPTIONS, KEY, after))
        assert [texts(each) for each in again] == [texts(each) for each in batches[place + 1 :]]


@pytest.mark.usefixtures("small_batches")
def test_a_file_of_several_batches_ends_the_last(mixed: Path) -> None:
    """No other file begins in the batch in which a long one ends."""
    for batch in event_batches(events_of(mixed)):
        goes_on = bool(batch) and not isinstance(batch[0], Begin)
        if goes_on and any(isinstance(event, End) for event in batch):
            assert not any(isinstance(event, Begin) for event in batch)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("count", range(1, 9))
def test_no_batch_begins_with_an_end(count: int, tmp_path: Path) -> None:
    """What ends a file, its last item or an error, stands in one batch with the end."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("x")
    item = Item((Document("good", "y" * 97),))
    events = events_of(folder, OddFormat(*[item] * count, InputError("torn")))
    assert not [batch for batch in event_batches(events) if isinstance(batch[0], End)]


def test_texts_are_named_by_their_path(notes: Path) -> None:
    """The id of a text file is its path without the suffix, as in `veil detect`."""
    assert texts(events_of(notes))[:2] == ["ward-0/note-0", "ward-0/note-2"]


class OddFormat(TextFormat):
    """Yields what it is given, and raises the last if it is an error that ends a file."""

    def __init__(self, *outcomes: Item | Exception) -> None:
        self._outcomes = outcomes

    def read_items(self, source: Source) -> Iterator[Item | RecordError]:
        for outcome in self._outcomes:
            if isinstance(outcome, Item | RecordError):
                yield outcome
            else:
                raise outcome


GOOD = Item((Document("good", "text"),))


@pytest.mark.parametrize(
    ("outcomes", "failed"),
    [
        ([GOOD, RecordError("no JSON", line=2), GOOD], [("line 2", "no JSON")]),
        ([RecordError("bad", record="r-1")], [("r-1", "bad")]),
        ([RecordError("bad", record="r-1", line=4)], [("r-1", "line 4: bad")]),
        ([GOOD, RecordError("bad")], [("item 2", "bad")]),
        ([GOOD, InputError("torn")], [(None, "torn")]),
        ([PermissionError(13, "Permission denied")], [(None, "cannot be read: Permission denied")]),
        ([ValueError("quotes Okafor")], [(None, "reading failed (ValueError)")]),
    ],
)
def test_what_cannot_be_read_is_named(
    outcomes: list[Item | Exception], failed: list[tuple[str | None, str]], tmp_path: Path
) -> None:
    """A bad item leaves the others; an error of the file ends it; no message is quoted."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("x")
    events = events_of(folder, OddFormat(*outcomes))
    assert [(each.record, each.reason) for each in events if isinstance(each, Fail)] == failed
    assert sum(isinstance(each, Take) for each in events) == outcomes.count(GOOD)
    assert isinstance(events[0], Begin)
    assert isinstance(events[-1], End)


def test_a_file_of_no_known_kind_is_failed(tmp_path: Path) -> None:
    """A picture has no format: it begins, fails and ends."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "scan.png").write_bytes(b"\x89PNG\0")
    begin, failed, end = events_of(folder)
    assert isinstance(begin, Begin)
    assert begin.file_format is None
    assert isinstance(failed, Fail)
    assert "not a format that Veil can read" in failed.reason
    assert isinstance(end, End)
    assert end.digest
