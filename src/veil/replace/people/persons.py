"""Groups the mentions of the same person."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from veil.replace.people.pieces import NameMention, NameWord, Role

    LettersOf = Callable[[NameWord], frozenset[str]]

_ROLES: tuple[Role, Role] = ("given", "surname")
_role = attrgetter("role")


class NameForm(NamedTuple):
    """The words and initials of a mention, as they are compared: first given names, then surnames.

    Initials have the role None if it is not known.
    """

    words: tuple[NameWord, ...]
    initials: tuple[tuple[Role | None, str], ...]

    @property
    def weight(self) -> int:
        """How specific the form is; the most specific forms are compared first."""
        if len({word.role for word in self.words}) == 2:
            return 10 + len(self.words)
        return 1 + any(role for role, _ in self.initials) if self.words else 0

    def words_of(self, role: Role) -> list[NameWord]:
        return [word for word in self.words if word.role == role]

    def letters_of(self, role: Role | None) -> list[str]:
        return [letter for other, letter in self.initials if other == role]


@dataclass(slots=True, eq=False, repr=False)
class Person:
    """All names of a person in the record, and initials without names, by role."""

    words: dict[Role, list[NameWord]] = field(default_factory=lambda: {role: [] for role in _ROLES})
    letters: dict[Role, list[str]] = field(default_factory=lambda: {role: [] for role in _ROLES})

    def add(self, form: NameForm) -> None:
        """Add the words and initials of a mention."""
        for role in _ROLES:
            words, letters = self.words[role], self.letters[role]
            words += [word for word in form.words if word.role == role and word not in words]
            if form.initials:
                letters += [each for each in form.letters_of(role) if each not in letters]


def form_of(mention: NameMention) -> NameForm:
    """Return the comparable form of a mention."""
    initials = [(piece.role, letter) for piece in mention.initials for letter in piece.key]
    return NameForm(
        tuple(sorted(mention.words, key=_role)),
        tuple(sorted(initials, key=lambda initial: initial[0] or "unknown")),
    )


def group(forms: Iterable[NameForm], letters_of: LettersOf) -> dict[NameForm, Person]:
    """Return the person of every form; a form that fits several people is a person of its own."""
    persons: list[Person] = []
    by_key: dict[str, list[Person]] = {}
    found: dict[NameForm, Person] = {}
    weights = {form: form.weight for form in forms}
    for form, weight in sorted(weights.items(), key=lambda item: -item[1]):
        if weight:
            near = (person for word in form.words for person in by_key.get(word.key, ()))
            fitting = [person for person in dict.fromkeys(near) if _fits(form, person, letters_of)]
        else:
            letters = form.letters_of(None)
            fitting = [person for person in persons if align(letters, person, letters_of)]
        person = found[form] = fitting[0] if len(fitting) == 1 else Person()
        person.add(form)
        if not fitting:
            persons.append(person)
        if len(fitting) <= 1:
            for word in form.words:
                by_key.setdefault(word.key, []).append(person)
    return found


def _fits(form: NameForm, person: Person, letters_of: LettersOf) -> bool:
    for role in _ROLES:
        words, own, letters = form.words_of(role), person.words[role], form.letters_of(role)
        if not (set(words) <= set(own) or set(own) <= set(words)):
            return False
        if not _letters_agree(letters, own, person.letters[role], letters_of):
            return False
    if person.words["given"]:
        return True
    return _letters_agree(person.letters["given"], form.words_of("given"), (), letters_of)


def _letters_agree(
    letters: Sequence[str], words: Sequence[NameWord], others: Sequence[str], letters_of: LettersOf
) -> bool:
    """Whether initials may be those of the words: J. R. of John, R. of John Robert."""
    if not letters or not (words or others):
        return True
    possible = frozenset(others).union(*(letters_of(word) for word in words))
    return any(letter in possible for letter in letters)


def align(
    letters: Sequence[str], person: Person, letters_of: LettersOf
) -> tuple[NameWord | None, ...] | None:
    """Return the words that initials alone stand for: A.L. or LA for Anna Lindgren.

    A word is None if the record has only its initial: the R in JRS for John R. Smith.
    """
    given, surnames = (_with_letters(person, role, letters_of) for role in _ROLES)
    if not letters:
        return None
    if len(letters) == 1:
        orders: list[list[_Initial]] = [given[:1], surnames[:1]]
    elif given and surnames:
        orders = [
            [*given, *surnames],
            [*given[:1], *surnames[-1:]],
            [*given[:1], *surnames],
            [*given, *surnames[:1]],
            [*surnames, *given],
            [*surnames[:1], *given[:1]],
        ]
    else:
        orders = [given]
    for order in orders:
        if len(order) == len(letters) and all(
            letter in initial.letters for letter, initial in zip(letters, order, strict=True)
        ):
            return tuple(initial.word for initial in order)
    return None


class _Initial(NamedTuple):
    letters: frozenset[str]
    word: NameWord | None


def _with_letters(person: Person, role: Role, letters_of: LettersOf) -> list[_Initial]:
    """Return names, then the initials of other names."""
    known = [_Initial(letters_of(word), word) for word in person.words[role]]
    covered = frozenset().union(*(initial.letters for initial in known))
    more = [letter for letter in person.letters[role] if letter not in covered]
    return [*known, *(_Initial(frozenset(letter), None) for letter in more)]
