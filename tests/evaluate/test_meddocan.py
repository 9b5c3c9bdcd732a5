"""The MEDDOCAN scores on cases counted by hand from the official script's definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.evaluate.match import Counts, pair_records
from veil.evaluate.metrics import count_merged, merge, score_meddocan

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

    from veil.core.document import Record
    from veil.evaluate.match import Pair
    from veil.evaluate.metrics import MeddocanScores


def pair(gold: Record, predicted: Record) -> Pair:
    return pair_records([gold], [predicted]).pairs[0]


def test_subtask_2_ignores_the_label(record: MakeRecord) -> None:
    """A wrong label is an error of subtask 1 alone; one extent with two labels is one extent."""
    gold = record((0, 8, "NOMBRE"), (0, 8, "OTRO"), (22, 26, "PAIS"))
    predicted = record((0, 8, "NOMBRE"), (22, 26, "CALLE"))
    scores = score_meddocan([pair(gold, predicted)])
    assert scores.subtask1.micro == Counts(tp=1, fp=1, fn=2)
    assert scores.subtask2_strict.micro == Counts(tp=2)


def test_merged_joins_what_no_alphanumeric_character_parts(record: MakeRecord) -> None:
    """'Ana' and 'Ruiz' apart are 'Ana Ruiz'; the joined extent is one hit, its parts no errors."""
    gold, predicted = record((0, 8, "NOMBRE")), record((0, 3, "NOMBRE"), (4, 8, "NOMBRE"))
    assert count_merged(pair(gold, predicted)) == Counts(tp=1)
    assert count_merged(pair(predicted, gold)) == Counts(tp=1)


def test_merged_counts_exact_and_joined_extents(record: MakeRecord) -> None:
    """Two exact extents that also join to a shared third make three hits."""
    both = record((0, 3, "NOMBRE"), (4, 8, "NOMBRE"))
    assert count_merged(pair(both, both)) == Counts(tp=3)


def test_merged_counts_what_lies_in_no_hit(record: MakeRecord) -> None:
    """A miss and a spurious extent elsewhere stay errors."""
    gold, predicted = record((0, 8, "NOMBRE"), (10, 12, "EDAD")), record((22, 26, "PAIS"))
    assert count_merged(pair(gold, predicted)) == Counts(fp=1, fn=2)


def test_a_merged_extent_ends_with_its_last_annotation(record: MakeRecord) -> None:
    """0-8 and 4-6 overlap and join to 0-6, as in the script, although 0-8 reaches further."""
    overlapping = record((0, 8, "NOMBRE"), (4, 6, "NOMBRE"))
    assert merge(overlapping.document.text, overlapping.annotations) == {(0, 6)}


def test_duplicates_merge_with_each_other(record: MakeRecord) -> None:
    """Two annotations of one extent are joined to that extent."""
    twice = record((0, 3, "NOMBRE"), (0, 3, "PAIS"))
    assert merge(twice.document.text, twice.annotations) == {(0, 3)}


def test_merging_looks_at_letters_beyond_ascii(record: MakeRecord) -> None:
    """'é' between two annotations keeps them apart; punctuation does not."""
    apart = record((0, 1, "A"), (2, 3, "A"), text="aéb")
    joined = record((0, 1, "A"), (2, 3, "A"), text="a/b")
    assert merge("aéb", apart.annotations) == {(0, 1), (2, 3)}
    assert merge("a/b", joined.annotations) == {(0, 3)}


def leak_case(record: MakeRecord, sentences: object) -> MeddocanScores:
    gold = [record((0, 8, "NOMBRE"), (10, 12, "EDAD"), name="a"), record(name="b")]
    pairs = pair_records(gold, [record(name="a"), record(name="b")]).pairs
    return score_meddocan(pairs, sentences=sentences)  # type: ignore[arg-type]


def test_leak_is_misses_a_sentence(record: MakeRecord) -> None:
    """Two misses in five sentences; counts come from a mapping or from a function."""
    assert leak_case(record, {"a": 3, "b": 2}).leak == 0.4
    assert leak_case(record, lambda doc: 4 if doc.id == "a" else 1).leak == 0.4


def test_leak_is_unknown_where_a_count_is(record: MakeRecord) -> None:
    """One document without a count, or no counts at all, leave the leak unknown."""
    assert leak_case(record, {"a": 3}).leak is None
    assert leak_case(record, None).leak is None


def test_leak_without_sentences_is_zero(record: MakeRecord) -> None:
    """The script turns a division by zero to 0.0."""
    assert leak_case(record, {"a": 0, "b": 0}).leak == 0.0
