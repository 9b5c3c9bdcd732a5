"""A fifth language is one folder: `tests/toy_language`, which nothing in Veil knows of."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import veil
from veil.detect.rules import RuleDetector, load_rules, only, unmarked
from veil.languages import LANGUAGES, language, language_codes
from veil.lexicons import lexicon
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = (
    "S-ino Ana Kovak venis el Verdurbo la 5-an de majo 2019. D-ro Petrov vidis Ana Kovak. "
    "Ŝi bonfartas."
)


@pytest.fixture(scope="module", autouse=True)
def esperanto() -> Iterator[None]:
    """Esperanto as another package adds it: through an entry point."""
    from veil.core import registry

    point = EntryPoint("eo", "tests.toy_language", "veil.languages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "entry_points", lambda group: [point])
        patch.setattr(LANGUAGES, "_unread_group", "veil.languages")
        yield
    LANGUAGES._entries.pop("eo")


def test_the_language_is_found() -> None:
    """An entry point is all that Veil needs to know of a language."""
    assert language("eo").name == "Esperanto"
    assert "eo" in language_codes()


def test_tokens_and_sentences() -> None:
    """The language cuts tokens and sentences with its own abbreviations."""
    tokens = language("eo").tokens(TEXT)
    assert TEXT[tokens[0].start : tokens[0].end] == "S"
    sentences = [TEXT[each.start : each.end] for each in language("eo").sentences(TEXT)]
    assert sentences[-1] == "Ŝi bonfartas."
    assert len(sentences) == 3


def test_rules_and_their_examples() -> None:
    """The rules of the folder are loaded, and their examples are right."""
    own = [rule for rule in load_rules("eo") if rule.file and "toy_language" in str(rule.file)]
    assert len(own) == 5
    for rule in own:
        detector = RuleDetector("eo", rules=only(load_rules("eo"), rule.name))
        assert rule.examples is not None
        for example in rule.examples.find:
            text, marked = unmarked(example)
            spans = detector.detect(veil.Document("d", text))
            assert [(span.start, span.end) for span in spans] == marked
        for example in rule.examples.leave:
            assert detector.detect(veil.Document("d", example)) == []


def test_detection() -> None:
    """The default pipeline finds what the rules find, repeats of names included."""
    spans = veil.Veil("eo").detect(TEXT)
    assert [(TEXT[span.start : span.end], span.label) for span in spans] == [
        ("Ana Kovak", "PATIENT"),
        ("Verdurbo", "CITY"),
        ("la 5-an de majo 2019", "DATE"),
        ("Petrov", "DOCTOR"),
        ("Ana Kovak", "PATIENT"),
    ]


def test_lexicons() -> None:
    """Lists that the folder has are used, and those that it lacks are empty."""
    assert "Kovak" in lexicon("eo", "surname")
    assert list(lexicon("eo", "profession")) == []


def test_masking_with_surrogates() -> None:
    """Names, towns and dates are replaced by others, and no original stays."""
    key = veil.Key(b"a key of the toy language")
    masked = veil.Veil("eo", policy="surrogate", key=key).mask(TEXT)
    assert not any(word in masked.text for word in ("Ana", "Kovak", "Petrov", "majo 2019"))
    assert "[" not in masked.text.replace("[DATE", "")
    assert masked.text.startswith("S-ino ")
    assert masked.text.endswith("Ŝi bonfartas.")


@pytest.mark.parametrize("policy", ["tag", "safe-harbor", "gdpr-strict", "redact"])
def test_every_policy_works(policy: str) -> None:
    """No policy needs anything that the folder lacks."""
    assert "Kovak" not in veil.Veil("eo", policy=policy).mask(TEXT).text


def test_dummy_records() -> None:
    """Templates and word lists give dummy records with gold spans, which the rules find."""
    records = list(dummy_records("eo", 20, seed=1))
    labels = {span.label for record in records for span in record.spans}
    assert labels >= {"PATIENT", "DOCTOR", "CITY", "DATE", "PHONE", "MEDICALRECORD"}
    # Some records are written in unusual ways, which the few rules do not find.
    mask = veil.Veil("eo")
    doctors = [
        (record.document, next(span for span in record.spans if span.label == "DOCTOR"))
        for record in records
    ]
    found = sum(doctor.key in {span.key for span in mask.detect(doc)} for doc, doctor in doctors)
    assert 10 <= found


def test_nothing_else_was_changed_for_it() -> None:
    """No module and no data file of Veil mentions the language."""
    root = Path(veil.__file__).parent
    files = [*root.rglob("*.py"), *root.rglob("*.toml")]
    assert not [file for file in files if '"eo"' in file.read_text("utf-8")]
