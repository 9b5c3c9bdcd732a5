"""The automaton accepts all that patterns match, and rules find the same with and without it."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil import Document
from veil.core import native
from veil.detect.rules import Rule, RuleDetector, load_rules, unmarked
from veil.detect.rules import compiled as compiled_module
from veil.detect.rules.automaton import build_automaton
from veil.detect.rules.compiled import CompiledRules, automaton_table, compiled_rules
from veil.detect.rules.walks import Automaton

if TYPE_CHECKING:
    from collections.abc import Sequence

LANGUAGES = ("en", "es", "ja", "sv")
UNASSIGNED = "\u0378"
ODD = "\u200b\u0301Ａ０\u3000İẞ\ud83d\x00\r\n\t@/:-.,()１3٣ſKÅ山 aZ"

pytestmark = pytest.mark.skipif(native.CORE is None, reason="the compiled core is not installed")


def rule(pattern: str, name: str = "x", **options: object) -> Rule:
    return Rule(name=name, source=lambda: pattern, label="NAME", **{"before": r"\w", **options})  # type: ignore[arg-type]


def accepted(rules: Sequence[Rule], text: str) -> set[tuple[int, int]]:
    """The places at which each rule, by its number, is accepted, by the core and its pure twin."""
    assert native.CORE
    tables = memoryview(build_automaton(rules))
    by_core = _accepted(native.CORE.Automaton(tables), len(rules), text)
    assert by_core == _accepted(Automaton(tables), len(rules), text)
    return by_core


def _accepted(automaton: Any, rules: int, text: str) -> set[tuple[int, int]]:
    found: list[bytes] = []
    everything = (2**rules - 1).to_bytes(-(-rules // 64) * 8, sys.byteorder)
    places = automaton.find(
        text, {}, everything, lambda _: [everything], lambda each, _: each[0], {}, found.append
    )
    masks = (int.from_bytes(mask, sys.byteorder) for mask in found)
    return {
        (start, number)
        for (start, _), mask in zip(places, masks, strict=True)
        for number in range(rules)
        if mask >> number & 1
    }


@pytest.mark.parametrize(
    ("pattern", "text", "places"),
    [
        ("abc", "abc abd abc", {0, 8}),
        ("(?i:äb)c", "ÄBc äbc ÄBC", {0, 4}),
        ("[a-c]{2,9}(?![0-9])", "abc abc1", {0, 4}),
        ("a(?=b)", "ab ac", {0}),
        ("(?:a|b(?= c))(?!d)", "b c", {0}),
        ("(?<=-)a", "-a .a", {1}),
        ("a(?<![x(].)b", "(ab ab", {4}),
        ("(?:(?<=, )|(?<=\n))a", ", a\na .a", {2, 4}),
        (r"(a|b)-\1", "a-a b-a", {0, 4}),
        (r"\d+ (?:mg|ml)", "12 mg 12 m 1٣ ml", {0, 11}),
        ("(?>ab|a)c", "abc ac", {0, 4}),
        ("x.y", "x\ny xzy", {4}),
    ],
)
def test_places(pattern: str, text: str, places: set[int]) -> None:
    """The automaton accepts a pattern where it may match, and rejects what it can express."""
    assert accepted([rule(pattern)], text) == {(place, 0) for place in places}


def test_character_before() -> None:
    """The automaton rejects a pattern after a character that must not precede it."""
    assert accepted([rule("abc", before="x-")], "xabc abc -abc") == {(5, 0)}


def test_more_states_than_are_kept() -> None:
    """The automaton forgets its states when there are too many, and goes on."""
    pattern = f"[ab]*a{'[ab]' * 16}c"
    letters = Random(1)  # noqa: S311 - it need not be secret
    words = ["".join(letters.choices("ab", k=40)) + letters.choice("cd") for _ in range(6000)]
    text = " ".join(words)
    places = {at * 42 for at, word in enumerate(words) if re.match(pattern, word)}
    assert 0 < len(places) < len(words)
    assert accepted([rule(pattern)], text) == {(place, 0) for place in places}


def test_threads() -> None:
    """Threads that share an automaton find the same."""
    compiled, _ = detectors("en")
    texts = samples("en")[:200]
    expected = [find(compiled, text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: find(compiled, text), texts * 4)) == expected * 4


def test_unassigned_characters() -> None:
    """A text with a character that Unicode does not define yet is left to the pure path."""
    assert native.CORE
    tables = memoryview(build_automaton([rule("abc")]))
    kinds: list[Any] = [native.CORE.Automaton, Automaton]
    for automaton in kinds:
        found = automaton(tables).find(f"abc {UNASSIGNED}", {}, bytes(8), None, None, {}, None)
        assert found is None
    text = f"Dr. Anna Svensson {UNASSIGNED} 19121212-1212, tel 08-123 45 67"
    compiled, pure = detectors("sv")
    assert find(compiled, text) == find(pure, text) != []


@pytest.mark.parametrize("change", [lambda data: data[:-8], lambda data: b"\xff" * len(data)])
def test_damaged_tables(change: object) -> None:
    """Tables that were cut off or overwritten are refused."""
    assert native.CORE
    data = build_automaton([rule("abc")])
    with pytest.raises(ValueError, match="damaged"):
        native.CORE.Automaton(change(data))  # type: ignore[operator]


@cache
def samples(language: str) -> list[str]:
    """The examples of all rules of a language."""
    rules = [each for each in load_rules(language) if each.examples]
    return [
        unmarked(text)[0]
        for each in rules
        if each.examples
        for text in each.examples.find + each.examples.leave
    ]


@cache
def detectors(language: str) -> tuple[RuleDetector, RuleDetector]:
    """The rules of a language with and without the automaton."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled_module, "_load", lambda _: None)
        pure = RuleDetector(language)
    return RuleDetector(language), pure


