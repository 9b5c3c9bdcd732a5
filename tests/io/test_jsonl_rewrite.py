from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from veil.core.document import KNOWN, PATIENT
from veil.core.errors import InputError
from veil.io import TableOptions

if TYPE_CHECKING:
    from tests.io.conftest import Rewrite

    from veil import Document


def eva(doc: Document) -> str:
    return doc.text.replace("Anna", "Eva")


def test_only_the_text_changes(rewrite: Rewrite) -> None:
    """Keys, their order, blanks, numbers and escapes stay as they stood, wherever they are."""
    line = (
        '  {"ward" :"\\u00c5\\/b", "n": 1.0, "big": 12345678901234567890123, "e":1E5,'
        ' "text":"Anna är\\nhär", "deep":[{"text":"Anna"}, -0.0, null]}  \r\n'
    )
    written = rewrite("jsonl", line, eva)
    assert written.text == line.replace('"text":"Anna är', '"text":"Eva är')


def test_line_in_escapes_stays_in_ascii(rewrite: Rewrite) -> None:
    """Where letters were written as escapes, so are those of the new text."""
    line = '{"id": "1", "text": "Anna \\u00e4r h\\u00e4r"}\n'
    written = rewrite("jsonl", line, eva)
    assert written.text == line.replace("Anna", "Eva")


def test_ids_patients_and_language(rewrite: Rewrite) -> None:
    """Documents have the id, the patient and the language of their object, numbers too."""
    written = rewrite(
        "jsonl",
        '{"id": 7, "patient": "17", "language": "sv", "text": "a"}\n'
        '{"meta": {"patient_id": 18}, "text": "b"}\n'
        '{"id": "7", "text": "c"}\n',
    )
    assert written.texts == {"7": "a", "notes-2": "b", "7#3": "c"}
    patients = [doc.meta.get(PATIENT) for doc in written.documents.values()]
    assert patients == ["17", "18", None]
    assert written.documents["7"].language == "sv"


def test_named_keys(rewrite: Rewrite) -> None:
    """Other keys may hold texts, ids and patients; several texts of a line share its patient."""
    written = rewrite(
        "jsonl",
        '{"nr": "n1", "who": "p", "note": "Anna", "plan": "Anna", "text": "Anna"}\n'
        '{"nr": "n2", "note": "Anna", "plan": null}\n'
        '{"nr": "n3", "note": "Anna", "plan": "Anna"}\n',
        eva,
        options=TableOptions(("note", "plan"), "nr", "who"),
    )
    assert written.texts == dict.fromkeys(
        ["n1:note", "n1:plan", "n2", "n3:note", "n3:plan"], "Anna"
    )
    assert {name: doc.meta.get("patient") for name, doc in written.documents.items()} == {
        "n1:note": "p",
        "n1:plan": "p",
        "n2": None,
        "n3:note": "n3",
        "n3:plan": "n3",
    }
    first = json.loads(written.text.splitlines()[0])
    assert (first["note"], first["plan"], first["text"]) == ("Eva", "Eva", "Anna")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"spans": [1], "text": "Anna"}', '{"text": "Anna"}'),
        ('{"id": "1", "spans": [{"a": "]"}], "text": "Anna"}', '{"id": "1", "text": "Anna"}'),
        ('{"text": "Anna" , "spans" : []}', '{"text": "Anna"}'),
        (
            '{"text": "Anna", "meta": {"known": {"name": "Anna"}, "ward": 1}}',
            '{"text": "Anna", "meta": {"ward": 1}}',
        ),
        ('{"text": "Anna", "meta": {"known": {"name": "Anna"}}}', '{"text": "Anna", "meta": {}}'),
    ],
)
def test_spans_and_known_values_are_dropped(rewrite: Rewrite, line: str, expected: str) -> None:
    """Spans, whose offsets are wrong in another text, and known values leave with their commas."""
    assert rewrite("jsonl", line).text == expected


def test_known_values_reach_the_detector(rewrite: Rewrite) -> None:
    """Known values of the meta stand in the meta of the document."""
    written = rewrite("jsonl", '{"text": "a", "meta": {"known": {"name": ["Anna", "Ann"]}}}')
    assert written.documents["notes-1"].meta[KNOWN] == {"name": ["Anna", "Ann"]}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "1", "note": "Zebrowski"}', 'no key "text"'),
        ('{"text": ["Zebrowski"]}', '"text" must be a string or null'),
        ('{"text": 5}', '"text" must be a string or null'),
        ('{"text": "a", "text": "Zebrowski"}', "duplicate key"),
        ('{"text": "Zebrowski \\ud800"}', "a lone surrogate"),
        ('{"text": "Zebrowski', "not JSON"),
        ('{"text": "Zebrowski"} {}', "more than one value"),
        ('["Zebrowski"]', "not an object"),
        ('{"text": "a", "x": NaN}', "NaN"),
        ('{"text": "a", "id": ["Zebrowski"]}', '"id" is required'),
        ('{"text": "a", "x": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_lines_are_withheld(rewrite: Rewrite, line: str, reason: str) -> None:
    """A line that cannot be read, or whose text cannot be told, is left out with its line."""
    written = rewrite("jsonl", f'{{"text": "a"}}\n{line}\n{{"text": "b"}}\n')
    assert written.text == '{"text": "a"}\n{"text": "b"}\n'
    (error,) = written.errors
    assert error.line == 2
    assert reason in str(error)
    assert "Zebrowski" not in str(error)


def test_blank_lines_and_a_missing_line_end_stay(rewrite: Rewrite) -> None:
    """Lines without an object are written as they stand."""
    data = '\ufeff\n{"text": "a"}\n \t\n{"text": "b"}'
    assert rewrite("jsonl", data).text == data


def test_null_is_no_text(rewrite: Rewrite) -> None:
    """A text that is null stays null and makes no document."""
    written = rewrite("jsonl", '{"text": null}\n')
    assert written.text == '{"text": null}\n'
    assert written.texts == {}


@pytest.mark.parametrize(
    ("options", "option"),
    [
        (TableOptions(id_column="text"), "--id-column"),
        (TableOptions(("note",), "note"), "--id-column"),
        (TableOptions(("note",), None, "note"), "--patient-column"),
    ],
)
def test_a_text_is_no_id(rewrite: Rewrite, options: TableOptions, option: str) -> None:
    """A key of texts that is to be the id or the patient too is refused."""
    with pytest.raises(InputError, match=f"holds texts; {option} must be another one"):
        rewrite("jsonl", '{"text": "Anna", "note": "Anna"}\n', options=options)


def test_a_text_under_the_usual_key_of_ids_is_no_id(rewrite: Rewrite) -> None:
    """Keys that are named as texts lose what they mean otherwise."""
    options = TableOptions(("id", "patient"))
    written = rewrite("jsonl", '{"id": "Anna", "patient": "Anna"}\n', eva, options=options)
    assert written.text == '{"id": "Eva", "patient": "Eva"}\n'
    assert list(written.documents) == ["notes-1:id", "notes-1:patient"]
    assert {doc.meta["patient"] for doc in written.documents.values()} == {"notes-1"}
