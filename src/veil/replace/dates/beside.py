"""Numbers alone that are dates by what stands beside them: the year of -09, the day of 14-16 May.

What is found in a record may hold the number and not the mark or the date that explains it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from veil.replace.dates.parts import Expression, Mention
from veil.replace.dates.reading import read

_DAY = re.compile("[0-9]{1,2}")
_YEAR = re.compile("[0-9]{2}")
_YEAR_MARK = re.compile(r"(?<![\w.,])[-'’]")
_FARTHEST = 12


def read_beside(
    text: str, start: int, end: int, language: str, *, following: tuple[int, int] | None
) -> Expression | None:
    """The number from `start` to `end`, read with the date that follows or the mark before it."""
    if _DAY.fullmatch(text, start, end) is None:
        return None
    if following is not None and following[0] - end <= _FARTHEST:
        day = _day_of_range(text[start : following[1]], end - start, language)
        if day is not None:
            return day
    if _YEAR.fullmatch(text, start, end) and _YEAR_MARK.match(text, start - 1, start):
        marked = read(text[start - 1 : end], language)
        return None if marked is None else _without_mark(marked)
    return None


def _day_of_range(text: str, length: int, language: str) -> Expression | None:
    """The day with which a range begins, with the month and year of its other end."""
    whole = read(text, language)
    if whole is None or len(whole.mentions) < 2 or 0 not in whole.joined:
        return None
    first, other = whole.mentions[0].readings[0], whole.mentions[1].readings[0]
    day = first.values.get("day")
    if first.values.keys() != {"day"} or day is None or not other.values.keys() >= {"month", "day"}:
        return None
    if 1 < len(whole.mentions[1].readings):  # 11-12/5: the order of its numbers is open
        return None
    values = {key: other.values[key] for key in ("year", "month") if key in other.values}
    if other.values["day"] < day:  # 30-2 May begins in April
        years, month = divmod(values["month"] - 2, 12)
        values["month"] = month + 1
        if "year" in values:
            values["year"] += years
    mention = replace(whole.mentions[0], readings=(first.with_values({**values, "day": day}),))
    return Expression(text[:length], (mention,))


def _without_mark(marked: Expression) -> Expression | None:
    """A year without the one character before it."""
    if len(marked.mentions) != 1 or marked.mentions[0].readings[0].values.keys() != {"year"}:
        return None
    (mention,) = marked.mentions
    readings = tuple(
        replace(
            reading,
            parts=tuple(
                part._replace(start=part.start - 1, end=part.end - 1) for part in reading.parts
            ),
        )
        for reading in mention.readings
    )
    return Expression(marked.text[1:], (Mention(0, len(marked.text) - 1, readings, mention.form),))
