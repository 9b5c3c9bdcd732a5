"""Where mentions begin and end, whatever their words."""

from __future__ import annotations

import re

import pytest

from veil import Document, Span
from veil.core.document import Spans
from veil.detect.extents import as_the_guideline_wants, joined_at_line_breaks


def mentions(marked: str, label: str = "PATIENT") -> list[str]:
    """The mentions that the bracketed span of a text becomes."""
    before, rest = marked.split("[[")
    inside, after = rest.split("]]")
    doc = Document("note", before + inside + after)
    span = Span(len(before), len(before) + len(inside), label)
    return [
        doc.text[each.start : each.end] for each in as_the_guideline_wants(doc, Spans(doc, [span]))
    ]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("Name\t[[Ana Ruiz\tM]]\t33", ["Ana Ruiz", "M"]),
        ("[[Ana Ruiz     Centro]]", ["Ana Ruiz", "Centro"]),
        ("Name  [[Ana Ruiz  M]]  33", ["Ana Ruiz", "M"]),
    ],
)
def test_columns_are_mentions_of_their_own(marked: str, expected: list[str]) -> None:
    """A tabulator, a wide gap, and two blanks in a line with other gaps divide a span."""
    assert mentions(marked) == expected


@pytest.mark.parametrize("text", ["Ana  Ruiz", "Ana\n   Ruiz", "Ana Ruiz"])
def test_a_slip_divides_no_mention(text: str) -> None:
    """Two blanks in running text, and the indentation of a wrapped line, stay inside a name."""
    assert mentions(f"seen by [[{text}]] today") == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25-31 January", ["25", "31 January"]),
        ("24-25/12", ["24", "25/12"]),
        ("10th-12th", ["10th", "12th"]),
        ("3 – 5 de mayo", ["3", "5 de mayo"]),
        ("10-12-2020", ["10-12-2020"]),
        ("12-Mar-2021", ["12-Mar-2021"]),
        ("2020-03-05", ["2020-03-05"]),
        ("5/12", ["5/12"]),
        ("2017-2018", ["2017", "2018"]),
        ("December 16-17", ["December 16", "17"]),
        ("2023-06", ["2023-06"]),
    ],
)
def test_both_ends_of_a_range_are_dates(text: str, expected: list[str]) -> None:
    """Two days with a hyphen between them are two dates; a date with hyphens is one."""
    assert mentions(f"away [[{text}]], then back", "DATE") == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("Kt/V [[May 1]].52", ["May"]),
        ("CO/CI [[3.6/1]].8", []),
        ("pH 7.[[19/7.27]], cord", []),
        ("seen [[May 1]]. Well", ["May 1"]),
        ("on [[12.3.1948]], then", ["12.3.1948"]),
    ],
)
def test_a_date_is_no_piece_of_a_number(marked: str, expected: list[str]) -> None:
    """A date ends before a number that goes on behind it, and none begins inside a number."""
    assert mentions(marked, "DATE") == expected


def test_a_span_of_marks_alone_is_left_out() -> None:
    """Where nothing but brackets and blanks was found, nothing is."""
    assert mentions("a [[ (]] b") == []


WRAPPED = "A tinsmith who was seen last May by Dr. [[Pradeep]]\n[[Wadhwa]] at the clinic."


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (WRAPPED, ["Pradeep\nWadhwa"]),
        (WRAPPED.replace("]]\n", "]]\r\n   "), ["Pradeep\r\n   Wadhwa"]),
        (WRAPPED.replace("]]\n", "]],\n"), ["Pradeep", "Wadhwa"]),
        (
            f"{WRAPPED}\n{'This line is far longer. ' * 4}",
            ["Pradeep", "Wadhwa"],
        ),
        (
            "[[North Fells Hospital and Community Trust]]\n[[Larkrise House]], Kendal",
            None,
        ),
    ],
)
def test_halves_of_a_name_in_a_wrapped_line_are_one_name(
    marked: str, expected: list[str] | None
) -> None:
    """Two names at a break are joined only if the line is wrapped there, within a sentence."""
    pieces = re.split(r"\[\[|\]\]", marked)
    text, spans, end = "".join(pieces), [], 0
    for number, piece in enumerate(pieces):
        if number % 2:
            spans.append(Span(end, end + len(piece), "DOCTOR"))
        end += len(piece)
    doc = Document("note", text)
    found = [text[span.start : span.end] for span in joined_at_line_breaks(doc, Spans(doc, spans))]
    assert found == (expected or pieces[1::2])


def test_spans_of_two_labels_are_not_joined_at_a_break() -> None:
    """A doctor and a patient at the break of a wrapped line are two people."""
    text = "Seen before the weekend on the ward round by Dr. Park\nHale is afebrile and eats well."
    spans = [Span(49, 53, "DOCTOR"), Span(54, 58, "PATIENT")]
    doc = Document("note", text)
    assert list(joined_at_line_breaks(doc, Spans(doc, spans))) == spans
