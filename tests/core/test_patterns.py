"""Stored regular expressions equal those that `re.compile` makes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.core import patterns, tables
from veil.core.patterns import compile_pattern, stored_patterns
from veil.core.tables import Store
from veil.detect.rules.loading import load_rules
from veil.languages import language_codes

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = [
    r"(?P<day>\d{1,2})/(?P<month>\d\d)(?![\w])",
    r"(?i:straße|İzmir|[à-ý]+)\s(?:a|b)*?",
    r"(?<!x)[一-龥々]{2,}(?P<name>さん)?",
    "[\ud800-\udfff]",
    r"(?x) a b  # comment",
    "",
]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """An empty store in a folder of its own."""
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    store = Store(patterns._STORE.name, key=patterns._STORE.key)
    monkeypatch.setattr(patterns, "_STORE", store)
    return store


def _assert_same(made: re.Pattern[str], source: str, flags: int = 0) -> None:
    expected = re.compile(source, flags)
    # Patterns are equal if their sources, flags and codes are.
    assert made == expected
    assert made.pattern == expected.pattern
    assert made.flags == expected.flags
    assert made.groups == expected.groups
    assert dict(made.groupindex) == dict(expected.groupindex)


def test_stored_patterns_equal_compiled_ones(fresh: Store) -> None:
    """Source, flags, groups, code and matches are the same."""
    stored_patterns(lambda: map(re.compile, SOURCES)).write()
    for source in SOURCES:
        assert fresh.get(patterns._key(source, 0)) is not None
        _assert_same(compile_pattern(source), source)
    match = compile_pattern(SOURCES[0]).search("seen 3/12 again")
    assert match is not None
    assert match.groupdict() == {"day": "3", "month": "12"}
    assert match.lastgroup == "month"


@pytest.mark.parametrize("flags", [re.IGNORECASE, re.IGNORECASE | re.ASCII, re.DOTALL | re.VERBOSE])
def test_flags_are_kept(fresh: Store, flags: re.RegexFlag) -> None:
    """A pattern is stored with its flags, and is another one than that without flags."""
    source = r"(?P<word>[a-zé]+) .\w"
    stored_patterns(lambda: [re.compile(source, flags)]).write()
    assert fresh.get(patterns._key(source, flags)) is not None
    _assert_same(compile_pattern(source, flags), source, flags)
    _assert_same(compile_pattern(source), source)


def test_patterns_that_are_not_stored_are_compiled(fresh: Store) -> None:
    """Nothing depends on the table."""
    for source in SOURCES:
        _assert_same(compile_pattern(source), source)
    with pytest.raises(re.error):
        compile_pattern("(")


def test_damaged_code_is_not_used(fresh: Store) -> None:
    """Code that Python rejects is compiled anew."""
    stored_patterns(lambda: [re.compile(SOURCES[0])]).write()
    file = tables.FOLDER / fresh.name
    file.write_bytes(file.read_bytes()[:-400] + b"\xff" * 400)
    _assert_same(compile_pattern(SOURCES[0]), SOURCES[0])


@pytest.mark.parametrize("language", language_codes())
def test_rules_have_the_patterns_that_are_compiled(language: str) -> None:
    """The pattern of each rule, stored or not, is that of its source."""
    for rule in load_rules(language):
        _assert_same(rule.pattern, rule.source())
