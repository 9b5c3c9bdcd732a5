"""Rules that say with what they begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import Document
from veil.core.errors import InputError
from veil.detect.rules import RuleDetector, load_rules

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
[[rule]]
name = "greeted"
label = "NAME"
pattern = 'Hello (?P<name>[A-Z][a-z]+)'
starts = "hello "
find = ["Hello [[Ann]]"]
leave = ["hello"]

[[rule]]
name = "coded"
label = "IDNUM"
pattern = '[A-Z]{1,2}-?[0-9]{3}'
starts = "<code>"
find = ["[[A-123]]"]
leave = ["123"]

[[rule]]
name = "counted"
label = "AGE"
pattern = '[0-9]+(?= years)'
starts = ["<digit>"]
find = ["[[12]] years"]
leave = ["12"]

[[rule]]
name = "town"
label = "CITY"
pattern = '[A-Z][a-z]+'
starts = "entry:city"
fit = "entry:city"
find = ["[[Boston]]"]
leave = ["Table"]
"""


def rules_in(folder: Path, text: str) -> RuleDetector:
    (folder / "own.toml").write_text(text, "utf-8")
    rules = load_rules("en", folder)
    own = [rule for rule in rules if f'name = "{rule.name.removeprefix("en/")}"' in text]
    return RuleDetector("en", rules=own)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Oh. Hello Ann", ["Ann"]),
        ("Sayhello Ann", []),
        ("code A-123, then B-456.", ["A-123", "B-456"]),
        ("AB123 and a-123", ["AB123"]),
        ("3 years, 12 years", ["3", "12"]),
        ("from Boston to Chicago", ["Boston", "Chicago"]),
        ("from boston to Nowhereville", []),
        ("İİİ Hello Ann", ["Ann"]),  # longer in lower case than in capitals
    ],
)
def test_a_rule_is_tried_where_a_word_begins_as_it_does(
    text: str, found: list[str], tmp_path: Path
) -> None:
    """Strings, digits, codes and entries of a lexicon say where a pattern is tried."""
    spans = rules_in(tmp_path, RULES).detect(Document("x", text))
    assert [text[span.start : span.end] for span in spans] == found


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("<3 digits>", ["123", "456x", "１２３"]),
        ("<1-2 digits>", ["7", "12", "１２３"]),
        ("<3+ digits>", ["123", "456x", "12345", "１２３"]),
        ("<capitals>", ["MA", "NSW"]),
        ("<hex>", ["be"]),
    ],
)
def test_kinds_of_words(start: str, words: list[str], tmp_path: Path) -> None:
    """Digits are counted, in other scripts they may be as many as they like; capitals are two."""
    rule = f"""
[[rule]]
name = "any"
label = "IDNUM"
pattern = '\\w+'
starts = "{start}"
find = []
leave = []
"""
    text = "7 12 123 456x 12345 １２３ MA Ma NSW FLORIDA be fell I"
    spans = rules_in(tmp_path, rule).detect(Document("x", text))
    assert [text[span.start : span.end] for span in spans] == words


def test_a_rule_with_starts_is_tried_where_the_text_holds_what_it_needs(tmp_path: Path) -> None:
    """A text without any of its needs is not one for the rule."""
    detector = rules_in(tmp_path, RULES.replace('"hello "', '"hello "\nneeds = ["dear"]'))
    assert detector.detect(Document("x", "Hello Ann")) == []
    assert len(detector.detect(Document("x", "Hello Ann,\n\n\nmy Dear"))) == 1


def test_shields_may_have_starts(tmp_path: Path) -> None:
    """A shield that says with what it begins keeps what lies inside it."""
    shield = """
[[rule]]
name = "no-greeting"
shields = ["NAME"]
pattern = 'Hello Kitty'
starts = "hello"
find = ["[[Hello Kitty]]"]
leave = ["Hello Ann"]
"""
    detector = rules_in(tmp_path, RULES + shield)
    text = "Hello Kitty, Hello Ann"
    spans = detector.detect(Document("x", text))
    assert [text[span.start : span.end] for span in spans] == ["Ann"]


def test_unknown_start_is_an_error(tmp_path: Path) -> None:
    """The error about a start that is neither a string nor a known test lists the known ones."""
    with pytest.raises(InputError, match="<digit>"):
        rules_in(tmp_path, RULES.replace("<digit>", "<vowel>"))
