"""ZIP codes to their first three digits, as HIPAA's Safe Harbor method lets them stand."""

from __future__ import annotations

import re

from veil.lexicons.store import base_language

# 45 CFR 164.514(b)(2)(i)(B): the first three digits may stay where the area that they share has
# more than 20,000 people by the current data of the Census; else they become 000. The 17 areas of
# the 2000 Census are listed in HHS's "Guidance Regarding Methods for De-identification of Protected
# Health Information in Accordance with the HIPAA Privacy Rule" (2012), which warns not to rely on
# them once there is newer data; 205, 369, 753 and 772 come from the 2010 Census. An area that has
# grown since stays in the list: 000 tells no more than it may.
RESTRICTED = frozenset(
    "036 059 063 102 203 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890 893".split()
)

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
