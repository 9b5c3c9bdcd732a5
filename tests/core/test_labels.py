from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document, Record, Span, UnknownNameError
from veil.core.errors import InputError
from veil.core.labels import (
    SCHEMES,
    Converter,
    family,
    guess_scheme,
    read_scheme,
    scheme,
    write_scheme,
)

if TYPE_CHECKING:
    from pathlib import Path

NAMES_DOC = Document("r1", "Anna von Essen saw Dr Wiklander on 2021-03-05 and in May")


@pytest.mark.parametrize(
    ("name", "count"),
    [("meddocan", 29), ("i2b2-2006", 8), ("mednlp", 10), ("stockholm", 12), ("hipaa", 18)],
)
def test_scheme_has_all_its_labels(name: str, count: int) -> None:
    """Each scheme holds as many labels as its guideline names."""
    assert len(scheme(name).labels) == count


@pytest.mark.parametrize("name", SCHEMES)
def test_every_label_has_a_way_to_veil_and_back(name: str) -> None:
    """Every label maps to a Veil label, and that maps back into the scheme."""
    theirs, ours = scheme(name), scheme("veil")
    doc = Document("r1", "x" * 10)
    for label in theirs.labels:
        (there,) = Converter(theirs, ours).convert(doc, Span(0, 10, label))
        assert there.label in ours.labels
        (back,) = Converter(ours, theirs).convert(doc, there)
        assert back.label in theirs.labels


@pytest.mark.parametrize("name", ["i2b2-2014", "i2b2-2006", "mednlp", "stockholm", "hipaa"])
def test_round_trip_through_veil_keeps_labels(name: str) -> None:
    """A label comes back from Veil as itself."""
    theirs, ours = scheme(name), scheme("veil")
    doc = Document("r1", "x" * 10)
    for label in theirs.labels:
        (there,) = Converter(theirs, ours).convert(doc, Span(0, 10, label))
        (back,) = Converter(ours, theirs).convert(doc, there)
        assert back.label == label


@pytest.mark.parametrize("name", SCHEMES)
def test_mappings_name_labels_that_exist(name: str) -> None:
    """No data file maps from or to a label that neither scheme knows."""
    theirs, veil_labels = scheme(name), set(scheme("veil").labels)
    targets = {target.partition(":")[0] for target in theirs.to_veil.values()}
    sources = {source.partition(":")[0] for source in (*theirs.from_veil, *theirs.approximate)}
    assert targets | sources <= veil_labels
    assert set(theirs.from_veil.values()) | set(theirs.approximate.values()) <= {
        "",
        *theirs.labels,
    }


