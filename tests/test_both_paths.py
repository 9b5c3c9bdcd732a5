"""The compiled and the pure path give the same results: spans, scores, sources and masked texts.

The pure path runs in a process of its own, which is this file as a script.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veil import Document, Key, RecordError
from veil.core import native
from veil.detect.assembly import default_pipeline
from veil.masking.masker import Masker
from veil.replace.policy import load_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Results = list[Any]

LANGUAGES = ("en", "es", "ja", "sv")
ODD = "\u200b\u00ad\u0301Ａ０\u3000\ufb01İẞ\ud83d\x00\r\n\t@/:-.,()１２3٣ſKÅ𝒜山"
CORPORA = {
    "en": "aci-bench/valid.csv",
    "es": "meddocan/dev/**/*.txt",
    "ja": "jmed-llm/CRNER.csv",
    "sv": "swedish-medical/*.txt",
}


@cache
def masker(language: str) -> Masker:
    key = Key(b"both paths give the same results")
    return Masker(default_pipeline(language), load_policy("surrogate"), key=key)


def results(language: str, texts: list[str]) -> Results:
    """The spans and the masked form of each text; the reason if it is withheld."""
    docs = [Document(str(number), text) for number, text in enumerate(texts)]
    own = masker(language)
    found = own.pipeline.detect_batch(docs)
    return [
        [str(record), str(masked)]
        if isinstance(record, RecordError) or isinstance(masked, RecordError)
        else [
            [[s.start, s.end, s.label, s.score, s.source, s.part] for s in record.spans],
            masked.document.text,
        ]
        for record, masked in zip(found, own.mask_records(found), strict=True)
    ]


def answer() -> None:
    """Answer each line, a language and texts, by their results."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps([native.CORE is None, results(*json.loads(line))]) + "\n")
        sys.stdout.flush()


@pytest.fixture(scope="module")
def pure_results() -> Iterator[Callable[[str, list[str]], Results]]:
    """The results of the pure path."""
    is_selected = os.environ.get("VEIL_PURE", "0") not in ("", "0")
    if native.CORE is None and os.environ.get("CI") and not is_selected:
        pytest.fail("the compiled core is not installed: is there a C compiler?")
    if native.CORE is None:
        pytest.skip("the compiled core is not installed, or VEIL_PURE is set")
    with subprocess.Popen(
        [sys.executable, __file__],
        env=os.environ | {"VEIL_PURE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def ask(language: str, texts: list[str]) -> Results:
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps([language, texts]) + "\n")
            process.stdin.flush()
            is_pure, found = json.loads(process.stdout.readline())
            assert is_pure
            return list(found)

        yield ask


@cache
def notes(language: str) -> list[str]:
    """Every third of the dummy notes."""
    folder = Path(__file__).parent / "data" / f"dummy-{language}"
    return [file.read_text("utf-8") for file in sorted(folder.glob("*.txt"))[::3]]


def mutated(text: str, rng: random.Random) -> str:
    """A text with characters inserted, removed, replaced and in the other case."""
    characters = list(text)
    for _ in range(len(text) // 25):
        at = rng.randrange(len(characters))
        old = characters[at]
        choices = (rng.choice(ODD) + old, "", old.swapcase(), rng.choice(ODD))
        characters[at] = rng.choice(choices)
    return "".join(characters)


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes(language: str, pure_results: Callable[[str, list[str]], Results]) -> None:
    """Both paths give the same results for notes, mutated notes and texts of few characters."""
    rng = random.Random(language)  # noqa: S311 - no secret
    texts = notes(language) + [mutated(text, rng) for text in notes(language)]
    texts += ["", "\n", " ", "\r\n", "a", "\ud83d", "x" * 5000, "1/" * 500, "Dr. " * 300]
    assert results(language, texts) == pure_results(language, texts)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_text(
    language: str, data: st.DataObject, pure_results: Callable[[str, list[str]], Results]
) -> None:
    """Both paths give the same results for lines, odd characters and any text in any order."""
    lines = [line for text in notes(language) for line in text.splitlines(keepends=True)]
    pieces = st.sampled_from(lines) | st.text(st.sampled_from(ODD), max_size=5) | st.text()
    texts = data.draw(st.lists(st.lists(pieces, max_size=6).map("".join), max_size=4))
    assert results(language, texts) == pure_results(language, texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_corpora(
    language: str, corpora: Path, pure_results: Callable[[str, list[str]], Results]
) -> None:
    """Both paths give the same results for a sample of the corpora."""
    files = sorted(corpora.glob(CORPORA[language]))
    text = "\n".join(file.read_text("utf-8") for file in files)
    size = len(text) // 20
    texts = [text[start : start + 3000] for start in range(0, len(text), size)]
    assert results(language, texts) == pure_results(language, texts)


if __name__ == "__main__":
    answer()
