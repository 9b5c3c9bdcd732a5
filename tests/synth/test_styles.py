"""House styles: text changes, what the spans cover does not."""

from __future__ import annotations

from random import Random

import pytest

from veil.synth import styles
from veil.synth.segments import Segment, build_record

NOTE = [
    Segment("Name: "),
    Segment("Ann O'Hara", "PATIENT"),
    Segment("\nDate: "),
    Segment("3/5/2019", "DATE"),
    Segment(" - "),
    Segment("3/9/2019", "DATE"),
    Segment("\n- Seen by Dr. "),
    Segment("José Núñez", "DOCTOR"),
    Segment(". Wound dry. Follow up in two weeks: call the clinic.\n"),
]


def dressed(style: styles.Style, seed: int = 0) -> list[Segment]:
    return style(NOTE, Random(seed))  # noqa: S311 - no secret


def text(pieces: list[Segment]) -> str:
    return "".join(piece.text for piece in pieces)


@pytest.mark.parametrize("style", [style for style, _ in styles.LATIN_STYLES])
def test_every_style_keeps_the_spans(style: styles.Style) -> None:
    """A style never drops or adds a labelled piece, and spans still lie inside the text."""
    for seed in range(20):
        record = build_record("r", dressed(style, seed), language="en", kind="note")
        assert [span.label for span in record.spans] == ["PATIENT", "DATE", "DATE", "DOCTOR"]
        assert record.document.text[record.spans[1].start].isdigit()


def test_keys_are_written_otherwise() -> None:
    """The keys of fields change their form, other colons do not."""
    written = {text(dressed(styles.other_keys, seed)).split("Ann")[0] for seed in range(60)}
    assert {"Name :", "NAME:", "**Name:**"} <= {each.strip() for each in written}
    assert all("two weeks: call" in text(dressed(styles.other_keys, seed)) for seed in range(9))


def test_bullets_stand_at_the_start_of_lines() -> None:
    """A hyphen between two dates is no bullet."""
    for seed in range(20):
        made = text(dressed(styles.other_bullets, seed))
        assert "3/5/2019 - 3/9/2019" in made
        assert "\n- Seen" not in made


def test_word_processors_curve_apostrophes() -> None:
    """Names are changed as well, as in pasted text."""
    assert "Ann O’Hara" in text(dressed(styles.typographic))


def test_typewriters_leave_two_spaces() -> None:
    """Sentences stand apart by two spaces."""
    assert "dry.  Follow" in text(dressed(styles.wide_spaces))


def test_accents_are_lost() -> None:
    """Some systems know no accents."""
    assert "Jose Nunez" in text(dressed(styles.without_accents))
