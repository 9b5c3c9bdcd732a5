from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.languages import language

if TYPE_CHECKING:
    from pathlib import Path

# The language and the sentences of a text, which is what stands between the bars, joined.
CASES = [
    # stops
    ("en", "Seen by Dr. John F. Lee at 3.5 p.m. |He slept."),
    ("en", "She has hepatitis B. |He takes vit. D. |J.R. Lee came."),
    ("en", "Bed no. 5 is free. |Cough: no. |Fever: no."),
    ("en", "Was it bad? |Yes! |It was … bad (very bad.) |He left."),
    ("en", 'He said "it hurts." |Then he left.'),
    ("en", "Take 1 tablet p.o. |Return in 2 weeks. |3 mg are enough."),
    ("en", "pt afebrile. |no cough today. |slept approx. five hours."),
    ("en", "Afebrile, approx. five days."),
    ("es", "Remitido por: D. Juan Pérez, C/ Mayor n.º 5. |Avda. de la Paz, 3."),
    ("es", "Sexo: H. |Edad: 3. |Toma vitamina D. |Se indica p. ej. AAS."),
    ("es", "¿Dolor? |¡No! |Vive en Sta. Cruz. |Acude la Dra. Gil."),
    ("sv", "Pat. inkom kl. 12.30 p.g.a. smärta. |Beh. med t.ex. Alvedon."),
    ("sv", "Hjärta: u.a. |Lungor: u.a. |Ring dr. Ek, St. Göran. |Har bl. a. Waran."),
    ("sv", "Blodgrupp A. |Patienten mår bra ffg. sedan i maj."),
    # lines
    ("en", "HISTORY OF PRESENT ILLNESS\n|the patient fell"),
    (
        "en",
        "Plan:\n|continue aspirin\n|- rest\n|- fluids\n|1. Aspirin\n|2) Heparin\n|Next: May",
    ),
    ("en", "First line\n\n|second line\r\n \r\n|third line"),
    ("en", "Name John Lee\n|Ward 7\n|Room 12"),
    (
        "en",
        "The patient is a woman who was seen in the clinic by Doctor\n"
        "Lee because of pain in the knee and who was sent home by Dr.\n"
        "Ray on the same day. |She came back.\n"
        "|Now well.",
    ),
    ("es", "El paciente acude por dolor\nabdominal.\n|Fecha: 3/4/2020"),
    # Japanese
    ("ja", "痛い。|「痛い。死ぬ。」と言った。|次！？　|はい（前医。）あり。"),
    ("ja", "値は３．５だ．|終わり．|体温37.5度. |次"),
    ("ja", "主訴\n|頭痛\n|「閉じない。|次。"),
    ("ja", "と言った。」|CTを施行｡|次"),
]


@pytest.mark.parametrize(("code", "marked"), CASES, ids=[f"{code}-{text}" for code, text in CASES])
def test_sentences(code: str, marked: str) -> None:
    """Sentences end where the case says, and carry no white space at their edges."""
    text = marked.replace("|", "")
    sentences = [text[start:end] for start, end in language(code).sentences(text)]
    assert sentences == [sentence.strip() for sentence in marked.split("|")]


def test_meddocan_has_as_many_sentences_as_published(corpora: Path) -> None:
    """MEDDOCAN has around 33 sentences a case (cotik-2019, section 3.1)."""
    texts = [path.read_text("utf-8") for path in sorted(corpora.glob("meddocan/dev/*.txt"))]
    mean = sum(len(language("es").sentences(text)) for text in texts) / len(texts)
    assert 32 < mean < 35
