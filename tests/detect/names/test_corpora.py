"""The name modules on corpora."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.detect.names import AS_PUBLISHED, NameModules, NameOptions
from veil.io import ReadLog, read
from veil.languages import language
from veil.learn.name_study import run_orders

if TYPE_CHECKING:
    from pathlib import Path

# People whom the medical texts speak of: these hits are right.
_PEOPLE = frozenset(
    """
    Mao Kleopatra Tho Antonius William Le Duc Kissinger Jenner Jenners Haglund Reed Henry Ben Edward
    Homeros Shakespeare Shakespeares Marcus Axel Scheele Walter Carl Frederick Irving Pierre Murray
    Per Gustav Thomas Hannibal Sten Harvey Albert Grant Cole Porter Saul Taliaferro Emil Ernst Szasz
    Patrick Peter Ericsson Funk Arvid Carlsson Isabella Rossellini Katarina Johnson Carters Ficino
    Charles Jesus Tim Crow Erickson Harry Salzer Zeller Hans Sture Albrecht Columbus Erasmus
    Götzsche Milton Nero Neros Hieronymus Goldacre Alexander Casimir Stephen Aida Hopkins Napoleon
    Ulrika Eleonora
    """.split()
)
_MARKS = re.compile(r"[\[\](){}]")


@pytest.mark.parametrize("options", [NameOptions(), AS_PUBLISHED], ids=["default", "published"])
def test_titles_and_common_words_beat_the_dictionary_alone(
    corpora: Path, options: NameOptions
) -> None:
    """On Swedish news TCD has a higher F than D, as it has in the paper."""
    records = list(read(corpora / "swedish-ner" / "train_corpus.txt", log=ReadLog()))
    study = run_orders(records, "sv", ["D", "TCD"], options=options)
    scores = dict(study.ranked("total"))
    assert 2_800 < study.names < 3_000
    assert scores["D"].f1 < scores["TCD"].f1


def test_one_bad_line_does_not_cost_the_corpus(corpora: Path) -> None:
    """All but one sentence of the Swedish corpus is read."""
    log = ReadLog()
    (record,) = read(corpora / "swedish-ner" / "train_corpus.txt", log=log)
    assert [problem.line for problem in log.problems] == [90310]
    assert 640_000 < len(record.document.text)


def test_medical_text_stays_untouched(corpora: Path) -> None:
    """TCD takes fewer than two of a thousand tokens for names that are none."""
    lines = []
    for name in ("1177_annotated_sentences.txt", "Wiki_annotated_60.txt"):
        text = (corpora / "swedish-medical" / name).read_text("utf-8")
        for line in _MARKS.sub("", text).splitlines():
            # The lines of the second file are windows whose outer words are cut.
            lines.append(" ".join(line.split()[1:-1]) if name.startswith("Wiki") else line)
    docs = [Document(str(number), line) for number, line in enumerate(lines)]
    tokens = sum(len(language("sv").tokens(line)) for line in lines)
    found = [
        doc.text[span.start : span.end]
        for doc, spans in zip(docs, NameModules("sv", "TCD").detect_many(docs), strict=True)
        for span in spans
    ]
    false = [word for word in found if word not in _PEOPLE]
    assert 400_000 < tokens
    assert 1000 * len(false) < 2 * tokens
