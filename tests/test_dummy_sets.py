"""The evaluation records: fictitious, written apart from everything that is measured on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from veil.core.labels import scheme
from veil.io import read

DATA = Path(__file__).parent / "data"
SCHEMES = {"en": "i2b2-2014", "es": "meddocan", "ja": "mednlp", "sv": "stockholm"}


@pytest.mark.parametrize("name", ["dummy", "unseen", "stress"])
@pytest.mark.parametrize("language", SCHEMES)
def test_evaluation_set(language: str, name: str) -> None:
    """Each set has twenty records or more, all readable, in the scheme's labels."""
    records = list(read(DATA / f"{name}-{language}", format="tagged"))
    assert 20 <= len(records)
    found = {span.label for record in records for span in record.spans}
    assert found <= set(scheme(SCHEMES[language]).labels)
    for record in records:
        assert not record.set_aside
        for span in record.spans:
            text = record.document.text[span.start : span.end]
            assert text == text.strip()
