"""The label scheme of records: guess it, check it, convert to another."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from veil.core.errors import InputError, RecordError
from veil.core.labels import Converter, guess_scheme
from veil.core.labels import scheme as scheme_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from veil.core.document import Record
    from veil.core.labels import Scheme
    from veil.io import ReadLog

_RECORDS_TO_GUESS_FROM = 200


def convert_records(
    records: Iterable[Record], target: str, source: str | None, log: ReadLog
) -> tuple[Iterator[Record], Converter]:
    """Convert records from a scheme, which is guessed if it is not given.

    Labels that are not in the scheme are an error, since their spans would be lost; once output
    has been written, records with such labels are withheld instead.
    """
    records = iter(records)
    first = list(islice(records, _RECORDS_TO_GUESS_FROM))
    wanted = scheme_of(target)
    known = known_scheme(first, source) or wanted
    converter = Converter(known, wanted)

    def convert() -> Iterator[Record]:
        for record in chain(first, records):
            unknown = labels_of([record]) - set(known.labels)
            if unknown:
                reason = f"{len(unknown)} label(s) are not in the scheme {known.name}"
                log.withhold(RecordError(reason, record=record.id))
            else:
                yield converter.convert_record(record)

    return convert(), converter


def with_known_scheme(records: Iterable[Record]) -> tuple[Iterator[Record], Scheme | None]:
    """Return the records and a guess of their scheme from the first labels."""
    records = iter(records)
    first = list(islice(records, _RECORDS_TO_GUESS_FROM))
    return chain(first, records), guess_of(first)


def known_scheme(records: Iterable[Record], name: str | None = None) -> Scheme | None:
    """Return the named scheme, or a guess; labels that it lacks are an error."""
    labels = labels_of(records)
    known = guess_scheme(labels) if name is None else scheme_of(name)
    unknown = labels - set(known.labels if known else ())
    if unknown:
        # Not by name: a label that is in no scheme may be a word of a record.
        scheme = f"the scheme {known.name}" if known else "any scheme"
        raise InputError(
            f"{len(unknown)} of {len(labels)} label(s) are not in {scheme}; write a scheme file "
            "that maps them to Veil's labels and give its path (see docs/schemes.md)"
        )
    return known


def scheme_name(given: str | None) -> str | None:
    """Return the name of a scheme that is given by its name or its file."""
    return None if given is None else scheme_of(given).name


def labels_of(records: Iterable[Record]) -> set[str]:
    """Return the labels that occur in the records."""
    return {span.label for record in records for span in record.annotations}


def guess_of(records: Iterable[Record]) -> Scheme | None:
    """Return a guess of the scheme of the records from their labels."""
    return guess_scheme(labels_of(records))
