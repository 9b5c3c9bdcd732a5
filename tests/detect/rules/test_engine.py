"""How rules are read, matched, fitted, checked and shielded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError
from veil.detect.rules import Rule, RuleDetector, check_own_rules, load_rules, unmarked
from veil.detect.rules.loading import _entries
from veil.detect.rules.rule import windows
from veil.lexicons import lexicon

if TYPE_CHECKING:
    from pathlib import Path


def detector(tmp_path: Path, rules: str, language: str = "en") -> RuleDetector:
    """A detector with the rules of a TOML text alone."""
    file = tmp_path / "own.toml"
    file.write_text(rules, "utf-8")
    load_rules.cache_clear()
    named = [rule for rule in load_rules(language, tmp_path) if "/own-" in rule.name]
    return RuleDetector(language, rules=named)


def found(rules: RuleDetector, text: str) -> list[tuple[str, str]]:
    """What the rules find: label and text, in the order of the text."""
    spans = sorted(rules.detect(Document("x", text)), key=lambda span: (span.start, span.end))
    return [(span.label, text[span.start : span.end]) for span in spans]


def rule(name: str, **keys: object) -> str:
    """A rule as TOML."""
    lines = [f"{key} = {_toml(value)}" for key, value in {"name": f"own-{name}", **keys}.items()]
    return "\n".join(["[[rule]]", *lines, ""])


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f"'{value}'" if isinstance(value, str) else str(value)


def test_whole_match_is_the_span(tmp_path: Path) -> None:
    """Without named groups the match is the span, and no part of a word counts."""
    rules = detector(tmp_path, rule("ward", label="ROOM", pattern=r"W\d+"))
    assert found(rules, "W12 and XW3, W4b, (W5)") == [("ROOM", "W12"), ("ROOM", "W5")]


def test_named_groups_are_the_spans(tmp_path: Path) -> None:
    """Groups named after labels are the spans, several in one match."""
    rules = detector(
        tmp_path, rule("seen", pattern=r"by (?P<doctor>[A-Z]\w+) on (?P<date1>\d+)/(?P<date2>\d+)")
    )
    assert found(rules, "by Ek on 3/5") == [("DOCTOR", "Ek"), ("DATE", "3"), ("DATE", "5")]


def test_borders_can_be_set(tmp_path: Path) -> None:
    """What may not touch a match is a rule's own choice, also nothing."""
    rules = detector(tmp_path, rule("no", label="IDNUM", pattern=r"\d{3}", before="", after="x"))
    assert found(rules, "a123 456x b789c") == [("IDNUM", "123"), ("IDNUM", "789")]


def test_a_match_that_fails_a_check_hides_none_that_passes(tmp_path: Path) -> None:
    """After a match that is no date, the search goes on at its next character."""
    rules = detector(
        tmp_path,
        rule("date", label="DATE", pattern=r"\d\d?[ /]\d\d?", check="day-month"),
    )
    assert found(rules, "99 3/5") == [("DATE", "3/5")]


def test_the_opposite_of_a_check(tmp_path: Path) -> None:
    """A check after "not" must fail, and the entries of a lexicon are a check."""
    rules = detector(
        tmp_path, rule("in", pattern=r"in (?P<city>[A-Z]\w+)", check=["not entry:month"])
    )
    assert found(rules, "in May, in Lund") == [("CITY", "Lund")]


def test_fields_have_a_key_a_colon_and_a_value(tmp_path: Path) -> None:
    """A key is known whatever its case, accents and spaces; the longest key wins."""
    rules = detector(
        tmp_path,
        rule("chart", label="MEDICALRECORD", keys=["Nº Historia"], pattern=r"\d+")
        + rule("bed", label="ROOM", keys=["historia"], pattern=r"\d+"),
        "es",
    )
    assert found(rules, "N.º HISTORIA : 12\nhistoria (vieja): 13\nprehistoria: 14") == [
        ("MEDICALRECORD", "12"),
        ("ROOM", "13"),
    ]


def test_the_value_of_a_field_may_begin_a_line_below(tmp_path: Path) -> None:
    """A key at the end of its line has its value on the next."""
    rules = detector(tmp_path, rule("mrn", label="MEDICALRECORD", keys=["MRN"], pattern=r"\d+"))
    assert found(rules, "MRN:\n  4411\nMRN:\n\n 5") == [("MEDICALRECORD", "4411")]


def test_shields_keep_rules_from_what_they_cover(tmp_path: Path) -> None:
    """A span inside a shield is dropped, one that reaches out of it or is certain is not."""
    rules = detector(
        tmp_path,
        rule("pair", label="DATE", pattern=r"\d+/\d+")
        + rule("sure", label="DATE", pattern=r"\d+-\d+", certain=True)
        + rule("longer", label="DATE", pattern=r"BP \d+/\d+")
        + rule("pressure", pattern=r"P? ?\d+[/-]\d+(?= mmHg)", shields=["DATE"], before=""),
    )
    assert found(rules, "3/5 mmHg, 3-6 mmHg, 4/5") == [("DATE", "3-6"), ("DATE", "4/5")]
    assert found(rules, "BP 3/5 mmHg") == [("DATE", "BP 3/5")]


