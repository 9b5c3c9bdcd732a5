"""What every detector keeps to, whichever it is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil import Document
from veil.core.labels import scheme
from veil.core.resolve import resolve
from veil.core.values import split_doubts
from veil.detect.assembly import hybrid
from veil.detect.base import load_detector
from veil.detect.known import Known, KnownDetector
from veil.detect.names import NameModules
from veil.detect.rules import RuleDetector
from veil.languages import language_codes
from veil.languages.ja.kajiyama import KajiyamaRules
from veil.models import find_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.core.document import Span
    from veil.detect.base import Detector

LANGUAGES = language_codes()

KNOWN = Known(names=("Anna Berg", "山田太郎"), doctors=("Luis Ruiz Soto",), phones=("555-0142",))
DETECTORS: dict[str, tuple[Callable[[], Detector], str]] = {
    "kajiyama-2018": (KajiyamaRules, "veil"),
    "veil-es": (lambda: load_detector(find_model("veil-es")), "meddocan"),
}
for _code in LANGUAGES:
    DETECTORS |= {
        f"rules-{_code}": (lambda code=_code: RuleDetector(code), "veil"),  # type: ignore[misc]
        f"names-{_code}": (lambda code=_code: NameModules(code, "TCD"), "veil"),  # type: ignore[misc]
        f"known-{_code}": (lambda code=_code: KnownDetector(code, known=lambda _: KNOWN), "veil"),  # type: ignore[misc]
        f"hybrid-{_code}": (lambda code=_code: hybrid(code), "veil"),  # type: ignore[misc]
    }
EVERY = pytest.mark.parametrize("name", DETECTORS)

TEXTS = (
    "Dr. Anna Berg, tel. 555-0142, saw Mr. Will May (45 y/o) on 3/5/2019 in Boston.",
    "Paciente: Ana Ruiz Soto. NHC: 123456. Médico: Dr. Luis Ruiz Soto NºCol: 28 28 12345.",
    "Pat Anna Berg 19480312-1234, avd 52, Karolinska. Ssk Lena Ek ringde 08-123 456 78 den 3/5-19.",
    "患者：山田太郎、63歳男性。平成23年3月5日に近医を受診。電話 03-1234-5678。",
    "",
    " \n\t\r\n ",
    "\ufeffDr. Berg\u2028İstanbul ﬁ 😀 𠮷田 ß\u0301 Anna\u00a0Berg",
    "DR. ANNA BERG\r\nMRN: 44-11-22\r\nDOB: 03/12/1948",
)


@cache
def detector(name: str) -> Detector:
    return DETECTORS[name][0]()


def check(doc: Document, spans: list[Span], name: str) -> None:
    """Spans lie in their text and bear labels of their scheme; `resolve` can settle them.

    Words about which a detector was in doubt lie in the text, too.
    """
    labels = set(scheme(DETECTORS[name][1]).labels)
    assert all(0 <= span.start < span.end <= len(doc.text) for span in spans)
    spans, _ = split_doubts(spans)
    for span in spans:
        assert span.label in labels
        assert 0 < span.score <= 1
        assert span.source
        assert doc.text[span.start : span.end] == doc.text[span.start : span.end].strip()
    resolve(doc, spans)


@EVERY
def test_spans_are_sound(name: str) -> None:
    """Every text gives spans inside it, with known labels, a source, and no white space around."""
    for number, text in enumerate(TEXTS):
        doc = Document(str(number), text)
        check(doc, detector(name).detect(doc), name)


@EVERY
def test_one_by_one_is_the_same_as_together(name: str) -> None:
    """What is found in a document depends neither on its neighbours nor on earlier calls."""
    docs = [Document(str(number), text) for number, text in enumerate(TEXTS)]
    together = detector(name).detect_many(docs)
    assert [detector(name).detect(doc) for doc in docs] == together
    assert detector(name).detect_many(docs[::-1]) == together[::-1]


@EVERY
@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([*" \n.,:/-'", *"Dr. Anna 3 1948 ana@b.com 山 歳 ÅÉ".split()])))
def test_any_text_is_taken(name: str, pieces: list[str]) -> None:
    """Whatever pieces a text is made of, the spans are sound."""
    doc = Document("any", "".join(pieces))
    check(doc, detector(name).detect(doc), name)
