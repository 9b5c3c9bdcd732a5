"""Tests for veil.features.positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from veil.features.forms import Resources
from veil.features.groups import Channel
from veil.features.positions import POSITION_FEATURES, position_feature
from veil.features.space import FeatureSpace, learn_positions
from veil.features.stream import FormTable, Stream, build_stream
from veil.languages import language

if TYPE_CHECKING:
    from veil.features.stream import Longs

HEADER = "Nombre: Ana\nEdad: 53 Sexo: M\n\nSin dolor.\n  Fin:"


class Words(dict[str, int]):
    """A vocabulary that holds every word: it learns each when it is asked for."""

    def get(self, word: str, default: int | None = None) -> int:  # type: ignore[override]
        return self.setdefault(word, len(self) + 2)


def stream_of(*texts: str, code: str = "es") -> Stream:
    spoken = language(code)
    vocabularies = {name: Words() for name in ("normal", "short-shape", "role")}
    forms = FormTable(vocabularies, Resources(code))
    return build_stream(texts, [spoken.tokens(text) for text in texts], forms)


def compute(feature: str, stream: Stream) -> Longs:
    return POSITION_FEATURES.get(feature).compute(stream)


def shown(feature: str, *texts: str) -> list[str]:
    """The values of a feature in words: one a token, or one a line that is not empty."""
    stream = stream_of(*texts)
    names = {
        name: {number: word for word, number in words.items()}
        for name, words in stream.table.vocabularies.items()
    }
    description = POSITION_FEATURES.get(feature)
    values = compute(feature, stream)
    at = np.flatnonzero(stream.first < stream.last) if description.by_line else stream.words
    return [
        description.show(lambda name, number: names[name].get(number, "-"), int(value))
        for value in values[at]
    ]


def numbers(feature: str, *texts: str) -> list[int]:
    """The values of a feature: one a token, or one a line that is not empty."""
    stream = stream_of(*texts)
    at = (
        np.flatnonzero(stream.first < stream.last)
        if POSITION_FEATURES.get(feature).by_line
        else stream.words
    )
    values: list[int] = compute(feature, stream)[at].tolist()
    return values


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Nombre: Ana", ["nombre"]),
        ("NHC : 12", ["nhc"]),
        ("Fecha de ingreso: hoy", ["fecha de ingreso"]),
        ("Fecha de ingreso del enfermo: hoy", ["fecha de ingreso"]),
        ("uno dos tres cuatro cinco seis siete: ocho", ["(none)"]),
        ("Sin dolor", ["(none)"]),
        (": Ana", ["(none)"]),
        ("Edad: 53 Sexo: M", ["edad"]),
        ("Sin\nNombre: Ana\nnada", ["(none)", "nombre", "(none)"]),
        ("Nombre:\nAna", ["nombre", "(none)"]),
        ("", []),
    ],
)
def test_line_key(text: str, keys: list[str]) -> None:
    """The first words before the first colon, if it stands near the start of the line."""
    assert shown("line-key", text) == keys


def test_neighbour_lines() -> None:
    """The key of the line before and after, empty lines left out, documents apart."""
    assert shown("previous-line-key", HEADER, "Otro: x") == [
        *("(none)", "nombre", "edad", "(none)"),
        "(none)",
    ]
    assert shown("next-line-key", HEADER, "Otro: x") == [
        *("edad", "(none)", "fin", "(none)"),
        "(none)",
    ]
    other, no_key = numbers("previous-line-key", "a\nb")
    assert other != no_key


@pytest.mark.parametrize(
    ("feature", "values"),
    [
        ("line-from-top", [1, 2, 3, 4]),
        ("line-from-bottom", [4, 3, 2, 1]),
        ("line-length", [3, 4, 3, 2]),
    ],
)
def test_lines(feature: str, values: list[int]) -> None:
    """Lines that are not empty are counted from both ends of each document."""
    assert numbers(feature, HEADER) == values
    assert numbers(feature, HEADER, "", HEADER) == values * 2


def test_line_start() -> None:
    """The first word of each line."""
    assert shown("line-start", HEADER) == ["nombre", "edad", "sin", "fin"]


def test_positions() -> None:
    """Places from the start and the end of the line, up to a most."""
    text = "a b c\nd\n" + "e " * 20
    assert numbers("position", text)[:4] == [0, 1, 2, 0]
    assert max(numbers("position", text)) == 13
    assert numbers("position-from-end", text)[:4] == [3, 2, 1, 1]
    assert max(numbers("position-from-end", text)) == 7


def test_line_key_and_position() -> None:
    """The key with the place of the word; far from the start the key is forgotten."""
    assert shown("line-key-and-position", "Edad: 53")[-1] == "edad +2"
    assert len(set(numbers("line-key-and-position", "Edad: " + "a " * 30))) == 11
    assert len(set(numbers("line-key-and-position", "a " * 30))) == 11


def test_field() -> None:
    """The two words before the last colon on the line."""
    assert shown("field", "Edad: 53 Sexo: M\nFecha de alta: hoy\nfin") == [
        *("(none)", "(none)", "edad", "edad", "edad", "53 sexo"),
        *("(none)", "(none)", "(none)", "(none)", "de alta"),
        "(none)",
    ]
    assert shown("field", ": Ana") == ["(none)", "(none)"]
    assert shown("field-and-distance", "Edad: 53 años")[2:] == ["edad +1", "edad +2"]
    assert shown("field-and-distance", "Edad: " + "a " * 20)[-1] == "edad +7"


def test_pairs() -> None:
    """The previous and this word; shapes with a mark for the blank that follows."""
    assert shown("word-pair", "sin dolor")[1] == "sin dolor"
    assert shown("shape-pair", "Ana 2019")[1] == "Xx_ d4"
    assert shown("shape-triple", "Ana,2019 x")[1] == "Xx , d4_"
    assert shown("spaced-shape", "Ana 2019") != shown("spaced-shape", "Ana,2019")


def test_word_pairs_of_unknown_words() -> None:
    """A pair with an unknown word is none."""
    spanish = language("es")
    text = "sin dolor sin"
    forms = FormTable({"normal": {"sin": 2}}, Resources("es"))
    stream = build_stream([text], [spanish.tokens(text)], forms)
    assert compute("word-pair", stream)[stream.words].tolist()[1:] == [-1, -1]


@pytest.mark.parametrize(
    ("text", "word", "value"),
    [
        ("Ruiz llegó", "Ruiz", 0),
        ("Solo\nsolo", "Solo", 1),
        ("Dr. Ruiz\nRuiz", "Ruiz", 2),
        ("Dr. Ruiz\nruiz", "ruiz", 2),
        ("Nombre: Ruiz\nRuiz", "Ruiz", 2),
        ("Ruiz ana.ruiz@x.es", "Ruiz", 5),
        ("Muñoz munoz@x.es", "Muñoz", 4),
        ("Paz paz.x@x.es", "Paz", 1),
    ],
)
def test_document_memory(text: str, word: str, value: int) -> None:
    """Seen in lower case (1), as a name after a title or in a name field (2), in an address (4)."""
    stream = stream_of("Ruiz Dr. Solo ruiz", text, "Dr. Muñoz Paz")
    memory = compute("document-memory", stream)
    first, end = stream.bounds[1]
    at = [
        place
        for place in range(first, end)
        if text[stream.start[place] : stream.end[place]] == word and not stream.breaks[place]
    ]
    assert memory[at[-1]] == value


@pytest.mark.parametrize(
    ("text", "word", "before", "after"),
    [
        ("su hija Ana", "Ana", "hija 1", "(none)"),
        ("su hija, la mayor, Ana", "Ana", "hija 5", "(none)"),
        ("Ana, enfermera", "Ana", "(none)", "enfermera 2"),
        ("hija" + " x" * 12 + " Ana", "Ana", "(none)", "(none)"),
    ],
)
def test_roles_are_seen_from_some_words_away(text: str, word: str, before: str, after: str) -> None:
    """The nearest word of a role on each side counts, with its distance, up to twelve tokens."""
    stream = stream_of("Dra. hija", text, "hija enfermera")
    names = {number: word for word, number in stream.table.vocabularies["normal"].items()}
    at = next(
        place
        for place in range(*stream.bounds[1])
        if text[stream.start[place] : stream.end[place]] == word
    )
    for feature, expected in (("role-word-before", before), ("role-word-after", after)):
        value = int(compute(feature, stream)[at])
        show = POSITION_FEATURES.get(feature).show
        assert show(lambda _, number: names[number], value) == expected


def test_the_role_of_a_name_is_remembered_in_the_document() -> None:
    """A name that has a role beside one mention has it at all mentions, in this document only."""
    text = "su hija Ana llora, más tarde Ana sale con Luis."
    remembered = [value for value in shown("roles-elsewhere", text, "Ana") if value != "(none)"]
    assert remembered == ["relatives", "relatives"]


def test_an_address_past_the_most_is_not_looked_at() -> None:
    """The first addresses of a document count; a text full of them costs no more."""
    few = "Ruiz " + "a@b.c " * 5 + "ruiz@b.c"
    many = "Ruiz " + "a@b.c " * 50 + "ruiz@b.c"
    assert numbers("document-memory", few)[0] == 5
    assert numbers("document-memory", many)[0] == 1


@pytest.mark.parametrize("feature", ["line-key", "line-from-top", "field", "document-memory"])
def test_neighbours_change_nothing(feature: str) -> None:
    """A document has the same values beside any other."""
    alone = shown(feature, HEADER)
    before, after = "Edad: 3\nDr. Ana", "Fin: Ana\nana@x.es"
    beside = shown(feature, before, HEADER, after)
    skipped = len(shown(feature, before))
    assert beside[skipped : skipped + len(alone)] == alone


def test_names_are_given_once() -> None:
    """A second feature of the same name is a mistake of the programmer."""
    with pytest.raises(ValueError, match="'bias' is registered already"):
        position_feature("bias")(lambda stream: np.zeros(len(stream), np.int64))


@pytest.mark.parametrize(
    "text",
    [
        "1/1/" * 50_000,
        "C " * 100_000,
        "C p " * 50_000,
        "Calle de la " * 15_000,
        "H e " * 50_000,
        "Dr. de la " * 20_000,
        "1 . " * 50_000,
        "@" * 200_000,
        "a@" * 100_000,
        "a.a." * 50_000 + "@",
        "x@" + "a.a." * 50_000,
        "Anna@b " * 28_000,
        ": " * 100_000,
        "a: " * 66_000,
        "\n" * 200_000,
        "(" * 200_000,
        "M 1 " * 50_000,
        "".join(f"Nombre{number}@x.es " for number in range(12_000)),
    ],
)
def test_hostile_texts_end(text: str) -> None:
    """Two hundred thousand characters made to be slow are done in linear time: this ends."""
    spanish = language("es")
    stream = build_stream(
        [text],
        [spanish.tokens(text)],
        FormTable({"normal": {}, "short-shape": {}}, Resources("es")),
    )
    for feature in ("template", "document-memory", "line-key", "field", "line-from-top"):
        values = compute(feature, stream)
        assert len(values) in (len(stream), len(stream.first))


def test_learned_values_are_the_same_in_another_run() -> None:
    """Numbers come from vocabularies: texts in another order teach the same values."""
    texts = [HEADER, "Edad: 4\nDr. Ruiz, 3/4/2019", "Nombre: Eva\neva@x.es"]
    channels = [Channel(name) for name in ("line-key", "field", "template", "word-pair")]
    vocabulary = {word: number for number, word in enumerate(["edad", "nombre", ":"], start=2)}
    spanish = language("es")

    def learn(order: list[str]) -> FeatureSpace:
        forms = FormTable({"normal": vocabulary}, Resources("es"))
        stream = build_stream(order, [spanish.tokens(text) for text in order], forms)
        return FeatureSpace(tuple(channels), Resources("es"), {}, learn_positions(channels, stream))

    once, again = learn(texts), learn(texts[::-1])
    for feature, keys in once.positions.items():
        assert keys.tolist() == again.positions[feature].tolist()
