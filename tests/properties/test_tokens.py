"""Properties of the tokens that hold beyond the contract of every language."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from veil.languages.en import wi_deid_tokens
from veil.languages.ja.forms import analysis_form
from veil.languages.latin import latin_tokens

WORDS = st.text("abcdefghijklmnopqrstuvwxyzåäöñéł", min_size=3, max_size=12)
NAMES = WORDS.map(lambda word: word[0].upper() + word[1:])


@given(left=NAMES, right=NAMES)
def test_glued_names_come_apart(left: str, right: str) -> None:
    """Two capitalised words without a space between them are two tokens."""
    if left in {"Mac", "Fitz", "Van", "Del"}:
        return
    text = left + right
    assert [text[start:end] for start, end in latin_tokens(text)] == [left, right]


@given(word=WORDS, number=st.integers(0, 10**9))
def test_letters_and_digits_come_apart(word: str, number: int) -> None:
    """Letters and digits never share a token."""
    text = f"{word}{number}{word}"
    assert [text[start:end] for start, end in latin_tokens(text)] == [word, str(number), word]


@given(words=st.lists(st.one_of(WORDS, NAMES, WORDS.map(str.upper)), min_size=1))
def test_whole_words_stay_whole(words: list[str]) -> None:
    """A word in lower case, in capitals or capitalised is one token."""
    text = " ".join(words)
    assert [text[start:end] for start, end in latin_tokens(text)] == words


@given(words=st.lists(st.one_of(WORDS, NAMES, WORDS.map(str.upper)), min_size=1))
def test_decomposed_accents_split_alike(words: list[str]) -> None:
    """A letter with its accent apart is split like the one that holds it."""
    text = unicodedata.normalize("NFD", " ".join(words))
    tokens = [text[start:end] for start, end in latin_tokens(text)]
    assert tokens == [unicodedata.normalize("NFD", word) for word in words]


@given(text=st.text(st.characters(max_codepoint=0x2FF)))
def test_wi_deid_tokens_hold_no_segmented_mark(text: str) -> None:
    """A character that wi-deid-2015 segments stands alone."""
    for start, end in wi_deid_tokens(text):
        assert end - start == 1 or not set('",:;#*-=/<>[]{}') & set(text[start:end])


@given(text=st.text(st.sampled_from("ｶﾞﾊﾟｱｰかゞ\u3099\u309aＡ１a1 。.\x00\u3000山𠮷\ud800")))
def test_analysis_form_leads_back(text: str) -> None:
    """Every character of the form has its place in the text, in order, and none is lost."""
    form = analysis_form(text, 7)
    assert len(form.places) == len(form.text) + 1
    assert list(form.places) == sorted(set(form.places))
    assert form.places[0] == 7
    assert form.places[-1] == 7 + len(text)
    assert "\x00" not in form.text
    form.text.encode("utf-8")
