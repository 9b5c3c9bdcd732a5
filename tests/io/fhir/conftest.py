from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from veil.core.document import WHOLE

if TYPE_CHECKING:
    from tests.io.conftest import Rewrite, Written

    from veil import Document

RewriteResource = Callable[..., tuple[Any, "Written"]]


def masked(doc: Document) -> str:
    """A tag for an identifier, and a text in which nobody is called Anna."""
    label = doc.meta.get(WHOLE)
    return f"[{label}]" if label else doc.text.replace("Anna", "Eva")


@pytest.fixture
def resource(rewrite: Rewrite) -> RewriteResource:
    """Write one resource, masked or with a change of one's own, and read it again."""

    def resource(
        data: dict[str, Any], change: Callable[[Document], str] = masked
    ) -> tuple[Any, Written]:
        written = rewrite("fhir-ndjson", json.dumps(data, ensure_ascii=False), change)
        return json.loads(written.text), written

    return resource
