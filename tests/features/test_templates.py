"""Tests for veil.features.templates."""

from __future__ import annotations

import pytest

from veil.features.forms import Resources
from veil.features.stream import FormTable, Stream, build_stream
from veil.features.templates import mail_addresses, mark_templates, show_template
from veil.languages import language


def stream_of(*texts: str, code: str = "es", sentences: bool = False) -> Stream:
    spoken = language(code)
    return build_stream(
        texts,
        [spoken.tokens(text) for text in texts],
        FormTable({}, Resources(code)),
        sentences=[spoken.sentences(text) for text in texts] if sentences else None,
    )


def templates_of(text: str, code: str, *, sentences: bool = False) -> list[tuple[str, str]]:
    """The stretches of a text that are in a template, each with the template's name."""
    stream = stream_of(text, code=code, sentences=sentences)
    found: list[tuple[str, str]] = []
    start = 0
    for at, number in enumerate(mark_templates(stream).tolist()):
        if number:
            name, place = show_template(number).split(", ")
            if place in ("alone", "first"):
                start = int(stream.start[at])
            if place in ("alone", "last"):
                found.append((name, text[start : stream.end[at]]))
    return found


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        # Dates
        ("es", "el 3/4/2019.", [("date", "3/4/2019")]),
        ("es", "03-04-19", [("date", "03-04-19")]),
        ("es", "9.8.2019", [("date", "9.8.2019")]),
        ("es", "F. nac. 12.03.2018", [("date", "12.03.2018")]),
        ("sv", "2019-04-03", [("date", "2019-04-03")]),
        ("en", "on 04/03/2019", [("date", "04/03/2019")]),
        ("es", "3 de abril de 2019", [("date-in-words", "3 de abril de 2019")]),
        ("es", "abril de 2019", [("date-in-words", "abril de 2019")]),
        ("es", "marzo-2019", [("date-in-words", "marzo-2019")]),
        ("en", "April 3, 2019", [("date-in-words", "April 3, 2019")]),
        ("en", "3 April 2019", [("date-in-words", "3 April 2019")]),
        ("en", "Apr. 2019", [("date-in-words", "Apr. 2019")]),
        ("sv", "3 april 2019", [("date-in-words", "3 april 2019")]),
        ("es", "3 de abril", [("day-and-month", "3 de abril")]),
        ("en", "March 3", [("day-and-month", "March 3")]),
        ("es", "04/2019", [("month-and-year", "04/2019")]),
        ("es", "en 2019", [("year", "2019")]),
        # No dates
        ("es", "120/80", []),
        ("es", "1.5 mg", []),
        ("es", "10:30", []),
        ("es", "1/2/3/4", []),
        ("es", "12.345.678", []),
        # Streets, hospitals and who works there
        ("es", "C/ Mayor, 23", [("street", "C/ Mayor, 23")]),
        ("es", "Calle de la Princesa nº 5", [("street", "Calle de la Princesa nº 5")]),
        ("es", "Calle Real n.º 5", [("street", "Calle Real n.º 5")]),
        ("es", "Avda. Andalucía s/n", [("street", "Avda. Andalucía"), ("without-number", "s/n")]),
        ("sv", "Storgatan 5", [("street", "Storgatan 5")]),
        ("es", "calle", []),
        ("es", "Hospital Universitario La Paz", [("hospital", "Hospital Universitario La Paz")]),
        ("sv", "Karolinska sjukhuset", [("hospital", "Karolinska sjukhuset")]),
        ("es", "el hospital", []),
        ("es", "Dr. Juan Pérez", [("title", "Dr. Juan Pérez")]),
        ("es", "Dr.ª Ana Ruiz", [("title", "Dr.ª Ana Ruiz")]),
        ("en", "Dr. Smith", [("title", "Dr. Smith")]),
        ("sv", "Dr Andersson", [("title", "Dr Andersson")]),
        # Numbers
        ("es", "Tel. 912 345 678", [("phone", "912 345 678")]),
        ("es", "+34 912345678", [("phone", "+34 912345678")]),
        ("en", "617-555-1234", [("phone", "617-555-1234")]),
        ("en", "(617) 555-1234", [("phone", "(617) 555-1234")]),
        ("sv", "08-123 45 67", [("phone", "08-123 45 67")]),
        ("es", "28040 Madrid", [("postcode", "28040")]),
        ("es", "28 28 45678", [("licence", "28 28 45678")]),
        ("es", "1234567", [("number", "1234567")]),
        ("es", "53 años", [("age", "53 años")]),
        ("sv", "53 år", [("age", "53 år")]),
        ("ja", "53歳", [("age", "53歳")]),
        # Mail
        ("es", "ana.perez@correo.es", [("mail", "ana.perez@correo.es")]),
        ("es", "a: ana_1+x@b-c.co.uk, hoy", [("mail", "ana_1+x@b-c.co.uk")]),
        ("sv", "åsa@post.se", [("mail", "åsa@post.se")]),
        ("es", "ana@", []),
        ("es", "@correo.es", []),
        ("es", "ana\n@correo.es", []),
        ("es", "ana @correo.es", []),
        # Templates end with the line
        ("es", "3/4/\n2019", [("year", "2019")]),
        ("es", "Dr.\nJuan", []),
        ("es", "Dr. \n  Juan", []),
        ("ja", "山田(./-),-,", []),
    ],
)
def test_templates(code: str, text: str, expected: list[tuple[str, str]]) -> None:
    """What a text holds that looks like a date, an address, a number, in several writings."""
    assert templates_of(text, code) == expected


def test_templates_in_sentences() -> None:
    """Padding between sentences hides nothing and moves nothing."""
    text = "Hola. Escriba a ana@x.es hoy. El 3/4/2019 no. b@c.es"
    expected = [("mail", "ana@x.es"), ("date", "3/4/2019"), ("mail", "b@c.es")]
    assert templates_of(text, "es", sentences=True) == expected


def test_mail_addresses() -> None:
    """Each address has its tokens, its document and its local part in lower case."""
    texts = ("sin correo", "A: Ana.Ruiz@x.es", "\n\nb@c")
    stream = stream_of(*texts)
    found = mail_addresses(stream)
    assert [(doc, local) for _, _, doc, local in found] == [(1, "ana.ruiz"), (2, "b")]
    assert [
        texts[doc][stream.start[first] : stream.end[end - 1]] for first, end, doc, _ in found
    ] == ["Ana.Ruiz@x.es", "b@c"]


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "(none)"), (1, "date, alone"), (2, "date, first"), (8, "date-in-words, last")],
)
def test_show_template(number: int, words: str) -> None:
    """A mark in words names the template and the place in it."""
    assert show_template(number) == words
