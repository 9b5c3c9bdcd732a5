"""What the rules say of tokens, as a feature."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from veil.detect.crf import LinearDetector
from veil.detect.linear.layout import lay_out, rule_column, spans_of_rules
from veil.features.columns import value_of
from veil.features.forms import Resources
from veil.features.stream import FormTable
from veil.learn import recipe

if TYPE_CHECKING:
    from pathlib import Path

    from veil import Record, Span


def test_tokens_bear_the_labels_of_rules() -> None:
    """The first token of a rule's span begins it, the others are inside, the rest outside."""
    text = "Mail: ana@b.com, si"
    (spans,) = spans_of_rules([text], "es")
    layout = lay_out([text], tokens="es", sequences="lines")
    stream = layout.stream(FormTable({}, Resources("es")))
    column = rule_column(stream, [spans])[stream.words]
    words = [value_of(key) for key in column.tolist()]
    assert words == ["O", "O", "B-EMAIL", *["I-EMAIL"] * 4, "O", "O"]


def test_a_model_may_weigh_the_word_of_rules(
    quick_recipe: Path, small_corpus: list[Record], tmp_path: Path
) -> None:
    """A recipe with the group of rules trains, is kept, and finds the same once loaded."""
    made = recipe(quick_recipe)
    made = replace(made, groups=(*made.groups, "veil-rules"))
    detector = LinearDetector.fit(made, small_corpus)
    detector.save(tmp_path / "model")
    docs = [record.document for record in small_corpus]
    found = LinearDetector.load(tmp_path / "model").detect_many(docs)
    assert found == detector.detect_many(docs)
    assert any(found)
    told = spans_of_rules([doc.text for doc in docs], made.language)
    assert detector.detect_twice(docs, generous=0.0, rule_spans=told)[0] == found
    untold: list[list[Span]] = [[] for _ in docs]
    assert detector.detect_twice(docs, generous=0.0, rule_spans=untold)[0] != found
