"""The i2b2 2014 scores on cases counted by hand from the public script's definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.core.labels import scheme
from veil.evaluate.match import Counts, count_relaxed, count_strict, count_tokens, pair_records
from veil.evaluate.metrics import is_hipaa, score_i2b2

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

    from veil.core.document import Record
    from veil.evaluate.match import Pair


def pair(gold: Record, predicted: Record) -> Pair:
    return pair_records([gold], [predicted]).pairs[0]


def test_strict_needs_start_end_and_type(record: MakeRecord) -> None:
    """One hit; a wrong type, a wrong end and a wrong start are each an error on both sides."""
    gold = record((0, 8, "PATIENT"), (10, 12, "AGE"), (22, 26, "CITY"), (32, 35, "DOCTOR"))
    predicted = record((0, 8, "PATIENT"), (10, 12, "DATE"), (22, 27, "CITY"), (28, 35, "DOCTOR"))
    assert count_strict(pair(gold, predicted)) == Counts(tp=1, fp=3, fn=3)


def test_duplicates_count_once(record: MakeRecord) -> None:
    """Annotations are a set."""
    gold = record((0, 8, "PATIENT"), (0, 8, "PATIENT"))
    predicted = record((0, 8, "PATIENT"), (0, 8, "PATIENT"), (0, 8, "PATIENT"))
    assert count_strict(pair(gold, predicted)) == Counts(tp=1)


def test_one_extent_with_two_types_counts_twice(record: MakeRecord) -> None:
    """Each type of an extent is an annotation of its own, and so are overlapping ones."""
    gold = record((0, 8, "PATIENT"), (0, 8, "DOCTOR"))
    predicted = record((0, 8, "DOCTOR"), (0, 3, "DOCTOR"))
    assert count_strict(pair(gold, predicted)) == Counts(tp=1, fp=1, fn=1)


@pytest.mark.parametrize(
    ("end", "hit"), [(8, True), (6, True), (10, True), (5, False), (11, False)]
)
def test_relaxed_lets_the_end_be_off_by_two(record: MakeRecord, end: int, hit: int) -> None:
    """The end may be off by two characters, not by three."""
    counts = count_relaxed(pair(record((0, 8, "PATIENT")), record((0, end, "PATIENT"))))
    assert counts == Counts(tp=hit, fp=1 - hit, fn=1 - hit)


def test_relaxed_needs_the_start_and_the_type(record: MakeRecord) -> None:
    """Only the end may be off."""
    gold = record((4, 8, "PATIENT"), (10, 12, "AGE"))
    predicted = record((5, 8, "PATIENT"), (10, 12, "DATE"))
    assert count_relaxed(pair(gold, predicted)) == Counts(fp=2, fn=2)


def test_relaxed_sets_drop_what_is_near_an_earlier_annotation(record: MakeRecord) -> None:
    """0-6 is near 0-4 and is not kept; 0-8 is near neither and is; order decides."""
    gold = record((0, 4, "PATIENT"), (0, 6, "PATIENT"), (0, 8, "PATIENT"))
    assert count_relaxed(pair(gold, record())) == Counts(fn=2)
    gold = record((0, 6, "PATIENT"), (0, 4, "PATIENT"), (0, 8, "PATIENT"))
    assert count_relaxed(pair(gold, record())) == Counts(fn=1)


def test_relaxed_hits_are_counted_on_the_smaller_side(record: MakeRecord) -> None:
    """One prediction near two gold annotations is one hit that leaves neither missing."""
    gold = record((0, 4, "PATIENT"), (0, 8, "PATIENT"))
    predicted = record((0, 6, "PATIENT"))
    assert count_relaxed(pair(gold, predicted)) == Counts(tp=1)
    assert count_relaxed(pair(predicted, gold)) == Counts(tp=1)


def test_relaxed_hits_of_sets_as_large_are_counted_on_the_predicted_side(
    record: MakeRecord,
) -> None:
    """Both gold annotations have a near one, but of the two predictions only one is a hit."""
    gold = record((0, 4, "PATIENT"), (0, 8, "PATIENT"))
    predicted = record((0, 6, "PATIENT"), (22, 26, "CITY"))
    assert count_relaxed(pair(gold, predicted)) == Counts(tp=1, fp=1)
    assert count_relaxed(pair(predicted, gold)) == Counts(tp=2, fn=1)


def test_tokens_are_the_alphanumeric_pieces(record: MakeRecord) -> None:
    """'3/4/2019' has three pieces; a prediction of '4/2019' has two of them."""
    gold, predicted = record((46, 54, "DATE")), record((48, 54, "DATE"))
    assert count_tokens(pair(gold, predicted)) == Counts(tp=2, fn=1)


def test_tokens_carry_the_type(record: MakeRecord) -> None:
    """A piece with another type is wrong."""
    gold, predicted = record((4, 8, "PATIENT")), record((4, 8, "DOCTOR"))
    assert count_tokens(pair(gold, predicted)) == Counts(fp=1, fn=1)


def test_an_annotation_without_letters_or_digits_is_one_empty_token(record: MakeRecord) -> None:
    """Of ', ' and ',' only the ends count; the text before them adds nothing."""
    gold, predicted = record((8, 10, "PATIENT")), record((9, 10, "PATIENT"))
    assert count_tokens(pair(gold, predicted)) == Counts(tp=1)
    assert count_tokens(pair(gold, record((8, 9, "PATIENT")))) == Counts(fp=1, fn=1)


def test_an_annotation_at_offset_zero_has_no_token_more(record: MakeRecord) -> None:
    """'Ana Ruiz' at the start has two pieces, 'Ana' has one of them."""
    gold, predicted = record((0, 8, "PATIENT")), record((0, 3, "PATIENT"))
    assert count_tokens(pair(gold, predicted)) == Counts(tp=1, fn=1)


def test_letters_beyond_ascii_are_part_of_a_token(record: MakeRecord) -> None:
    """'Núñez' is one piece, not 'N', 'ez'."""
    gold = record((4, 9, "PATIENT"), text="Sra Núñez.")
    assert count_tokens(pair(gold, record(text="Sra Núñez."))) == Counts(fn=1)


def test_types_are_compared_without_regard_to_case(record: MakeRecord) -> None:
    """'patient' is PATIENT at the strict and relaxed levels; tokens compare as written."""
    pairs = pair_records([record((0, 8, "PATIENT"))], [record((0, 8, "patient"))]).pairs
    scores = score_i2b2(pairs).all
    assert scores.strict.micro == scores.relaxed.micro == Counts(tp=1)
    assert scores.token.micro == Counts(fp=2, fn=2)


def test_binary_scores_ignore_the_type(record: MakeRecord) -> None:
    """A doctor taken for a patient is right; among HIPAA types it is spurious."""
    gold, predicted = record((0, 8, "DOCTOR")), record((0, 8, "PATIENT"))
    pairs = pair_records([gold], [predicted]).pairs
    scores = score_i2b2(pairs, scheme=scheme("i2b2-2014"))
    assert scores.binary.strict.micro == Counts(tp=1)
    assert scores.binary.token.micro == Counts(tp=2)
    assert scores.binary_hipaa is not None
    assert scores.binary_hipaa.strict.micro == Counts(fp=1)


def test_elements_keep_their_types_apart(record: MakeRecord) -> None:
    """A doctor taken for a patient is an error on both sides of NAME, and no concern of AGE."""
    gold = record((0, 8, "DOCTOR"), (10, 12, "AGE"))
    predicted = record((0, 8, "PATIENT"), (10, 12, "AGE"))
    pairs = pair_records([gold], [predicted]).pairs
    age, name = score_i2b2(pairs, scheme=scheme("i2b2-2014")).elements
    assert (age.element, age.all.strict.micro) == ("AGE", Counts(tp=1))
    assert (name.element, name.all.strict.micro) == ("NAME", Counts(fp=1, fn=1))
    assert name.hipaa.token.micro == Counts(fp=2)


def test_hipaa_scores_leave_other_types_out(record: MakeRecord) -> None:
    """A doctor's name counts among all types and not among HIPAA's."""
    gold = record((0, 8, "PATIENT"), (32, 35, "DOCTOR"))
    predicted = record((22, 26, "CITY"), (32, 35, "DOCTOR"))
    pairs = pair_records([gold], [predicted]).pairs
    scores = score_i2b2(pairs, scheme=scheme("i2b2-2014"))
    assert scores.hipaa is not None
    assert scores.all.strict.micro == Counts(tp=1, fp=1, fn=1)
    assert scores.hipaa.strict.micro == Counts(fp=1, fn=1)


def test_idnum_is_no_hipaa_type() -> None:
    """The script's pattern for IDNUM never matches; its other identifiers do."""
    assert not is_hipaa("IDNUM", scheme("i2b2-2014"))
    assert is_hipaa("MEDICALRECORD", scheme("i2b2-2014"))
    assert is_hipaa("NOMBRE_SUJETO_ASISTENCIA", scheme("meddocan"))


def test_hipaa_scores_need_a_scheme(record: MakeRecord) -> None:
    """Labels of no known scheme have no HIPAA scores."""
    assert score_i2b2(pair_records([record()], [record()]).pairs).hipaa is None
