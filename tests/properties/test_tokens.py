"""Properties of the tokens that hold beyond the contract of every language."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from veil.languages.en import wi_deid_tokens
from veil.languages.ja import JAPANESE
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


JAPANESE_PIECES = st.sampled_from(
    [
        *"あ東京一二三十百万。．！？」）%-/ \u3000\tÐé\u0301ｱﾞｶﾞか\u3099３Ａ\ud800\x00\n",
        *("大学病院", "田中", "ABC", "12", "二十日", "pneumoniaofunknownorigin" * 2),
    ]
)


@given(text=st.lists(JAPANESE_PIECES | st.characters()).map("".join))
def test_japanese_offsets_are_those_of_the_morphemes(text: str) -> None:
    """Tokens that are cut without their readings are the morphemes, again and again."""
    expected = [(morpheme.start, morpheme.end) for morpheme in JAPANESE.morphemes(text)]
    for _ in range(2):
        assert list(zip(*JAPANESE.offsets(text), strict=True)) == expected


def test_long_japanese_lines_are_cut_like_short_ones() -> None:
    """Lines that are too long to be remembered are cut by the same rules."""
    line = "二十日、田中 太郎さんは東京に行った。ABC12ｶﾞ"
    starts, ends = JAPANESE.offsets(line)
    repeated = JAPANESE.offsets(" ".join([line] * 9))
    shifts = [(len(line) + 1) * number for number in range(9)]
    assert repeated.starts == [shift + start for shift in shifts for start in starts]
    assert repeated.ends == [shift + end for shift in shifts for end in ends]
