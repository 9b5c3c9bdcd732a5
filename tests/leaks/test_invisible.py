"""Invisible and variant characters hide nobody: masked by the default pipeline."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import pytest

from veil import Document
from veil.api import Veil
from veil.bench.robustness import (
    CLEAN,
    MUTATIONS,
    direct_identifiers,
    run_robustness_benchmark,
)
from veil.core.document import KNOWN
from veil.core.labels import VEIL, scheme
from veil.detect.assembly import default_pipeline
from veil.synth.notes import dummy_records

LANGUAGES = ("en", "es", "ja", "sv")
CHANGES = [name for name in MUTATIONS if name != CLEAN]


@dataclass(frozen=True)
class Note:
    """A note with places for identifiers, and words of these that must not be left."""

    text: str
    identifiers: tuple[str, ...]
    words: tuple[str, ...]


NOTES = {
    "en": Note(
        "Discharge summary\nPatient: {}\nMRN: {}\nThe patient was admitted with chest pain and "
        "treated with aspirin. Please call {} at {} with any questions. Mail: {}.\n"
        "Seen by Dr. {}, who will see the patient again in the clinic.",
        (
            *("Margaret Whitfield", "00482917", "Gregory Whitfield", "614-555-0190"),
            *("g.whitfield@mail.example.com", "Bartholomew Sanderson"),
        ),
        ("margaret", "whitfield", "00482917", "gregory", "5550190", "bartholomew", "sanderson"),
    ),
    "es": Note(
        "Informe de alta\nNombre: {}\nNHC: {}\nEl paciente ingresa por dolor torácico y se trata "
        "con aspirina. Llamar a su esposa {} al teléfono {}. Correo: {}.\n"
        "Médico responsable: Dra. {}, que verá al paciente en consulta.",
        (
            *("José Luis Cifuentes Villalobos", "4829173", "Begoña Etxeberria", "612 345 678"),
            *("b.etxeberria@correo.example.com", "Inmaculada Cañizares"),
        ),
        ("cifuentes", "villalobos", "4829173", "etxeberria", "612345678", "canizares"),
    ),
    "sv": Note(
        "Epikris\nPatient: {}\nPersonnummer: {}\nPatienten kom in med bröstsmärta och behandlades "
        "med aspirin. Ring hustrun {} på telefon {}. E-post: {}.\n"
        "Ansvarig läkare: Dr {}, som träffar patienten på mottagningen igen.",
        (
            *("Göran Lindström", "19460211-1236", "Birgitta Lindström", "070-174 06 05"),
            *("b.lindstrom@post.example.se", "Håkan Sjöberg"),
        ),
        ("goran", "lindstrom", "194602111236", "birgitta", "0701740605", "hakan", "sjoberg"),
    ),
    "ja": Note(
        "退院時サマリー\n氏名：{}\n患者ID：{}\n胸痛のため入院し、アスピリンで治療した。"
        "連絡先：妻 {}、電話：{}、メール：{}\n主治医：{} 医師が外来で経過をみる。",
        (
            *("山田 太郎", "00482913", "山田 花子", "045-555-2187"),
            *("hanako77@mail.example.jp", "佐々木 健一"),
        ),
        ("山田", "太郎", "花子", "00482913", "0455552187", "佐々木", "健一"),
    ),
}


@cache
def masking(language: str) -> Veil:
    return Veil(language)


def readable(text: str) -> str:
    """What a reader makes of a text: its letters and digits, folded and without gaps."""
    text = re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), text)
    cyrillic = "АВСЕНІЈКМОРЅТХУасеіјорѕху"
    text = text.translate(str.maketrans(cyrillic, "ABCEHIJKMOPSTXYaceijopsxy"))
    text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in text if character.isalnum())


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_changed_identifiers_are_masked(language: str, change: str) -> None:
    """No planted identifier can be read in the masked text, however its characters are changed."""
    note = NOTES[language]
    changed = [MUTATIONS[change](identifier) for identifier in note.identifiers]
    left = readable(masking(language).mask(note.text.format(*changed)).text)
    assert [word for word in note.words if readable(word) in left] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_planted_identifiers_can_be_read_before(language: str) -> None:
    """The words that the test above looks for are there to be found."""
    note = NOTES[language]
    for mutate in MUTATIONS.values():
        text = readable(note.text.format(*map(mutate, note.identifiers)))
        assert all(readable(word) in text for word in note.words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_recall_stays_near_that_of_clean_text(language: str) -> None:
    """Each change leaves 95 % of the recall of direct identifiers in dummy records."""
    records = [
        direct_identifiers(record, scheme(VEIL)) for record in dummy_records(language, 8, seed=12)
    ]
    recall = run_robustness_benchmark(records, language=language).recall[language]
    assert recall[CLEAN] > 0.9
    low = {name: found for name, found in recall.items() if found < 0.95 * recall[CLEAN]}
    assert low == {}


@pytest.mark.parametrize(
    "again",
    [
        *("Whit\u200bfield", "Whit-\nfield", "W h i t f i e l d", "Whit\u2060fie\ufeffld"),
        *(
            "Ｗｈｉｔｆｉｅｌｄ",
            "Whit&shy;field",
            "&#x57;hitfield",
            "Wh\u0456tf\u0456eld",
            "𝑊ℎ𝑖𝑡𝑓𝑖𝑒𝑙𝑑",
        ),
        *("W.h.i.t.f.i.e.l.d", "Whit=\nfield", "Whi\u0336tfield", "Whit\ufb01eld", "Ⓦhitfield"),
    ],
)
def test_name_that_comes_again_in_another_form_is_masked(again: str) -> None:
    """A name found once is found again in another form, where nothing else tells that it is one."""
    text = f"Patient: Mrs. Margaret Whitfield.\nThe scan was normal and {again} slept well."
    masked = masking("en").mask(text).text
    assert masked.endswith(" slept well.")
    assert "field" not in readable(masked)
    assert "eld" not in masked


def test_same_name_gets_the_same_surrogate_in_every_form() -> None:
    """Replacers read the normalised text: one person keeps one tag, one date one shift."""
    text = "Mr. John Hale, seen 03/05/2019. Mr. Jo\u200bhn Ha\ufeffle, seen 03/0\u200b5/2019."
    first, second = masking("en").mask(text).text.split(". Mr. ")
    assert first.removeprefix("Mr. ") == second.removesuffix(".")
    shifted = Veil("en", policy="surrogate").mask(text).text
    assert len(set(re.findall(r"\d\d/\d\d/\d{4}", shifted))) == 1


def test_full_width_text_is_of_its_own_language() -> None:
    """A note in full-width letters is no Japanese one."""
    text = NOTES["en"].text.format(*NOTES["en"].identifiers)
    wide = MUTATIONS["full-width"](text).replace("\u3000", " ")
    left = readable(Veil().mask(wide).text)
    assert [word for word in NOTES["en"].words if word in left] == []


def test_known_patient_is_found_in_every_form() -> None:
    """What is known of a patient is found with invisible characters inside."""
    doc = Document(
        "1",
        "Spoke with Zel\u200bmira Quo\u00adthran today; zelmira q u o t h r a n agreed.",
        language="en",
        meta={KNOWN: {"first_name": "Zelmira", "last_name": "Quothran"}},
    )
    spans = default_pipeline("en").detect(doc)
    covered = "".join(doc.text[span.start : span.end] for span in spans)
    assert readable(covered) == "zelmiraquothran" * 2


def test_full_width_forms_of_japanese_stay_as_they_are() -> None:
    """Full-width digits are normal in Japanese: their surrogates have them too."""
    text = "氏名：山田 太郎\n入院日：２０２４年２月９日"
    masked = Veil("ja", policy="surrogate").mask(text).text
    assert re.search(r"[０-９]{4}年[０-９]{1,2}月[０-９]{1,2}日", masked)
