from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.masking.journal import (
    MOST_LISTED,
    NAME,
    BatchEntry,
    CountedSpan,
    Finished,
    Journal,
    ListedSpan,
    Position,
    Tally,
    Withheld,
)

if TYPE_CHECKING:
    from pathlib import Path


HEADER = {"veil": "1", "started": "2026-01-01"}


def created(folder: Path) -> Journal:
    """A journal that was just begun."""
    journal = Journal.open(folder, create=True)
    journal.begin(HEADER)
    return journal


def entry(number: int) -> BatchEntry:
    """An entry that holds something of everything."""
    found = CountedSpan("PATIENT", "tag", "rules", "en")
    return BatchEntry(
        Tally(
            records=number,
            characters=100,
            known=1,
            doubtful=1,
            spans=Counter({found: 2}),
            languages=Counter({"en": number}),
            unsure=[ListedSpan(0.1 * number, "a.txt", "a", 1, 2, "PATIENT")],
        ),
        [Finished(f"f{number}", "in", "out", 7, number)],
        [Withheld("b.txt", None, "torn")],
        Position("c.jsonl", True, 3, 2, 1, 70),
    )


def test_entries_come_back_as_they_were(tmp_path: Path) -> None:
    """What was appended is read again, with the header before it."""
    with closing(created(tmp_path)) as journal:
        for number in (1, 2, 3):
            journal.append(entry(number))
        assert journal.header() == HEADER
        assert list(journal.entries()) == [entry(1), entry(2), entry(3)]


def test_a_torn_line_does_not_count(tmp_path: Path) -> None:
    """A line that was being written when the run was killed is as if it were not there."""
    with closing(created(tmp_path)) as journal:
        journal.append(entry(1))
        journal.append(entry(2))
    file = tmp_path / NAME
    file.write_bytes(file.read_bytes()[:-10])
    with closing(Journal.open(tmp_path)) as again:
        assert list(again.entries()) == [entry(1)]
        start = again.rewind(lambda entry: True, lambda entry: True)
        assert (start.files, start.tally.records) == (1, 1)
        again.append(entry(3))
        assert list(again.entries()) == [entry(1), entry(3)]


def test_rewinding_to_where_the_run_can_go_on(tmp_path: Path) -> None:
    """Entries after the last good one are forgotten, and their sums with them."""
    with closing(created(tmp_path)) as journal:
        for number in (1, 2, 3, 4):
            journal.append(entry(number))
        start = journal.rewind(lambda entry: entry.tally.records in (1, 2), lambda entry: True)
        assert start.files == 2
        assert start.tally.records == 3
        assert start.tally.spans.total() == 4
        assert list(journal.entries()) == [entry(1), entry(2)]
        start = journal.rewind(lambda entry: True, lambda entry: entry.finished[0].path != "f1")
        assert (start.files, start.position, start.tally) == (0, None, Tally())
        assert list(journal.entries()) == []


def test_only_one_run_at_a_time(tmp_path: Path) -> None:
    """A journal that is being written cannot be opened by another run."""
    journal = created(tmp_path)
    with pytest.raises(InputError, match="another run is active"):
        Journal.open(tmp_path)
    journal.close()
    Journal.open(tmp_path).close()


def test_the_lowest_scores_are_kept() -> None:
    """Of many spans of the memory the least sure are kept, whatever their order."""
    spans = [ListedSpan(number / 1000, "f", "r", 0, 1, "CITY") for number in range(500)]
    one, other = Tally(), Tally()
    one.add_remembered(spans)
    for span in reversed(spans):
        other.add_remembered([span])
    assert one.remembered == other.remembered == spans[:MOST_LISTED]


def test_all_unsure_spans_come_back(tmp_path: Path) -> None:
    """The journal has every unsure span, except those of files that were withheld after all."""
    spans = [
        ListedSpan(0.5, f"{name}.txt", name, at, at + 1, "CITY")
        for name in "ab"
        for at in range(300)
    ]
    with closing(created(tmp_path)) as journal:
        journal.append(BatchEntry(Tally(unsure=spans)))
        assert list(journal.unsure()) == spans
        later = BatchEntry()
        later.tally.withdraw("a.txt", Tally())
        journal.append(later)
        assert list(journal.unsure()) == spans[300:]


def test_sums_keep_no_unsure_spans() -> None:
    """The sum over batches needs no more memory for many unsure spans; a batch keeps its own."""
    total, batch = Tally(), Tally()
    total.add(entry(1).tally)
    batch.add(entry(1).tally, unsure=True)
    assert (total.unsure, total.doubtful) == ([], 1)
    assert batch.unsure == entry(1).tally.unsure


def test_counts_by_field() -> None:
    """Spans are counted by each of their fields, the most frequent first."""
    tally = Tally(
        spans=Counter(
            {
                CountedSpan("CITY", "tag", "rules", "en"): 2,
                CountedSpan("AGE", "keep", "rules", "sv"): 3,
            }
        )
    )
    assert list(tally.count_by("label").items()) == [("AGE", 3), ("CITY", 2)]
    assert tally.count_by("source") == {"rules": 5}
    assert tally.found == 5


@pytest.mark.parametrize("line", ["5", "{}", '{"tally": {}, "finished": [], "position": null}'])
def test_a_damaged_line_is_told(tmp_path: Path, line: str) -> None:
    """A whole line that is no entry is named, with what to do."""
    with closing(created(tmp_path)) as journal:
        journal.append(entry(1))
        with journal.path.open("a") as file:
            file.write(f"{line}\n")
        with pytest.raises(InputError, match="line 3 is damaged; start again with --overwrite"):
            journal.rewind(lambda entry: True, lambda entry: True)


@pytest.mark.parametrize("line", ["5", "{}"])
def test_a_damaged_header_is_told(tmp_path: Path, line: str) -> None:
    """A first line without the settings of the run is named, with what to do."""
    (tmp_path / NAME).write_text(f"{line}\n")
    with (
        closing(Journal.open(tmp_path)) as journal,
        pytest.raises(InputError, match="line 1 is damaged; start again with --overwrite"),
    ):
        journal.header()


def test_a_journal_is_not_opened_through_a_link(tmp_path: Path) -> None:
    """What a link leads to is not written over."""
    (tmp_path / "precious.txt").write_text("keep me")
    (tmp_path / NAME).symlink_to(tmp_path / "precious.txt")
    with pytest.raises(InputError, match=r"cannot be opened: .* symbolic links"):
        Journal.open(tmp_path, create=True)
    assert (tmp_path / "precious.txt").read_text() == "keep me"


def test_what_is_withdrawn_is_not_counted() -> None:
    """The sums of a file that is withheld after all are taken back, over several entries."""
    total, earlier, later = Tally(), entry(1).tally, Tally(records=1)
    later.withdraw("a.txt", earlier)
    total.add(earlier)
    total.add(Tally.from_data(later.to_data()))
    assert (total.records, total.characters, total.known, total.doubtful) == (1, 0, 0, 0)
    assert (total.found, total.count_by("label"), total.unsure) == (0, {}, [])
