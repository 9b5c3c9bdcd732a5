"""What every action keeps to, whichever it is."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veil import Document, Span, Spans
from veil.core.errors import InputError, RecordError
from veil.core.labels import VEIL, scheme
from veil.languages import language_codes
from veil.replace.base import REPLACERS, Case
from veil.replace.policy import actions
from veil.replace.secret import Key, Secret

if TYPE_CHECKING:
    from veil.replace.base import Replacer

LANGUAGES = language_codes()

KEY = Key(b"a key of the tests")
LABELS = scheme(VEIL).labels
# Each action with options, and the labels that it may leave as they are.
ACTIONS: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "keep": ("keep", {}, set(LABELS)),
    "tag": ("tag", {}, set()),
    "tag-plain": ("tag", {"numbered": False}, set()),
    "tag-mednlp": ("tag", {"scheme": "mednlp"}, set()),
    "redact": ("redact", {}, set()),
    "redact-fixed": ("redact", {"length": 5, "character": "X"}, set()),
    "hash": ("hash", {}, set()),
    "year": ("generalise", {"to": "year"}, set()),
    "month": ("generalise", {"to": "month"}, set()),
    "decade": ("generalise", {"to": "decade"}, set()),
    "90+": ("generalise", {"to": "90+"}, {"AGE"}),
    "three-digits": ("generalise", {"to": "three-digits"}, set()),
    "country": ("generalise", {"to": "country"}, {"COUNTRY"}),
    "kind": ("generalise", {"to": "kind"}, set()),
    "shift": ("shift", {}, {"TIME"}),
    # There is nothing to put in the place of these; a policy decides about them by itself.
    "substitute": ("substitute", {}, {"AGE", "SEX", "RELATIVE", "TIME"}),
}
EVERY = pytest.mark.parametrize("name", ACTIONS)
IN_EVERY_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)

RECORDS = {
    "en": "[PATIENT|Ann Moss], [AGE|47]-year-old [SEX|woman], MRN [MEDICALRECORD|44-11-22], of "
    "[STREET|12 Elm Street], [CITY|Sheboygan], [STATE|Wisconsin] [ZIP|53081], [COUNTRY|USA], seen "
    "at [HOSPITAL|Mercy Hospital] by Dr. [DOCTOR|Hale] on [DATE|3/5/2014] at [TIME|14:30]. Ms. "
    "[PATIENT|Moss], a [PROFESSION|teacher], [PHONE|555-0142], [EMAIL|ann.moss@example.org], came "
    "with her [RELATIVE|brother]. [DATE|3/5/2014] Dr. [DOCTOR|Hale], [CITY|Sheboygan]",
    "es": "[PATIENT|Ana Ruiz Soto], [SEX|mujer] de [AGE|47 años], NHC [MEDICALRECORD|441122], "
    "[STREET|Calle Mayor, 12], [ZIP|28350] [CITY|Ciempozuelos], [COUNTRY|España]. "
    "[HOSPITAL|Hospital del Río], Dr. [DOCTOR|Gil Mora], [DATE|5 de marzo de 2014], [TIME|14:30]. "
    "[PROFESSION|maestra], tel. [PHONE|612 345 678], [EMAIL|ana.ruiz@example.org], con su "
    "[RELATIVE|hermano]. [DATE|5 de marzo de 2014], [DOCTOR|Gil Mora], [CITY|Ciempozuelos]",
    "sv": "[PATIENT|Anna Berg], [AGE|47-årig] [SEX|kvinna], [SSN|19670305-1234], "
    "[STREET|Storgatan 12], [ZIP|211 34] [CITY|Malmö], [HOSPITAL|Skånes universitetssjukhus], dr "
    "[DOCTOR|Lena Ek], [DATE|5 mars 2014] kl [TIME|14.30]. [PROFESSION|lärare], "
    "tel [PHONE|040-12 34 56], [EMAIL|anna.berg@example.org], med sin [RELATIVE|bror]. "
    "[DATE|5 mars 2014] [DOCTOR|Lena Ek], [CITY|Malmö]",
    "ja": "[PATIENT|山田太郎]、[AGE|47歳][SEX|男性]、ID [MEDICALRECORD|441122]、〒[ZIP|220-0012] "
    "[STATE|神奈川県][CITY|横浜市][STREET|西区みなとみらい3-1]。[HOSPITAL|横浜中央病院]、"
    "[DOCTOR|佐藤]医師、[DATE|平成26年3月5日] [TIME|14時30分]。[PROFESSION|教師]、"
    "[PHONE|045-123-4567]、[EMAIL|yamada@example.org]、[RELATIVE|兄]同伴。[DATE|平成26年3月5日]、"
    "[DOCTOR|佐藤]、[CITY|横浜市]",
}


def replacer_of(name: str) -> Replacer:
    actions()
    action, options, _ = ACTIONS[name]
    return REPLACERS.get(action)(options)


def case_of(marked: str, language: str, *, patient: str = "p1") -> Case:
    text, spans = "", []
    for plain, label, words in re.findall(r"([^\[]*)(?:\[([\w-]+)\|([^\]]+)\])?", marked):
        text += plain
        if label:
            spans.append(Span(len(text), len(text) + len(words), label))
            text += words
    doc = Document("record", text, language)
    return Case(doc, Spans(doc, spans), Secret(KEY, patient))


def test_every_action_is_tested() -> None:
    """The contract covers the whole registry."""
    assert {action for action, _, _ in ACTIONS.values()} == set(actions())


@EVERY
@IN_EVERY_LANGUAGE
def test_hides_the_original(name: str, language: str) -> None:
    """Every span gets a text, which is the original only where the action says so."""
    case = case_of(RECORDS[language], language)
    replacer, stays = replacer_of(name), ACTIONS[name][2]
    for span in case.spans:
        new = replacer.replace(case, span)
        assert isinstance(new, str)
        assert new.strip()
        assert new != case.text(span) or span.label in stays, span.label


@EVERY
@IN_EVERY_LANGUAGE
def test_same_key_gives_the_same(name: str, language: str) -> None:
    """The result depends only on text, key and patient, not on the run or the order of spans."""
    first, again = (case_of(RECORDS[language], language) for _ in range(2))
    forwards = {span: replacer_of(name).replace(first, span) for span in first.spans}
    backwards = {span: replacer_of(name).replace(again, span) for span in reversed(again.spans)}
    assert forwards == backwards


@EVERY
@IN_EVERY_LANGUAGE
def test_repeated_mentions_agree(name: str, language: str) -> None:
    """The same text of a label is replaced by the same text throughout a record."""
    case = case_of(RECORDS[language], language)
    replacer = replacer_of(name)
    seen: dict[tuple[str, str], str] = {}
    for span in case.spans:
        new = replacer.replace(case, span)
        assert seen.setdefault((span.label, case.text(span)), new) == new
    assert len(seen) < len(case.spans)


@EVERY
def test_unknown_option(name: str) -> None:
    """An option that the action does not have is an error that lists those it has."""
    actions()
    action, options, _ = ACTIONS[name]
    with pytest.raises(InputError) as error:
        REPLACERS.get(action)({**options, "colour": "red"})
    assert action in str(error.value)
    assert "'colour'" in str(error.value)
    assert "known: " in str(error.value)


@EVERY
@settings(max_examples=60, deadline=None)
@given(
    text=st.text(min_size=1, max_size=30)
    | st.from_regex(r"[\d０-９]{1,4}[ \-/.歳年años]{0,5}", fullmatch=True),
    label=st.sampled_from(LABELS),
    language=st.sampled_from(LANGUAGES),
)
def test_any_text(name: str, text: str, label: str, language: str) -> None:
    """Every span gets a new text, or the record is withheld with a reason."""
    doc = Document("record", text, language)
    case = Case(doc, Spans(doc, [Span(0, len(text), label)]), Secret(KEY, "p1"))
    with suppress(RecordError):
        assert isinstance(replacer_of(name).replace(case, case.spans[0]), str)
