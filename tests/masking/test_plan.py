from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import InputError
from veil.masking.plan import make_plan

if TYPE_CHECKING:
    from pathlib import Path


def test_every_file_keeps_its_path(notes: Path, tmp_path: Path) -> None:
    """Files go to the same path below the output, in sorted order; hidden ones stay out."""
    (notes / ".hidden.txt").write_text("x")
    plan = make_plan([notes], tmp_path / "out")
    assert [file.path for file in plan.files()] == [
        *(f"ward-0/note-{number}.txt" for number in (0, 2, 4)),
        *(f"ward-1/note-{number}.txt" for number in (1, 3, 5)),
    ]
    assert next(plan.files()).record == "ward-0/note-0"
    assert plan.survey().files == 6


def test_one_file_becomes_one_file_or_goes_into_a_folder(notes: Path, tmp_path: Path) -> None:
    """The output of a file is a file, unless a folder is there or asked for."""
    source = notes / "ward-0" / "note-0.txt"
    alone = make_plan([source], tmp_path / "masked.txt")
    assert [file.path for file in alone.files()] == ["masked.txt"]
    assert alone.report(".json") == tmp_path / "masked.txt.veil-report.json"
    assert alone.work == tmp_path / ".masked.txt.veil-mask"
    inside = make_plan([source], tmp_path / "masked", as_folder=True)
    assert [file.path for file in inside.files()] == ["note-0.txt"]
    assert inside.report(".html") == tmp_path / "masked" / "veil-report.html"


@pytest.mark.parametrize(
    ("sources", "target", "message"),
    [
        (["notes"], "notes/out", "lies inside the input"),
        (["notes/ward-0"], "notes", "lies inside the output"),
        (["notes"], "notes", "is the input"),
        (["notes/ward-0/note-0.txt"], "notes/ward-0/note-0.txt", "is the input"),
        (["notes", "notes"], "out", "is named twice"),
        (["notes", "notes/ward-0"], "out", "one contains the other"),
        (["notes", "nowhere"], "out", "no such file or folder"),
        (["notes"], "notes/ward-0/note-0.txt", "lies inside the input"),
        (["notes"], "file", "is a file"),
        (["notes"], "file/below", "is a file, not a folder"),
    ],
)
def test_places_that_do_not_go_together(
    sources: list[str], target: str, message: str, notes: Path, tmp_path: Path
) -> None:
    """What would lose or mix files is refused."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=message):
        make_plan([tmp_path / source for source in sources], tmp_path / target)


def test_two_files_of_one_path_are_refused(notes: Path, tmp_path: Path) -> None:
    """Two sources that would write the same file are an error that names both."""
    other = tmp_path / "other" / "ward-1"
    other.mkdir(parents=True)
    (other / "note-3.txt").write_text("another")
    plan = make_plan([notes, other.parent], tmp_path / "out")
    with pytest.raises(InputError, match=r"would both become ward-1/note-3\.txt"):
        plan.survey()
    single = tmp_path / "note.txt"
    single.write_text("x")
    (notes / "note.txt").write_text("y")
    with pytest.raises(InputError, match=r"would both become note\.txt"):
        make_plan([single, notes], tmp_path / "out").survey()


def test_the_report_needs_its_name(notes: Path, tmp_path: Path) -> None:
    """A file that has the name of the report is refused."""
    (notes / "veil-report.json").write_text("{}")
    with pytest.raises(InputError, match="the report would have this name"):
        make_plan([notes], tmp_path / "out").survey()


def test_the_survey_notices_every_change(notes: Path, tmp_path: Path) -> None:
    """A file that is added or written again gives another digest."""
    plan = make_plan([notes], tmp_path / "out")
    digests = [plan.survey().digest]
    (notes / "ward-0" / "note-0.txt").write_text("changed")
    digests.append(plan.survey().digest)
    (notes / "new.txt").write_text("x")
    digests.append(plan.survey().digest)
    assert len(set(digests)) == 3


def test_missing_rights_are_told(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output where nothing may be written is refused before the run."""
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(InputError, match="no permission to write"):
        make_plan([notes], notes.parent / "out")


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    """A folder without files is most likely the wrong one."""
    (tmp_path / "empty" / ".hidden").mkdir(parents=True)
    with pytest.raises(InputError, match="no file to mask"):
        make_plan([tmp_path / "empty"], tmp_path / "out").survey()


def test_a_link_in_the_output_is_not_followed(notes: Path, tmp_path: Path) -> None:
    """A folder of the output that leads elsewhere is refused: it may lead to the input."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "ward-0").symlink_to(notes / "ward-0")
    with pytest.raises(InputError, match=r"out/ward-0: is a link in the output"):
        make_plan([notes], out).survey()
    (out / "ward-0").unlink()
    (out / ".veil-mask").symlink_to(notes)
    with pytest.raises(InputError, match=r"out/\.veil-mask: is a link in the output"):
        make_plan([notes], out).survey()


def test_an_output_may_be_a_link_itself(notes: Path, tmp_path: Path) -> None:
    """The folder that the user named is taken as it is."""
    (tmp_path / "real" / "ward-0").mkdir(parents=True)
    (tmp_path / "out").symlink_to(tmp_path / "real")
    assert make_plan([notes], tmp_path / "out").survey().files == 6


def test_what_stands_in_the_way_is_named(notes: Path, tmp_path: Path) -> None:
    """A folder in the place of a file and a file in the place of a folder are refused."""
    folder = tmp_path / "out" / "ward-0" / "note-0.txt"
    folder.mkdir(parents=True)
    with pytest.raises(InputError, match=r"out/ward-0/note-0\.txt: is a folder, but a file"):
        make_plan([notes], tmp_path / "out").survey()
    folder.rmdir()
    (tmp_path / "out" / "ward-1").write_text("x")
    with pytest.raises(InputError, match=r"out/ward-1: is a file, but a folder"):
        make_plan([notes], tmp_path / "out").survey()
