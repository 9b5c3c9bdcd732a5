"""What in a link names a person: a search by identifier, a place of files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.carriers.fhir.attachments import is_attachment
from veil.carriers.fhir.datatypes import system_label

if TYPE_CHECKING:
    from veil.carriers.json_raw import Value

_LINKS = frozenset({"reference", "url", "fullUrl", "ifNoneExist", "location"})
_SEARCH = re.compile(
    r"(?:^|[?&])(?:identifier|name|family|given|phonetic|birthdate|phone|email|telecom"
    r"|address[\w\-]*)(?::[\w\-]+)?=(?P<system>[^&|]*\|)?(?P<value>[^&]+)"
)
_BINARY = re.compile(r"(?:.*/)?Binary/[A-Za-z0-9.\-]+(?:/_history/.*)?")


class LinkPart(NamedTuple):
    """The identifier in a link, its label, and what stands around it."""

    before: str
    text: str
    after: str
    label: str


def identifying_part(text: str, key: str, owner: Value) -> LinkPart | None:
    """The part of a link that names a person, if there is one.

    Of a search with several such parts, all from the first to the end count as one.
    """
    if key not in _LINKS:
        return None
    searches = list(_SEARCH.finditer(text)) if "?" in text or key == "ifNoneExist" else []
    if searches:
        start, end = searches[0].span("value")
        if len(searches) > 1:
            end = len(text)
        label = system_label(searches[0]["system"] or "") or "IDNUM"
        return LinkPart(text[:start], text[start:end], text[end:], label)
    if key == "url" and is_attachment(owner) and not _BINARY.fullmatch(text):
        return LinkPart("", text, "", "URL")
    return None
