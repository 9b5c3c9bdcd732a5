"""What holds of every shipped list, whatever the language."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from veil.lexicons import kinds, lexicon
from veil.lexicons.entries import SUFFIX_MARK, SuffixIndex, fold_entry
from veil.lexicons.store import parse_list

DATA = resources.files("veil.languages")
LANGUAGES = ("en", "es", "ja", "sv")
EACH = [(language, kind) for language in LANGUAGES for kind in kinds()]
EPONYMS = {
    "en": "Parkinson Foley Hodgkin Crohn Down Glasgow Apgar Karnofsky Babinski Doppler Sjögren",
    "es": "Parkinson Foley Hodgkin Crohn Down Glasgow Apgar Karnofsky Babinski Doppler Sjögren",
    "sv": "Parkinson Foley Hodgkin Crohn Down Glasgow Apgar Karnofsky Babinski Doppler Bechterew",
    "ja": "橋本病 バセドウ病 川崎病 パーキンソン病 クローン病 ダウン症 アルツハイマー病",
}
PHRASES = {
    "en": ["Wilson's disease", "Graves disease", "circle of Willis"],
    "es": ["síndrome de Turner", "signo de Murphy"],
    "sv": ["Sjögrens syndrom", "Löfgrens syndrom"],
    "ja": ["ギラン・バレー症候群"],
}
FEWEST = {
    "given_female": 15_000,
    "given_male": 15_000,
    "surname": 4_000,
    "city": 3_000,
    "region": 100,
    "country": 190,
    "nationality": 100,
    "street_head": 50,
    "hospital_head": 80,
    "title": 50,
    "doctor_title": 40,
    "profession": 200,
    "relative": 100,
    "month": 12,
    "weekday": 7,
    "common": 4_800,
    "medical": 400,
    "ordinary": 38_000,
    "clinical": 600,
}
NAMES = ("given_female", "given_male", "surname")
CITIES = {
    "en": "New York;New York City;Saint Louis;St. Louis;Washington D.C.;Mexico City;Berlin;Tokyo",
    "es": "Nueva York;Ciudad de México;Santiago de Chile;Estocolmo;Tokio;Pekín;La Haya;Moscú",
    "sv": "New York;Göteborg;Köpenhamn;Helsingfors;Upplands Väsby;S:t Petersburg;Kapstaden;Aten",
    "ja": "東京;京都;大阪;横浜市;さいたま市;北京;ソウル;ニューヨーク;パリ;ロンドン",
}
CLINICAL = {
    "en": "Cardiology;History of Present Illness;lisinopril;Tylenol;MRI;DISCHARGE SUMMARY",
    "es": "Oncología;Exploración física;EXPLORACION FISICA;paracetamol;Nolotil;TAC",
    "sv": "Kardiologi;Ortopedkliniken;Bedömning;Status;Alvedon;EKG;Tidigare sjukdomar",
    "ja": "循環器内科;現病歴;既往歴;レボフロキサシン;心電図;腹腔鏡下胆嚢摘出術;病棟",
}


@pytest.mark.parametrize(("language", "kind"), EACH)
def test_lists_are_sorted_distinct_and_tidy(language: str, kind: str) -> None:
    """Entries come in order, once each, with a letter in them and no stray white space."""
    entries = list(lexicon(language, kind))
    assert entries == sorted(set(entries))
    assert all(" ".join(entry.split()) == entry for entry in entries)
    assert all(any(character.isalpha() for character in entry) for entry in entries)


@pytest.mark.parametrize(("language", "kind"), EACH)
def test_lists_are_as_long_as_the_sources_allow(language: str, kind: str) -> None:
    """No list was cut short by accident."""
    assert FEWEST[kind] <= len(lexicon(language, kind))


@pytest.mark.parametrize(("language", "kind"), EACH)
def test_every_entry_finds_itself(language: str, kind: str) -> None:
    """What a list holds, a look-up finds."""
    words = lexicon(language, kind)
    entries = [entry for entry in words if not entry.startswith(SUFFIX_MARK)]
    assert [entry for entry in entries if entry not in words] == []


@pytest.mark.parametrize(("language", "kind"), EACH)
def test_stored_forms_are_those_of_today(language: str, kind: str) -> None:
    """A change to the folding that is not followed by a rebuild is noticed."""
    words = lexicon(language, kind)
    assert sorted(words.keys.folded) == sorted(map(fold_entry, words))


@pytest.mark.parametrize(("language", "kind"), EACH)
def test_sources_are_recorded(language: str, kind: str) -> None:
    """Each list has its source, licence and count."""
    note = tomllib.loads((DATA / "SOURCES.toml").read_text("utf-8"))[language][kind]
    assert note["count"] == len(lexicon(language, kind))
    assert len(note["sources"]) == len(note["licences"]) != 0
    assert not any("GPL" in licence for licence in note["licences"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_eponyms_are_medical(language: str) -> None:
    """Diseases, signs and scales called after people are known, alone or in phrases."""
    medical = lexicon(language, "medical")
    wanted = EPONYMS[language].split() + PHRASES[language]
    assert [entry for entry in wanted if entry not in medical] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_large_cities_are_known(language: str) -> None:
    """Cities stand under the names that the language gives them, long and short."""
    cities = lexicon(language, "city")
    assert [entry for entry in CITIES[language].split(";") if entry not in cities] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_notes_are_clinical(language: str) -> None:
    """Wards, headings, drugs, tests and devices are known, headings in capitals too."""
    clinical = lexicon(language, "clinical")
    assert [entry for entry in CLINICAL[language].split(";") if entry not in clinical] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_ends_like_a_clinical_word(language: str) -> None:
    """The ends of clinical compounds are not the ends of surnames or given names."""
    ends = SuffixIndex((suffix, 1) for suffix in lexicon(language, "clinical").keys.suffixes)
    ordinary = lexicon(language, "ordinary")
    names = {name for kind in NAMES for name in lexicon(language, kind).keys.folded}
    assert [name for name in names if ends.bits(name) and name not in ordinary] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinary_words_are_single_words_in_lower_case(language: str) -> None:
    """They stand for text in any case, one word each."""
    assert all(word.isalpha() and word.lower() == word for word in lexicon(language, "ordinary"))


@pytest.mark.parametrize(("language", "kind"), EACH)
def test_lists_are_either_written_or_derived(language: str, kind: str) -> None:
    """A list lies in one file: plain if written by hand, packed if derived."""
    folder = DATA / language / "lexicon"
    assert folder.joinpath(f"{kind}.txt").is_file() != folder.joinpath(f"{kind}.tsv.xz").is_file()


@pytest.mark.parametrize("language", LANGUAGES)
def test_hand_written_lists_are_sorted_on_disk(language: str) -> None:
    """Sorted files keep changes readable."""
    for file in (DATA / language / "lexicon").iterdir():
        if file.name.endswith(".txt"):
            entries = parse_list(file.read_text("utf-8"))
            assert entries == sorted(entries), file.name


@pytest.mark.parametrize("language", ["en", "es", "sv"])
def test_names_of_many_origins_are_known(language: str) -> None:
    """Names from Arabic, Turkish, Somali, Polish, Vietnamese, Chinese and Hindi are there."""
    surnames = (
        "Hussein Haddad Yilmaz Demir Warsame Farah Kowalski Nowak Tran Pham Zhang Singh Patel"
    )
    assert [name for name in surnames.split() if name not in lexicon(language, "surname")] == []
    female = "Fatima Zeynep Hodan Agnieszka Linh Priya Svetlana".split()
    assert [name for name in female if name not in lexicon(language, "given_female")] == []
    male = "Mohamed Mehmet Abdi Wojciech Minh Xiaoming Rajesh Sergei".split()
    assert [name for name in male if name not in lexicon(language, "given_male")] == []
