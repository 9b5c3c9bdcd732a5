from __future__ import annotations

import pytest

from veil.lexicons import Lexicon, lexicon


def found(words: Lexicon, text: str, *, any_case: bool = False) -> list[str]:
    return [text[start:end] for start, end in words.find(text, any_case=any_case)]


NAMES = Lexicon(
    ["Will", "García", "Anna", "Karin", "López", "O'Neill", "Lars", "McDonald", "Akesson", "Cox"]
)
PLACES = Lexicon(["San Sebastián", "New York", "Los Angeles", "York", "St. Louis", "ward 5"])


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Will", True),
        ("WILL", True),
        ("will", False),
        ("Willy", False),
        ("García", True),
        ("Garcia", True),
        ("GARCIA", True),
        ("Åkesson", True),
        ("Mcdonald", True),
        ("O\u2019NEILL", True),
        ("Anna's", False),
        ("Anna-Karin", False),
        ("", False),
    ],
)
def test_containment_heeds_capitals_but_no_accents(word: str, expected: bool) -> None:
    """An entry with a capital stands for text with one, with or without accents."""
    assert (word in NAMES) is expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Anna's", True),
        ("O'Neill's", True),
        ("Lars'", True),
        ("Anna-Karin", True),
        ("García-López", True),
        ("Anna-Xyz", False),
        ("Anna-", False),
        ("annas", False),
        ("anna's", False),
    ],
)
def test_match_takes_genitives_and_hyphens_apart(word: str, expected: bool) -> None:
    """A genitive matches as its base does, a hyphenated word if all its parts do."""
    assert NAMES.match(word) is expected


def test_match_folded_leaves_case_aside() -> None:
    """The loosest look-up takes names in lower case too."""
    assert NAMES.match_folded("garcia-lopez")
    assert NAMES.match_folded("anna's")
    assert not NAMES.match_folded("willow")


def test_lower_case_entries_match_any_case() -> None:
    """An entry in lower case stands for text in any case."""
    heads = Lexicon(["hospital"])
    assert all(heads.match(word) for word in ("hospital", "Hospital", "HOSPITAL"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from San Sebastián to New York.", ["San Sebastián", "New York"]),
        ("SAN SEBASTIAN, Los\nAngeles", ["SAN SEBASTIAN", "Los\nAngeles"]),
        ("New\n\nYork", ["York"]),
        ("St Louis and St. Louis", ["St Louis", "St. Louis"]),
        ("new york", []),
        ("Yorkshire, Newyork, San, Sebastián", []),
        ("Ward 5 and ward 50", ["Ward 5"]),
        ("New York's", ["New York"]),
    ],
)
def test_phrases_are_found_at_the_borders_of_words(text: str, expected: list[str]) -> None:
    """The longest entry wins; phrases may be broken over lines, not over paragraphs."""
    assert found(PLACES, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seen by Anna-Karin García-López.", ["Anna-Karin", "García-López"]),
        ("Anna's and O'Neill's and Lars' results", ["Anna", "O'Neill", "Lars"]),
        ("She will ask Will2 and Garci\u0301a", ["Will", "Garci\u0301a"]),
        ("Annabel, Williams, Neill, post-Annan", []),
    ],
)
def test_names_are_found_in_genitives_and_compounds(text: str, expected: list[str]) -> None:
    """Parts joined by a hyphen are one hit; the apostrophe lies outside of it."""
    assert found(NAMES, text) == expected


def test_any_case_finds_names_in_lower_case() -> None:
    """Text without capitals is searched on request."""
    assert found(NAMES, "anna garcia will come") == []
    assert found(NAMES, "anna garcia will come", any_case=True) == ["anna", "garcia", "will"]


def test_swedish_genitives_are_part_of_the_hit() -> None:
    """The Swedish -s has no apostrophe to set it off."""
    names = Lexicon(["Andersson", "Anna"], language="sv")
    assert found(names, "Anna Anderssons dotter, Annas") == ["Anna", "Anderssons", "Annas"]
    assert found(Lexicon(["Andersson"]), "Anderssons") == []


def test_suffixes_stand_for_compounds() -> None:
    """An entry with a hyphen before it is the end of a word with a stem."""
    streets = Lexicon(["-gatan", "väg"], language="sv")
    assert found(streets, "Storgatan 5, gatan, Xgatan, STORGATAN, väg") == [
        "Storgatan",
        "STORGATAN",
        "väg",
    ]
    assert streets.match("Storgatan")
    assert not streets.match("gatan")


def test_too_short_a_suffix_is_an_error() -> None:
    """Two letters would be the end of too many words."""
    with pytest.raises(ValueError, match="at least 3 letters"):
        Lexicon(["-by"]).match("Rinkeby")


def test_exceptions_shield_what_lies_inside_them() -> None:
    """An item inside an exception is no hit; elsewhere it is."""
    names = Lexicon(["Cox", "Down"], exceptions=Lexicon(["Cox regression", "Down"]))
    assert found(names, "Cox regression by Dr Cox; Down") == ["Cox"]
    assert names.match("Cox")
    assert not names.match("Down")
    assert "Down" in names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("担当は山田太郎医師", ["山田"]),
        ("髙橋さん、高橋さん", ["髙橋", "高橋"]),
        ("アキレス腱断裂", []),
        ("患者アキさん", ["アキ"]),
        ("ﾔﾏﾀﾞ ﾀﾛｳ", ["ﾔﾏﾀﾞ"]),
        ("さくらさんは来院", ["さくら"]),
        ("さくらんぼを食べた", []),
        ("森林と林", []),
        ("第３病棟とB棟", ["第３病棟", "B棟"]),
        ("Dr.Smithが山田を診察", ["Smith", "山田"]),
    ],
)
def test_japanese_is_found_inside_runs(text: str, expected: list[str]) -> None:
    """Kanji match as substrings of two characters or more, kana only as whole runs."""
    names = Lexicon(["山田", "高橋", "アキ", "ヤマダ", "さくら", "林", "第3病棟", "B棟", "Smith"])
    assert found(names, text) == expected


def test_longest_japanese_entry_wins() -> None:
    """Of entries that begin at one place the longest is the hit, and hits do not overlap."""
    assert found(Lexicon(["東京", "東京都", "京都"]), "東京都と京都") == ["東京都", "京都"]


def test_a_lexicon_shows_its_entries_but_not_in_its_repr() -> None:
    """A user's list may hold names of patients: a repr counts them and shows none."""
    names = Lexicon(["Zebedee"])
    assert list(names) == ["Zebedee"]
    assert len(names) == 1
    assert "Zebedee" not in repr(names)


def test_entries_of_the_shipped_lists_are_found() -> None:
    """The lists of each language find what a record of it holds."""
    assert found(lexicon("es", "city"), "natural de San Sebastián") == ["San Sebastián"]
    assert found(lexicon("sv", "hospital_head"), "Södersjukhuset") == ["Södersjukhuset"]
    assert found(lexicon("en", "medical"), "Parkinson's disease")[0] == "Parkinson's disease"
    assert found(lexicon("ja", "region"), "神奈川県横浜市") == ["神奈川県"]
