"""What in a link names a person: a search by identifier, a place of files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.io.fhir.attachments import is_attachment
from veil.io.fhir.datatypes import system_label

if TYPE_CHECKING:
    from veil.io.json_raw import Value

_LINKS = frozenset({"reference", "url", "uri", "fullUrl", "ifNoneExist", "location", "criteria"})
# A parameter of a search; those that hold codes, ids and how results are shown name nobody.
_SEARCH = re.compile(
    r"(?:^|[?&])(?!(?:_id|_count|_sort|_format|_summary|_elements|_include|_revinclude|_profile|_total"
    r"|_type|_pretty|_getpages\w*|_bundletype|page|code|status|type|class|category|intent|gender|active"
    r"|patient|subject|encounter|performer|practitioner|organization|location|kind|url|version|intent"
    r"|clinical-status|verification-status)(?::[\w\-]+)?=)"
    r"[\w:.\-]+=(?P<system>[^&|]*\|)?(?P<value>[^&]+)"
)
_NO_LINK = re.compile(r"[\s@]|^(?:mailto|tel|data|javascript):", re.IGNORECASE)
# With a scheme or a path; other links may also be one word: ombCategory, phone.
_REFERENCE = re.compile(r"#.*|[A-Za-z/].*[/:?].*")
_LINK = re.compile(rf"{_REFERENCE.pattern}|[a-z][\w.\-]*", re.ASCII)
_BINARY = re.compile(r"(?:.*/)?Binary/[A-Za-z0-9.\-]+(?:/_history/.*)?")


def is_link(text: str, key: str) -> bool:
    """Whether a string has the form of a link."""
    form = _REFERENCE if key == "reference" else _LINK
    return not _NO_LINK.search(text) and form.fullmatch(text) is not None


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