def test_whole_names_split_where_a_scheme_wants_parts() -> None:
    """A whole name becomes a first and a last name, a doctor's single name a last name."""
    converter = Converter(scheme("i2b2-2014"), scheme("stockholm"))
    spans = [Span(0, 14, "PATIENT"), Span(22, 31, "DOCTOR")]
    converted = [found for span in spans for found in converter.convert(NAMES_DOC, span)]
    assert [span.key for span in converted] == [
        (0, 4, "FIRST_NAME"),
        (5, 14, "LAST_NAME"),
        (22, 31, "LAST_NAME"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("75236 Uppsala", ["75236 Uppsala"]),
        ("75236,  Uppsala", ["75236,  Uppsala"]),
        ("75236 i Uppsala", ["75236", "Uppsala"]),
        ("75236\nUppsala", ["75236", "Uppsala"]),
    ],
)
def test_neighbours_become_one_where_a_scheme_wants_it(text: str, expected: list[str]) -> None:
    """A postcode and the town beside it are one place in the Stockholm scheme."""
    town = text.index("Uppsala")
    record = Record.of(Document("d", text), [Span(0, 5, "ZIP"), Span(town, len(text), "CITY")])
    converted = Converter(scheme("veil"), scheme("stockholm")).convert_record(record)
    assert [text[span.start : span.end] for span in converted.spans] == expected
    assert {span.label for span in converted.spans} == {"LOCATION"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Centro de Salud La Paz", "CENTRO_SALUD"),
        ("CENTRO DE SALUD NORTE", "CENTRO_SALUD"),
        ("ambulatorio de Alzira", "CENTRO_SALUD"),
        ("CAP Raval", "CENTRO_SALUD"),
        ("Hospital La Paz", "HOSPITAL"),
        ("Centro Médico Teknon", "HOSPITAL"),
    ],
)
def test_health_centres_are_told_by_their_names(text: str, label: str) -> None:
    """Of what Veil calls HOSPITAL, health centres have a label of their own in MEDDOCAN."""
    record = Record.of(Document("d", text), [Span(0, len(text), "HOSPITAL")])
    (span,) = Converter(scheme("veil"), scheme("meddocan")).convert_record(record).spans
    assert span.label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("平成23年3月5日", "DATE"),
        ("H23.3.5", "DATE"),
        ("4/5", "DATE"),
        ("昨年12月頃より", "DATE"),
        ("２０１９年", "DATE"),
        ("4月5日(水)10:30", "DATE"),
        ("来週月曜日", "DATE"),
        ("3日前", "TIME"),
        ("2年前から", "TIME"),
        ("入院3日目", "TIME"),
        ("10時30分", "TIME"),
        ("翌日", "TIME"),
        ("夕方", "TIME"),
        ("14:20", "TIME"),
    ],
)
def test_times_that_tell_a_date_are_dates(text: str, label: str) -> None:
    """MedNLP's times are dates in Veil where they tell a day, month or year, and come back."""
    record = Record.of(Document("d", text), [Span(0, len(text), "TIME")])
    in_veil = Converter(scheme("mednlp"), scheme("veil")).convert_record(record)
    assert in_veil.spans[0].label == label
    assert Converter(scheme("veil"), scheme("mednlp")).convert_record(in_veil).spans == record.spans


def test_name_parts_are_kept_where_a_scheme_has_none() -> None:
    """A first name keeps its part beside the label in a scheme without first names."""
    converter = Converter(scheme("stockholm"), scheme("veil"))
    (span,) = converter.convert(NAMES_DOC, Span(0, 4, "FIRST_NAME"))
    assert (span.label, span.part) == ("NAME", "first")


def test_dates_split_into_full_and_partial() -> None:
    """A date with day, month and year is full, any other partial."""
    converter = Converter(scheme("i2b2-2014"), scheme("stockholm"))
    spans = [Span(35, 45, "DATE"), Span(53, 56, "DATE")]
    assert [converter.convert(NAMES_DOC, span)[0].label for span in spans] == [
        "FULL_DATE",
        "DATE_PART",
    ]


def test_what_has_no_place_is_counted() -> None:
    """Spans that the target cannot hold are left out and counted by label."""
    converter = Converter(scheme("meddocan"), scheme("i2b2-2014"))
    doc = Document("r1", "Mujer de 53 años")
    record = Record.of(
        doc, [Span(0, 5, "SEXO_SUJETO_ASISTENCIA"), Span(9, 16, "EDAD_SUJETO_ASISTENCIA")]
    )
    assert [span.label for span in converter.convert_record(record).spans] == ["AGE"]
    assert converter.unmapped == {"SEXO_SUJETO_ASISTENCIA": 1}


def test_unknown_label_is_counted() -> None:
    """A label that the source scheme does not know is left out and counted."""
    converter = Converter(scheme("meddocan"), scheme("veil"))
    assert converter.convert(NAMES_DOC, Span(0, 4, "PERRO")) == []
    assert converter.unmapped == {"PERRO": 1}


def test_guesses_are_counted() -> None:
    """A name of unknown type becomes a patient in i2b2 2014, and the guess is counted."""
    converter = Converter(scheme("veil"), scheme("i2b2-2014"))
    (span,) = converter.convert(NAMES_DOC, Span(0, 4, "NAME"))
    assert span.label == "PATIENT"
    assert converter.approximate == {("NAME", "PATIENT"): 1}


