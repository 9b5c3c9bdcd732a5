from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.detect.names.conftest import Find


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ssk Anna ringde", ["Anna/first"]),
        ("dr Berg ringde", ["Berg/last"]),
        ("dr. Berg", ["Berg/last"]),
        ("Överläkare Eva Lindgren-Bergs remiss", ["Eva/first", "Lindgren-Bergs/last"]),
        ("leg läk Kanelbulle", ["Kanelbulle/last"]),
        ("prof. A. von Essen", ["A/first", "von/last", "Essen/last"]),
        ("dr Anna Maria Berg Karlsson", ["Anna/first", "Maria/first", "Berg/last"]),
        ("Läkare: Per Nilsson", ["Per/first", "Nilsson/last"]),
        ("Läkare:\nPer Nilsson", ["Per/first", "Nilsson/last"]),
        ("Anna Berg, ssk", ["Anna/first", "Berg/last"]),
        ("Kanelbulle, ssk", []),
        ("talade med läkare. Hon mår bra", []),
        ("tid hos dr\nAnna", []),
        ("dr\n\nBerg", []),
        ("dr professor", []),
        ("dr", []),
        ("dr.", []),
        ("andra läkare", []),
    ],
)
def test_swedish(find: Find, text: str, names: list[str]) -> None:
    """Two words are first and last name; one is last after a doctor's title, else first."""
    assert find(text, "T") == [f"{name}/T" for name in names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mr. John O'Neill's wife", ["John/first", "O'Neill/last"]),
        ("Mrs. Zorblatt", ["Zorblatt/first"]),
        ("Dr. J.B. Adams", ["J/first", "B/first", "Adams/last"]),
        ("Jane Doe, MD", ["Jane/first", "Doe/last"]),
        ("J. Q. Doe MD", ["J/first", "Q/first", "Doe/last"]),
        ("Zorblatt, M.D.", ["Zorblatt/last"]),
        ("MD Zorblatt", []),
        ("Dr. Dean said", ["Dean/last"]),
        ("Dr. Professor said", []),
        ("the private office of Mary", []),
    ],
)
def test_english(find: Find, text: str, names: list[str]) -> None:
    """Letters after a name are titles too, and some surnames are titles themselves."""
    assert find(text, "T", "en") == [f"{name}/T" for name in names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dr. Juan Pérez Gómez", ["Juan/first", "Pérez/last", "Gómez/last"]),
        ("Dra. de la Fuente", ["de/last", "la/last", "Fuente/last"]),
        ("D. Luis Gil", ["Luis/first", "Gil/last"]),
        ("vitamina D Baja", []),
        ("Jefe de Servicio: Ana Ruiz", ["Ana/first", "Ruiz/last"]),
        ("Dr. de", []),
        ("Dra. Ana Ruiz Servicio de Urología", ["Ana/first", "Ruiz/last"]),
    ],
)
def test_spanish(find: Find, text: str, names: list[str]) -> None:
    """People have two surnames, and these have particles."""
    assert find(text, "T", "es") == [f"{name}/T" for name in names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("田中先生が診察した", ["田中/last"]),
        ("山田太郎様は", ["山田/last", "太郎/first"]),
        ("主治医：鈴木", ["鈴木/last"]),
        ("本日山田先生に紹介", ["山田/last"]),
        ("高木守道氏から", ["高木/last", "守/first", "道/first"]),
        ("看護師さんとお母さん", []),
        ("林さんと森先生", ["林/last", "森/last"]),
        ("妻さん、二人様、奥さん、皆さん", []),
        ("先生鈴木", []),
        ("主治医鈴木", []),
    ],
)
def test_japanese(find: Find, text: str, names: list[str]) -> None:
    """Titles follow, families are named first, and no capital tells a name from its neighbour."""
    assert find(text, "T", "ja") == [f"{name}/T" for name in names]


def test_common_words_are_passed_over(find: Find) -> None:
    """What was marked as common before is no name, even next to a title."""
    assert find("ssk Hon och dr Berglund", "T") == ["Hon/first/T", "Berglund/last/T"]
    assert find("ssk Hon och dr Berglund", "CT") == ["Berglund/last/T"]


def test_the_first_annotation_stays(find: Find) -> None:
    """Whichever module comes first says which part of a name a word is."""
    assert find("dr Kim", "TD") == ["Kim/last/T"]
    assert find("dr Kim", "DT") == ["Kim/first/D"]
