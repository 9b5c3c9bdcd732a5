"""Reading a text that holds dates into parts that remember their writing."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from veil.replace.dates.building import mention_of
from veil.replace.dates.grammar import grammar
from veil.replace.dates.parts import Expression, Mention
from veil.replace.dates.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.replace.dates.grammar import Grammar

_LONGEST = 120
"""No date is longer: what is, is none."""

_REMEMBERED = 1 << 12
# What may stand between a weekday and its date: Friday the 3rd, fredagen den 3 maj, 3/5 (fre).
_BESIDE_WEEKDAY = re.compile(r"[ ,.(]{0,3}(?:(?:the|den|el|dia) )?", re.IGNORECASE)


@lru_cache(_REMEMBERED)
def read(text: str, language: str) -> Expression | None:
    """Read a text to its end, or return None where it holds what cannot be read."""
    if _LONGEST < len(text):
        return None
    rules, compared = grammar(language), plain(text)
    mentions: list[Mention] = []
    position = 0
    while position < len(compared):
        hour_end = _hour_end(rules, compared, position, mentions)
        if position < hour_end:
            position = hour_end
            continue
        mention = _longest_mention(rules, text, compared, position, mentions)
        end = mention.end if mention else position
        filler_end = _filler_end(rules, compared, position) if end < len(compared) else end
        if mention is not None and filler_end <= end:
            mentions.append(mention)
        elif filler_end == position:
            return None
        position = max(end, filler_end)
    return Expression(
        text,
        tuple(mentions),
        dict(_weekdays(compared, mentions)),
        frozenset(_joined(rules, compared, mentions)),
    )


def _filler_end(rules: Grammar, compared: str, position: int) -> int:
    """The end of the longest filler at a position."""
    matches = (filler.match(compared, position) for filler in rules.fillers)
    return max((match.end() for match in matches if match), default=position)


def _hour_end(rules: Grammar, compared: str, position: int, mentions: Sequence[Mention]) -> int:
    """The end of an hour without a colon, which is one only right behind a day: 5/3 10.30."""
    if not any(mention.readings[0].has_day for mention in mentions):
        return position
    gap = compared[mentions[-1].end : position]
    hour = rules.clock_behind.match(compared, position) if gap.lstrip(")").isspace() else None
    return hour.end() if hour else position


def _longest_mention(
    rules: Grammar, text: str, compared: str, position: int, mentions: Sequence[Mention]
) -> Mention | None:
    """The longest date at a position; of equally long ones that of the first pattern."""
    values = mentions[-1].readings[0].values if mentions else {}
    longest: Mention | None = None
    for pattern in rules.patterns:
        if pattern.after and pattern.after not in values:
            continue
        match = pattern.regex.match(compared, position)
        if match is None or match.end() <= (longest.end if longest else position):
            continue
        longest = mention_of(rules, text, match, pattern) or longest
        if longest is not None and longest.end == len(compared):
            break
    return longest


def _weekdays(compared: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Each weekday beside a date with that date, which is the next one or else the one before."""
    for index, mention in enumerate(mentions):
        if not mention.is_weekday:
            continue
        for other in (index + 1, index - 1):
            if not 0 <= other < len(mentions) or not mentions[other].readings[0].has_day:
                continue
            left, right = sorted((mention, mentions[other]), key=lambda found: found.start)
            if _BESIDE_WEEKDAY.fullmatch(compared, left.end, right.start):
                yield index, other
                break


def _joined(rules: Grammar, compared: str, mentions: Sequence[Mention]) -> Iterator[int]:
    """The numbers of mentions that the next one continues."""
    for index, (left, right) in enumerate(pairwise(mentions)):
        if rules.connector.fullmatch(compared, left.end, right.start):
            yield index
