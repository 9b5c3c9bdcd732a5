"""What Swedish words may be, and what the functions of rules keep of them."""

from __future__ import annotations

import pytest

from veil.detect.rules.adjustments import adjustment
from veil.detect.rules.bits import (
    CAPITALS,
    CLEAR,
    COMMON,
    GIVEN,
    INITIAL,
    MEDICAL,
    PARTICLE,
    PLACE,
    STOP,
    SURNAME,
    UNKNOWN,
)
from veil.detect.rules.starts import start_test
from veil.languages.sv.rules.words import capitals_before, kind_of, may_open_name


@pytest.mark.parametrize(
    ("form", "bits"),
    [
        ("Gunilla", GIVEN | CLEAR),
        ("Gunillas", GIVEN | CLEAR),
        ("Nils-Åke", GIVEN),
        ("Lindkvist", SURNAME | CLEAR),
        ("Hjelmqvist-Berg", SURNAME),
        ("K-G", INITIAL),
        ("von", PARTICLE),
        ("Uppsala", PLACE),
        ("Waran", MEDICAL),
        ("Kurator", STOP),
        ("EKG", STOP),
        ("Knäsmärtor", COMMON),
        ("Wrzesniewska", UNKNOWN),
    ],
)
def test_kinds(form: str, bits: int) -> None:
    """A form has the bits of what it may be."""
    assert kind_of(form) & bits == bits


@pytest.mark.parametrize("form", ["Hans", "Inga", "Axel", "Sten", "Lund", "Mäts", "Iris", "Max"])
def test_words_that_are_names_too(form: str) -> None:
    """A name that is a word, or would be one with other letters, is not clear."""
    assert not kind_of(form) & CLEAR


def test_short_capitals() -> None:
    """Two or three capitals are marked, for they are rarely a name."""
    assert kind_of("ANN") & CAPITALS
    assert not kind_of("ANNA") & CAPITALS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("igår ringde Carl von Essen", ["Carl", "von", "Essen"]),
        ("mår bra. Karin Ek", ["Karin", "Ek"]),
        ("sågs av P. Strand", ["P", "Strand"]),
        ("Karin\nEk", ["Ek"]),
        ("av Leo", ["Leo"]),
        ("ringer", []),
    ],
)
def test_capitals_before(text: str, found: list[str]) -> None:
    """The run of capitals that ends a text is found, with the particles inside it."""
    assert [word.form for word in capitals_before(text, len(text))] == found


def test_names_open() -> None:
    """Names of the lists and initials open a name; other words and small letters do not."""
    assert may_open_name("Lena")
    assert may_open_name("K")
    assert not may_open_name("lena")
    assert not may_open_name("Röntgen")


def test_starts_by_end() -> None:
    """A start with a hyphen stands for words that end so, whatever their case."""
    ends = start_test("-gatan", "sv")
    assert ends("Storgatan")
    assert ends("KYRKOGATAN")
    assert not ends("gatans")


def test_starts_by_entry_in_genitive() -> None:
    """A genitive begins an entry as its base form does."""
    assert start_test("entry:country", "sv")("Sveriges")
    assert not start_test("entry:country", "sv")("Svensk")


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("sv-name", "Karin Ek Status", (0, 8)),
        ("sv-named", "Grön konsulteras", (0, 4)),
        ("sv-name", "Holm, Lena", (0, 10)),
        ("sv-name", "Lena, Karin", (0, 4)),
        ("sv-surely", "Waran insatt", None),
        ("sv-surely", "Hiltje Haugaard", (0, 15)),
        ("sv-bare-name", "Hans Besvär", None),
        ("sv-bare-name", "Hans Lindkvist", (0, 14)),
        ("sv-initials-alone", "EKG", None),
        ("sv-initials-alone", "KE", (0, 2)),
        ("sv-town", "Sverige", None),
        ("sv-place", "Sverige", (0, 7)),
        ("sv-school", "Förskolan", None),
        ("sv-username", "rullator", None),
        ("sv-username", "kber003", (0, 7)),
    ],
)
def test_fits(name: str, text: str, place: tuple[int, int] | None) -> None:
    """A fit keeps what can be what it is for, from the start."""
    assert adjustment(name, "sv")(text, 0, len(text)) == place


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Stroke 2012, frisk", True),
        ("CK 2012, frisk", False),
        ("fS-Ferritin 2012, frisk", False),
        ("Urin 2012 ml", False),
        ("Vikt: 2012 g", False),
        ("(2012)", True),
    ],
)
def test_years(text: str, year: bool) -> None:
    """A year is one unless it is measured."""
    start = text.index("2012")
    assert (adjustment("sv-year", "sv")(text, start, start + 4) is not None) is year


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("Man, 58 år, rökare", True),
        ("rökt 58 år, slutat", False),
        ("58 år. Snickare", True),
        ("för 58 år sedan", False),
        ("Lena Holm, 58 år", True),
        ("vid 58 års ålder", True),
        ("58 års uppföljning", False),
    ],
)
def test_ages(text: str, age: bool) -> None:
    """Years are an age beside a person, and a duration elsewhere."""
    start = text.index("58")
    end = start + len("58 års" if "års" in text else "58 år")
    assert (adjustment("sv-age", "sv")(text, start, end) is not None) is age


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("bor på Östra Storgatan 7", "Östra Storgatan 7"),
        ("Hembesök Fågelvägen 4", "Fågelvägen 4"),
        ("på Drottning Kristinas väg 9", "Drottning Kristinas väg 9"),
        ("S:t Eriksgatan 48", "S:t Eriksgatan 48"),
        ("Luftvägen 2", None),
        ("Vårdplan 3", None),
    ],
)
def test_streets(text: str, street: str | None) -> None:
    """A street reaches back over its modifiers, and not over the word before them."""
    head = text.rindex(text.split()[-2])
    bounds = adjustment("sv-street", "sv")(text, head, len(text))
    assert (bounds and text[slice(*bounds)]) == street
