"""ZIP codes to their first three digits, as HIPAA's Safe Harbor method lets them stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.languages import base_language

if TYPE_CHECKING:
    from collections.abc import Iterator

# 45 CFR 164.514(b)(2)(i)(B): the first three digits may stay where the area that they share has
# more than 20,000 people by the current data of the Census Bureau; else they become 000.
#
# Census 2020: the population of all ZIP Code Tabulation Areas (ZCTA5), summed by their first three
# digits. Demographic and Housing Characteristics File, table P1 (P1_001N): 33,774 areas with
# 334,726,586 people. https://data.census.gov/table/DECENNIALDHC2020.P1?g=010XX00US$8600000
_OF_2020 = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893"
# Census 2000: the 17 areas that HHS lists in "Guidance Regarding Methods for De-identification of
# Protected Health Information in Accordance with the HIPAA Privacy Rule" (2012). Five of them have
# grown since (063 790 830 831 890). They stay here: 000 never says more than it may.
_OF_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
# Prefixes without any area in the Census of 2020: military and government mail, single addressees,
# island areas, unused prefixes. Their population in that table is zero, so they become 000 too.
_WITHOUT_AREA = (
    "000-005 008 055 090-099 192 213 269 311 332 340 343 345 348 353 375 399 419 428-429 459 509 "
    "517-519 529 533 536 552 555 568-569 578-579 589 621 632 642-643 649 659 663 682 694-699 702 "
    "709 715 732-733 742 771 817-819 839 842 848-849 854 858 861-862 866-869 872 876 885-889 892 "
    "896 899 901 909 929 938 942 962-966 969 987"
)


def _prefixes(listed: str) -> Iterator[str]:
    for entry in listed.split():
        first, _, last = entry.partition("-")
        for number in range(int(first), int(last or first) + 1):
            yield f"{number:03}"


RESTRICTED = frozenset(_prefixes(f"{_OF_2020} {_OF_2000} {_WITHOUT_AREA}"))

_ZIP = re.compile(r"([0-9]{3})[0-9]{2}(?:[ -]?[0-9]{4})?")


def first_digits(text: str, language: str) -> str | None:
    """The first three digits of a ZIP code; None for the postcodes of other countries."""
    # Spain, Sweden and Mexico have five digits, too, with other areas.
    if base_language(language) != "en":
        return None
    match = _ZIP.fullmatch(text.strip())
    if match is None:
        return None
    return "000" if match[1] in RESTRICTED else match[1]
