from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from veil.core.errors import InputError
from veil.languages.ja import JAPANESE, JapaneseLanguage, Morpheme

if TYPE_CHECKING:
    from pathlib import Path

CASES = [
    ("山田太郎さんは12日に入院", "山田|太郎|さん|は|12|日|に|入院"),
    ("２０２０年", "２０２０|年"),
    ("ＣＴで2.5cm", "ＣＴ|で|2|.|5|cm"),
    ("千二百円", "千二百|円"),
    ("三宅三郎", "三宅|三郎"),
    ("abcdefghijklmnopqrstuvwxyzabcdefghij錠", "abcdefghijklmnopqrstuvwxyzabcdefghij|錠"),
    ("ｶﾞﾝの疑い", "ｶﾞﾝ|の|疑い"),
    ("か\u3099んの疑い", "か\u3099ん|の|疑い"),
    ("内服\x00後", "内服|\x00|後"),
    ("頭痛　あり\n発熱なし", "頭痛|あり|発熱|なし"),
    ("Jose\u0301様", "Jose\u0301|様"),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_tokens(text: str, expected: str) -> None:
    """The text is split as the case says."""
    assert "|".join(text[start:end] for start, end in JAPANESE.tokens(text)) == expected


def test_morphemes_tell_their_part_of_speech() -> None:
    """A morpheme has ipadic's part of speech, its details and its base form."""
    assert JAPANESE.morphemes("田中が12行った")[:4] == [
        Morpheme(0, 2, "名詞", "固有名詞", "人名-姓", "田中", False),
        Morpheme(2, 3, "助詞", "格助詞", "一般", "が", False),
        Morpheme(3, 5, "名詞", "数", "", "", False),
        Morpheme(5, 7, "動詞", "自立", "", "行う", False),
    ]


def test_half_width_marks_are_read_as_marks() -> None:
    """A half-width comma or bracket has the part of speech of the full-width one."""
    half = [morpheme.pos_detail for morpheme in JAPANESE.morphemes("男性,(右)")]
    full = [morpheme.pos_detail for morpheme in JAPANESE.morphemes("男性，（右）")]
    assert half == full
    assert "読点" in half


def test_long_text_is_analysed() -> None:
    """A line of a million characters is analysed to its end."""
    text = "患者は山田太郎である" * 100_000
    tokens = JAPANESE.tokens(text)
    assert tokens[-1].end == len(text)
    assert len(tokens) > 500_000


def test_threads_get_the_same_answer() -> None:
    """Threads that analyse at the same time do not disturb each other."""
    texts = [f"患者{number}は山田太郎、{number}歳。" * 50 for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(JAPANESE.tokens, texts)) == [JAPANESE.tokens(text) for text in texts]


def write(folder: Path, content: str) -> Path:
    path = folder / "words.txt"
    path.write_text(content, "utf-8")
    return path


def words_and_flags(japanese: JapaneseLanguage, text: str) -> str:
    return "|".join(
        text[morpheme.start : morpheme.end] + "*" * morpheme.in_user_dictionary
        for morpheme in japanese.morphemes(text)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("田中みどり病院へ", "田中|みどり病院*|へ"),
        ("みどり病院前店へ", "みどり病院前店*|へ"),
        ("CT検査とＣＴ検査", "CT検査*|と|ＣＴ検査*"),
        ("ﾐﾄﾞﾘ薬局", "ﾐﾄﾞﾘ*|薬局"),
        ("RCT検査", "RCT|検査"),
        ("入院患者", "入|院患*|者"),
    ],
)
def test_user_dictionary(tmp_path: Path, text: str, expected: str) -> None:
    """Words of a user dictionary stand whole, the longest first, in whatever width."""
    content = "# ours\n\nみどり病院\nみどり病院前店\nCT検査\nミドリ,名詞,固有名詞\n院患,名詞\n"
    japanese = JapaneseLanguage(user_dictionary=write(tmp_path, content))
    assert words_and_flags(japanese, text) == expected


def test_user_dictionary_cuts_no_katakana_run(tmp_path: Path) -> None:
    """A word of a user dictionary is not found inside a longer katakana or Latin word."""
    japanese = JapaneseLanguage(user_dictionary=write(tmp_path, "ルテ\nab\n"))
    assert words_and_flags(japanese, "カルテとabc") == "カルテ|と|abc"


def test_user_dictionary_gives_part_of_speech(tmp_path: Path) -> None:
    """The user's part of speech counts; without one ipadic's stays, or it is a proper noun."""
    japanese = JapaneseLanguage(
        user_dictionary=write(tmp_path, "病院,名詞,固有名詞\n田中\nみどり病院\n")
    )
    readings = {text: japanese.morphemes(text)[0][2:7] for text in ("病院", "田中", "みどり病院")}
    assert readings == {
        "病院": ("名詞", "固有名詞", "", "", True),
        "田中": ("名詞", "固有名詞", "人名-姓", "田中", True),
        "みどり病院": ("名詞", "固有名詞", "", "", True),
    }


@pytest.mark.parametrize("line", ["two words", ",名詞", "田中,", "a,b,c,d"])
def test_bad_line_of_user_dictionary_is_named(tmp_path: Path, line: str) -> None:
    """A line that is no word is an error that names the file and the line."""
    path = write(tmp_path, f"病院\n{line}\n")
    with pytest.raises(InputError, match=r"words\.txt, line 2: "):
        JapaneseLanguage(user_dictionary=path)


def test_user_dictionary_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A missing file, or one that is not UTF-8, is an error that names it."""
    with pytest.raises(InputError, match=r"absent\.txt: cannot be read"):
        JapaneseLanguage(user_dictionary=tmp_path / "absent.txt")
    tmp_path.joinpath("sjis.txt").write_bytes("病院".encode("shift_jis"))
    with pytest.raises(InputError, match=r"sjis\.txt, line 1: not UTF-8"):
        JapaneseLanguage(user_dictionary=tmp_path / "sjis.txt")
