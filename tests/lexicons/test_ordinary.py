from __future__ import annotations

import pytest

from veil import UnknownNameError
from veil.lexicons import is_ordinary

ORDINARY = {
    "en": """
        discharge Discharge DISCHARGE Cardiology Summary Nursing Room May Young Brown Hospital MRI
        Lisinopril Tylenol Patient's Follow-up X-ray Radiographically Hemilaminectomy department.
    """,
    "es": """
        alta Informe EXPLORACION Exploración Habitación Cardiología Oncología Blanco Urgencias TAC
        Paracetamol Nolotil Histológicamente Laparoscópica
    """,
    "sv": """
        bedömning Bedömning Avdelningen Patientens Axel Hans Ortopedkliniken Knäsmärtor Alvedon
        Höftröntgenundersökning EKG Läkemedelslista Utskrivning
    """,
    "ja": "病棟 外来 説明 患者 現病歴 既往歴 カテーテル 心電図 退院 希望",
}
NAMES = {
    "en": """
        John Mary Boston Garcia García Ruiz Karlsson Ortega Nguyen O'Neill Anna's Smith-Jones Patel
        Elisa Ana Jennifer Chicago Kowalski Mohammed
    """,
    "es": """
        García GARCIA Ruiz María Ana Eva Boston Madrid Fernández Muñoz Sánchez Gómez Íñigo Barcelona
        Clemente Bustamante Karlsson
    """,
    "sv": """
        Karlsson Karlssons Anna Annas Mats Lars Jonas Andersson Björn Stockholm Göteborgs Lindbergs
        Karin Magnus Åkesson Mohamed Warsame
    """,
    "ja": "田中 山田 佐藤 鈴木 高橋 髙橋 花子 太郎 東京 札幌 北京 タナカ",
}


@pytest.mark.parametrize("language", ORDINARY)
def test_words_of_the_language_are_ordinary(language: str) -> None:
    """Frequent and clinical words are, whatever their case, accents, genitive and hyphens."""
    ordinary = is_ordinary(language)
    assert [word for word in ORDINARY[language].split() if not ordinary(word)] == []


@pytest.mark.parametrize("language", NAMES)
def test_names_are_not_ordinary(language: str) -> None:
    """What is mainly a name of people or places is not, nor is what looks like a genitive."""
    ordinary = is_ordinary(language)
    assert [word for word in NAMES[language].split() if ordinary(word)] == []


@pytest.mark.parametrize("word", ["", "-", "'", ".", "--", "-ectomy", "qxzwv", "12", "Discharge-"])
def test_what_no_list_holds_is_not_ordinary(word: str) -> None:
    """Unknown forms, stray marks and the ends of compounds alone are no words."""
    assert not any(is_ordinary(language)(word) for language in ORDINARY)


def test_letters_with_dots_are_letters_of_their_own() -> None:
    """A word that differs by å, ä or ö only is another word."""
    assert is_ordinary("sv")("mår")
    assert not is_ordinary("sv")("bedomning")


def test_variants_share_the_words_of_their_language() -> None:
    """A variant is judged like its language; an error lists the languages that there are."""
    assert is_ordinary("en-wi-deid-2015")("Discharge")
    with pytest.raises(UnknownNameError, match="known: en, es, ja, sv"):
        is_ordinary("de")
