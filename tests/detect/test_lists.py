"""Allow and deny lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError, Span
from veil.detect.assembly import default_pipeline
from veil.detect.lists import AllowList, DenyList
from veil.detect.pipeline import DetectionPipeline

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, content: str) -> Path:
    file = folder / "list.txt"
    file.write_text(content, encoding="utf-8")
    return file


def found(deny: DenyList, text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.label) for span in deny.detect(Document("d", text))]


def test_denied_terms_are_found_in_any_case_and_spacing(tmp_path: Path) -> None:
    """A term is found whatever its case and white space, with its label or as OTHER."""
    deny = DenyList.read(write(tmp_path, "# ours\nProject North Star\nBlue House\tHOSPITAL\n"))
    assert found(deny, "the PROJECT  north\nstar at blue house") == [
        ("PROJECT  north\nstar", "OTHER"),
        ("blue house", "HOSPITAL"),
    ]


def test_denied_terms_are_whole_words() -> None:
    """A term is not found inside a longer word; in Japanese, which has no spaces, it is."""
    deny = DenyList({"Ek": "NAME", "みどり": "HOSPITAL"})
    assert found(deny, "Ekman, Ek; bek") == [("Ek", "NAME")]
    assert found(deny, "昨日みどり病院で") == [("みどり", "HOSPITAL")]


def test_the_longest_term_wins() -> None:
    """Of two terms that begin alike the longer one is found."""
    deny = DenyList({"Blue": "OTHER", "Blue House": "HOSPITAL"})
    assert found(deny, "Blue House") == [("Blue House", "HOSPITAL")]


def test_allowed_terms_stay_readable() -> None:
    """A span that is an allowed term as a whole is dropped; a longer one is not."""
    doc = Document("d", "Parkinson, Dr Parkinson")
    allow = AllowList(["parkinson"])
    spans = [Span(0, 9, "NAME"), Span(11, 23, "NAME")]
    assert allow.without_allowed(doc, spans) == [Span(11, 23, "NAME")]


def test_known_and_denied_terms_cannot_be_allowed() -> None:
    """The patient's own name stays a leak even if the word is allowed."""
    doc = Document("d", "Parkinson")
    spans = [Span(0, 9, "PATIENT", 1.0, "known:name"), Span(0, 9, "OTHER", 1.0, "deny")]
    assert AllowList(["Parkinson"]).without_allowed(doc, spans) == spans


def test_pipelines_use_both_lists(tmp_path: Path) -> None:
    """What a pipeline finds changes by the lists, and by nothing else."""
    text = "Mr. John Hale takes part in the quarry study. Seen in Toledo."
    (tmp_path / "allow").mkdir()
    allow = write(tmp_path / "allow", "Toledo\n")
    deny = write(tmp_path, "Quarry Study\n")
    plain = default_pipeline("en").detect(Document("d", text))
    listed = default_pipeline("en", allow=allow, deny=deny).detect(Document("d", text))
    assert {text[s.start : s.end] for s in plain} == {"John Hale", "Toledo"}
    assert {text[s.start : s.end] for s in listed} == {"John Hale", "quarry study"}


def test_a_pipeline_of_lists_alone_works() -> None:
    """The deny list is a detector like any other."""
    pipeline = DetectionPipeline([], deny=DenyList({"Ek": "NAME"}))
    assert [span.label for span in pipeline.detect(Document("d", "Ek"))] == ["NAME"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the list is empty"),
        ("# only a comment\n", "the list is empty"),
        ("Ek\n--\n", "line 2: no letter or digit"),
        ("Ek\tSURNAME\n", "line 1: unknown label"),
    ],
)
def test_mistakes_in_lists_are_named(tmp_path: Path, content: str, message: str) -> None:
    """The error names the file, the line and what to do."""
    with pytest.raises(InputError, match=message):
        DenyList.read(write(tmp_path, content))
