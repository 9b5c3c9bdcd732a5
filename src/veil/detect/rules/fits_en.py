"""Fits for English, by what they are about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.detect.rules.fits_en_before import BEFORE_FITS
from veil.detect.rules.fits_en_institutions import INSTITUTION_FITS
from veil.detect.rules.fits_en_names import NAME_FITS
from veil.detect.rules.fits_en_people import PEOPLE_FITS
from veil.detect.rules.fits_en_places import PLACE_FITS
from veil.detect.rules.forms_en import LANGUAGE, STOP, WORD, Place, kind
from veil.detect.rules.words_en import NO_JOBS
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

# How occupations end that no list holds: coalman, lobsterman, wheelwright.
_JOB_END = re.compile(r"[a-z]{3,12}(?:man|woman|keeper|worker|smith|wright|monger|maker|fitter)")

if TYPE_CHECKING:
    from collections.abc import Callable


def job(text: str, start: int, end: int) -> Place | None:
    """An occupation where one is due; it ends before a word that speaks of something else."""
    kept = start
    for word in WORD.finditer(text, start, end):
        if fold(word[0]) in NO_JOBS:
            break
        kept = word.end()
    return (start, kept) if start < kept else None


def known_job(text: str, start: int, end: int) -> Place | None:
    """The longest run of words that ends in an occupation of the list."""
    jobs = lexicon(LANGUAGE, "profession")
    words = list(WORD.finditer(text, start, end))
    if not words or fold(words[0][0]) in NO_JOBS:
        return None
    for last in reversed(words):
        for first in words:
            if first.end() <= last.end() and jobs.match_folded(text[first.start() : last.end()]):
                return start, last.end()
    first = words[0]
    return first.span() if _JOB_END.fullmatch(first[0]) else None


def username(text: str, start: int, end: int) -> Place | None:
    """A name of a user, which is no answer such as "none"."""
    form = text[start:end].rstrip(".")
    if word_marks(LANGUAGE)(form) & Mark.COMMON.value or (form.isalpha() and kind(form) & STOP):
        return None
    return start, start + len(form)


def _with_language(
    fit: Callable[[str, int, int], Place | None],
) -> Callable[[str, str, int, int], Place | None]:
    """A fit as the table of fits has them, with the language first."""

    def fitted(_language: str, text: str, start: int, end: int) -> Place | None:
        return fit(text, start, end)

    return fitted


FITS = {
    name: _with_language(fit)
    for name, fit in {
        **PEOPLE_FITS,
        **NAME_FITS,
        **BEFORE_FITS,
        **INSTITUTION_FITS,
        **PLACE_FITS,
        "en-job": job,
        "en-known-job": known_job,
        "en-username": username,
    }.items()
}