def test_entries_of_a_list(tmp_path: Path) -> None:
    """A reference stands for the entries of a list: with their capitals, or in any case."""
    listed = rule("listed", label="VALUE", pattern="{entry.medical}[ ](?:disease|syndrome)")
    in_any_case = rule("any", label="DATE", pattern=r"{lexicon.month}[ ]\d+")
    rules = detector(tmp_path, listed + in_any_case)
    assert found(rules, "Raynaud disease, raynaud disease, RAYNAUD syndrome, Rayn disease") == [
        ("VALUE", "Raynaud disease"),
        ("VALUE", "RAYNAUD syndrome"),
    ]
    assert found(rules, "may 3, MAY 4, Sept 5, Mays 6") == [
        ("DATE", "may 3"),
        ("DATE", "MAY 4"),
        ("DATE", "Sept 5"),
    ]


@pytest.mark.parametrize("name", ["month", "relative", "medical", "anatomy"])
def test_the_longest_entry_is_preferred(name: str) -> None:
    """The pattern of a list matches each of its entries as a whole."""
    language = "ja" if name == "anatomy" else "en"
    pattern = re.compile(_entries(language, name, any_case=False))
    for entry in lexicon(language, name):
        match = pattern.match(f"{entry}!")
        assert match
        assert match[0] == entry


def test_needs_are_looked_for_in_any_case(tmp_path: Path) -> None:
    """A rule with needs is tried on lines that hold one, and on the next line."""
    rules = detector(tmp_path, rule("ext", label="PHONE", pattern=r"\d{4}", needs=["phone", "ext"]))
    text = "1111\nPhone 2222\n3333\n4444\nEXT 5555"
    assert [span for _, span in found(rules, text)] == ["2222", "3333", "5555"]


def test_text_that_changes_length_in_lower_case(tmp_path: Path) -> None:
    """Offsets stay right where a letter becomes two in lower case."""
    rules = detector(tmp_path, rule("ext", label="PHONE", pattern=r"\d{4}", needs=["ext"]))
    assert found(rules, "İİİİİİ\nEXT 5555") == [("PHONE", "5555")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a@\nb\nc\nd@x\ny\nz", ["a@\nb", "d@x\ny"]),
        ("@\n@\n@\nx\ny", ["@\n@\n@\nx"]),
        ("x\ny", []),
        ("@", ["@"]),
    ],
)
def test_windows_are_lines_and_those_after(text: str, expected: list[str]) -> None:
    """Each line that holds what is needed makes a window with the line after it."""
    assert [text[start:end] for start, end in windows(text, text, ("@",))] == expected


