"""Presidio's routes, checked with the models and the engine of presidio itself."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import needs

from veil.serve.presidio import analyzed, anonymized, entity_types, operators

TEXT = "Patient: Harold Wexler, seen by Dr. Priya Raman on 10/02/2021, call 555-014-2398."
LONG_SALT = "0123456789abcdef"


@pytest.fixture(scope="module")
def presidio() -> None:
    """Presidio is installed."""
    for name in ("presidio_analyzer", "presidio_anonymizer"):
        if find_spec(name) is None:
            needs(f"the package {name}")


@pytest.mark.usefixtures("presidio")
def test_client_of_presidio_can_switch(client: httpx.Client) -> None:
    """A request of Presidio's own model is answered, and its models read both answers."""
    from presidio_analyzer import AnalyzerRequest
    from presidio_anonymizer.entities import EngineResult, OperatorConfig, OperatorResult
    from presidio_anonymizer.services.app_entities_convertor import AppEntitiesConvertor

    body = {
        "text": TEXT,
        "language": "en",
        "score_threshold": 0.3,
        "return_decision_process": False,
        "correlation_id": "123e4567-e89b-12d3-a456-426614174000",
        "entities": None,
        "ad_hoc_recognizers": [],
        "trace": False,
    }
    assert AnalyzerRequest(dict(body)).text == TEXT
    results = client.post("/analyze", json=body).raise_for_status().json()
    read = AppEntitiesConvertor.analyzer_results_from_json(results)
    assert {each.entity_type for each in read} == {"PERSON", "DATE_TIME", "PHONE_NUMBER"}
    assert {TEXT[each.start : each.end] for each in read} >= {"Harold Wexler", "10/02/2021"}
    chosen = {"PERSON": {"type": "replace", "new_value": "X"}, "DEFAULT": {"type": "redact"}}
    answer = client.post(
        "/anonymize", json={"text": TEXT, "analyzer_results": results, "anonymizers": chosen}
    )
    made = answer.raise_for_status().json()
    items = [OperatorResult.from_json(each) for each in made["items"]]
    own = EngineResult(made["text"], items)
    from presidio_anonymizer import AnonymizerEngine

    configs = {name: OperatorConfig.from_json(dict(each)) for name, each in chosen.items()}
    assert own == AnonymizerEngine().anonymize(TEXT, read, configs)
    assert "Wexler" not in own.text


def test_analyze_takes_several_texts(client: httpx.Client) -> None:
    """A list of texts has a list of results for each."""
    body = {"text": [TEXT, "Nothing here."], "language": "en"}
    first, second = client.post("/analyze", json=body).raise_for_status().json()
    assert first == client.post("/analyze", json={**body, "text": TEXT}).json()
    assert second == []


def test_analyze_filters(client: httpx.Client) -> None:
    """Entity types, the threshold and allowed words restrict what is returned."""
    body = {"text": TEXT, "language": "en"}

    def types(**more: Any) -> set[str]:
        found = client.post("/analyze", json={**body, **more}).raise_for_status().json()
        return {each["entity_type"] for each in found}

    assert types(entities=["DATE_TIME"]) == {"DATE_TIME"}
    assert types(entities=["DOCTOR"]) == {"PERSON"}
    assert types(score_threshold=1.1) == set()
    assert "DATE_TIME" not in types(allow_list=["10/02/2021"])
    explained = client.post("/analyze", json={**body, "return_decision_process": True}).json()
    assert all(each["analysis_explanation"]["recognizer"] for each in explained)


@pytest.mark.parametrize(
    "more",
    [
        {"ad_hoc_recognizers": [{"name": "Zebulon"}]},
        {"allow_list": ["Zebulon"], "allow_list_match": "regex"},
        {"language": "Zebulon"},
    ],
)
def test_what_is_not_supported_is_refused(client: httpx.Client, more: Any) -> None:
    """What would change the result and is not supported is an error in Presidio's shape."""
    response = client.post("/analyze", json={"text": TEXT, "language": "en", **more})
    assert response.status_code == 422
    assert response.json()["error"] == response.json()["detail"]
    assert "Zebulon" not in response.text


