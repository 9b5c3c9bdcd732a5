"""Records in a language that Veil does not know are withheld; doubt never withholds a record."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import veil
from veil import Document, RecordError
from veil.cli.main import main
from veil.detect.assembly import default_pipeline
from veil.languages import other_language

if TYPE_CHECKING:
    from veil.detect.pipeline import DetectionPipeline

DATA = Path(__file__).parents[1] / "data"
OWN = sorted(DATA.glob("dummy-*/**/*.txt"))
# Of eight notes each; all others are withheld without exception. Galician has a small word list.
RECOGNISED_IN_PART = {"cs": 6, "gl": 4, "it": 7, "nb": 7, "pl": 7, "pt": 7, "zh": 7}

GERMAN = (
    "Der Patient stellt sich mit Brustschmerzen vor. Frau Annegret Lohse wohnt in Bremen und hat "
    "seit gestern Fieber."
)
KOREAN = "환자 구본혁 님은 오늘 양호한 상태로 퇴원하였습니다."


def notes(code: str) -> list[str]:
    text = (DATA / "other-languages" / f"{code}.txt").read_text("utf-8")
    return re.split(r"\n\s*\n", text.strip())


@pytest.mark.parametrize(
    "code", sorted(file.stem for file in (DATA / "other-languages").glob("*.txt"))
)
def test_other_languages_are_recognised(code: str) -> None:
    """All notes of a language are recognised, or nearly all where it resembles one of Veil's."""
    found = [other_language(note) for note in notes(code)]
    assert len(found) == 8
    assert sum(map(bool, found)) >= RECOGNISED_IN_PART.get(code, 8)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "German"),
        ("ca", "Catalan"),
        ("da", "Danish"),
        ("nb", "Norwegian"),
        ("pt", "Portuguese"),
        ("zh", "Chinese"),
        ("ko", "Korean"),
        ("ru", "Cyrillic script"),
    ],
)
def test_the_language_is_named(code: str, name: str) -> None:
    """The answer names the language, or the script if several languages share it."""
    found = Counter(filter(None, map(other_language, notes(code))))
    assert found.most_common(1)[0][0] == name


def test_notes_in_veils_languages_are_not_withheld() -> None:
    """None of the dummy notes counts as a text in another language, also in capitals."""
    assert len(OWN) > 150
    texts = [file.read_text("utf-8") for file in OWN]
    assert [each for text in texts for each in (text, text.upper()) if other_language(each)] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "120/80",
        "BP 120/80, Metoprolol 50 mg",
        "gcs e3v4m6",
        "β-hCG 5 μg/l, Δ 3, α-1",
        "os capitatum, os trapezium, os hamatum",
        "N: RASS -4, prop 40, fent 150, cisatra d/c'd 0400",
        "主訴：発熱。既往歴：高血圧症、糖尿病。内服：降圧薬。",
        "澤田 廣、齋藤 國男、渡邊 學、櫻井 惠、濱﨑 實",
        "Team: Mehmet Yıldız, Ahmet Kaya, Fatma Demir, Ayşe Şahin, Mustafa Çelik",
        "MEHMET YILDIZ, AHMET KAYA, FATMA DEMIR, AYŞE ŞAHIN, MUSTAFA ÇELIK",
        "cc: Dr van der Merwe, Dr van den Berg, Prof von der Heide, Dr de la Cruz, Dr dos Santos",
        "Pat: Nguyễn Thị Hoa, Trần Văn Minh, Lê Thị Lan, avd 4",
        "Seen with her husband Иван Петрович Сидоров, who speaks no English.",
        "Pt 김민수 (Kim Minsu) seen in clinic today, BP 130/85, continue lisinopril.",
    ],
)
def test_doubt_does_not_withhold(text: str) -> None:
    """Telegraphic notes, symbols, anatomical terms and lists of foreign names are let through."""
    assert other_language(text) is None