def test_hipaa_leaves_states_and_doctors_alone() -> None:
    """Safe Harbor protects neither states nor doctors, but towns and patients."""
    converter = Converter(scheme("i2b2-2014"), scheme("hipaa"))
    labels = ["STATE", "DOCTOR", "CITY", "PATIENT"]
    found = [converter.convert(NAMES_DOC, Span(0, 4, label)) for label in labels]
    assert [[span.label for span in spans] for spans in found] == [[], [], ["LOCATION"], ["NAME"]]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({"FECHAS", "HOSPITAL"}, "meddocan"),
        ({"FIRST_NAME"}, "stockholm"),
        ({"PERSON", "TIME"}, "mednlp"),
        ({"PATIENT", "IDNUM"}, "veil"),
        ({"PERSON", "WEAPON"}, "mednlp"),
    ],
)
def test_scheme_is_guessed_from_labels(labels: set[str], expected: str) -> None:
    """The scheme that knows most of the labels is taken."""
    guess = guess_scheme(labels)
    assert guess is not None
    assert guess.name == expected


def test_nothing_is_guessed_from_strange_labels() -> None:
    """Labels that no scheme knows, or none at all, give no scheme."""
    assert guess_scheme({"WEAPON"}) is None
    assert guess_scheme(set()) is None


def test_unknown_names_list_the_known_ones() -> None:
    """An unknown scheme or label gives an error that lists what exists."""
    with pytest.raises(UnknownNameError, match=r"'i2b2'.*i2b2-2006, i2b2-2014"):
        scheme("i2b2")
    with pytest.raises(UnknownNameError, match="PATIENT"):
        family("PATENT")


OWN = """
about = "Labels of our hospital"
[to_veil]
PersonName = "NAME"
Clinician = "DOCTOR"
GivenName = "NAME:first"
"""


def write_own(folder: Path, content: str, name: str) -> Path:
    file = folder / f"{name}.toml"
    file.write_text(content, encoding="utf-8")
    return file


def test_a_scheme_of_ones_own_is_a_file(tmp_path: Path) -> None:
    """A path is a scheme, which is then guessed from its labels and known by its name."""
    own = scheme(write_own(tmp_path, OWN, "labels-of-a-test"))
    assert own.labels == ("PersonName", "Clinician", "GivenName")
    assert guess_scheme({"Clinician", "PersonName"}) == own
    assert scheme("labels-of-a-test") == own
    doc = Document("d", "Dr. Berg")
    converter = Converter(own, scheme("i2b2-2014"))
    assert [s.label for s in converter.convert(doc, Span(4, 8, "Clinician"))] == ["DOCTOR"]


def test_a_written_scheme_is_read_as_it_was(tmp_path: Path) -> None:
    """A model folder carries the scheme of its labels."""
    own = read_scheme(write_own(tmp_path, OWN + '[approximate]\nID = "PersonName"\n', "round-trip"))
    (tmp_path / "model").mkdir()
    write_scheme(own, tmp_path / "model")
    assert read_scheme(tmp_path / "model" / "round-trip.toml") == own


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"\[to_veil\]"),
        ('[to_veil]\nX = "PERSON"', r"to_veil\], X: not a label of Veil"),
        ('[to_veil]\nX = "NAME:middle"', "not a label of Veil"),
        ('[to_veil]\nX = "NAME"\n[from_veil]\nDATE = "Y"', "'Y' is not in"),
        ('[to_veil]\nX = "NAME"\n[extra]\na = 1', "unknown key 'extra'"),
        ("[to_veil", "not TOML"),
    ],
)
def test_mistakes_in_a_scheme_are_named(tmp_path: Path, content: str, message: str) -> None:
    """The error names the file and what is wrong in it."""
    file = write_own(tmp_path, content, "mistaken")
    with pytest.raises(InputError, match=message) as caught:
        scheme(file)
    assert "mistaken.toml" in str(caught.value)


def test_two_schemes_of_one_name_are_refused(tmp_path: Path) -> None:
    """A name means one scheme, and the names of Veil's schemes are taken."""
    scheme(write_own(tmp_path, OWN, "twice"))
    with pytest.raises(InputError, match="rename the file"):
        scheme(write_own(tmp_path, OWN + 'Other = "OTHER"\n', "twice"))
    with pytest.raises(InputError, match="is a scheme of Veil"):
        scheme(write_own(tmp_path, OWN, "meddocan"))
