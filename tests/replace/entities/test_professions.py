from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.lexicons import lexicon

if TYPE_CHECKING:
    from collections.abc import Callable

    Swap = Callable[..., str]
    SwapAll = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("teacher", "en", r"[a-z].*"),
        ("TEACHER", "en", r"[^a-z]+"),
        ("teachers", "en", r".*(?:s|men)"),
        ("waitress", "en", r".*(?:woman|ess|maid|wife|ballerina|nun|lady|mom)"),
        ("tiler", "en", r"(?!.*(?:man|woman|ess|maid|wife|ballerina|nun|lady|mom)$).*"),
        ("maestra", "es", r"\w+(?:a|sta).*"),
        ("maestro", "es", r"(?:guía|\w*(?:[^a]|ista))(?: .*)?"),
        ("temporeros", "es", r"\w+s\b.*"),
        ("afinador de pianos", "es", r"\w+(?<!s)\b.*"),
        ("guarda de seguridad", "es", r"(?!jornalera|monja|azafata)\w+.*"),
        ("comerciante", "es", r"(?!sacerdote|sastre|monje|jefe|estudiante)\w+.*"),
        ("sjuksköterska", "sv", r"\w*(?:ska|inna|tris|ös)"),
        ("塗装工", "ja", r"\w+工"),
    ],
)
def test_a_profession_becomes_another(swap: Swap, text: str, language: str, expected: str) -> None:
    """Case, number and sex of a profession are kept where the language shows them."""
    for number in range(10):
        new = swap(text, "PROFESSION", language, patient=f"p{number}")
        assert new != text
        assert re.fullmatch(expected, new)


def test_what_no_list_holds_becomes_a_listed_profession(swap: Swap) -> None:
    """A field of work or a misspelt word is replaced by a profession."""
    assert swap("lobster trapping", "PROFESSION") in lexicon("en", "profession")
