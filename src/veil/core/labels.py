"""Label schemes, each a data file, and the way from one to another through Veil's own labels."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from veil.core.document import Document, Part, Record, Span
from veil.core.errors import UnknownNameError
from veil.core.parts import date_part, split_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VEIL = "veil"
# A scheme is guessed in this order: the first that knows all labels. Labels that two schemes
# share mean the same in both, so that the order decides nothing but the name that is shown.
SCHEMES = (VEIL, "i2b2-2014", "i2b2-2006", "meddocan", "mednlp", "stockholm", "hipaa")
# What may stand between two spans that are one in a scheme.
_BETWEEN = re.compile(r",?[ \t]{0,3}")


@dataclass(frozen=True)
class Scheme:
    """A set of labels and its mapping to and from Veil's.

    In the mappings a Veil label may carry a part: `NAME:first`. `from_veil` maps to an empty
    string what the scheme leaves unprotected on purpose. `together` are pairs of Veil labels that
    are one span in the scheme where they stand side by side: a postcode and its town. `by_text`
    are patterns for labels that are one in Veil: with what the text of such a span begins.
    `veil_by_text` are the same the other way: Veil labels, each with the label that they are part
    of in the scheme and a pattern for what a text of theirs holds.
    """

    name: str
    about: str
    source: str
    to_veil: Mapping[str, str]
    from_veil: Mapping[str, str]
    approximate: Mapping[str, str]
    together: frozenset[tuple[str, str]] = frozenset()
    by_text: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    veil_by_text: Mapping[str, tuple[str, re.Pattern[str]]] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.to_veil)

    def has_parts(self, label: str) -> bool:
        """Whether the scheme tells the parts of a Veil label or of its family apart."""
        return bool(self._parted) and not self._parted.isdisjoint((label, family(label)))

    @cached_property
    def _parted(self) -> frozenset[str]:
        return frozenset(key.partition(":")[0] for key in self.from_veil if ":" in key)


def scheme(name: str) -> Scheme:
    """Return the scheme of that name."""
    if name not in SCHEMES:
        raise UnknownNameError("scheme", name, SCHEMES)
    return _load(name)


@cache
def _load(name: str) -> Scheme:
    data = _read(name)
    to_veil = {label: label for label in _family_of()} if name == VEIL else data["to_veil"]
    from_veil: dict[str, str] = {}
    for label, veil_label in to_veil.items():
        from_veil.setdefault(veil_label, label)
    from_veil.update(data.get("from_veil", {}))
    return Scheme(
        name,
        data["about"],
        data["source"],
        to_veil,
        from_veil,
        data.get("approximate", {}),
        frozenset((first, second) for first, second in data.get("together", ())),
        {label: re.compile(pattern) for label, pattern in data.get("by_text", {}).items()},
        {
            label: (part["of"], re.compile(part["holds"]))
            for label, part in data.get("veil_by_text", {}).items()
        },
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(
        resources.files("veil.core").joinpath("schemes", f"{name}.toml").read_text("utf-8")
    )


@cache
def _family_of() -> dict[str, str]:
    families: dict[str, list[str]] = _read(VEIL)["families"]
    return {
        label: family_label
        for family_label, types in families.items()
        for label in (family_label, *types)
    }


def family(label: str) -> str:
    """Return the family of a Veil label: PATIENT -> NAME."""
    try:
        return _family_of()[label]
    except KeyError:
        raise UnknownNameError("label", label, _family_of()) from None


def family_in(label: str, source: Scheme | None) -> str | None:
    """Return the Veil family of a label of any scheme, or None where the scheme lacks it."""
    veil_label = source.to_veil.get(label) if source else None
    return family(veil_label.partition(":")[0]) if veil_label else None


def guess_scheme(labels: Iterable[str]) -> Scheme | None:
    """Return the first scheme that knows all labels; failing that, the one that knows most."""
    wanted = set(labels)
    if not wanted:
        return None
    best = max(
        map(scheme, SCHEMES),
        key=lambda candidate: len(wanted & candidate.to_veil.keys()),
    )
    return best if wanted & best.to_veil.keys() else None


def _relabelled(span: Span, label: str, part: Part | None) -> Span:
    """What `dataclasses.replace` would give, in a tenth of its time."""
    return Span(span.start, span.end, label, span.score, span.source, part)


@dataclass
class Converter:
    """Maps spans of one scheme to another and keeps count of what does not fit.

    `unmapped`: labels without a place in the target, whose spans are left out.
    `approximate`: pairs where the target's label is a guess.
    """

    source: Scheme
    target: Scheme
    unmapped: Counter[str] = field(default_factory=Counter)
    approximate: Counter[tuple[str, str]] = field(default_factory=Counter)

    def convert_record(self, record: Record) -> Record:
        return Record.of(record.document, self.convert_all(record.document, record.annotations))

    def convert_all(self, doc: Document, spans: Iterable[Span]) -> list[Span]:
        """Return the spans in the target scheme, in their order."""
        converted: list[Span] = []
        before: Span | None = None
        for span in spans:
            pieces = self.convert(doc, span)
            if before and pieces and self._are_together(doc, before, span):
                end = pieces.pop(0).end
                converted[-1] = replace(converted[-1], end=end)
            converted += pieces
            before = span if converted and converted[-1].end == span.end else None
        return converted

    def _are_together(self, doc: Document, first: Span, second: Span) -> bool:
        """Whether two neighbouring spans are one in the target scheme."""
        pair = tuple(self.source.to_veil.get(span.label, "") for span in (first, second))
        if pair not in self.target.together:
            return False
        return _BETWEEN.fullmatch(doc.text, first.end, second.start) is not None

    def convert(self, doc: Document, span: Span) -> list[Span]:
        """Return the span in the target scheme: one span, several name parts, or nothing."""
        if self.source.name == self.target.name:
            return [span]
        mapped = self._veil_by_text(doc, span) or self.source.to_veil.get(span.label)
        if mapped is None:
            self.unmapped[span.label] += 1
            return []
        veil_label, _, part = mapped.partition(":")
        converted = []
        in_veil = _relabelled(span, veil_label, cast(Part, part) if part else span.part)
        for piece in self._with_parts(doc, in_veil):
            label = self._by_text(doc, piece) or self._target_label(piece)
            if not label:
                self.unmapped[span.label] += 1
                continue
            # Where the target has labels for parts, its label says it.
            told = self.target.name != VEIL and self.target.has_parts(veil_label)
            converted.append(_relabelled(piece, label, None if told else piece.part))
        return converted

    def _with_parts(self, doc: Document, span: Span) -> list[Span]:
        if span.part is not None or not self.target.has_parts(span.label):
            return [span]
        if family(span.label) == "NAME" and span.label != "USERNAME":
            pieces = split_name(
                doc.text[span.start : span.end], surname_alone=span.label == "DOCTOR"
            )
            return [
                replace(span, start=span.start + start, end=span.start + end, part=part)
                for start, end, part in pieces
            ]
        if span.label == "DATE":
            return [replace(span, part=date_part(doc.text[span.start : span.end]))]
        return [span]

    def _veil_by_text(self, doc: Document, span: Span) -> str | None:
        """The Veil label that the text of a span calls for, if its own label leaves that open."""
        return next(
            (
                veil_label
                for veil_label, (label, pattern) in self.source.veil_by_text.items()
                if label == span.label and pattern.search(doc.text, span.start, span.end)
            ),
            None,
        )

    def _by_text(self, doc: Document, span: Span) -> str | None:
        """The label of the target that the text of a span calls for, if there is such."""
        return next(
            (
                label
                for label, pattern in self.target.by_text.items()
                if self.target.to_veil[label] == span.label
                and pattern.match(doc.text, span.start, span.end)
            ),
            None,
        )

    def _target_label(self, span: Span) -> str:
        from_veil = self.target.from_veil
        exact = [f"{span.label}:{span.part}", span.label] if span.part else [span.label]
        for key in exact:
            if key in from_veil:
                return from_veil[key]
        if span.label in self.target.approximate:
            return self._guess(span.label, self.target.approximate[span.label])
        veil_family = family(span.label)
        wider = [f"{veil_family}:{span.part}", veil_family] if span.part else [veil_family]
        for key in wider:
            if key in from_veil:
                return from_veil[key]
        if veil_family in self.target.approximate:
            return self._guess(span.label, self.target.approximate[veil_family])
        return ""

    def _guess(self, veil_label: str, label: str) -> str:
        self.approximate[veil_label, label] += 1
        return label