@cache
def pure_twin(language: str) -> RuleDetector:
    """The rules of a language with the automaton in pure Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "CORE", None)
        patch.setattr(compiled_module, "_load", compiled_module._load.__wrapped__)
        return RuleDetector(language)


def find(detector: RuleDetector, text: str) -> list[tuple[int, int, str, str]]:
    return [
        (each.start, each.end, each.label, each.source)
        for each in detector.detect(Document("x", text))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples(language: str) -> None:
    """In the examples of all rules, rules find the same with and without the automaton."""
    compiled, pure = detectors(language)
    if compiled_rules(language, compiled.rules) is None:
        pytest.skip("the tables were not made: run make tables")
    for text in ["\n".join(samples(language)), *samples(language)]:
        assert find(compiled, text) == find(pure_twin(language), text) == find(pure, text)


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_any_text(language: str, data: st.DataObject) -> None:
    """In pieces of examples and odd characters, rules find the same in both ways."""
    pieces = st.sampled_from(samples(language)) | st.text(st.sampled_from(ODD), max_size=6)
    halves = pieces.map(lambda text: text[len(text) // 3 :])
    text = "".join(data.draw(st.lists(pieces | halves, max_size=6)))
    compiled, pure = detectors(language)
    assert find(compiled, text) == find(pure_twin(language), text) == find(pure, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_matches_are_accepted(language: str) -> None:
    """No pattern matches at a place that the automaton does not accept."""
    rules = [each for each in load_rules(language) if not each.keys]
    text = "\n".join(samples(language)[::17])[:3000]
    words = [word.start() for word in re.finditer(r"\w+", text)]
    found = accepted(rules, text)
    for number, each in enumerate(rules):
        before = re.compile(f"[{each.before}]") if each.before else None
        for place in words if each.has_starts else range(len(text)):
            is_barred = before and place and before.match(text, place - 1)
            if not is_barred and each.pattern.match(text, place):
                assert (place, number) in found, (each.name, place)


def test_without_all_rules() -> None:
    """A detector with a part of the rules does not use the automaton of all of them."""
    rules = load_rules("sv")
    assert compiled_rules("sv", rules[:-1]) is None
    made = compiled_rules("sv", rules)
    assert made is None or isinstance(made, CompiledRules)


def test_inputs() -> None:
    """An automaton is out of date if rules, lexicons or what makes patterns of them change."""
    inputs = {file.name for file in automaton_table("sv").inputs}
    rules = {each.file.name for each in load_rules("sv") if each.file}
    assert inputs >= rules | {"profession.txt", "folding.py", "loading.py", "automaton.py"}
