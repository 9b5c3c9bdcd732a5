"""Japanese names: kanji, their readings in kana and Latin letters, and initials belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.languages.ja.kana import half_width, hiragana, katakana, romaji
from veil.languages.ja.people_names import foreign_origin, pool, readings_of, split
from veil.lexicons.folding import fold_in_place

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
    assert half == f"{half_width(katakana(family_reading))} {half_width(katakana(given_reading))}"
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
    assert run == half_width(katakana(family + given))


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
    surnames = {name.written: name.latin for name in pool("foreign_family")}
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
        ("比田勝", (), 0),
        ("大田原", (), 0),
        ("中屋敷", (), 0),
        ("有働", (), 0),
        ("鈴木彩", (), 2),
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


@pytest.mark.parametrize(
    ("marked", "kind"),
    [
        ("[PATIENT|戸沼 トメ]様", "female"),
        ("姪の[NAME|戸沼 千種]さん", "female"),
        ("[PATIENT|戸沼 緑]　66歳　女性", "female"),
        ("[PATIENT|戸沼 緑]（男、71歳）", "male"),
        ("91歳女性、[PATIENT|戸沼 ヒロシ]さん", "male"),
        ("長男[NAME|戸沼 凪沙]氏", "male"),
        ("[PATIENT|戸沼 ひかり]くん", "male"),
        ("署名 [NAME|戸沼 緑]（続柄 妻）", "female"),
    ],
)
def test_the_words_around_a_name_tell_the_sex(rename: Renamer, marked: str, kind: str) -> None:
    """Where the lists do not know a given name, relatives and the sex beside it do."""
    (new,) = rename(marked, "ja")
    given = hiragana(new.split()[1])
    names = pool("female") if kind == "female" else pool("male")
    assert given in {name.reading for name in names} | {name.written for name in names}


@pytest.mark.parametrize(
    ("marked", "kinds"),
    [
        ("夫の[NAME|悠]さん", ("male", "female")),
        ("義母[NAME|富]様", ("female",)),
        ("孫（[NAME|拓海]くん）", ("male",)),
        ("[DOCTOR|武]Dr", ("family",)),
        ("助手 [DOCTOR|亘理]", ("family",)),
        ("長女の[NAME|佐藤]さん", ("family",)),
        ("大丈夫、[NAME|福]様", ("family",)),
    ],
)
def test_relatives_have_given_names(rename: Renamer, marked: str, kinds: tuple[str, ...]) -> None:
    """A name alone is a family name, unless it is that of a relative or a child."""
    (new,) = rename(marked, "ja")
    names = {"male": pool("male"), "female": pool("female"), "family": pool("family")}
    assert new in {name.written for kind in kinds for name in names[kind]}


def test_a_reading_is_no_shorter_than_its_name(rename: Renamer) -> None:
    """うめ behind a family name of four characters is a given name and not how that is read."""
    (new,) = rename("[PATIENT|四月一日 うめ]様", "ja")
    family, given = new.split()
    assert given != reading_of(family)


def test_korean_names_stay_korean(rename: Renamer) -> None:
    """A Korean family name takes a Korean one and a Korean given name."""
    family, given = rename("[PATIENT|金 英姫]様", "ja")[0].split()
    assert family in {name.written for name in pool("korean_family")}
    assert given in {name.written for name in pool("korean_female")}


def test_a_foreign_name_beside_kanji_stays_foreign(rename: Renamer) -> None:
    """The foreign part of a name of two origins is exchanged for a foreign one."""
    married, child = rename("[NAME|ヘンダーソン 良子]、[PATIENT|村上 レベッカ]", "ja")
    assert married.split()[0] in {name.written for name in pool("foreign_family")}
    assert married.split()[1] in {name.written for name in pool("female")}
    assert child.split()[1] in {name.written for name in pool("foreign_female")}


def test_rare_names_in_latin_letters_stay_japanese(rename: Renamer) -> None:
    """What sounds Japanese becomes a Japanese name, though no list has it."""
    for new in rename("[NAME|Sonobe Rika]、[EMAIL|t.kizuki@clinic.jp]", "ja"):
        family = new.partition("@")[0].replace(".", " ").split()
        assert any(part.capitalize() in {name.latin for name in pool("family")} for part in family)


def test_initials_are_those_of_japanese_names(rename: Renamer) -> None:
    """No Japanese name begins with an L or V."""
    for number in range(20):
        (new,) = rename("[PATIENT|Ｋ]氏", "ja", patient=f"p{number}")
        assert new in "ＡＥＦＨＩＭＮＯＲＳＴＵＷＹ"


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("グエン ティ ホア", "vietnamese"),
        ("シュレスタ サリタ", "south_asian"),
        ("グルン ビシュヌ", "south_asian"),
    ],
)
def test_foreign_names_keep_their_origin(rename: Renamer, name: str, origin: str) -> None:
    """The family name tells from where the stand-ins come, given names of no list included."""
    family, *given = rename(f"[PATIENT|{name}]さん", "ja")[0].split()
    assert foreign_origin("surname", hiragana(family)) == origin
    assert {foreign_origin("given", hiragana(each)) for each in given} == {origin}


def test_old_names_of_two_kana_are_japanese(rename: Renamer) -> None:
    """ヨネ is a woman's name, although no list has it, and not one from elsewhere."""
    (new,) = rename("妻の[NAME|ヨネ]さん", "ja")
    assert hiragana(new) in {name.reading for name in pool("female")}


def test_what_is_a_given_name_once_is_one_throughout(rename: Renamer) -> None:
    """A child has one stand-in, with the word that tells it from a family name and without."""
    first, again = rename("長男 [NAME|碧]（男児）。[NAME|碧]：酸素なし。", "ja")
    assert first == again
    assert first in {name.written for name in pool("male")}
