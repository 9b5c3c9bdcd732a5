from __future__ import annotations

import pytest

from veil import Document, Span
from veil.core.resolve import resolve

#                     0         1         2         3
#                     0123456789012345678901234567890123456
DOC = Document("r1", "Dra. Ana Ruiz (Lugo), tel. 600-11-22.")


def keys(*candidates: Span) -> list[tuple[int, int, str]]:
    return [span.key for span in resolve(DOC, candidates)]


def test_disjoint_candidates_stay() -> None:
    """Candidates that do not overlap come back sorted, touching ones apart."""
    assert keys(Span(9, 13, "NAME"), Span(15, 19, "CITY"), Span(5, 9, "NAME")) == [
        (5, 9, "NAME"),
        (9, 13, "NAME"),
        (15, 19, "CITY"),
    ]


def test_overlapping_candidates_of_one_label_become_one() -> None:
    """Two halves of a name that overlap are the whole name."""
    assert keys(Span(0, 8, "NAME"), Span(5, 13, "NAME")) == [(0, 13, "NAME")]


def test_the_longer_wins_and_the_rest_stays_hidden() -> None:
    """A loser keeps the part that only it covers."""
    assert keys(Span(5, 13, "NAME"), Span(9, 19, "CITY")) == [(5, 9, "NAME"), (9, 19, "CITY")]


def test_of_equally_long_ones_the_surer_wins() -> None:
    """The score decides between extents of the same length."""
    found = keys(Span(5, 8, "NAME", 0.4), Span(5, 8, "CITY", 0.9))
    assert found == [(5, 8, "CITY")]


def test_a_rest_without_letters_is_joined() -> None:
    """Brackets that only the loser covered go to the winner that they touch."""
    assert keys(Span(14, 21, "ID"), Span(9, 20, "CITY")) == [(9, 21, "CITY")]
    assert keys(Span(14, 20, "ID"), Span(15, 27, "PHONE")) == [(14, 27, "PHONE")]


def test_a_candidate_of_punctuation_alone_stays() -> None:
    """Only rests are joined: what a detector found whole is kept as it is."""
    assert keys(Span(13, 15, "OTHER"), Span(5, 8, "NAME"), Span(6, 13, "CITY")) == [
        (5, 6, "NAME"),
        (6, 13, "CITY"),
        (13, 15, "OTHER"),
    ]


def test_a_loser_between_two_winners_fills_the_gap() -> None:
    """Of a candidate that two longer ones overlap, the middle stays."""
    found = keys(Span(0, 13, "NAME"), Span(7, 17, "CITY"), Span(16, 30, "PHONE"))
    assert found == [(0, 13, "NAME"), (13, 16, "CITY"), (16, 30, "PHONE")]


def test_winner_keeps_score_and_source() -> None:
    """A joined span speaks with the score and source of the candidate that ranks first."""
    (span,) = resolve(DOC, [Span(0, 8, "NAME", 0.9, "rules"), Span(4, 13, "NAME", 0.6, "crf")])
    assert (span.score, span.source) == (0.6, "crf")


def test_candidate_outside_the_text_is_refused() -> None:
    """Offsets beyond the text are an error that shows no text."""
    with pytest.raises(ValueError, match="r1: span 30-99 lies outside"):
        resolve(DOC, [Span(30, 99, "PHONE")])
