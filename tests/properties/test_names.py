from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil import Document
from veil.detect.names import AS_PUBLISHED, NameModules, NameOptions

ORDERS = ["".join(order) for size in range(1, 5) for order in permutations("TCDL", size)]
PIECES = [
    *("Anna", "anna", "BERG", "O'Neill", "Will", "Li", "TIA", "von", "de", "la", "Åke", "Annas"),
    *("dr", "Dr.", "ssk", "MD", "D.", "Jefe de Servicio", "Mb Hodgkin", "Björn", "Hjelmqvist"),
    *("田中", "先生", "様", "主治医", "：", "太郎", "橋本病"),
    *(" ", "  ", "\n", "\n\n", "-", "'", "’", ".", ",", ":", "\u00ad", "\u00a0", "1", "\U00020bb7"),
]
TEXT = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
OPTIONS = st.sampled_from([NameOptions(), AS_PUBLISHED, NameOptions(at_least=1)])


@pytest.mark.parametrize("language", ["en", "es", "ja", "sv"])
@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXT, max_size=3), order=st.sampled_from(ORDERS), options=OPTIONS)
def test_spans_are_sound(language: str, texts: list[str], order: str, options: NameOptions) -> None:
    """Spans lie inside the text, sorted, disjoint, without blanks at their ends, and come again."""
    docs = [Document(str(number), text) for number, text in enumerate(texts)]
    detector = NameModules(language, order, options=options)
    found = detector.detect_many(docs)
    assert found == NameModules(language, order, options=options).detect_many(docs)
    assert len(found) == len(docs)
    for doc, spans in zip(docs, found, strict=True):
        for span in spans:
            assert span.end <= len(doc.text)
            word = doc.text[span.start : span.end]
            assert word == word.strip()
            assert span.part in ("first", "last")
        assert all(left.end <= right.start for left, right in pairwise(spans))


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXT, min_size=1, max_size=4), order=st.sampled_from(["TDL", "CDTL", "TLD"]))
def test_a_memory_makes_documents_independent(texts: list[str], order: str) -> None:
    """With a given memory, what is found in a document does not depend on the others."""
    docs = [Document(str(number), text) for number, text in enumerate(texts)]
    memory = NameModules("sv", order).learn(docs)
    detector = NameModules("sv", order, memory=memory)
    assert detector.detect_many(docs) == [detector.detect(doc) for doc in docs]
    assert detector.detect_many(docs) == NameModules("sv", order).detect_many(docs)
