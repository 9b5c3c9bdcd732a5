"""Mentions swapped for others of their label."""

from __future__ import annotations

from veil import Document, Record, Span
from veil.synth.swap import mention_pool, swap_mentions

TEXT = "Ana met Ana and Bo on 3/5."
RECORD = Record.of(
    Document("r", TEXT, "en"),
    [Span(0, 3, "PATIENT"), Span(8, 11, "PATIENT"), Span(16, 18, "DOCTOR"), Span(22, 25, "DATE")],
)
POOL: dict[tuple[str, str | None], list[str]] = {
    ("PATIENT", None): ["Margaret"],
    ("DATE", None): ["4 June", "1/1"],
}


def test_spans_follow_their_new_texts() -> None:
    """Spans have the texts of the pool, one name stays one name, and the rest is as it was."""
    (swapped,) = swap_mentions([RECORD], POOL, share=1.0)
    text = swapped.document.text
    found = [(span.label, text[span.start : span.end]) for span in swapped.spans]
    assert found[:3] == [("PATIENT", "Margaret"), ("PATIENT", "Margaret"), ("DOCTOR", "Bo")]
    assert found[3][1] in POOL["DATE", None]
    assert text == f"Margaret met Margaret and Bo on {found[3][1]}."


def test_a_share_of_nothing_changes_nothing() -> None:
    """With a share of 0 the record comes back."""
    assert list(swap_mentions([RECORD], POOL, share=0.0)) == [RECORD]


def test_the_same_seed_gives_the_same_records() -> None:
    """Seeds decide, and the order of records does not."""
    once = list(swap_mentions([RECORD], POOL, seed=5))
    assert list(swap_mentions([RECORD], POOL, seed=5)) == once


def test_a_pool_holds_each_text_once() -> None:
    """The texts of spans by label, without repeats."""
    assert mention_pool([RECORD, RECORD]) == {
        ("PATIENT", None): ["Ana"],
        ("DOCTOR", None): ["Bo"],
        ("DATE", None): ["3/5"],
    }
