"""The OpenAPI description holds: schemathesis sends what it allows, and what it does not."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.requirements import needs

if TYPE_CHECKING:
    from .conftest import Server

_EXAMPLES = 12
_ROUTES = {
    *("/detect", "/mask", "/explain", "/batch", "/fhir/$deidentify", "/analyze", "/anonymize"),
    *("/supportedentities", "/recognizers", "/anonymizers"),
    *("/models", "/policies", "/schemes", "/health", "/ready", "/metrics"),
}


def test_description_has_every_route(client: httpx.Client) -> None:
    """The description names all routes, and the problems that each may answer with."""
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) == _ROUTES
    assert described["openapi"].startswith("3.")
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            assert route["description"]
            if method == "post":
                assert {"200", "401", "422", "429", "503"} <= set(route["responses"]), path


@pytest.mark.parametrize("path", sorted(_ROUTES))
def test_service_keeps_to_its_description(server: Server, client: httpx.Client, path: str) -> None:
    """Answers have a status, a content type and a shape that the description names."""
    if find_spec("schemathesis") is None:
        needs("the package schemathesis")
    import schemathesis
    from schemathesis.checks import CHECKS, load_all_checks
    from schemathesis.generation import GenerationMode

    schemathesis.serializer("application/x-ndjson")(_lines)
    load_all_checks()
    checks = CHECKS.get_by_names(
        [
            "not_a_server_error",
            "status_code_conformance",
            "content_type_conformance",
            "response_headers_conformance",
            "response_schema_conformance",
        ]
    )
    schema: Any = schemathesis.openapi.from_dict(client.get("/openapi.json").json())
    for operation in schema[path].values():
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if mode is GenerationMode.NEGATIVE and operation.method == "get":
                continue

            @settings(
                max_examples=_EXAMPLES,
                derandomize=True,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def run(case: Any) -> None:
                case.call_and_validate(base_url=server.url, checks=checks)

            run()


def _lines(_: object, value: Any) -> bytes:
    return (value if isinstance(value, str) else json.dumps(value)).encode(errors="replace")
