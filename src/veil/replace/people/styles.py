"""How people are named in the records of a language: the file `people.toml` of its folder.

All keys are optional: a language without the file gets the conventions of most languages in Latin
letters, and its names come from its own lexicons.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.languages import language, language_codes, read_language_settings
from veil.lexicons.folding import fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.core.document import Part

Words = frozenset[str]
_NONE: Words = frozenset()
_REACH = 24
_FAR_REACH = 160
_FORM_REACH = 32
_WORD_BEFORE = re.compile(r"([^\W\d_]+)(?:[ -]in[ -]law)?[.:]?[ \t]+$")
# "Ann (daughter)" shows the sex; "Bo (wife Ann)" does not.
_WORD_BEHIND = re.compile(r"[ \t]*(?:\([ \t]*|,[ \t]*|-[ \t]+)([^\W\d_]+)[ \t]*(?=[),;.:\n]|$)")


@lru_cache(1 << 14)
def name_key(word: str) -> str:
    """Return the form in which names are compared: in small letters, without accents."""
    return without_diacritics(fold(word))


class Cue(NamedTuple):
    """What a word beside a name shows about it."""

    is_kin: bool
    is_female: bool | None = None


_NOTHING = Cue(is_kin=False)


@dataclass(frozen=True, eq=False)
class NamingStyle:
    """The conventions of one language; `people.toml` has the same keys, with comments."""

    language: str = ""
    latin: str = ""
    origin: str = ""
    letters: str | None = None
    near_origins: tuple[str, ...] = ()
    rare_origins: tuple[str, ...] = ()
    feminine_endings: tuple[str, ...] = ("a",)
    genitive: str = ""
    surname_after_title: bool = False
    cues_overrule_lists: bool = False
    two_surnames: bool = False
    initials: str = "ABCDEFGHIJKLMNOPRSTVW"
    conjunctions: Words = _NONE
    titles: Words = _NONE
    own_titles: Words = _NONE
    titles_of_given_names: Words = _NONE
    ranks: Words = _NONE
    suffixes: Words = _NONE
    between_names: Words = _NONE
    at_words: Words = _NONE
    dot_words: Words = _NONE
    placeholders: Words = _NONE
    female_kin: Words = _NONE
    male_kin: Words = _NONE
    other_kin: Words = _NONE
    female_titles: Words = _NONE
    male_titles: Words = _NONE
    patient_sex: str = ""
    kin_before_name: str = ""
    form: Mapping[str, str] = field(default_factory=dict)
    shortened: Mapping[str, str] = field(default_factory=dict)
    devotions: Mapping[str, str] = field(default_factory=dict)
    surnames_after: Mapping[str, str] = field(default_factory=dict)
    example_domains: Mapping[str, str] = field(default_factory=dict)
    script: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def cues(self) -> dict[str, Cue]:
        """The cues by word."""
        return {
            **dict.fromkeys(self.female_kin, Cue(is_kin=True, is_female=True)),
            **dict.fromkeys(self.male_kin, Cue(is_kin=True, is_female=False)),
            **dict.fromkeys(self.female_titles, Cue(is_kin=False, is_female=True)),
            **dict.fromkeys(self.male_titles, Cue(is_kin=False, is_female=False)),
            **dict.fromkeys(self.other_kin, Cue(is_kin=True)),
        }

    def cue_beside(self, text: str, start: int, end: int) -> Cue:
        """Return the cue right before or after a name: "wife Ann", "Ann (daughter)"."""
        cue = _cue_before(self, text[max(0, start - _REACH) : start])
        # After a name only kin counts: "Ann, Mrs. Lind and Bo" are three people.
        return cue or self._kin(_WORD_BEHIND.match(text, end, end + _REACH)) or _NOTHING

    def cue_before(self, before: str) -> Cue | None:
        """Return the cue at the end of a text that precedes a name."""
        cue = self._cue(_WORD_BEFORE.search(before))
        if cue is None and self.kin_before_name:
            cue = self._kin(_pattern(self.kin_before_name).search(before))
        return cue

    def _cue(self, match: re.Match[str] | None) -> Cue | None:
        return self.cues.get(name_key(match[1])) if match else None

    def _kin(self, match: re.Match[str] | None) -> Cue | None:
        cue = self._cue(match)
        return cue if cue and cue.is_kin else None

    def is_female(self, text: str, start: int, end: int, *, of_patient: bool) -> bool | None:
        """Whether the words beside a name say that it is a woman's; None if they say nothing."""
        female = self.cue_beside(text, start, end).is_female
        if female is None and of_patient and self.patient_sex:
            match = _pattern(self.patient_sex).match(text, end, end + _FAR_REACH)
            female = match["female"] is not None if match else None
        return female

    def part_in_form(self, text: str, start: int, end: int) -> Part | None:
        """Return the part of a name at these offsets if the field of a form shows it."""
        if not self.form:
            return None
        label, both, surnames = (_pattern(self.form[key]) for key in ("field", "both", "surnames"))
        before = text[max(0, start - _FORM_REACH) : start]
        found = label.search(before)
        if found is None or both.search(before[: found.start()]):
            return None
        if found["last"]:
            return None if "," in text[start:end] else "last"
        # A form with a field for given names alone has one for surnames nearby.
        around = text[max(0, start - _FAR_REACH) : start] + text[end : end + _FAR_REACH]
        return "first" if surnames.search(around) else None


# Each name is checked several times, and forms repeat the words before names.
_cue_before = lru_cache(1 << 12)(NamingStyle.cue_before)


@cache
def naming_style(code: str) -> NamingStyle:
    """Return the conventions of a language."""
    style = read_language_settings(NamingStyle, code, "people.toml")
    return replace(
        style,
        language=code,
        latin=style.latin or code,
        origin=style.origin or code,
        genitive=style.genitive or language(code).genitive,
    )


@cache
def all_styles() -> tuple[NamingStyle, ...]:
    """Return the conventions of all languages, because records quote words of other languages."""
    return tuple(map(naming_style, language_codes()))


@cache
def words_of_all(key: str) -> Words:
    """Return the words of a kind in all languages."""
    return frozenset().union(*(getattr(style, key) for style in all_styles()))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of a text, which may be written in several lines."""
    return re.compile("".join(text.splitlines()), re.IGNORECASE)
