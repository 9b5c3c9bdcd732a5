"""The second look at a masked text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from veil import Document
from veil.core.document import Record, Span
from veil.core.values import DOUBT
from veil.detect.pipeline import DetectionPipeline
from veil.masking.rescan import _excerpt, remaining_originals, scan, to_original
from veil.replace.base import Edit, Masked, apply_edits

if TYPE_CHECKING:
    from collections.abc import Sequence

FAR = "Nothing of note happened in between, as the chart says. " * 8
NAMES = re.compile(r"Ann|Bo|Cid")


class Finder:
    """Finds three names, and remembers what it was shown."""

    name = "finder"

    def __init__(self, reach: int | None) -> None:
        self.reach = reach
        self.shown: list[str] = []

    def detect(self, doc: Document) -> list[Span]:
        self.shown.append(doc.text)
        return [Span(*match.span(), "NAME") for match in NAMES.finditer(doc.text)]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def masked(text: str, **replacements: str) -> Masked:
    """A text in which words were replaced."""
    edits = []
    for old, new in replacements.items():
        start = text.index(old)
        edits.append(Edit(start, start + len(old), old, new, "NAME", "substitute"))
    edits.sort(key=lambda edit: edit.start)
    return Masked(Document("x", apply_edits(text, edits), "en"), tuple(edits))


def never(span: Span) -> bool:
    return False


def test_the_surroundings_of_replacements_are_scanned() -> None:
    """Sentences out of reach of any replacement are not shown to the detectors again."""
    finder = Finder(reach=20)
    made = masked(f"Saw Dora today. {FAR}Then Emil came.", Dora="Fay", Emil="Gus")
    assert scan(DetectionPipeline([finder]), [made], [None], is_kept=never) == [None]
    (shown,) = finder.shown
    assert "Saw Fay today." in shown
    assert "Then Gus came." in shown
    assert len(shown) < len(FAR)


def test_what_turns_up_brings_all_of_the_record_under_the_detectors() -> None:
    """A find near a replacement has the whole text scanned, with what else it holds."""
    finder = Finder(reach=20)
    made = masked(f"Saw Dora with Ann. {FAR}Bo came. {FAR}", Dora="Fay")
    (outcome,) = scan(DetectionPipeline([finder]), [made], [None], is_kept=never)
    assert isinstance(outcome, Record)
    assert [outcome.document.text[span.start : span.end] for span in outcome.spans] == ["Ann", "Bo"]


def test_replacements_and_what_may_stay_are_nothing_new() -> None:
    """A stand-in that is found again, or a span of a kept label, is no reason to look further."""
    finder = Finder(reach=20)
    made = masked(f"Saw Dora and Cid. {FAR}", Dora="Ann", Cid="Bo")
    assert scan(DetectionPipeline([finder]), [made], [None], is_kept=never) == [None]
    other = masked(f"Saw Dora and Cid. {FAR}", Dora="Fay")
    assert scan(DetectionPipeline([finder]), [other], [None], is_kept=lambda span: True) == [None]
    assert len(finder.shown) == 2


def test_a_detector_without_reach_sees_everything() -> None:
    """Who does not say how far it looks is shown all of the text."""
    finder = Finder(reach=None)
    made = masked(f"Saw Dora. {FAR}", Dora="Fay")
    (outcome,) = scan(DetectionPipeline([finder]), [made], [None], is_kept=never)
    assert isinstance(outcome, Record)
    assert finder.shown == [made.document.text]


def test_only_doubtful_words_near_replacements_are_scanned() -> None:
    """A sentence without a doubtful word, or out of reach of a replacement, is not shown again."""
    text = f"Saw Dora today. {FAR}Then Emil saw Kim. {FAR}Kai left."
    made = masked(text, Dora="Fay", Emil="Gus")
    doubts = [
        Span(text.index(word), text.index(word) + len(word), DOUBT) for word in ("Kim", "Kai")
    ]
    finder = Finder(reach=20)
    assert scan(DetectionPipeline([finder]), [made], [doubts], is_kept=never) == [None]
    (shown,) = finder.shown
    assert "Then Gus saw Kim." in shown
    assert "Fay" not in shown
    assert "Kai" not in shown


def test_nothing_is_scanned_where_nothing_is_doubtful() -> None:
    """Doubtful words that were replaced, and those out of reach, leave nothing to be scanned."""
    text = f"Saw Dora today. {FAR}Kai left."
    made = masked(text, Dora="Fay")
    doubts = [Span(4, 8, DOUBT), Span(text.index("Kai"), text.index("Kai") + 3, DOUBT)]
    finder = Finder(reach=20)
    assert scan(DetectionPipeline([finder]), [made], [doubts], is_kept=never) == [None]
    assert finder.shown == []


@given(
    st.lists(st.sampled_from(["a. ", "b ", "Kim\n", "日。", "Dora", "Kim "]), max_size=40),
    st.integers(0, 9),
)
def test_excerpts_hold_doubtful_words_near_replacements(pieces: list[str], reach: int) -> None:
    """The excerpt has each doubtful word within reach of a replacement, outside replacements."""
    text = "".join(pieces)
    edits = tuple(
        Edit(*match.span(), "Dora", "Li", "NAME", "substitute")
        for match in re.finditer("Dora", text)
    )
    doubts = [Span(*match.span(), DOUBT) for match in re.finditer("Kim", text)]
    made = Masked(Document("x", apply_edits(text, edits)), edits)
    near = sum(
        any(
            start - reach <= word.end() and word.start() <= end + reach
            for start, end in made.new_offsets
        )
        for word in re.finditer("Kim", made.document.text)
    )
    excerpt = _excerpt(made, reach, doubts)
    assert near <= excerpt.document.text.count("Kim")
    assert near or not excerpt.document.text
    for start, end in excerpt.replacements:
        assert excerpt.document.text[start:end] in "Li"


def test_a_record_that_fails_in_part_is_scanned_as_a_whole() -> None:
    """An error on an excerpt is settled by the text itself."""

    class Choosy(Finder):
        def detect(self, doc: Document) -> list[Span]:
            if len(doc.text) < len(FAR):
                raise ValueError
            return super().detect(doc)

    made = masked(f"Saw Dora. {FAR}", Dora="Fay")
    (outcome,) = scan(DetectionPipeline([Choosy(reach=20)]), [made], [None], is_kept=never)
    assert isinstance(outcome, Record)


@given(
    st.lists(st.sampled_from(["a. ", "b ", "c\n", "日。", "Dora", "Dora "]), max_size=40),
    st.integers(0, 9),
)
def test_excerpts_hold_every_replacement_with_what_is_around_it(
    pieces: list[str], reach: int
) -> None:
    """Each replacement stands in the excerpt as it does in the text, with its surroundings."""
    text = "".join(pieces)
    places = [match.span() for match in re.finditer("Dora", text)]
    edits = tuple(Edit(*place, "Dora", "Li", "NAME", "substitute") for place in places)
    made = Masked(Document("x", apply_edits(text, edits)), edits)
    excerpt = _excerpt(made, reach, None)
    new, part = made.document.text, excerpt.document.text
    assert len(excerpt.replacements) == len(made.new_offsets)
    for (start, end), (own, own_end) in zip(made.new_offsets, excerpt.replacements, strict=True):
        before = min(reach, start)
        assert part[own - before : own_end + reach].startswith(new[start - before : end + reach])


@given(st.lists(st.sampled_from(["a ", "Ann ", "Dora "]), max_size=30))
def test_spans_come_home(words: list[str]) -> None:
    """A span beside replacements is at its place in the original again."""
    text = "".join(words)
    edits = tuple(
        Edit(*match.span(), "Dora", "Philippa", "NAME", "substitute")
        for match in re.finditer("Dora", text)
    )
    made = Masked(Document("x", apply_edits(text, edits)), edits)
    spans = [Span(*match.span(), "NAME") for match in re.finditer("Ann", made.document.text)]
    home = [Span(*match.span(), "NAME") for match in re.finditer("Ann", text)]
    assert to_original(made, spans) == home
    within = [Span(start, end, "NAME") for start, end in made.new_offsets]
    assert to_original(made, within) == []


def test_original_is_found_again_in_every_form() -> None:
    """An original is searched for as detectors read it, and so is the text."""
    text = "Carolina came. Caro\u200blina and CARO-\nLINA and C a r o l i n a left."
    made = masked(text, Carolina="[NAME-1]")
    found = sorted(text[span.start : span.end] for span in remaining_originals(made, made.edits))
    assert found == ["C a r o l i n a", "CARO-\nLINA", "Caro\u200blina"]
    hidden = masked("Caro\u200blina came. Carolina left.", **{"Caro\u200blina": "[NAME-1]"})
    (span,) = remaining_originals(hidden, hidden.edits)
    assert (span.start, span.end) == (16, 24)


def test_many_originals_are_found_like_a_few() -> None:
    """However many originals there are, the same ones are found."""
    made = masked(
        "Sonia Ruiz has a cough. Mr RUIZ and Sonia-Ana came.", Sonia="Marta", Ruiz="Vidal"
    )
    others = [Edit(0, 1, f"Nombre{number}", "x", "NAME", "substitute") for number in range(500)]
    few = remaining_originals(made, made.edits)
    assert few
    assert remaining_originals(made, (*made.edits, *others)) == few
