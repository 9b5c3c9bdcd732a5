from __future__ import annotations

from collections.abc import Callable

import pytest

from veil import Document
from veil.detect.known import Known, KnownDetector
from veil.detect.known.entities import split_address
from veil.detect.known.vocabulary import vocabulary
from veil.languages.ja.known import (
    JapaneseName,
    parse_japanese_address,
    parse_japanese_name,
)

Mark = Callable[[str, Known, str], str]

ENGLISH = Known(
    addresses="123 Main Street, Apt 4, Springfield, IL 62701",
    hospitals=["St. Mary's General Hospital", "Massachusetts General Hospital"],
    employers="Burger King Inc.",
    cities=["Reading", "New York"],
    countries="Portugal",
)
SWEDISH = Known(
    addresses="Storgatan 5, 111 22 Stockholm", hospitals="Karolinska Universitetssjukhuset"
)
SPANISH = Known(
    addresses="Calle de la Princesa, 12, 3º B, 28001 Madrid",
    hospitals=["Hospital Universitario La Paz", "Hospital 12 de octubre"],
)
JAPANESE = Known(
    addresses="〒160-0023 東京都新宿区西新宿2-8-1", hospitals="山田総合病院", employers="日本商事"
)
CASES = [
    ("en", ENGLISH, "lives at ⟦123 Main St., Apt. 4⟧, ⟦Springfield⟧, IL ⟦62701⟧"),
    ("en", ENGLISH, "⟦123 MAIN STREET APT 4⟧, ⟦Main Street⟧; ⟦123 main st⟧"),
    ("en", ENGLISH, "the main street, the main complaint. Main point: St. Anna; 123 mg"),
    ("en", ENGLISH, "at ⟦St Mary's Hospital⟧; ⟦Saint Mary’s General Hospital⟧, ⟦MGH⟧"),
    ("en", ENGLISH, "Mary is in hospital. The general hospital. mgh"),
    ("en", ENGLISH, "works at ⟦Burger King⟧; ate a burger like a king"),
    ("en", ENGLISH, "born in ⟦Reading⟧; he is reading. ⟦New York⟧, ⟦NEW YORK⟧, new friends"),
    ("en", ENGLISH, "travelled to ⟦Portugal⟧ and ⟦portugal⟧"),
    ("sv", SWEDISH, "bor på ⟦Storgatan 5⟧ i ⟦Stockholm⟧; ⟦Storg. 5⟧; ⟦storgatan⟧"),
    ("sv", SWEDISH, "i ⟦Stockholms⟧ län och ⟦STOCKHOLM⟧, inte i stora staden"),
    ("sv", SWEDISH, "vid ⟦Karolinska⟧; ⟦karolinska universitetssjukhuset⟧; ett sjukhus"),
    ("es", SPANISH, "vive en ⟦C/ Princesa 12, 3º B⟧, ⟦28001⟧ ⟦Madrid⟧"),
    ("es", SPANISH, "⟦calle de la Princesa nº 12⟧; ⟦CALLE PRINCESA⟧; una princesa en la calle"),
    ("es", SPANISH, "en ⟦La Paz⟧; ⟦Hospital La Paz⟧, ⟦HULP⟧; descanse en paz"),
    ("es", SPANISH, "⟦Hospital 12 de Octubre⟧; el 12 de octubre"),
    ("ja", JAPANESE, "⟦東京都⟧⟦新宿区⟧⟦西新宿２丁目８番１号⟧、⟦西新宿2-8-1⟧"),
    ("ja", JAPANESE, "⟦西新宿二丁目⟧、⟦新宿⟧在住、⟦東京⟧出身"),
    ("ja", JAPANESE, "⟦山田総合病院⟧から紹介。⟦日本商事⟧勤務。日本語。"),
]


@pytest.mark.parametrize(("language", "known", "marked"), CASES)
def test_places_are_found_where_they_are_marked(
    mark: Mark, language: str, known: Known, marked: str
) -> None:
    """Streets, towns and organisations are found in usual short forms, not by common words."""
    assert mark(language, known, marked) == marked


def test_places_have_their_labels() -> None:
    """Street, town and postcode of one address are told apart."""
    doc = Document("note", "12 High St, Boston 02139, Portugal, Acme Ltd, Mercy Hospital")
    known = Known(
        addresses="12 High Street, Boston, MA 02139",
        countries="Portugal",
        employers="Acme Ltd",
        hospitals="Mercy Hospital",
    )
    spans = KnownDetector("en", known={"note": known}).detect(doc)
    labels = ["STREET", "CITY", "ZIP", "COUNTRY", "ORGANIZATION", "HOSPITAL"]
    assert [span.label for span in spans] == labels


@pytest.mark.parametrize(
    ("language", "value", "expected"),
    [
        (
            "en",
            "1 High St, Apt B, Springfield, IL 62701",
            ("1 High St Apt B", ("Springfield",), ("62701",)),
        ),
        ("sv", "Storgatan 5, 111 22 Lund", ("Storgatan 5", ("Lund",), ("111 22",))),
        ("es", "Río Júcar, s/n", ("Río Júcar s/n", (), ())),
        ("en", "12345 Long Road", ("12345 Long Road", (), ())),
    ],
)
def test_addresses_are_taken_apart(
    language: str, value: str, expected: tuple[str, tuple[str, ...], tuple[str, ...]]
) -> None:
    """An address in one cell has a street, towns and postcodes."""
    assert tuple(split_address(value, vocabulary(language))) == expected


def test_japanese_addresses_are_taken_apart() -> None:
    """Prefecture, city, town and numbers stand one behind another."""
    address = parse_japanese_address("〒100-0001 神奈川県横浜市中区本町１丁目２番地３")
    assert tuple(address) == ("100-0001", "神奈川県", "横浜市中区", "本町", ("1", "2", "3"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("山田 太郎", [("山田", "太郎")]),
        ("山田　太郎 先生", [("山田", "太郎")]),
        ("山田太郎", [("山田", "太郎")]),
        ("山田太郎（ヤマダ タロウ）", [("山田", "太郎"), ("やまだ", "たろう")]),
        ("龘龘", [("龘龘", "")]),
    ],
)
def test_japanese_names_are_taken_apart(value: str, expected: list[tuple[str, str]]) -> None:
    """A name is cut at its space, or behind a surname of the list."""
    assert parse_japanese_name(value) == [JapaneseName(*name) for name in expected]