@pytest.mark.parametrize(
    ("fit", "text", "expected"),
    [
        ("name", "Mary Lou Ortega Cardiology", "Mary Lou Ortega"),
        ("name", "Ana de la Vega Edad: 45", "Ana de la Vega"),
        ("name", "Discharge Summary", None),
        ("named", "Room Summary", "Room"),
        ("named", "Hospital", None),
        ("full-name", "Mary Ortega", "Mary Ortega"),
        ("full-name", "Mary", None),
        ("full-name", "Grace Period", None),
        ("entry:city", "New York Hospital", "New York"),
        ("entry:city", "Zzzyx", None),
    ],
)
def test_fits_shrink_to_what_words_allow(
    fit: str, text: str, expected: str | None, tmp_path: Path
) -> None:
    """A fit keeps the words that can be meant, or none."""
    rules = detector(tmp_path, rule("fit", label="NAME", pattern=".{1,60}", fit=fit))
    names = [span for _, span in found(rules, text)]
    assert names[:1] == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("[[rule]]\nlabel = 'AGE'\npattern = 'x'", "rule number 1: the key 'name' is missing"),
        (rule("a", label="AGE"), "own-a: the key 'pattern' is missing"),
        (rule("a", label="WEAPON", pattern="x"), "own-a: unknown label 'WEAPON'"),
        (rule("a", pattern="x"), "own-a: the key 'label' is missing"),
        (rule("a", label="AGE", pattern="("), "own-a: missing \\)"),
        (rule("a", label="AGE", pattern="{nothing}"), "own-a: unknown fragment 'nothing'"),
        (rule("a", label="AGE", pattern="x", colour="red"), "own-a: unknown key 'colour'"),
        (rule("a", label="AGE", pattern="x", score=2), "the key 'score' has a value"),
        (rule("a", label="AGE", pattern="x", check="magic"), "unknown check 'magic'"),
        (rule("a", label="AGE", pattern="x", fit="tight"), "unknown fit 'tight'"),
        (rule("a", label="AGE", pattern="x") * 2, "own.toml: two rules have the name en/own-a"),
        (rule("a", label="AGE", pattern="q*"), "own-a: the pattern matches an empty text"),
        (rule("a", label="AGE", pattern="x", needs=[""]), "the key 'needs' has a value"),
        (rule("a", label="AGE", pattern="x{99999999999}"), "own-a: the repetition number"),
        (
            "[fragments]\na = '{b}'\nb = '{a}'\n" + rule("a", label="AGE", pattern="{a}"),
            "own-a: the fragment 'a' is part of itself: a in b in a",
        ),
        ("fragments = 5", "own.toml: the table \\[fragments\\]"),
        ("[fragments]\na = 5", "own.toml: the table \\[fragments\\]"),
        ("rule = 'x'", "own.toml: the key 'rule' is no list of rules"),
        ("rule = [1, 2]", "own.toml: the key 'rule' is no list of rules"),
        ("about = 'nothing'", "holds no rules"),
        ("rules = 3", "unknown key 'rules'"),
        ("[[rule]", "not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_rule(rules: str, message: str, tmp_path: Path) -> None:
    """A rule that cannot be used is an error that names its file and what is wrong."""
    with pytest.raises(InputError, match=message):
        detector(tmp_path, rules)


def test_a_folder_without_rules_is_refused(tmp_path: Path) -> None:
    """A folder of one's own rules must be there and hold some."""
    with pytest.raises(InputError, match="no such folder"):
        load_rules("en", tmp_path / "none")
    with pytest.raises(InputError, match="holds no rules"):
        load_rules("en", tmp_path)


def test_the_search_comes_to_an_end() -> None:
    """A pattern that matches nothing at the end of a text is not tried there for ever."""
    empty = Rule("x", lambda: "q*", "AGE", before="")
    assert [(hit.start, hit.end) for hit in empty.find("a q qq")] == [(2, 3), (4, 6)]


def test_own_fragments_change_no_rule_of_veils(tmp_path: Path) -> None:
    """A fragment of one's own that is called as one of Veil's is for one's own rules alone."""
    own = "[fragments]\nage = 'nobody'\n" + rule("a", label="AGE", pattern="{age}")
    (tmp_path / "own.toml").write_text(own, "utf-8")
    plain = {each.name: each.source() for each in load_rules("en")}
    joined = {each.name: each.source() for each in load_rules("en", tmp_path)}
    assert "nobody" in joined.pop("en/own-a")
    assert joined == plain


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ({"find": ["[[W1]] x", "in W2 [[now]]"]}, "own-a: example 2 of 'find': the rule finds"),
        ({"find": ["in W2"]}, "own-a: example 1 of 'find' marks nothing"),
        ({"leave": ["ward", "in W3"]}, "own-a: example 2 of 'leave': the rule finds something"),
    ],
)
def test_examples_of_own_rules_are_tried(
    examples: dict[str, list[str]], message: str, tmp_path: Path
) -> None:
    """A rule whose examples fail is refused with its file and the number of the example."""
    file = tmp_path / "own.toml"
    file.write_text(rule("a", label="ROOM", pattern=r"W\d", **examples), "utf-8")
    with pytest.raises(InputError, match=f"{file}, rule {message}") as caught:
        check_own_rules(tmp_path, ["en", "sv"])
    assert "W2" not in str(caught.value)


def test_an_example_is_right_in_one_language(tmp_path: Path) -> None:
    """Where records are in any language, an example need fit the lists of one of them only."""
    city = rule("a", pattern="en (?P<city>[A-Z]\\w+)", check="entry:city", find=["en [[Lugo]]"])
    (tmp_path / "own.toml").write_text(city, "utf-8")
    check_own_rules(tmp_path, ["ja", "es"])
    with pytest.raises(InputError, match="example 1 of 'find'"):
        check_own_rules(tmp_path, ["ja"])


def test_a_rule_for_one_language_needs_its_name(tmp_path: Path) -> None:
    """The error about a rule that another language cannot use names that language."""
    ward = rule("a", label="ROOM", pattern=r"W\d", fit="en-ward")
    (tmp_path / "own.toml").write_text(ward, "utf-8")
    check_own_rules(tmp_path, ["en"])
    with pytest.raises(InputError, match=r"unknown fit 'en-ward'.*for 'sv': say in which language"):
        check_own_rules(tmp_path, ["en", "sv"])


def test_marks_of_examples() -> None:
    """The marks of an example are taken out, and say where its spans are."""
    assert unmarked("a [[b]] c[[d]]") == ("a b cd", [(2, 3), (5, 6)])
