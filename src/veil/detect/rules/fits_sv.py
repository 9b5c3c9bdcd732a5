"""Fits for Swedish, by what they are about."""

from __future__ import annotations

from veil.detect.rules.fits_sv_numbers import NUMBER_FITS
from veil.detect.rules.fits_sv_people import PEOPLE_FITS
from veil.detect.rules.fits_sv_places import PLACE_FITS
from veil.detect.rules.fits_sv_units import UNIT_FITS

FITS = {**NUMBER_FITS, **PEOPLE_FITS, **PLACE_FITS, **UNIT_FITS}
