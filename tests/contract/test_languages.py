"""What holds for every language, whatever the text."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil.core.errors import UnknownNameError
from veil.languages import LANGUAGES, language

if TYPE_CHECKING:
    from veil.core.document import Sentence, Token

NASTY_TEXTS = {
    "empty": "",
    "white space": " \t\r\n\u3000\x1c\x85\u2028",
    "windows lines": "Name: Ann Lee\r\nAge: 42\r\n\r\nPlan:\r\nrest",
    "old mac lines": "Nombre: Ana\rEdad: 42\r\rPlan: reposo",
    "control characters": "a\x00b\x01 c\x7f\x1bd 患者\x00山田",
    "lone surrogates": "ab\ud800c \udfff患\udc00者",
    "astral": "𝐀nna 😀👩\u200d⚕️ 𠮷野家 𐐀𐐨",
    "combining marks": "Jose\u0301 A\u0301LVAREZ \u0301x n\u0303 か\u3099ん",
    "joiners": "Anders\u00adson zero\u200bwidth\ufeff \u2060word",
    "half-width katakana": "ｶﾞﾝ ﾌﾟﾚﾄﾞﾆﾝ ﾞ ｱﾞ ｶﾙﾃ｡｢次｣",
    "full-width": "Ａｌｉｃｅ　Ｌｅｅ，２０２０／０１／０２（火）．",
    "right to left": "שלום דוקטור كوهين",
    "runs of marks": "!!!??? ..... ----- ((([[[ '''\" 。。。！！」」」",
    "spaces of all kinds": "a\u00a0b\u2003c\u202fd\u3000e\x0bf\x0cg",
    "numbers of all kinds": "½ ² Ⅳ ① ٣٤ 四十二 〇 ㍿ ㎎",
    "glued": "JaffreyMarital47798497-045-1949ALMaritalx76221PEND01/26/2098",
    "long word": "a" * 5000 + "B" * 5000 + "1" * 5000,
    "long kanji": "山田太郎" * 2000,
    "long marks": "." * 20000 + "!" * 20000 + "'" * 20000,
    "brackets": "「" * 300 + "。」" * 300 + "(" * 300,
}


def check_tokens(text: str, tokens: list[Token]) -> None:
    covered: set[int] = set()
    for left, right in pairwise(tokens):
        assert left.end <= right.start
    for token in tokens:
        assert 0 <= token.start < token.end <= len(text)
        covered.update(range(token.start, token.end))
    assert covered == {place for place, mark in enumerate(text) if not mark.isspace()}


def check_sentences(text: str, sentences: list[Sentence], tokens: list[Token]) -> None:
    for left, right in pairwise(sentences):
        assert left.end <= right.start
    for sentence in sentences:
        assert 0 <= sentence.start < sentence.end <= len(text)
        assert not text[sentence.start].isspace()
        assert not text[sentence.end - 1].isspace()
    holders = [
        sum(sentence.start <= token.start and token.end <= sentence.end for sentence in sentences)
        for token in tokens[:2000]
    ]
    assert set(holders) <= {1}


@pytest.mark.parametrize("name", LANGUAGES.names())
@pytest.mark.parametrize("text", NASTY_TEXTS.values(), ids=NASTY_TEXTS)
def test_nasty_text_is_covered(name: str, text: str) -> None:
    """Tokens cover what is no white space and sentences hold whole tokens, in nasty text too."""
    tokens = language(name).tokens(text)
    check_tokens(text, tokens)
    check_sentences(text, language(name).sentences(text), tokens)


# Characters that the rules look at come often; any other may come too.
TEXTS = st.text(
    st.one_of(
        st.sampled_from("aAbXz éÉåñø09 \n\r\t.,:;!?-/'\"()[]%#°ªº\u0301\u3000\x00"),
        st.sampled_from("山田花子二十カナがﾞｶ。「」（）．０Ａ"),
        st.characters(),
    ),
    max_size=80,
)


@pytest.mark.parametrize("name", LANGUAGES.names())
@given(text=TEXTS)
def test_any_text_is_covered(name: str, text: str) -> None:
    """Tokens cover what is no white space and sentences hold whole tokens, in any text."""
    tokens = language(name).tokens(text)
    check_tokens(text, tokens)
    check_sentences(text, language(name).sentences(text), tokens)


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_same_text_gives_same_answer(name: str) -> None:
    """A second call answers as the first did: nothing is kept from text to text."""
    text = "Dr. Ann Lee, 42. 山田花子さん。"
    first = (language(name).tokens(text), language(name).sentences(text))
    language(name).tokens("別の文。Other text.")
    assert (language(name).tokens(text), language(name).sentences(text)) == first


def test_every_language_says_its_code_and_name() -> None:
    """A language has a code of two letters, which a variant's name begins with, and a name."""
    for name in LANGUAGES.names():
        assert len(language(name).code) == 2
        assert name.split("-")[0] == language(name).code
        assert language(name).name


def test_unknown_language_lists_the_known_ones() -> None:
    """An unknown name is an error that lists the known ones."""
    with pytest.raises(UnknownNameError, match=r"known: en, en-wi-deid-2015, .*, es"):
        language("fr")


def test_import_loads_no_analyser() -> None:
    """Importing the languages loads neither MeCab nor NumPy."""
    code = "import sys, veil.languages; print(*{'fugashi', 'ipadic', 'numpy'} & set(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == ""
