from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veil.languages import language_codes
from veil.lexicons import Lexicon, Mark, is_ordinary, kinds, lexicon, word_marks
from veil.lexicons.entries import PackedList, fold_entry, pack
from veil.lexicons.folding import _fold_any, fold, fold_in_place, without_diacritics

LANGUAGES = language_codes()

ENTRIES = ["Anna", "San Sebastián", "Åke", "O'Neill", "-gatan", "hospital", "山田", "アキ", "B棟"]
PIECES = [
    "Anna",
    "anna",
    "San",
    "Sebastián",
    "Stor",
    "gatan",
    "山田",
    "アキ",
    "B棟",
    "'s",
    "-",
    " ",
]
TEXT = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))
MARKED = [kind for kind in kinds() if kind.upper() in Mark.__members__]
WORDS = st.text(st.characters(categories=["Lu", "Ll", "Lo"]), min_size=1, max_size=12)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    """A folded text stays as it is."""
    assert fold(fold(text)) == fold(text)
    assert without_diacritics(without_diacritics(fold(text))) == without_diacritics(fold(text))


@given(st.text(st.characters(max_codepoint=0x17F)))
def test_folding_bytes_is_folding_letters(text: str) -> None:
    """Letters of Latin-1 are folded by a table as all others are by taking them apart."""
    assert fold(text) == _fold_any(text.lower())


@given(st.text())
def test_folding_in_place_moves_no_offset(text: str) -> None:
    """Each character becomes one character."""
    assert len(fold_in_place(text)) == len(text)


@given(TEXT, st.booleans())
def test_hits_are_sorted_disjoint_and_hold_no_edge_space(text: str, any_case: bool) -> None:
    """Hits lie inside the text one after another, and begin and end with what they name."""
    position = 0
    for start, end in Lexicon(ENTRIES, language="sv").find(text, any_case=any_case):
        assert position <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]
        position = end


@given(TEXT)
def test_any_case_finds_all_that_capitals_find(text: str) -> None:
    """The looser search covers every character that the stricter one covers."""
    words = Lexicon(ENTRIES, language="sv")
    strict = {offset for hit in words.find(text) for offset in range(*hit)}
    loose = {offset for hit in words.find(text, any_case=True) for offset in range(*hit)}
    assert strict <= loose


@given(st.sampled_from(LANGUAGES), st.data())
def test_an_entry_is_found_between_others(language: str, data: st.DataObject) -> None:
    """Any city is found whole where white space stands around it."""
    cities = lexicon(language, "city")
    entry = data.draw(st.sampled_from(cities.entries))
    text = f"1 {entry} 2"
    assert (2, 2 + len(entry)) in cities.find(text)


@given(st.lists(WORDS, unique=True))
def test_packed_lists_hold_what_went_in(entries: list[str]) -> None:
    """Packing loses nothing and adds nothing."""
    packed = PackedList(pack(entries))
    assert packed.entries == tuple(sorted(entries))
    assert sorted(packed.folded) == sorted(map(fold_entry, entries))


@given(st.sampled_from(LANGUAGES), st.sampled_from(MARKED), st.data())
def test_an_entry_has_the_mark_of_its_list(language: str, kind: str, data: st.DataObject) -> None:
    """A word of a list has the list's bit, in capitals too."""
    words = [entry for entry in lexicon(language, kind) if entry.isalpha()]
    word = data.draw(st.sampled_from(words))
    assert word_marks(language)(word) & Mark[kind.upper()]
    assert word_marks(language)(word.upper()) & Mark[kind.upper()]


@given(st.sampled_from(LANGUAGES), st.sampled_from(["ordinary", "clinical"]), st.data())
def test_entries_are_ordinary_in_any_case(language: str, kind: str, data: st.DataObject) -> None:
    """What the lists of ordinary and clinical words hold is ordinary, however it is written."""
    words = [entry for entry in lexicon(language, kind) if entry.isalpha()]
    word = data.draw(st.sampled_from(words))
    ordinary = is_ordinary(language)
    assert ordinary(word)
    assert ordinary(word.upper())
    assert ordinary(word.capitalize() + "'s")


@given(st.sampled_from(LANGUAGES), st.text())
def test_any_text_is_ordinary_or_not(language: str, word: str) -> None:
    """Whatever stands for a word has an answer, the same one again."""
    assert is_ordinary(language)(word) is is_ordinary(language)(word)


@given(st.sampled_from(LANGUAGES), st.text())
def test_any_text_has_marks(language: str, word: str) -> None:
    """Whatever stands for a word gets a mask of known bits."""
    assert 0 <= word_marks(language)(word) < 2 * max(Mark)