def test_a_quotation_does_not_withhold() -> None:
    """A note in one of Veil's languages may quote another language."""
    english = (
        "The patient was seen today with her daughter, who translated. She has had a cough for "
        f"three weeks and no fever. The letter from home says: “{GERMAN}” We will repeat the "
        "chest x-ray and see her again in two weeks."
    )
    assert other_language(english) is None
    japanese = f"患者は母国語で話した。「{KOREAN}」翻訳を依頼し、明日再診とした。"
    assert other_language(japanese) is None


@pytest.fixture(scope="module")
def pipeline() -> DetectionPipeline:
    return default_pipeline()


@pytest.mark.parametrize(("text", "name"), [(GERMAN, "German"), (KOREAN, "Korean")])
def test_a_record_in_another_language_is_withheld(
    text: str, name: str, pipeline: DetectionPipeline
) -> None:
    """The error names the record, the language and what to do, and quotes nothing."""
    good, bad = pipeline.detect_batch(
        [Document("good", "Seen by Dr. John Hale today."), Document("bad", text)]
    )
    assert not isinstance(good, RecordError)
    assert isinstance(bad, RecordError)
    assert bad.record == "bad"
    assert f"its language seems to be {name}" in bad.reason
    assert "--assume-language" in bad.reason
    assert not [word for word in re.findall(r"\w{4,}", text) if word in str(bad)]


def test_a_language_can_be_assumed() -> None:
    """With `assume_language` such records, and those that declare another language, are masked."""
    assumed = default_pipeline(assume_language="en")
    docs = [
        Document("found", GERMAN),
        Document("declared", "Seen by Dr. John Hale.", "de"),
        Document("spanish", "Acude a urgencias por dolor en el pecho desde ayer."),
    ]
    outcomes = assumed.detect_batch(docs)
    assert [
        None if isinstance(each, RecordError) else each.document.language for each in outcomes
    ] == ["en", "en", "es"]


def test_the_python_api_withholds_too() -> None:
    """`veil.mask` raises an error for a text in another language, unless one is assumed."""
    with pytest.raises(RecordError, match="seems to be German"):
        veil.mask(GERMAN)
    assert "Lohse" not in veil.mask(GERMAN, assume_language="en")


def test_files_in_another_language_are_withheld(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`veil mask` and `veil detect` name the record and go on; --assume-language takes it."""
    source = tmp_path / "notes"
    source.mkdir()
    (source / "de.txt").write_text(GERMAN)
    (source / "en.txt").write_text("Seen by Dr. John Hale today.")
    masked, found = tmp_path / "masked", tmp_path / "found.jsonl"
    assert main(["mask", str(source), "-o", str(masked)]) == 1
    assert "de.txt, record de: withheld: its language seems to be German" in capsys.readouterr().err
    assert [file.name for file in sorted(masked.glob("*.txt"))] == ["en.txt"]
    assert main(["detect", str(source), "-o", str(found)]) == 1
    assert "record de: withheld: its language seems to be German" in capsys.readouterr().err

    assume = ["--assume-language", "en"]
    assert main(["mask", str(source), "-o", str(masked), "--overwrite", *assume]) == 0
    report = json.loads((masked / "veil-report.json").read_text())
    assert report["detection"] == {"assume_language": "en"}
    assert report["records"]["by_language"] == {"en": 2}
    assert main(["detect", str(source), "-o", str(found), "--overwrite", *assume]) == 0
    assert len(found.read_text().splitlines()) == 2


@pytest.mark.parametrize("other", [["--lang", "en"], ["--model", "veil-en"]])
def test_a_needless_assumption_is_refused(
    other: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the language is known, --assume-language would have no effect."""
    (tmp_path / "a.txt").write_text("x")
    command = ["mask", str(tmp_path / "a.txt"), "-o", str(tmp_path / "b.txt"), *other]
    assert main([*command, "--assume-language", "sv"]) == 2
    assert "no effect" in capsys.readouterr().err
