from __future__ import annotations

from collections import Counter

import pytest

from veil.detect.linear.layout import lay_out
from veil.features.columns import value_key
from veil.features.forms import Resources
from veil.features.groups import Channel
from veil.features.positions import NONE, POSITION_FEATURES
from veil.features.space import learn_forms
from veil.features.stream import FormTable, Stream
from veil.languages import language

ENGLISH = Resources("en")
TOP, BOTTOM, OTHER = 1, 2, 0


def stream_of(texts: list[str], sequences: str = "sentences") -> Stream:
    """Lay texts out with a vocabulary of all their words."""
    layout = lay_out(texts, tokens="en", sequences=sequences)
    words = Counter(text[start:end] for text in texts for start, end in language("en").tokens(text))
    forms = learn_forms([Channel("word")], words, ENGLISH)
    return layout.stream(FormTable(forms, ENGLISH))


def values(feature: str, stream: Stream) -> list[int]:
    """The values of a feature at the words of a stream."""
    found = POSITION_FEATURES.get(feature)
    computed = found.compute(stream)
    at = stream.line[stream.words] if found.by_line else stream.words
    return [int(value) for value in computed[at]]


def words(feature: str, stream: Stream) -> list[str | None]:
    """The values of a feature that are words, in letters."""
    known = {number: word for word, number in stream.table.vocabularies["word"].items()}
    return [known.get(value) for value in values(feature, stream)]


TWO = "He was seen. Dr. Lee came."


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        ("sentence-length", [4] * 4 + [5] * 5),
        ("previous-sentence-length", [NONE] * 4 + [4] * 5),
        ("next-sentence-length", [5] * 4 + [NONE] * 5),
        ("sentence-start", [1, 0, 0, 0, 1, 0, 0, 0, 0]),
    ],
)
def test_features_of_sentences(feature: str, expected: list[int]) -> None:
    """Lengths count words of this sentence and of its neighbours; a record's ends have none."""
    assert values(feature, stream_of([TWO])) == expected


def test_last_words_of_the_sentence_before() -> None:
    """The last three words before a sentence are known to all of its words."""
    stream = stream_of([TWO])
    assert words("last-word-before", stream) == [None] * 4 + ["."] * 5
    assert words("second-last-word-before", stream) == [None] * 4 + ["seen"] * 5
    assert words("third-last-word-before", stream) == [None] * 4 + ["was"] * 5


def test_a_short_sentence_before_lacks_its_third_word() -> None:
    """A place that the sentence before does not have is none, and not the one before that."""
    stream = stream_of(["I came at noon.\n\nMeds:\n\nNone given today."])
    assert words("second-last-word-before", stream)[-4:] == ["Meds"] * 4
    assert values("third-last-word-before", stream)[-4:] == [NONE] * 4


def test_neighbours_stay_in_their_record() -> None:
    """The last sentence of one record is not before the first of the next."""
    stream = stream_of(["One two.", "Three."])
    assert values("previous-sentence-length", stream) == [NONE] * 5
    assert values("next-sentence-length", stream) == [NONE] * 5
    assert values("last-word-before", stream) == [NONE] * 5


def test_lines_are_sentences_where_sequences_are_lines() -> None:
    """Empty lines between two are passed over."""
    stream = stream_of(["a b\n\n\nc d e"], "lines")
    assert values("sentence-length", stream) == [2, 2, 3, 3, 3]
    assert values("previous-sentence-length", stream) == [NONE, NONE, 2, 2, 2]
    assert words("last-word-before", stream) == [None, None, "b", "b", "b"]
    assert values("sentence-start", stream) == [1, 0, 1, 0, 0]


@pytest.mark.parametrize("sequences", ["lines", "sentences"])
def test_place_in_record(sequences: str) -> None:
    """Ten lines are the top, five the bottom; empty lines count, the end of the text does not."""
    text = "\n\n".join(f"x{number}" for number in range(9)) + "\n"
    # Seventeen lines: words on the odd ones, two tokens each.
    expected = [TOP] * 10 + [OTHER] * 2 + [BOTTOM] * 6
    assert values("place-in-record", stream_of([text], sequences)) == expected


def test_place_in_a_short_record() -> None:
    """In a record of few lines the top comes first."""
    assert values("place-in-record", stream_of(["a\nb", "", "c"])) == [TOP] * 3


def test_wrapped_sentences_have_places_by_line() -> None:
    """A sentence over several lines is in each of its lines."""
    text = "\n".join(
        ["word"] * 9 + ["this is a long line that goes on and on until it is full and"]
    )
    stream = stream_of([text + "\nends here."])
    assert values("place-in-record", stream)[-3:] == [BOTTOM] * 3
    assert set(values("place-in-record", stream)[:-3]) == {TOP}


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("on 3/18/2001 she", "date"),
        ("since 3/18, no", "date"),
        ("(2001-03-18)", "date"),
        ("call 617-555-1234.", "phone"),
        ("call (617)555-1234 now", "phone"),
        ("call 555-1234", "phone"),
        ("code 3/4-19", "(none)"),
        ("MRN 1234567", "(none)"),
        ("x3/4", "(none)"),
        ("3 / 4", "(none)"),
    ],
)
def test_templates_look_at_the_word_between_blanks(text: str, template: str) -> None:
    """All tokens of a date or telephone number have its template, and no others."""
    stream = stream_of([text, text])
    show = POSITION_FEATURES.get("template-of-word").show
    found = {show(lambda *_: "", value) for value in values("template-of-word", stream)}
    assert found - {"(none)"} == {template} - {"(none)"}


def test_special_characters_are_looked_for_in_the_word_between_blanks() -> None:
    """The letters of "T/R" have one, those beside it have none."""
    stream = stream_of(["DC T/R ok", "x"])
    assert values("special-character-in-word", stream) == [0, 1, 1, 1, 0, 0]


def test_values_in_words() -> None:
    """What explains a decision reads as words and not as numbers."""

    def show(feature: str, number: int) -> str:
        return POSITION_FEATURES.get(feature).show(lambda name, value: f"{name} {value}", number)

    assert [show("place-in-record", each) for each in (TOP, BOTTOM, OTHER)] == [
        *("top", "bottom", "elsewhere")
    ]
    assert show("last-word-before", 7) == "word 7"
    assert show("last-word-before", NONE) == "(none)"
    assert show("pos", value_key("NOUN")) == "NOUN"
    assert show("token-majority-in-record", NONE) == "(none)"
    assert show("in-user-dictionary", 1) == "1"


@pytest.mark.parametrize(("one", "other"), [(9, 10), (12, 15), (100, 110)])
def test_long_sentences_of_like_length_are_alike(one: int, other: int) -> None:
    """Lengths from five on are classes, which a length three times as long is not in."""
    lengths = [
        values("sentence-length", stream_of([" ".join(["x"] * length)], "lines"))[0]
        for length in (one, other, 3 * one)
    ]
    assert lengths[0] == lengths[1] < lengths[2]
