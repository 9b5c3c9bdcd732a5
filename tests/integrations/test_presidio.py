"""The recognizer and the operator, in the engines of Presidio."""

from __future__ import annotations

from typing import Any

import pytest
from tests.requirements import needs

import veil
from veil.serve.presidio import entity_type

try:
    import presidio_anonymizer  # noqa: F401

    from veil.integrations import presidio
except (ImportError, veil.InputError):
    pytestmark = pytest.mark.usefixtures("presidio_is_installed")

KEY = veil.Key(b"a key for the tests of Presidio")
TEXT = "Mr. John Hale was seen on 3/5/2019, phone 555-123-4567. Hale left."


@pytest.fixture(scope="module")
def presidio_is_installed() -> None:
    needs("Presidio is not installed")


@pytest.fixture(scope="module")
def analyzer() -> Any:
    return presidio.analyzer_engine(model="rules")


@pytest.fixture(scope="module")
def anonymizer() -> Any:
    return presidio.anonymizer_engine()


TEXTS = {
    "en": TEXT,
    "es": "Paciente: María García López 🙂, nacida el 12/03/1948 en Toledo.",
    "sv": "Anna Lindgren söker den 12/4-23.",
    "ja": "患者は山田太郎様、令和3年5月6日に来院。",
}


@pytest.mark.parametrize("lang", TEXTS)
def test_results_are_those_of_veil(analyzer: Any, lang: str) -> None:
    """The engine returns the spans that Veil finds, by their types in Presidio."""
    found = analyzer.analyze(TEXTS[lang], language=lang)
    own = veil.Veil(lang, model="rules").detect(TEXTS[lang])
    assert own
    assert sorted((each.start, each.end, each.entity_type, each.score) for each in found) == [
        (span.start, span.end, entity_type(span.label), span.score) for span in own
    ]


def test_wanted_entities(analyzer: Any) -> None:
    """Only wanted types are returned; an explanation names the label and the rule."""
    (found,) = analyzer.analyze(
        TEXT, language="en", entities=["DATE_TIME"], return_decision_process=True
    )
    explanation = found.analysis_explanation
    assert (found.entity_type, found.start, found.end) == ("DATE_TIME", 26, 34)
    assert "DATE" in explanation.textual_explanation
    assert explanation.pattern_name.startswith("rules:en/")
    assert set(analyzer.get_supported_entities("en")) >= {"PERSON", "LOCATION", "MEDICALRECORD"}


def test_labels_of_veil() -> None:
    """A recognizer can return Veil's own labels; an unknown language is an error."""
    recognizer = presidio.VeilRecognizer("en", veil_labels=True, model="rules")
    found = recognizer.analyze(TEXT, ["PATIENT", "DATE"])
    assert [each.entity_type for each in found] == ["PATIENT", "DATE", "PATIENT"]
    with pytest.raises(veil.VeilError, match="known: en"):
        presidio.VeilRecognizer("tlh")


def test_beside_other_recognizers() -> None:
    """The recognizer works in a registry with Presidio's own."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NoOpNlpEngine
    from presidio_analyzer.predefined_recognizers import CreditCardRecognizer

    registry = RecognizerRegistry(
        [presidio.VeilRecognizer("en", model="rules"), CreditCardRecognizer()]
    )
    engine = AnalyzerEngine(
        registry=registry,
        nlp_engine=NoOpNlpEngine([{"lang_code": "en", "model_name": "none"}]),
    )
    text = "Mr. John Hale paid with 4111 1111 1111 1111."
    found = {each.entity_type for each in engine.analyze(text, "en")}
    assert {"PERSON", "CREDIT_CARD"} <= found


def test_surrogates_of_a_text(analyzer: Any, anonymizer: Any) -> None:
    """With the results of the analyzer, the mentions of a person get one name."""
    results = analyzer.analyze(TEXT, language="en")
    operator = presidio.veil_operator("en", key=KEY, patient="17", text=TEXT, results=results)
    text = anonymizer.anonymize(TEXT, results, {"DEFAULT": operator}).text
    assert not {"John", "Hale", "3/5/2019", "555-123-4567"} & set(text.replace(",", " ").split())
    first, _, rest = text.partition(" was seen on ")
    assert rest.endswith(f". {first.split()[-1]} left.")
    assert text == anonymizer.anonymize(TEXT, results, {"DEFAULT": operator}).text


def test_one_entity_at_a_time(analyzer: Any, anonymizer: Any) -> None:
    """Without the text, dates of a patient move together, and other patients get other names."""
    results = analyzer.analyze(TEXT, language="en")
    texts = {
        patient: anonymizer.anonymize(
            TEXT, results, {"DEFAULT": presidio.veil_operator("en", key=KEY, patient=patient)}
        ).text
        for patient in ("1", "2", "3")
    }
    assert len(set(texts.values())) == 3
    assert not any("Hale" in text or "3/5/2019" in text for text in texts.values())


def test_tags(analyzer: Any, anonymizer: Any) -> None:
    """Tags have numbers only where the operator has the whole text."""
    results = analyzer.analyze(TEXT, language="en")
    alone = presidio.veil_operator("en", key=KEY, policy="tag")
    together = presidio.veil_operator("en", key=KEY, policy="tag", text=TEXT, results=results)
    expected = "Mr. [NAME] was seen on [DATE], phone [PHONE]. [NAME] left."
    assert anonymizer.anonymize(TEXT, results, {"DEFAULT": alone}).text == expected
    numbered = anonymizer.anonymize(TEXT, results, {"PERSON": together}).text
    assert numbered.startswith("Mr. [NAME-1] was seen on <DATE_TIME>")


def test_types_of_other_recognizers(anonymizer: Any) -> None:
    """Types that Veil does not find are replaced as well."""
    from presidio_anonymizer.entities import RecognizerResult

    text = "card 4111 1111 1111 1111 of Klingon"
    results = [RecognizerResult("CREDIT_CARD", 5, 24, 1.0), RecognizerResult("RACE", 28, 35, 1.0)]
    operator = presidio.veil_operator("en", key=KEY, patient="1")
    new = anonymizer.anonymize(text, results, {"DEFAULT": operator}).text
    assert "4111 1111 1111 1111" not in new
    assert "Klingon" not in new


def test_no_secret_is_shown(analyzer: Any) -> None:
    """Neither the key nor a name is in the description of an operator."""
    results = analyzer.analyze(TEXT, language="en")
    operator = presidio.veil_operator("en", key=KEY, text=TEXT, results=results)
    assert "a key for" not in repr(operator)
    assert "Hale" not in repr(operator)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"key": "secret"}, "veil.Key"),
        ({"language": "tlh"}, "unknown language"),
        ({"policy": "none such"}, "unknown policy"),
        ({"patient": 7}, "a string"),
        ({"pattern": "x"}, "unknown parameter 'pattern'"),
    ],
)
def test_wrong_parameters(wrong: dict[str, Any], message: str) -> None:
    """Parameters that cannot be used are an error that says what is wrong."""
    with pytest.raises(veil.VeilError, match=message):
        presidio.VeilOperator().validate({"key": KEY, "language": "en", **wrong})
