from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veil import Document, Record, Span
from veil.core.labels import SCHEMES, Converter, scheme, split_name
from veil.render import segments

TEXT = "x" * 40


def spans(*labels: str) -> st.SearchStrategy[Span]:
    return st.builds(
        lambda start, length, name: Span(start, min(40, start + length), name),
        st.integers(0, 39),
        st.integers(1, 12),
        st.sampled_from(labels or ("NAME", "DATE")),
    )


@given(st.lists(spans()))
def test_records_lose_no_annotation(annotations: list[Span]) -> None:
    """Whatever a file holds, all annotations stay, and the kept ones are disjoint and sorted."""
    record = Record.of(Document("r", TEXT), annotations)
    assert sorted(record.annotations, key=hash) == sorted(annotations, key=hash)
    covered = [offset for span in record.spans for offset in range(span.start, span.end)]
    assert covered == sorted(set(covered))


@given(st.lists(spans()))
def test_set_aside_spans_overlap_a_longer_one(annotations: list[Span]) -> None:
    """An annotation is set aside only for one at least as long that it overlaps."""
    record = Record.of(Document("r", TEXT), annotations)
    for aside in record.set_aside:
        assert any(
            kept.start < aside.end
            and aside.start < kept.end
            and aside.end - aside.start <= kept.end - kept.start
            for kept in record.spans
        )


@given(st.text(), st.lists(spans()))
def test_segments_rebuild_the_text(text: str, annotations: list[Span]) -> None:
    """The pieces of a cut text, joined, are the text."""
    doc = Document("r", text)
    inside = [span for span in annotations if span.end <= len(text)]
    pieces = list(segments(text, Record.of(doc, inside).spans))
    assert "".join(piece for piece, _ in pieces) == text


@given(st.text(min_size=1))
def test_name_parts_lie_inside_the_name(name: str) -> None:
    """The parts of any name are disjoint, not empty and inside it."""
    position = 0
    for start, end, _ in split_name(name):
        assert position <= start < end <= len(name)
        position = end


@given(st.sampled_from(SCHEMES), st.sampled_from(SCHEMES), st.data())
def test_conversion_counts_all_it_leaves_out(source: str, target: str, data: st.DataObject) -> None:
    """Between any two schemes a span is converted or counted, and stays inside its extent."""
    label = data.draw(st.sampled_from(scheme(source).labels))
    span = data.draw(spans(label))
    converter = Converter(scheme(source), scheme(target))
    converted = converter.convert(Document("r", TEXT), span)
    assert bool(converted) != bool(converter.unmapped)
    assert all(span.start <= piece.start and piece.end <= span.end for piece in converted)
    assert all(piece.label in scheme(target).labels for piece in converted)
