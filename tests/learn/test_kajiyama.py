"""Tables 2 to 5 of kajiyama-2018 on a few invented lines."""

from __future__ import annotations

import pytest
from tests.conftest import marked_record

from veil import InputError, Record
from veil.learn.kajiyama import SourceStudy, paper_tables, study_sources
from veil.learn.recipe import recipe

_OURS = ["[AGE|{}歳]、[SEX|男性]。[TIME|翌日]に咳。", "[TIME|{}日]に[HOSPITAL|近医]を受診。"]
_OTHER_TAG = "[PHONE|03-1234-5678]に電話。"
_THEIRS = ["[AGE|{}歳]。[PERSON|山田]が来院。", "[PERSON|佐藤]、[AGE|{}歳]。その{}日後。"]


def lines(name: str, patterns: list[str]) -> list[Record]:
    return [
        marked_record(f"{name}{number}", patterns[number % 2].format(20 + number, number))
        for number in range(8)
    ]


@pytest.fixture(scope="module")
def study() -> SourceStudy:
    first = [*lines("a", _OURS), marked_record("other", _OTHER_TAG)]
    sources = {"MedNLP-1": first, "dummy": lines("b", _THEIRS)}
    return study_sources(sources, learners={"CRF": recipe("kajiyama-2018-crf")}, seed=1)


def test_rules_are_scored_on_each_source(study: SourceStudy) -> None:
    """The rules find all of the first source; they mark a duration and no person in the second.

    A telephone number, which is no tag of the paper, is not counted as missed.
    """
    assert study.f1("Rule based", "MedNLP-1", "") == 100
    assert study.f1("Rule based", "dummy", "AGE") == 100
    assert study.f1("Rule based", "dummy", "PERSON") is None
    counts = study.methods["Rule based"]["dummy"][""]
    assert (counts.tp, counts.fp, counts.fn) == (8, 4, 8)


def test_tables_have_the_columns_of_the_paper(study: SourceStudy) -> None:
    """Each source has a table of all methods, the mixed learner one of all sources."""
    first, second, mixed = paper_tables(study)
    assert first.columns == second.columns == ("Rule based", "CRF", "CRF Mix")
    assert mixed.columns == ("MedNLP-1", "dummy", "Mix")
    assert list(first.rows) == ["ALL", "AGE", "HOSPITAL", "PERSON", "SEX", "TIME"]
    assert first.rows["PERSON"] == (None, None, None)
    assert mixed.rows["ALL"][0] == first.rows["ALL"][2]
    assert mixed.rows["ALL"][1] == second.rows["ALL"][2]


def test_one_source_has_no_mixture() -> None:
    """The experiment compares sources, so one is an error."""
    with pytest.raises(InputError, match="two sources"):
        study_sources({"ours": lines("a", _OURS)})
