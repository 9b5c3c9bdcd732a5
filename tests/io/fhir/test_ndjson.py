from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from veil import RecordError
from veil.core.document import KNOWN
from veil.io import FORMATS, TableOptions

if TYPE_CHECKING:
    from pathlib import Path

    from tests.io.conftest import Rewrite

    from veil import Document


def eva(doc: Document) -> str:
    return doc.text.replace("Anna", "Eva")


def test_all_else_stays_to_the_byte(rewrite: Rewrite) -> None:
    """Numbers, blanks, escapes and the order of keys are as they were, in every line."""
    data = (
        '\ufeff{ "id":"1","resourceType" : "Observation", "valueQuantity":{"value":1.0,"unit":"g"},'
        '"issued":"2020-01-01T00:00:00Z", "score":[1E5,-0.0,123456789012345678901234567890]}\r\n'
        "\n"
        '{"resourceType":"Observation","valueString":"Anna","code":{"coding":[{"code":"\\u0041",'
        '"system":"http://loinc.org","display":"\\/Anna"}]}}'
    )
    written = rewrite("fhir-ndjson", data, eva)
    assert written.text == data.replace('"valueString":"Anna"', '"valueString":"Eva"')


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"name": "Zebrowski"}', "no resourceType"),
        (b'["Zebrowski"]', "no resourceType"),
        (b'{"resourceType": "Patient", "name": "Zebrowski', "not JSON"),
        (b'{"resourceType": "Patient", "id": "a", "id": "Zebrowski"}', "duplicate key"),
        (b'{"resourceType": "Patient", "x": "Zebrowski \xff"}', "not UTF-8"),
        (b'{"resourceType": "Basic", "comment": "Zebrowski \\ud800"}', "lone surrogate"),
        (b'{"resourceType": "Basic", "x": ' + b'{"x": ' * 300 + b"1" + b"}" * 301, "too deep"),
    ],
)
def test_bad_lines_are_withheld(rewrite: Rewrite, line: bytes, reason: str) -> None:
    """A line that is no resource is left out with its line, and the others are written."""
    good = b'{"resourceType": "Basic"}\n'
    written = rewrite("fhir-ndjson", good + line + b"\n" + good)
    assert written.data == good * 2
    (error,) = written.errors
    assert error.line == 2
    assert reason in str(error)
    assert "Zebrowski" not in str(error)


def test_ids_differ(rewrite: Rewrite) -> None:
    """Two versions of a resource, and resources without an id, have documents of their own."""
    line = '{"resourceType": "Basic", "id": "1", "comment": "a"}\n'
    written = rewrite("fhir-ndjson", line * 2 + line.replace('"id": "1", ', ""))
    assert list(written.texts) == ["Basic/1:comment", "Basic/1#2:comment", "notes-3:comment"]


def test_unusual_ids_are_not_repeated(rewrite: Rewrite) -> None:
    """An id that FHIR does not allow may be text: it names nothing."""
    written = rewrite(
        "fhir-ndjson", '{"resourceType": "Basic", "id": "Anna Zebrowski", "comment": "a"}'
    )
    assert list(written.texts) == ["notes-1:comment"]


def test_language_of_a_resource(rewrite: Rewrite) -> None:
    """Documents have the language of their resource, those inside of it too."""
    written = rewrite(
        "fhir-ndjson",
        '{"resourceType": "Basic", "language": "sv-SE", "comment": "a",'
        ' "contained": [{"resourceType": "Basic", "comment": "b"}]}\n'
        '{"resourceType": "Basic", "comment": "c"}\n',
    )
    assert [doc.language for doc in written.documents.values()] == ["sv", "sv", None]


def test_pipe_is_read_once(tmp_path: Path) -> None:
    """What comes through a pipe cannot be read twice: the people of the same line are known."""
    pipe = tmp_path / "pipe.ndjson"
    os.mkfifo(pipe)
    line = (
        '{"resourceType": "Bundle", "entry": ['
        '{"resource": {"resourceType": "Basic", "subject": {"reference": "Patient/1"},'
        ' "comment": "x"}},'
        '{"resource": {"resourceType": "Patient", "id": "1", "name": [{"text": "Anna Ek"}]}}]}\n'
    )
    thread = threading.Thread(target=pipe.write_text, args=(line,))
    thread.start()
    items = list(FORMATS.get("fhir-ndjson").items(pipe, TableOptions()))
    thread.join()
    (item,) = items
    assert not isinstance(item, RecordError)
    assert item.documents[0].meta[KNOWN]["names"] == ["Anna Ek"]
