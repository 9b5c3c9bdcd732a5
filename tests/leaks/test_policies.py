"""Each policy removes every label that it promises to remove, in every language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from veil import Document, Span
from veil.detect.assembly import default_pipeline
from veil.masking.masker import Masker
from veil.replace.policy import KEEP, load_policy, policies
from veil.replace.secret import Key

if TYPE_CHECKING:
    from veil.detect.pipeline import DetectionPipeline

DATA = Path(__file__).parent / "data"
LANGUAGES = ("en", "es", "sv", "ja")
KEY = Key(b"k" * 32)
# What the default pipeline has no detector for; docs/policies.md says so.
NOT_LOOKED_FOR = {
    "en": {"OTHER", "TIME"},
    "es": {"OTHER", "TIME", "DEPARTMENT"},
    "sv": {"OTHER", "TIME"},
    "ja": {"OTHER"},
}
TYPES = frozenset(
    "PATIENT DOCTOR USERNAME PROFESSION ROOM DEPARTMENT HOSPITAL ORGANIZATION STREET CITY STATE "
    "COUNTRY ZIP LOCATION-OTHER AGE DATE PHONE FAX EMAIL URL IPADDR SSN MEDICALRECORD HEALTHPLAN "
    "ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM OTHER SEX RELATIVE TIME".split()
)


@cache
def pipeline(language: str) -> DetectionPipeline:
    return default_pipeline(language)


@cache
def record(language: str) -> tuple[Document, tuple[Span, ...]]:
    """A note with every label of the language, and where they stand."""
    marked = (DATA / f"{language}.txt").read_text("utf-8")
    text, gold, end = "", [], 0
    for match in re.finditer(r"\[([A-Z-]+) ([^\]]+)\]", marked):
        text += marked[end : match.start()]
        gold.append(Span(len(text), len(text) + len(match[2]), match[1]))
        text += match[2]
        end = match.end()
    return Document(language, text + marked[end:]), tuple(gold)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_records_hold_every_label(language: str) -> None:
    """No label is forgotten: each stands in the record of each language that looks for it."""
    _, gold = record(language)
    assert {span.label for span in gold} == TYPES - NOT_LOOKED_FOR[language]


@pytest.mark.parametrize("policy", policies())
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_remains_that_a_policy_promises_to_remove(language: str, policy: str) -> None:
    """Every letter and digit of a label that the policy does not keep is replaced."""
    doc, gold = record(language)
    masker = Masker(pipeline(language), load_policy(policy), key=KEY)
    masked = masker.mask(doc)
    replaced = {place for edit in masked.edits for place in range(edit.start, edit.end)}
    left = []
    for span in gold:
        action = masker.policy.action(span.label)
        # An age below 90 is no identifier to these policies.
        if action.name == KEEP or (span.label, action.options.get("to")) == ("AGE", "90+"):
            continue
        places = [n for n in range(span.start, span.end) if doc.text[n].isalnum()]
        if not replaced.issuperset(places):
            left.append(span.label)
    assert left == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_addresses_of_the_network_keep_their_kind(language: str) -> None:
    """A URL, an IP address and a mail address get their own labels in every scheme."""
    doc, gold = record(language)
    found = {(span.start, span.end): span.label for span in pipeline(language).detect(doc)}
    for span in gold:
        if span.label in ("URL", "IPADDR", "EMAIL"):
            assert found[span.start, span.end] == span.label


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_certain_rule_of_the_user_wins_whatever_its_label(language: str, tmp_path: Path) -> None:
    """A rule with `certain = true` finds its label even where the model's scheme lacks it."""
    (tmp_path / "ours.toml").write_text(
        '[[rule]]\nname = "code-word"\nlabel = "PROFESSION"\npattern = "Zyxwvut"\n'
        'certain = true\nbefore = ""\nafter = ""\nfind = ["[[Zyxwvut]]"]\nleave = ["Zyx"]\n',
        "utf-8",
    )
    doc, _ = record(language)
    doc = Document("own", f"{doc.text}\nZyxwvut\n")
    start = doc.text.index("Zyxwvut")
    spans = default_pipeline(language, own_rules=tmp_path).detect(doc)
    assert (start, start + 7, "PROFESSION") in {span.key for span in spans}
