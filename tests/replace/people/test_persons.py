"""Who is who: numbers of people within a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.replace.people.conftest import Numberer


@pytest.mark.parametrize(
    ("marked", "language", "numbers"),
    [
        (
            "[DOCTOR|Anna Lindgren] [DOCTOR|Lindgren] [DOCTOR|A.L.] [DOCTOR|Bo Berg] [DOCTOR|Anna]",
            "sv",
            [1, 1, 1, 2, 1],
        ),
        (
            "[DOCTOR|Anna Lindgren] [DOCTOR|Olof Lindgren] [DOCTOR|Lindgren] [DOCTOR|Lindgren]",
            "sv",
            [1, 2, 3, 3],
        ),
        ("[DOCTOR|Lindgren] [DOCTOR|Berg] [DOCTOR|Anna Lindgren]", "sv", [1, 2, 1]),
        ("[DOCTOR|A. Berg] [DOCTOR|B. Berg] [DOCTOR|Anna Berg]", "sv", [1, 2, 1]),
        ("[PATIENT|Lindgren, Anna] [PATIENT|LINDGREN] [PATIENT|Annas]", "sv", [1, 1, 1]),
        ("[PATIENT|Anna Berg] [DOCTOR|Eva Ek] [PATIENT|Berg] [DOCTOR|Ek]", "sv", [1, 1, 1, 1]),
        (
            "[NAME:first|Lars] [NAME:last|Ek], [NAME:first|Eva] [NAME:last|Ek], [NAME:first|Lars]",
            "sv",
            [1, 1, 2, 2, 1],
        ),
        ("[PATIENT|John R. Smith] [PATIENT|JRS] [PATIENT|John Smith]", "en", [1, 1, 1]),
        ("[PATIENT|Juan Pérez Gil] [PATIENT|Juan Pérez] [PATIENT|Sr. Pérez]", "es", [1, 1, 1]),
        ("[PATIENT|Juan Pérez] [NAME|Ana Pérez] [PATIENT|Pérez]", "es", [1, 1, 1]),
        ("[DOCTOR|Åsa Berg] [DOCTOR|A. Berg] [DOCTOR|Å. Berg]", "sv", [1, 2, 1]),
        (
            "[PATIENT|山田太郎] [PATIENT|山田] [PATIENT|ヤマダ タロウ] [PATIENT|T.Y.] [PATIENT|林]",
            "ja",
            [1, 1, 1, 1, 2],
        ),
        ("[DOCTOR|田中 健一] [DOCTOR|田中 花子] [DOCTOR|田中]", "ja", [1, 2, 3]),
        (
            "[EMAIL|a@x.se] [EMAIL|b@x.se] [EMAIL|A@X.SE] [USERNAME|abc]",
            "sv",
            [1, 2, 1, 1],
        ),
    ],
)
def test_mentions_of_a_person_have_one_number(
    number: Numberer, marked: str, language: str, numbers: list[int]
) -> None:
    """People are numbered within their label by first appearance; doubtful ones on their own."""
    assert number(marked, language) == numbers
