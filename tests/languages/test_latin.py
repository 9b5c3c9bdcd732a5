from __future__ import annotations

import pytest

from veil.languages.latin import latin_tokens, word_tokens

# The text, and its tokens with a bar between them.
CASES = [
    ("Mr. O'Neill, 42-year-old", "Mr|.|O|'|Neill|,|42|-|year|-|old"),
    # joints
    ("JaffreyMarital", "Jaffrey|Marital"),
    ("MerceParra", "Merce|Parra"),
    ("ALMarital", "AL|Marital"),
    ("ALSex", "AL|Sex"),
    ("GARCÍAEdad", "GARCÍA|Edad"),
    ("ÅsaÖberg", "Åsa|Öberg"),
    ("deMadrid", "de|Madrid"),
    ("laPaz", "la|Paz"),
    ("yMaría", "y|María"),
    ("McDonaldMarital", "McDonald|Marital"),
    ("mmHgPulse", "mmHg|Pulse"),
    ("Since6/03/04", "Since|6|/|03|/|04"),
    ("PEND01/26/2098", "PEND|01|/|26|/|2098"),
    ("51201/26/2098", "512|01|/|26|/|2098"),
    ("47798497-045-1949", "47798|497|-|045|-|1949"),
    ("34712RadiologyExam", "34712|Radiology|Exam"),
    ("NºCol", "Nº|Col"),
    ("MªDolores", "Mª|Dolores"),
    # no joints
    ("497-045-1949", "497|-|045|-|1949"),
    ("1497-045-19499", "1497|-|045|-|19499"),
    ("McDonald MacArthur FitzGerald VanDyke", "McDonald|MacArthur|FitzGerald|VanDyke"),
    ("McDONALD DeShawn LaTonya", "McDONALD|DeShawn|LaTonya"),
    ("pH mmHg kHz mRNA eGFR siRNA", "pH|mmHg|kHz|mRNA|eGFR|siRNA"),
    ("PhD IgG NaCl ECGs DNAse EKGet", "PhD|IgG|NaCl|ECGs|DNAse|EKGet"),
    # any letters
    ("Łódź Ελένη Жуков", "Łódź|Ελένη|Жуков"),
    ("Jose\u0301 PE\u0301REZ E\u0301rica", "Jose\u0301|PE\u0301REZ|E\u0301rica"),
    ("Anders\u00adson", "Anders\u00adson"),
    ("cm² 10³ ½", "cm|²|10|³|½"),
    ("Ａｎｎａ１２", "Ａｎｎａ|１２"),
    ("山田Anna", "山田|Anna"),
    ("😀👍", "😀|👍"),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_tokens(text: str, expected: str) -> None:
    """The text is split as the case says."""
    assert "|".join(text[start:end] for start, end in latin_tokens(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ingreso: 24/07/2015.", "Ingreso|:|24/07/2015|."),
        ("a_b@example.org, tel. 12:30", "a_b@example.org|,|tel|.|12:30"),
        ("(Hb 11,2 g/dL)", "(|Hb|11,2|g/dL|)"),
        ("O'Neill's «casa»", "O'Neill's|«|casa|»"),
        ("dolor... fin", "dolor|.|.|.|fin"),
    ],
)
def test_whole_words_keep_what_is_inside(text: str, expected: str) -> None:
    """Dates, numbers and addresses are one token; punctuation at the ends is split off."""
    assert [text[start:end] for start, end in word_tokens(text)] == expected.split("|")


@pytest.mark.parametrize("elsewhere", ["山", "soft\u00adhyphen", "\x81"])
def test_tokens_do_not_depend_on_the_code_page(elsewhere: str) -> None:
    """What the Western code page can write has the same tokens in a text that goes beyond it."""
    western = "Señor “García”, 3 €: ÅsaÖberg – IgG‰ Mª\u00a0del ŠŽŸ"
    alone, together = latin_tokens(western), latin_tokens(f"{western} {elsewhere}")
    assert together[: len(alone)] == alone
