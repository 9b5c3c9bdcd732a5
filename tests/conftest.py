from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder with corpora, given by the environment variable VEIL_CORPORA."""
    place = os.environ.get("VEIL_CORPORA")
    if not place:
        pytest.skip("set VEIL_CORPORA to the folder with the corpora to run this test")
    return Path(place)


@pytest.fixture(scope="session")
def examples() -> Path:
    """The sample records in four languages."""
    return Path(__file__).parent.parent / "examples"
