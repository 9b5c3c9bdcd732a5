"""The mentions of people in a record, taken apart, with roles as far as each mention tells them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.lexicons.folding import fold_in_place
from veil.replace.people import japanese, latin, roles
from veil.replace.people.endings import find_bases
from veil.replace.people.fields import part_in_form
from veil.replace.people.japanese import is_japanese, script_of
from veil.replace.people.japanese_names import key_of_romaji
from veil.replace.people.japanese_names import strength as japanese_strength
from veil.replace.people.pieces import Mention
from veil.replace.people.signatures import is_signature
from veil.replace.people.tables import latin_language
from veil.replace.people.writing import is_wide

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.core.document import Span
    from veil.replace.base import Case
    from veil.replace.people.pieces import Piece

ACCOUNT_LABELS = frozenset({"USERNAME", "EMAIL"})
_NAME_LABELS = frozenset({"NAME", "PATIENT", "DOCTOR"})
_BETWEEN_PARTS = re.compile(r",?[ \t\u3000]{0,3}")
_BLANKS = re.compile(r"[ \t\u3000]+")
_LONGEST_FAMILY = 3


def is_account(case: Case, span: Span) -> bool:
    """Whether a span is an address, a user name or the like rather than a name."""
    return span.label in ACCOUNT_LABELS or "@" in case.text(span) or is_signature(case, span)


def find_mentions(case: Case, language: str) -> list[Mention]:
    """The mentions of a record in their order, with their pieces."""
    mentions = _mentions(case, language)
    families = _families(case, mentions)
    read_as = latin_language(language)
    for mention in mentions:
        for span, part in zip(mention.spans, mention.parts, strict=True):
            text = case.text(span)
            mention.pieces.append(
                japanese.pieces_of(text, part, families)
                if is_japanese(text)
                else latin.pieces_of(text, read_as, is_part=part in ("first", "last"))
            )
    seen = {
        piece.key
        for mention in mentions
        for piece in mention.all_pieces
        if piece.kind == "name" and piece.script == "latin"
    }
    for mention in mentions:
        for span, part, pieces in zip(mention.spans, mention.parts, mention.pieces, strict=True):
            text = case.text(span)
            if is_wide(text):
                for piece in pieces:
                    piece.script = "wide" if is_wide(piece.text) else piece.script
            if not is_japanese(text):
                _name_what_is_named_elsewhere(pieces, seen)
                find_bases(pieces, seen, read_as)
                roles.assign_roles(text, pieces, part, read_as)
                if language == "ja":
                    _turn_japanese(pieces)
    return mentions


def _turn_japanese(pieces: list[Piece]) -> None:
    """Names may stand in the Japanese order in Latin letters, too: Sonobe Rika."""
    names = [piece for piece in pieces if piece.kind == "name"]
    if [piece.role for piece in names] != ["given", "surname"]:
        return
    first, last = names
    straight = key_of_romaji("given", first.text), key_of_romaji("surname", last.text)
    turned = key_of_romaji("surname", first.text), key_of_romaji("given", last.text)
    if sum(map(bool, straight)) < sum(map(bool, turned)):
        first.role, last.role = "surname", "given"


def _name_what_is_named_elsewhere(pieces: list[Piece], seen: set[str]) -> None:
    """EK alone is no pair of initials where Ek is a name in the record."""
    if len(pieces) == 1 and pieces[0].kind == "initials" and 1 < len(pieces[0].key):
        pieces[0].kind = "name" if pieces[0].key in seen else "initials"


def _mentions(case: Case, language: str) -> list[Mention]:
    """Spans of names; a first and a last name side by side are one mention."""
    mentions: list[Mention] = []
    for span in case.spans:
        if span.label not in _NAME_LABELS or case.is_too_long(span) or is_account(case, span):
            continue
        last = mentions[-1] if mentions else None
        if last is not None and _continues(case, last, span):
            last.spans.append(span)
            last.parts.append(span.part)
        else:
            part = span.part or part_in_form(case.document.text, span.start, span.end, language)
            mentions.append(Mention(span.label, [span], [], [part]))
    return mentions


def _continues(case: Case, mention: Mention, span: Span) -> bool:
    between = case.document.text[mention.spans[-1].end : span.start]
    return (
        mention.label == span.label
        and {*mention.parts, span.part} == {"first", "last"}
        and span.part not in mention.parts[:-1]
        and _BETWEEN_PARTS.fullmatch(between) is not None
    )


def _families(case: Case, mentions: Iterable[Mention]) -> set[str]:
    """Japanese family names that stand for themselves somewhere in the record."""
    families = set()
    for mention in mentions:
        for span, part in zip(mention.spans, mention.parts, strict=True):
            text = case.text(span)
            if not is_japanese(text) or part == "first":
                continue
            first, *rest = _BLANKS.split(fold_in_place(text))
            if script_of(first) != "kanji" or not first:
                continue
            family, given = (japanese_strength(first, role) for role in ("surname", "given"))
            is_usual = 0 < family >= given
            if part == "last" or rest or (len(first) <= _LONGEST_FAMILY and is_usual):
                families.add(first)
    return families
