"""Which mentions are of the same person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from veil.replace.people.pieces import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from veil.replace.people.pieces import Mention, Role

    LettersOf = Callable[[Word], frozenset[str]]


class NameForm(NamedTuple):
    """The words and initials of a mention, as they are compared."""

    given: tuple[str, ...]
    surnames: tuple[str, ...]
    given_letters: tuple[str, ...]
    surname_letters: tuple[str, ...]
    loose_letters: tuple[str, ...]

    @property
    def weight(self) -> int:
        """How much it says: the forms that say most are compared first."""
        if self.given and self.surnames:
            return 10 + len(self.given) + len(self.surnames)
        if self.given or self.surnames:
            return 1 + bool(self.given_letters or self.surname_letters)
        return 0


@dataclass(slots=True, eq=False)
class Person:
    """All names under which somebody is mentioned."""

    given: list[str] = field(default_factory=list, repr=False)
    surnames: list[str] = field(default_factory=list, repr=False)
    given_letters: list[str] = field(default_factory=list, repr=False)
    surname_letters: list[str] = field(default_factory=list, repr=False)

    def words(self, role: Role) -> list[Word]:
        return [Word(role, key) for key in (self.given if role == "given" else self.surnames)]

    def add(self, form: NameForm) -> None:
        for own, more in (
            (self.given, form.given),
            (self.surnames, form.surnames),
            (self.given_letters, form.given_letters),
            (self.surname_letters, form.surname_letters),
        ):
            own += [item for item in more if item not in own]


def form_of(mention: Mention) -> NameForm:
    """Return what is compared of a mention."""
    words = mention.words
    letters: dict[Role | None, list[str]] = {"given": [], "surname": [], None: []}
    for piece in mention.initials:
        letters[piece.role] += piece.key
    return NameForm(
        tuple(word.key for word in words if word.role == "given"),
        tuple(word.key for word in words if word.role == "surname"),
        tuple(letters["given"]),
        tuple(letters["surname"]),
        tuple(letters[None]),
    )


def group(forms: Iterable[NameForm], letters_of: LettersOf) -> dict[NameForm, Person]:
    """Return the person of every form; a form that fits several is a person of its own."""
    persons: list[Person] = []
    by_key: dict[str, list[Person]] = {}
    found: dict[NameForm, Person] = {}
    weights = {form: form.weight for form in forms}
    for form, weight in sorted(weights.items(), key=lambda item: -item[1]):
        if weight:
            near = [
                person for key in (*form.given, *form.surnames) for person in by_key.get(key, ())
            ]
            fitting = [person for person in _distinct(near) if _fits(form, person, letters_of)]
        else:
            letters = form.loose_letters
            fitting = [person for person in persons if align(letters, person, letters_of)]
        if len(fitting) == 1:
            person = fitting[0]
        else:
            person = Person()
            if not fitting:
                persons.append(person)
        person.add(form)
        if not fitting or len(fitting) == 1:
            for key in (*form.given, *form.surnames):
                by_key.setdefault(key, []).append(person)
        found[form] = person
    return found


def _distinct(persons: Sequence[Person]) -> list[Person]:
    return list({id(person): person for person in persons}.values())


def _fits(form: NameForm, person: Person, letters_of: LettersOf) -> bool:
    return (
        _agree(form.surnames, person.surnames)
        and _agree(form.given, person.given)
        and _letters_agree(
            form.given_letters, person.words("given"), person.given_letters, letters_of
        )
        and _letters_agree(
            form.surname_letters, person.words("surname"), person.surname_letters, letters_of
        )
        and (
            not person.given_letters
            or bool(person.given)
            or _letters_agree(
                person.given_letters, [Word("given", key) for key in form.given], [], letters_of
            )
        )
    )


def _agree(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one contains all of the other."""
    return set(first) <= set(second) or set(second) <= set(first)


def _letters_agree(
    letters: Sequence[str], words: Sequence[Word], others: Sequence[str], letters_of: LettersOf
) -> bool:
    """Whether initials may be those of the words: J. R. of John, R. of John Robert."""
    if not letters or not (words or others):
        return True
    possible = frozenset(others).union(*(letters_of(word) for word in words))
    return any(letter in possible for letter in letters)


def align(
    letters: Sequence[str], person: Person, letters_of: LettersOf
) -> tuple[Word | None, ...] | None:
    """Return the words of which letters alone are the initials: A.L. or LA of Anna Lindgren.

    Where the record has no more than the initial itself (JRS of John R. Smith), there is None.
    """
    given = _with_letters(person.words("given"), person.given_letters, letters_of)
    surnames = _with_letters(person.words("surname"), person.surname_letters, letters_of)
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
    word: Word | None


def _with_letters(
    words: Sequence[Word], letters: Sequence[str], letters_of: LettersOf
) -> list[_Initial]:
    """Return names, then the initials of other names."""
    known = [_Initial(letters_of(word), word) for word in words]
    covered = frozenset().union(*(initial.letters for initial in known))
    more = [_Initial(frozenset(letter), None) for letter in letters if letter not in covered]
    return [*known, *more]
