"""Files that carry texts: documents are taken out of them and masked texts put back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.carriers.base import CARRIERS, Carrier, CarrierOptions, CarrierWriter, Item
from veil.carriers.delimited import CSV, TSV
from veil.carriers.fhir.bundle import FhirCarrier
from veil.carriers.fhir.ndjson import FhirNdjsonCarrier
from veil.carriers.jsonl import JsonlCarrier
from veil.carriers.parquet import ParquetCarrier
from veil.carriers.text import TextCarrier
from veil.core.errors import InputError
from veil.formats.base import not_a_file

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CARRIERS", "Carrier", "CarrierOptions", "CarrierWriter", "Item", "find_carrier"]

# In the order in which they are asked: FHIR is JSON lines too, and everything is text.
_ALL: tuple[Carrier, ...] = (
    FhirNdjsonCarrier(),
    FhirCarrier(),
    JsonlCarrier(),
    ParquetCarrier(),
    CSV,
    TSV,
    TextCarrier(),
)
for _carrier in _ALL:
    CARRIERS.add(_carrier.name, _carrier)


def find_carrier(path: Path) -> Carrier:
    """Return the carrier of a file, by the end of its name and by its content."""
    if not path.is_file():
        raise InputError(f"{path}: {not_a_file(path) or 'no such file'}")
    suffix = path.suffix.lower()
    by_name = [carrier for carrier in CARRIERS if suffix in carrier.suffixes]
    try:
        for carrier in by_name or CARRIERS:
            if carrier.sniff(path):
                return carrier
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    known = "; ".join(f"{each.name} ({', '.join(each.suffixes)})" for each in CARRIERS)
    raise InputError(f"{path}: no kind of file that Veil can mask; known: {known}")
