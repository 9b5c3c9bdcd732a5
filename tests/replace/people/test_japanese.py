"""Japanese names: kanji, their readings in kana and Latin letters, and initials belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.lexicons.folding import fold_in_place
from veil.replace.people.japanese_names import pool, readings_of, split
from veil.replace.people.kana import half_width, hiragana, katakana, romaji

if TYPE_CHECKING:
    from tests.replace.people.conftest import Renamer


def reading_of(written: str) -> str:
    """The reading of a new name by the lists from which it was drawn."""
    return next(
        name.reading
        for kind in ("family", "female", "male")
        for name in pool(kind)
        if name.written == written
    )


def test_all_writings_of_a_name_agree(rename: Renamer) -> None:
    """With and without a blank, in kana, in Latin letters and as initials it is one new name."""
    wide, kana, close, family, given, half, small, latin, turned, letters = rename(
        "氏名：[PATIENT|山田　太郎]（[PATIENT|ヤマダ タロウ]）、[PATIENT|山田太郎]、"
        "[PATIENT|山田]様、[PATIENT|太郎]さん、[PATIENT|ﾔﾏﾀﾞ ﾀﾛｳ]、[PATIENT|やまだ]、"
        "[PATIENT|Taro Yamada]、[PATIENT|YAMADA, Taro]、[PATIENT|Ｔ．Ｙ．]",
        "ja",
    )
    new_family, new_given = wide.split("\u3000")
    family_reading, given_reading = reading_of(new_family), reading_of(new_given)
    assert close == new_family + new_given
    assert (family, given) == (new_family, new_given)
    assert kana == f"{katakana(family_reading)} {katakana(given_reading)}"
    assert half == f"{half_width(family_reading)} {half_width(given_reading)}"
    assert small == family_reading
    latin_family, latin_given = romaji(family_reading), romaji(given_reading)
    assert latin == f"{latin_given.capitalize()} {latin_family.capitalize()}"
    assert turned == f"{latin_family.upper()}, {latin_given.capitalize()}"
    initials = (latin_given[0] + latin_family[0]).upper()
    assert letters == "．".join(chr(ord(letter) + 0xFEE0) for letter in initials) + "．"


def test_a_reading_beside_a_rare_name_is_learned(rename: Renamer) -> None:
    """What stands in brackets behind a name is how it is read, whatever the lists know."""
    name, kana, alone, run = rename(
        "[PATIENT|四月朔日 希星]（[PATIENT|ワタヌキ キララ]）[PATIENT|ワタヌキ]様"
        "、ﾌﾘｶﾞﾅ [PATIENT|ﾜﾀﾇｷｷﾗﾗ] 氏名 [NAME|四月朔日希星]",
        "ja",
    )[:4]
    family, given = (reading_of(part) for part in name.split())
    assert kana == f"{katakana(family)} {katakana(given)}"
    assert alone == katakana(family)
    assert run == half_width(family + given)


def test_a_reading_may_stand_before_the_name(rename: Renamer) -> None:
    """Forms have the reading on the line above."""
    kana, name = rename("フリガナ　[PATIENT|ヤマモト　ユミコ]\n氏名　[PATIENT|山本　由美子]", "ja")
    assert [hiragana(part) for part in kana.split()] == [reading_of(part) for part in name.split()]


def test_kanji_and_reading_in_one_span(rename: Renamer) -> None:
    """A span may hold both."""
    (new,) = rename("[PATIENT|山田太郎（ヤマダタロウ）]", "ja")
    name, _, kana = new.removesuffix("）").partition("（")
    assert any(
        hiragana(kana) == reading_of(name[:cut]) + reading_of(name[cut:])
        for cut in range(1, len(name))
        if readings_of("surname", name[:cut]) and readings_of("given", name[cut:])
    )


def test_kana_given_names_stay_in_kana(rename: Renamer) -> None:
    """さくら and ハナ are names, not readings."""
    first, second = rename("[PATIENT|佐藤さくら] [PATIENT|田中 ハナ]", "ja")
    assert hiragana(first[-2:]) == first[-2:]
    assert katakana(hiragana(second.split()[1])) == second.split()[1]


def test_old_forms_of_characters_are_the_same_name(rename: Renamer) -> None:
    """髙橋 is 高橋, 渡邉 is 渡辺."""
    assert len(set(rename("[DOCTOR|髙橋]、[DOCTOR|高橋]", "ja"))) == 1
    assert len(set(rename("[DOCTOR|渡邉]、[DOCTOR|渡辺]", "ja"))) == 1


def test_an_original_does_not_stay_inside_a_stand_in(rename: Renamer) -> None:
    """Nobody becomes 小林 where 林 stood."""
    for patient in range(60):
        new = rename("[DOCTOR|林] [DOCTOR|田] [DOCTOR|佐藤]", "ja", patient=str(patient))
        assert not any("林" in name or "田" in name for name in new)


def test_women_stay_women(rename: Renamer) -> None:
    """Given names keep their sex."""
    for kind, names in (("female", "花子 由美 恵"), ("male", "太郎 健一 誠")):
        for name in names.split():
            (new,) = rename(f"[PATIENT:first|{name}]", "ja")
            assert new in {each.written for each in pool(kind)}


def test_foreign_names_stay_in_katakana(rename: Renamer) -> None:
    """ジョン・スミス becomes somebody from abroad, in katakana and in Latin letters."""
    full, family, latin = rename(
        "[PATIENT|ジョン・スミス]、[PATIENT|スミス]氏、[PATIENT|John Smith]", "ja"
    )
    given, surname = full.split("・")
    foreign = {name.written: name.latin for name in pool("foreign_male")}
    surnames = {name.written: name.latin for name in pool("foreign_surname")}
    assert family == surname
    assert latin == f"{foreign[given]} {surnames[surname]}"


def test_chinese_names_stay_chinese(rename: Renamer) -> None:
    """One character stays one character."""
    (new,) = rename("[PATIENT|王 小明]", "ja")
    assert new.split()[0] in {name.written for name in pool("continental_family")}
    assert new.split()[1] in {name.written for name in pool("continental_male")}


def test_honorifics_inside_a_span_stay(rename: Renamer) -> None:
    """様 and 先生 are no names; neither is 旧姓."""
    new = rename("[PATIENT|山田様] [DOCTOR|佐藤先生] [NAME|山田（旧姓：鈴木）花子]", "ja")
    assert new[0].endswith("様")
    assert new[1].endswith("先生")
    assert "（旧姓：" in new[2]
    assert "鈴木" not in new[2]


def test_initials_of_nobody(rename: Renamer) -> None:
    """Ｋ氏 becomes another letter of the same width."""
    (new,) = rename("[PATIENT|Ｋ]氏", "ja")
    assert new != "Ｋ"
    assert "Ａ" <= new <= "Ｚ"


def test_japanese_names_in_other_languages(rename: Renamer) -> None:
    """Hiroshi Tanaka stays Japanese in an English record."""
    (new,) = rename("[PATIENT|Hiroshi Tanaka]", "en")
    given, family = new.split()
    assert family in {name.latin for name in pool("family")}
    assert given in {name.latin for name in pool("male")}


def test_hundreds_of_people_keep_their_names_apart(rename: Renamer) -> None:
    """A roster longer than the lists still gets names, no two the same."""
    names = list({fold_in_place(name.written): name.written for name in pool("family")}.values())
    new = rename(" ".join(f"[DOCTOR:last|{name}]" for name in names), "ja")
    assert len(set(new)) == len(names)
    assert not set(names) & set(new)


@pytest.mark.parametrize(
    ("name", "families", "cut"),
    [
        ("山田太郎", (), 2),
        ("佐々木花子", (), 3),
        ("長谷川誠", (), 3),
        ("林太郎", (), 1),
        ("林修", (), 1),
        ("五十嵐", (), 0),
        ("小林", (), 0),
        ("真理", (), 0),
        ("髙橋健一", (), 2),
        ("林田花子", ("林",), 2),
        ("御手洗団吾", ("御手洗",), 3),
        ("岸三郎", (), 1),
    ],
)
def test_names_come_apart(name: str, families: tuple[str, ...], cut: int) -> None:
    """The lists and the record say where the family name ends."""
    assert split(name, families) == cut


def test_a_name_may_be_japanese_or_foreign(rename: Renamer) -> None:
    """アンナ is 杏奈 where she is in the record, and from abroad beside ミラー."""
    name, kana = rename("[PATIENT|佐藤 杏奈]、[PATIENT|アンナ]さん", "ja")
    assert hiragana(kana) == reading_of(name.split()[1])
    (foreign,) = rename("[PATIENT|アンナ・ミラー]", "ja")
    assert foreign.split("・")[0] in {each.written for each in pool("foreign_female")}


def test_the_name_of_another_is_no_reading(rename: Renamer) -> None:
    """サトウ in brackets behind 田中 is somebody else."""
    first, second, again = rename("[DOCTOR|田中]（[DOCTOR|サトウ]）、[DOCTOR|佐藤]", "ja")
    assert hiragana(second) == reading_of(again) != reading_of(first)
