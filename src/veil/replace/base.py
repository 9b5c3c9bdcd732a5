"""The record that is masked, the edits made in it, and the registries of actions and surrogates.

A replacer gets each span that a policy assigns to it, and the `Case`: the record and its secret.
It uses nothing else, so the same record, policy and key give the same text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from veil.core.document import with_changes
from veil.core.errors import InputError, VeilError
from veil.core.registry import Registry
from veil.core.values import changed_values
from veil.languages.base import known_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from veil.core.document import Document, Span, Spans
    from veil.replace.secret import Secret

T = TypeVar("T")

_OPTION_TYPES = {bool: "true or false", int: "a whole number", str: "a string in quotes"}


class lazy(Generic[T]):  # noqa: N801
    """A property that is computed when it is first used.

    `functools.cached_property` of Python 3.11 takes a lock and four times as long.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> T:
        value = instance.__dict__[self._name] = self._compute(instance)
        return value


@dataclass(frozen=True, slots=True, init=False)
class Edit:
    """The old text from `start` to `end` of the original, and the new text.

    `score` and `source` are those of the span: its probability and its detector.
    """

    start: int
    end: int
    old: str = field(repr=False)
    new: str = field(repr=False)
    label: str
    action: str
    score: float = 1.0
    source: str = ""

    def __init__(
        self,
        start: int,
        end: int,
        old: str,
        new: str,
        label: str,
        action: str,
        score: float = 1.0,
        source: str = "",
    ) -> None:
        # As in `Span`: three times as fast as the `__init__` that `dataclass` generates.
        _set_start(self, start)
        _set_end(self, end)
        _set_old(self, old)
        _set_new(self, new)
        _set_label(self, label)
        _set_action(self, action)
        _set_score(self, score)
        _set_source(self, source)


_set_start, _set_end, _set_old, _set_new, _set_label, _set_action, _set_score, _set_source = (
    getattr(Edit, each.name).__set__ for each in fields(Edit)
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A document after replacement, the edits that lead to it, and the spans that were kept.

    `values` are the clinical values of the original, with their offsets there.
    """

    document: Document
    edits: tuple[Edit, ...]
    kept: tuple[Span, ...] = ()
    values: tuple[Span, ...] = ()

    @property
    def new_offsets(self) -> list[tuple[int, int]]:
        """The offsets of the replacements in the new text."""
        return new_offsets(self.edits)

    @property
    def changed_values(self) -> list[tuple[Span, Edit]]:
        """The clinical values that were changed, wholly or in part, each with its first edit."""
        return changed_values(self.values, self.edits)


def new_offsets(edits: Iterable[Edit]) -> list[tuple[int, int]]:
    """The offsets of edits in the new text."""
    shift = 0
    found = []
    for edit in edits:
        start = edit.start + shift
        found.append((start, start + len(edit.new)))
        shift += len(edit.new) - (edit.end - edit.start)
    return found


LONGEST = 300
"""The longest span that gets a surrogate. Longer spans become their label: they are not names,
places or numbers, and the time to make a surrogate grows with the square of the length."""

DAYS = "days"
"""The key in the memory of a case for the number of days by which its dates are shifted."""

KNOWN_NAMES = "known names"
"""The key in the memory of a case for the names that are known beforehand, by label."""


@dataclass(frozen=True)
class Case:
    """One record while it is masked: its document, its spans and its secret.

    Replacers share what they compute about the record through `once`.
    """

    document: Document
    spans: Spans
    secret: Secret
    memory: dict[object, Any] = field(default_factory=dict, repr=False)

    @lazy
    def language(self) -> str:
        """The code of the language; the default language if the document's is not known."""
        return known_language(self.document.language)

    def once(self, compute: Callable[[Case], T]) -> T:
        """Return the result of a function of this record, which is computed only once."""
        if compute not in self.memory:
            self.memory[compute] = compute(self)
        result: T = self.memory[compute]
        return result

    @lazy
    def texts(self) -> list[str]:
        """The texts of all spans, in order."""
        text = self.document.text
        return [text[span.start : span.end] for span in self.spans]

    def text(self, span: Span) -> str:
        return self.document.text[span.start : span.end]

    def is_too_long(self, span: Span) -> bool:
        """Whether a span is too long for a surrogate."""
        return LONGEST < span.end - span.start


class Replacer(Protocol):
    """Makes replacements; `replace` returns the new text of a span (the old one to keep it)."""

    def replace(self, case: Case, span: Span) -> str: ...


REPLACERS: Registry[Callable[[Mapping[str, Any]], Replacer]] = Registry(
    "action", group="veil.replacers"
)
"""The actions of policies: each makes a replacer from its options."""

SURROGATES: Registry[Callable[[Case, Span], str]] = Registry("label with surrogates")
"""The functions that make surrogates, by label; the action "substitute" calls them."""


def from_options(action: str, maker: Callable[..., T]) -> Callable[[Mapping[str, Any]], T]:
    """Return a function that checks options and passes them to `maker` as keyword arguments.

    An option has the type of its default; one without a default is a string and is required.
    """
    parameters = signature(maker).parameters

    def make(options: Mapping[str, Any]) -> T:
        known = ", ".join(sorted(parameters)) or "none"
        for name, value in options.items():
            if name not in parameters:
                raise InputError(f"action '{action}': unknown option '{name}'; known: {known}")
            _check_option(action, name, value, parameters[name])
        for name, parameter in parameters.items():
            if parameter.default is Parameter.empty and name not in options:
                raise InputError(f"action '{action}': the option '{name}' is missing")
        try:
            return maker(**options)
        except VeilError as error:
            raise InputError(f"action '{action}': {error}") from None

    return make


def _check_option(action: str, name: str, value: object, parameter: Parameter) -> None:
    wanted = str if parameter.default is Parameter.empty else type(parameter.default)
    # Types are compared exactly because True is also an int.
    if type(value) is not wanted:
        kind = _OPTION_TYPES.get(wanted, wanted.__name__)
        raise InputError(f"action '{action}': the option '{name}' must be {kind}")
    # A default that is empty or 0 means that the option is not given.
    if wanted is not bool and not value and value == parameter.default:
        raise InputError(f"action '{action}': the option '{name}' is empty or 0; leave it out")


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text after its edits, which are sorted and disjoint."""
    return with_changes(text, ((edit.start, edit.end, edit.new) for edit in edits))


def undo_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the original from the new text and the edits."""
    edits = list(edits)
    offsets = zip(edits, new_offsets(edits), strict=True)
    return with_changes(text, ((start, end, edit.old) for edit, (start, end) in offsets))
