"""Mentions swapped for others of their label."""

from __future__ import annotations

import random

from veil import Document, Record, Span
from veil.synth.swap import MentionPool, form_of, swap_mentions

TEXT = "Ana Ek met ANA and Bo on 3/5."
RECORD = Record.of(
    Document("r", TEXT, "en"),
    [Span(0, 6, "PATIENT"), Span(11, 14, "PATIENT"), Span(19, 21, "DOCTOR"), Span(25, 28, "DATE")],
)


def pool_of(*mentions: tuple[str, str]) -> MentionPool:
    """A pool of labels and texts."""
    return MentionPool.of(
        Record.of(Document(str(number), text), [Span(0, len(text), label)])
        for number, (label, text) in enumerate(mentions)
    )


POOL = pool_of(
    *(("PATIENT", name) for name in ("Margaret Hale", "Josephine Lund", "X", "4 words in it")),
    *(("DATE", date) for date in ("4 June", "1/1", "7/9")),
)


def test_spans_follow_their_new_texts() -> None:
    """New texts are written like the old, one name stays one name, and the rest is as it was."""
    (swapped,) = swap_mentions([RECORD], POOL, share=1.0)
    text = swapped.document.text
    found = [(span.label, text[span.start : span.end]) for span in swapped.spans]
    given = found[0][1].split()[0]
    assert found[0] in [("PATIENT", "Margaret Hale"), ("PATIENT", "Josephine Lund")]
    assert found[1:3] == [("PATIENT", given.upper()), ("DOCTOR", "Bo")]
    assert found[3][1] in ("1/1", "7/9")
    assert text == f"{found[0][1]} met {given.upper()} and Bo on {found[3][1]}."


def test_japanese_family_names_stay_one() -> None:
    """The family name alone becomes the family name of the new whole name."""
    record = Record.of(
        Document("r", "田中太郎さん。田中氏"), [Span(0, 4, "PERSON"), Span(7, 9, "PERSON")]
    )
    pool = pool_of(("PERSON", "佐藤花子"), ("PERSON", "鈴木一郎"))
    (swapped,) = swap_mentions([record], pool, share=1.0)
    whole = swapped.document.text[:4]
    assert swapped.document.text == f"{whole}さん。{whole[:2]}氏"


def test_numbers_without_a_like_get_other_digits() -> None:
    """Where no text of the form is known, the digits change and the writing stays."""
    new = pool_of().draw(("PHONE", None), "０８-55 123", random.Random(1))  # noqa: S311
    assert form_of(new) == form_of("08-55 123")
    assert new != "０８-55 123"
    assert not new[:2].isascii()


def test_a_share_of_nothing_changes_nothing() -> None:
    """With a share of 0 the record comes back."""
    assert list(swap_mentions([RECORD], POOL, share=0.0)) == [RECORD]


def test_the_same_seed_gives_the_same_records() -> None:
    """Seeds decide, and the order of records does not."""
    once = list(swap_mentions([RECORD], POOL, seed=5))
    assert list(swap_mentions([RECORD], POOL, seed=5)) == once
