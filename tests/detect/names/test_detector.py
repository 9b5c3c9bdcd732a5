from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.core.errors import InputError, UnknownNameError
from veil.core.labels import Converter, scheme
from veil.detect.names import NameModules
from veil.detect.pipeline import DetectionPipeline

if TYPE_CHECKING:
    from veil.detect.base import Detector

TEXT = "Överläkare Eva Hjelmqvist talade med Anna, som mår bra. Ring ssk Kanelbulle."


@pytest.mark.parametrize(
    "order", ["".join(order) for size in range(1, 5) for order in permutations("TCDL", size)]
)
def test_any_order_runs(order: str) -> None:
    """Each module alone and all together, in any order; nothing finds what neither T nor D do."""
    found = {span.key for span in NameModules("sv", order).detect(Document("note", TEXT))}
    most = {span.key for span in NameModules("sv", "TDL").detect(Document("note", TEXT))}
    assert found <= most
    assert bool(found) == bool({"T", "D"} & set(order))


@pytest.mark.parametrize(
    ("order", "reason"),
    [("TXD", "unknown module 'X'; known: T"), ("TDT", "'T' comes twice"), ("", "at least one")],
)
def test_wrong_orders_are_errors(order: str, reason: str) -> None:
    """Unknown and repeated letters are named, and so are those that exist."""
    with pytest.raises(InputError, match=reason):
        NameModules("sv", order)


def test_orders_in_lower_case() -> None:
    """Letters may be small."""
    assert NameModules("sv", "tcd").order == "TCD"


def test_unknown_language() -> None:
    """A language without lexicons is answered with those that have them."""
    with pytest.raises(UnknownNameError, match="known: en, es, ja, sv"):
        NameModules("fi")


def test_variants_of_languages() -> None:
    """A variant has the names of its language."""
    assert NameModules("sv-words").detect(Document("note", TEXT))


def test_it_is_a_detector() -> None:
    """A pipeline takes it; spans carry label, part and source."""
    detector: Detector = NameModules("sv", "TCD")
    spans = DetectionPipeline([detector]).detect(Document("note", TEXT))
    assert [(TEXT[s.start : s.end], s.label, s.part, s.source) for s in spans[:3]] == [
        ("Eva", "NAME", "first", "names:T"),
        ("Hjelmqvist", "NAME", "last", "names:T"),
        ("Anna", "NAME", "first", "names:D"),
    ]


def test_spans_convert_to_the_papers_classes() -> None:
    """In the scheme of the Stockholm corpus they are FIRST_NAME and LAST_NAME."""
    doc = Document("note", TEXT)
    converter = Converter(scheme("veil"), scheme("stockholm"))
    found = NameModules("sv").detect(doc)
    labels = [each.label for span in found for each in converter.convert(doc, span)]
    assert labels == ["FIRST_NAME", "LAST_NAME", "FIRST_NAME", "FIRST_NAME"]