@pytest.mark.parametrize(
    "operator",
    [
        {"type": "encrypt", "key": "WmZq4t7w!z%C&F)J"},
        {"type": "mask"},
        {"type": "mask", "masking_char": "**", "chars_to_mask": 1, "from_end": True},
        {"type": "hash", "hash_type": "md5"},
        {"type": "hash", "salt": "short"},
        {"type": "replace", "new_value": 7},
        {},
    ],
)
def test_wrong_operators_are_refused(client: httpx.Client, operator: Any) -> None:
    """An operator that is unknown or incomplete leaves no text half masked."""
    results = [{"start": 9, "end": 22, "entity_type": "PERSON", "score": 0.9}]
    body = {"text": TEXT, "analyzer_results": results, "anonymizers": {"DEFAULT": operator}}
    response = client.post("/anonymize", json=body)
    assert response.status_code == 422
    assert "Wexler" not in response.text


def test_results_outside_the_text_are_refused(client: httpx.Client) -> None:
    """A result that does not lie in the text is an error."""
    for start, end in ((0, 500), (5, 3), (-1, 3)):
        results = [{"start": start, "end": end, "entity_type": "PERSON", "score": 0.9}]
        body = {"text": TEXT, "analyzer_results": results}
        assert client.post("/anonymize", json=body).status_code == 422


def test_lists_of_presidio(client: httpx.Client) -> None:
    """Presidio's lists name what Veil has."""
    assert client.get("/supportedentities", params={"language": "en"}).json() == entity_types()
    assert client.get("/recognizers", params={"language": "sv"}).json() == ["veil-sv"]
    assert client.get("/anonymizers").json() == operators()


def test_analyzed_of_nothing() -> None:
    """No text gives no result."""
    options: dict[str, Any] = {"entities": None, "score_threshold": None, "allow_list": ()}
    assert analyzed([], is_list=True, with_explanation=False, **options) == []


_WORDS = st.text("ab .", min_size=1, max_size=24)
_TYPES = st.sampled_from(["A", "B", "C"])
_OPERATORS = st.sampled_from(
    [
        {"type": "replace"},
        {"type": "replace", "new_value": "<new>"},
        {"type": "redact"},
        {"type": "keep"},
        {"type": "mask", "masking_char": "*", "chars_to_mask": 3, "from_end": True},
        {"type": "mask", "masking_char": "#", "chars_to_mask": 99, "from_end": False},
        {"type": "hash", "hash_type": "sha512", "salt": LONG_SALT},
    ]
)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str, float]]]:
    text = draw(_WORDS)
    results = []
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        results.append((start, end, draw(_TYPES), draw(st.sampled_from([0.2, 0.5, 0.9]))))
    return text, results


@pytest.mark.usefixtures("presidio")
@settings(max_examples=300, derandomize=True)
@given(requests(), st.dictionaries(st.sampled_from(["A", "B", "DEFAULT"]), _OPERATORS))
def test_anonymize_is_that_of_presidio(
    request: tuple[str, list[tuple[int, int, str, float]]], chosen: dict[str, dict[str, Any]]
) -> None:
    """For any results, overlapping ones among them, the answer is that of Presidio's engine."""
    from presidio_anonymizer import AnonymizerEngine
    from presidio_anonymizer.entities import OperatorConfig, RecognizerResult

    text, results = request
    expected = AnonymizerEngine().anonymize(
        text,
        [RecognizerResult(kind, start, end, score) for start, end, kind, score in results],
        {name: OperatorConfig.from_json(dict(each)) for name, each in chosen.items()},
    )
    assert anonymized(text, results, chosen) == {
        "text": expected.text,
        "items": [each.to_dict() for each in expected.items],
    }
