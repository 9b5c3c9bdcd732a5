from __future__ import annotations

import pytest

from veil.languages import language
from veil.languages.en import wi_deid_tokens

# Table 1 of wi-deid-2015 and its example in the text, after the last step: punctuation segmented.
TABLE_1 = [
    ("PEND01/26/2098", "PEND|01|/|26|/|2098"),
    ("45-year-old", "45|-|year|-|old"),
    ("CABG6/95", "CABG|6|/|95"),
    ("x76221", "x|76221"),
    ("X1-1335", "X|1|-|1335"),
    ("47798497-045-1949", "47798|497|-|045|-|1949"),
    ("ALMarital", "AL|Marital"),
    ("34712RadiologyExam", "34712|Radiology|Exam"),
    ("JaffreyMarital", "Jaffrey|Marital"),
    ("2106-02-12", "2106|-|02|-|12"),
]
WI_DEID = [
    *TABLE_1,
    ("McDonald x7622 CABG6", "McDonald|x7622|CABG6"),
    ("Seen by Dr. Lee.", "Seen|by|Dr.|Lee|."),
    ("Ann's arm (left), 5%", "Ann|'s|arm|(|left|)|,|5|%"),
    ("(784) 032-8966", "(|784|)|032|-|8966"),
    ("don't 'quote' a_b@c.org", "don't|'|quote|'|a_b@c.org"),
    ("Well? Yes!", "Well|?|Yes|!"),
]


@pytest.mark.parametrize(("text", "expected"), WI_DEID, ids=[text for text, _ in WI_DEID])
def test_wi_deid_tokens(text: str, expected: str) -> None:
    """The text is split as wi-deid-2015 does."""
    assert "|".join(text[start:end] for start, end in wi_deid_tokens(text)) == expected


def test_wi_deid_tokens_are_chosen_by_name() -> None:
    """A recipe chooses the tokens of wi-deid-2015 by the name of the variant."""
    text = "Dr. Lee"
    assert language("en-wi-deid-2015").code == "en"
    assert language("en-wi-deid-2015").tokens(text) == wi_deid_tokens(text)
    assert language("en").tokens(text) != wi_deid_tokens(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("PEND01/26/2098", "PEND01|/|26|/|2098"), ("x76221", "x76221"), ("Dr. Lee.", "Dr.|Lee|.")],
)
def test_tokens_of_the_official_run(text: str, expected: str) -> None:
    """The official run of wi-deid-2015 cut punctuation, but had no patterns yet."""
    tokens = language("en-wi-deid-2015-official").tokens(text)
    assert "|".join(text[start:end] for start, end in tokens) == expected
