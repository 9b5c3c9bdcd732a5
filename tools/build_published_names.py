"""Choose the dictionaries of carlsson-2010 from Veil's Swedish lists: the most frequent names.

Needs wordfreq (tools/lexicons/requirements.txt). Names rank by how often their form occurs in
Swedish text, equal ones by the alphabet.
"""

from __future__ import annotations

import importlib
import lzma

from veil.detect.names.forms import PUBLISHED_NAMES, PUBLISHED_SIZES
from veil.languages import language_folder
from veil.lexicons import lexicon
from veil.lexicons.folding import fold

LANGUAGE = "sv"


def main() -> None:
    zipf_frequency = importlib.import_module("wordfreq").zipf_frequency

    def rank(name: str) -> tuple[float, str]:
        # The lists write some names with an accent that Swedish text leaves out: Éva.
        return -max(zipf_frequency(form, LANGUAGE) for form in (name, fold(name))), name

    lines = []
    for kind, size in PUBLISHED_SIZES.items():
        if kind == "common":
            continue  # the list of common words has the size of the paper already
        names = sorted(lexicon(LANGUAGE, kind), key=rank)
        lines += [f"{kind}\t{name}\n" for name in sorted(names[:size])]
    content = lzma.compress("".join(lines).encode("utf-8"), preset=9 | lzma.PRESET_EXTREME)
    (language_folder(LANGUAGE) / PUBLISHED_NAMES).write_bytes(content)


if __name__ == "__main__":
    main()
