from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.core.errors import InputError, RecordError, UnknownNameError
from veil.detect.known import Known, KnownDetector, known_in_meta
from veil.detect.pipeline import DetectionPipeline

if TYPE_CHECKING:
    from veil.detect.base import Detector


def test_the_detector_fits_the_pipeline() -> None:
    """It has a name, finds in one document and in many, and its spans resolve."""
    detector: Detector = KnownDetector("en", known={"a": Known(names="John Doe")})
    doc = Document("a", "Doe, John was seen by Doe.")
    assert detector.name == "known"
    assert detector.detect_many([doc, doc]) == [detector.detect(doc)] * 2
    spans = DetectionPipeline([detector]).detect(doc)
    assert [doc.text[span.start : span.end] for span in spans] == ["Doe, John", "Doe"]


def test_known_comes_from_a_mapping_a_function_or_nowhere() -> None:
    """Documents of which nothing is known give nothing."""
    known = Known(names="Doe")
    doc, other = Document("a", "Doe"), Document("b", "Doe")
    assert len(KnownDetector("en", known={"a": known}).detect(doc)) == 1
    assert KnownDetector("en", known={"a": known}).detect(other) == []
    by_id = {"b": known}
    assert len(KnownDetector("en", known=lambda doc: by_id.get(doc.id)).detect(other)) == 1
    assert KnownDetector("en").detect(doc) == []
    assert KnownDetector("en", known={"a": Known()}).detect(doc) == []


def test_meta_adds_to_what_is_given() -> None:
    """A document may carry what is known of it, in strings and lists."""
    meta = {"known": {"name": "John Doe", "Phone": ["617-555-1234"], "city": None}}
    doc = Document("a", "Doe, Berg, 617 555 1234", meta=meta)
    assert known_in_meta(doc) == Known(names="John Doe", phones="617-555-1234")
    spans = KnownDetector("en", known={"a": Known(doctors="Ann Berg")}).detect(doc)
    assert [span.label for span in spans] == ["PATIENT", "DOCTOR", "PHONE"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("John Doe", '"known" in its meta must be an object'),
        (["John Doe"], '"known" in its meta must be an object'),
        ({"nmae": "John Doe"}, "key 1 of 1 of the known values is unknown; known: "),
        ({"John Doe, 617-555-1234": "x"}, "key 1 of 1 of the known values is unknown"),
        ({"name": 3}, "names: a value must be a string or a list of strings"),
        ({"name": ["John", 3]}, "names: a value must be a string"),
        ({"name": {"first": "John"}}, "names: a value must be a string or a list of strings"),
        ({"dob": "Doe"}, "birth_dates: a value is no date"),
    ],
)
def test_bad_meta_withholds_its_record_without_its_text(value: object, expected: str) -> None:
    """The error names the record and the reason, not the value."""
    doc = Document("note-7", "John Doe", meta={"known": value})
    with pytest.raises(RecordError) as caught:
        KnownDetector("en").detect(doc)
    message = str(caught.value)
    assert message.startswith("record note-7: ")
    assert expected in message
    assert "John" not in message
    assert "Doe" not in message.replace("lower", "")


def test_blank_values_and_placeholders_are_left_out() -> None:
    """What says that nothing is known is not looked for."""
    known = Known(names=["", "  ", "-", "N/A", "unknown", "Ana  Ruiz", "Ana Ruiz"], cities="不明")
    assert known == Known(names="Ana Ruiz")
    assert not Known(names=["n/a"], phones=["?"])


def test_known_is_hashable_and_joins() -> None:
    """Values of two sources are joined, each once."""
    one, two = Known(names="Ana Ruiz"), Known(names=["Ana Ruiz", "Eva Mora"], cities="Lugo")
    assert one | two == Known(names=["Ana Ruiz", "Eva Mora"], cities=["Lugo"])
    assert hash(one | two) == hash(two)


def test_values_must_be_strings_and_dates_dates() -> None:
    """A wrong value is refused where it is given."""
    with pytest.raises(InputError, match="birth_dates"):
        Known(birth_dates="soon")
    with pytest.raises(InputError, match="phones: a value must be a string"):
        Known(phones=[612345678])  # type: ignore[list-item]
    with pytest.raises(InputError, match="key 1 of 1 of the known values is unknown"):
        Known.of({"colour": "red"})


def test_an_unknown_language_is_refused() -> None:
    """A language without lists cannot be searched; a variant has those of its language."""
    with pytest.raises(UnknownNameError):
        KnownDetector("fr")
    assert KnownDetector("en-words").language == "en"


def test_the_detector_travels_between_processes() -> None:
    """A pickled detector finds the same."""
    detector = KnownDetector("sv", known={"a": Known(names="Åsa Lindgren")})
    doc = Document("a", "Lindgrens remiss till Åsa")
    assert pickle.loads(pickle.dumps(detector)).detect(doc) == detector.detect(doc)  # noqa: S301


def test_text_without_any_letter_gives_nothing() -> None:
    """Empty and blank documents are no trouble."""
    detector = KnownDetector("en", known=lambda _: Known(names="John Doe", phones="6175551234"))
    assert [detector.detect(Document("a", text)) for text in ("", " \n", "...")] == [[], [], []]
