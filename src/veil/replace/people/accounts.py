"""User names and e-mail addresses, rebuilt from the new names of the people in them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.replace.people.pieces import NameWord
from veil.replace.people.styles import all_styles, name_key, words_of_all
from veil.replace.people.tables import identity_of, pool, strength, without_accents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set

    from veil.replace.people.people import People
    from veil.replace.people.persons import Person
    from veil.replace.people.surrogates import SurrogateNames
    from veil.replace.secret import Draw, Secret

_RUN = re.compile(r"[^\W\d_]+|\d+")
# Reserved domains: RFC 2606.
_DOMAINS = "example.com example.net example.org"
_VOWELS, _CONSONANTS = "aeiou", "bcdfghklmnprstv"
_LETTER_PAIRS = str.maketrans(
    {"å": "aa", "ä": "ae", "æ": "ae", "ö": "oe", "ø": "oe", "ü": "ue", "ñ": "ny"}
)
_LONGEST_CUT = 5
_SHORTEST_NAME = 4
_PURPOSE = "account"
_REMEMBERED = 1 << 6

OldAndNew = tuple[str, str]
"""An old and a new name, both in small letters without accents."""


@cache
def _address() -> re.Pattern[str]:
    """Return the pattern of e-mail addresses: ana@x.org, ana (at) x (dot) org."""
    at, dot = (_spelled_out(words_of_all(key)) for key in ("at_words", "dot_words"))
    return re.compile(
        r"(?P<before>(?:mailto:|<|\s)*)(?P<local>[^@＠<>\s]+?)"
        rf"(?P<at>\s*[@＠]\s*|{at})"
        rf"(?P<domain>[^\s@＠<>.()\[\]]+(?:(?:\.|{dot})[^\s@＠<>.()\[\]]+)*)(?P<after>[\s>.,;]*)",
        re.IGNORECASE,
    )


def _spelled_out(words: Set[str]) -> str:
    """Return a pattern of words in brackets or, if they have two letters, between blanks."""
    any_word = "|".join(sorted(words))
    long_word = "|".join(sorted(word for word in words if 1 < len(word)))
    return rf"\s*[(\[](?:{any_word})[)\]]\s*|\s+(?:{long_word})\s+"


@cache
def _example_domains() -> dict[str, str]:
    """Return reserved domains by their endings."""
    domains = [style.example_domains.items() for style in all_styles()]
    return {ending: names for row in domains for ending, names in row}


class Accounts:
    """Makes the new accounts of one record, whose old texts are all given at the start."""

    def __init__(
        self, secret: Secret, people: People, names: SurrogateNames, texts: Iterable[str]
    ) -> None:
        self._secret = secret
        self._reader = people.own_reader
        self._style = people.latin_style
        self._names = names
        wanted = {_lower(run) for text in texts for run in _words_of(_local_part(text))}
        self._forms = [
            _forms_of(person, names, people.spellings, wanted)
            for person in dict.fromkeys(people.persons)
        ]

    def replace(self, text: str, attempt: int) -> str:
        """Return a new address or user name in the form of the old one."""
        match = _address().fullmatch(text)
        if match is None:
            return self._rebuild(text, attempt)
        local = self._rebuild(match["local"], attempt)
        domain = self._domain(match["domain"], attempt)
        return f"{match['before']}{local}{match['at']}{domain}{match['after']}"

    def _domain(self, domain: str, attempt: int) -> str:
        key = name_key(domain)
        ending = key.rpartition(".")[2]
        options = _example_domains().get(ending, _DOMAINS).split()
        draw = self._secret.draw(_PURPOSE, "domain", key, str(attempt))
        made = draw.choice([option for option in options if option != key])
        return made.upper() if domain.isupper() else made

    def _rebuild(self, text: str, attempt: int) -> str:
        runs = _words_of(text)
        forms = dict(self._best_forms(runs)) if attempt == 0 else {}
        if all(1 < len(run) for run in runs) and not self._reader:
            for run in dict.fromkeys(map(_lower, runs)):
                if run in forms:
                    continue
                new = self._name(run, attempt) or self._surname_with_initial(run, attempt)
                if new is not None:
                    forms[run] = new
        draw = self._secret.draw(_PURPOSE, "name", name_key(text), str(attempt))
        return _RUN.sub(lambda match: self._run(match[0], forms, draw, attempt), text)

    def _best_forms(self, runs: Sequence[str]) -> Mapping[str, str]:
        """Return the account names of the person whose names explain most letters."""
        best: Mapping[str, str] = {}
        most = 0
        for forms in self._forms:
            letters = sum(len(run) for run in runs if 1 < len(run) and _lower(run) in forms)
            if most < letters:
                best, most = forms, letters
        return best

    def _run(self, run: str, forms: Mapping[str, str], draw: Draw, attempt: int) -> str:
        if run.isdigit():
            return other_digits(run, draw)
        new = forms.get(_lower(run)) or self._name(_lower(run), attempt)
        if new is None or new == _lower(run):
            new = self._other_name(_lower(run), draw)
        if run.isupper():
            return new.upper()
        return new.capitalize() if run[0].isupper() else new

    def _other_name(self, run: str, draw: Draw) -> str:
        """Return as many letters for a run without a name: those of a surname if it is long."""
        if len(run) <= _SHORTEST_NAME or self._reader:
            return _other_letters(run, draw)
        long_enough = _surnames(self._style.language, self._style.origin, len(run))
        return draw.choice(long_enough)[: len(run)] if long_enough else _other_letters(run, draw)

    def _name(self, run: str, attempt: int) -> str | None:
        """Return the surrogate of a run that is one name, or a given name and a surname."""
        if len(run) < _SHORTEST_NAME:
            return None
        if self._reader:
            word = self._reader.word_in_account(run)
            return self._new(word, attempt) if word else None
        language = self._style.language
        given, surname = (strength(run, language, role) for role in ("given", "surname"))
        if given or surname:
            return self._new(NameWord("surname" if given <= surname else "given", run), attempt)
        for cut in range(len(run) - 3, 2, -1):
            first, last = run[:cut], run[cut:]
            if strength(first, language, "given") == 2 == strength(last, language, "surname"):
                words = NameWord("given", first), NameWord("surname", last)
                return "".join(self._new(word, attempt) for word in words)
        return None

    def _surname_with_initial(self, run: str, attempt: int) -> str | None:
        """Return the surrogate of a surname with an unknown initial: "jsmith", "smithj"."""
        for is_before in (True, False):
            initial, surname = (run[0], run[1:]) if is_before else (run[-1], run[:-1])
            is_known = strength(surname, self._style.language, "surname")
            if is_known and _SHORTEST_NAME <= len(surname):
                new = self._new(NameWord("surname", surname), attempt)
                letter = self._names.letter(initial, attempt).lower()
                return letter + new if is_before else new + letter
        return None

    def _new(self, word: NameWord, attempt: int) -> str:
        named = NameWord(word.role, identity_of(word.key))
        return _lower(self._names.of(named, attempt).latin)


@lru_cache(_REMEMBERED)
def _surnames(language: str, origin: str, length: int) -> list[str]:
    """Return the surnames, in small letters, that have at least `length` letters."""
    return [_lower(name) for name in pool(language, origin, "surname") if length <= len(name)]


def _local_part(text: str) -> str:
    match = _address().fullmatch(text)
    return text if match is None else match["local"]


def _words_of(text: str) -> list[str]:
    return [run for run in _RUN.findall(text) if run.isalpha()]


def _lower(text: str) -> str:
    return without_accents(text).lower().replace("'", "")


def _forms_of(
    person: Person,
    names: SurrogateNames,
    spellings: Callable[[NameWord], Iterable[str]],
    wanted: Set[str],
) -> dict[str, str]:
    """Return the account names of a person, each with the same form of the new names.

    There are very many, so only those in `wanted` are made.
    """
    spelled = [
        [(old, word) for word in person.words[role] for old in _plain_spellings(spellings(word))]
        for role in ("given", "surname")
    ]
    forms: dict[str, str] = {}
    initials = {form[:1] for form in wanted}
    if initials.isdisjoint(old[0] for pairs in spelled for old, _ in pairs):  # another's
        return forms
    given, surnames = (
        [(old, _lower(names.of(word).latin)) for old, word in pairs] for pairs in spelled
    )
    for row in _rows(given, surnames, wanted):
        old = "".join([name for name, _ in row])
        if old in wanted:
            forms.setdefault(old, "".join([name for _, name in row]))
    return forms


def _plain_spellings(texts: Iterable[str]) -> list[str]:
    found: list[str] = []
    for text in texts:
        found.append(_lower(text))
        if not text.isascii():
            found.append(_lower(text.lower().translate(_LETTER_PAIRS)))
    return list(dict.fromkeys(filter(None, found)))


def _rows(
    given: Sequence[OldAndNew], surnames: Sequence[OldAndNew], wanted: Set[str]
) -> Iterable[Sequence[OldAndNew]]:
    """Yield the names or beginnings of names in an account name, the likely ones first.

    Most rows that cannot give a wanted form are left out.
    """
    initials = {form[:1] for form in wanted}
    names = (*given, *surnames)
    yield from ((name,) for name in names)
    for first in given:
        for last in surnames:
            if any(_is_made_of(form, first[0], last[0]) for form in wanted):
                yield from _pairs(first, last)
    for one in (given, surnames):
        for first in one:
            for second in one:
                if first[0] != second[0]:
                    if first[0][0] in initials:
                        yield first, second
                        for other in surnames:
                            yield _cut(first, 1), _cut(second, 1), other
                    for other in given:
                        if other[0][0] in initials:
                            yield other, _cut(first, 1), _cut(second, 1)
                            yield _cut(other, 1), first, second
    yield from ((_cut(name, 1),) for name in names)


def _is_made_of(form: str, first: str, last: str) -> bool:
    """Whether a form consists of the beginnings of two names, in either order."""
    return any(
        one.startswith(form[:cut]) and other.startswith(form[cut:])
        for one, other in ((first, last), (last, first))
        if form[0] == one[0]
        for cut in range(1, len(form))
    )


def _pairs(first: OldAndNew, last: OldAndNew) -> Iterable[Sequence[OldAndNew]]:
    yield first, last
    yield last, first
    yield _cut(first, 1), last
    yield last, _cut(first, 1)
    yield first, _cut(last, 1)
    yield _cut(last, 1), first
    for one in range(1, _LONGEST_CUT):
        for other in range(1, _LONGEST_CUT + 1):
            yield _cut(first, one), _cut(last, other)
            yield _cut(last, one), _cut(first, other)


def _cut(name: OldAndNew, length: int) -> OldAndNew:
    return name[0][:length], name[1][:length]


def other_digits(run: str, draw: Draw) -> str:
    """Return other digits, as many as in the run."""
    while True:
        made = "".join(str(draw.below(10)) for _ in run)
        if made != run:
            return made


def _other_letters(run: str, draw: Draw) -> str:
    """Return other letters, vowels for vowels."""
    while True:
        made = "".join(draw.choice(_VOWELS if letter in _VOWELS else _CONSONANTS) for letter in run)
        if made != run:
            return made
