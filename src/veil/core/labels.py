"""Label schemes, each a TOML file, and the conversion between them through Veil's labels.

A user's own scheme is a file with the same keys as those in `schemes/`; `scheme` takes its path.
Once loaded, it takes part in `guess_scheme` like the others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

from veil.core.document import Document, Part, Record, Span
from veil.core.errors import InputError, UnknownNameError
from veil.core.patterns import compile_pattern
from veil.core.toml import read_toml, write_toml
from veil.core.values import VALUE

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence

VEIL = "veil"
# Schemes are guessed in this order: the first that has all labels. Labels that two schemes share
# mean the same in both, so that the order affects only the name that is shown.
SCHEMES = (VEIL, "i2b2-2014", "i2b2-2006", "meddocan", "mednlp", "stockholm", "hipaa")
_SUFFIX = ".toml"
_OTHER = "OTHER"
_own_schemes: dict[str, Scheme] = {}
# Particles that begin a surname: "Anna von Essen", "Luis de la Fuente".
_SURNAME_PARTICLES = frozenset(
    {
        *("af", "av", "von", "van", "der", "den", "ter", "ten", "zu", "bin", "ibn", "al", "el"),
        *("de", "del", "della", "di", "da", "dos", "du", "la", "las", "los", "le", "y"),
    }
)
_NAME_WORD = compile_pattern(r"[^\s,]+")
_YEAR = compile_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBERS = compile_pattern(r"\d+")
_MONTH_WORD = compile_pattern(r"[^\W\d_]{3,}")
_SIX_OR_EIGHT_DIGITS = compile_pattern(r"(?:\d{6}|\d{8})")
# What may stand between two spans that a scheme treats as one.
_BETWEEN = compile_pattern(r",?[ \t]{0,3}")


@dataclass(frozen=True)
class Scheme:
    """A set of labels and its mapping to and from Veil's labels.

    In the mappings a Veil label may carry a part: `NAME:first`. `from_veil` maps labels that the
    scheme deliberately leaves unprotected to an empty string. `together` are pairs of Veil labels
    that the scheme annotates as one span when they are adjacent: a postcode and its town. `by_text`
    splits one Veil label into several: it maps labels of the scheme to patterns for the beginning
    of the span's text. `veil_by_text` does the reverse: it maps each Veil label to the scheme's
    label that includes it and to a pattern for the span's text.
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
        """Whether the scheme distinguishes parts of a Veil label or of its family."""
        return bool(self._parted) and not self._parted.isdisjoint((label, family(label)))

    def covers(self, label: str) -> bool:
        """Whether the scheme has a label for a Veil label, and not only an approximate one."""
        return label in self._covered or family(label) in self._covered or label in self.approximate

    def in_veil(self, doc: Document, span: Span) -> str | None:
        """The Veil label of a span of this scheme, with a part where the label implies one."""
        for veil_label, pattern in self.veil_labels_by_text.get(span.label, ()):
            if pattern.search(doc.text, span.start, span.end):
                return veil_label
        return self.to_veil.get(span.label)

    @cached_property
    def veil_labels(self) -> Mapping[str, tuple[str, Part | None]]:
        """The Veil label of each label, whatever the text, and the part that it implies."""
        return {label: _split(target) for label, target in self.to_veil.items()}

    @cached_property
    def labels_by_text(self) -> Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]:
        """The patterns of `by_text`, grouped by the Veil label that they split."""
        patterns: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
        for label, pattern in self.by_text.items():
            patterns[self.veil_labels[label][0]].append((label, pattern))
        return patterns

    @cached_property
    def veil_labels_by_text(self) -> Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]:
        """The patterns of `veil_by_text`, grouped by the label that they split."""
        patterns: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
        for veil_label, (label, pattern) in self.veil_by_text.items():
            patterns[label].append((veil_label, pattern))
        return patterns

    @cached_property
    def _covered(self) -> frozenset[str]:
        return frozenset(key.partition(":")[0] for key in self.from_veil)

    @cached_property
    def _parted(self) -> frozenset[str]:
        return frozenset(key.partition(":")[0] for key in self.from_veil if ":" in key)


def _split(target: str) -> tuple[str, Part | None]:
    """Split a target such as "NAME:first" into a Veil label and its part."""
    label, _, part = target.partition(":")
    return label, cast(Part, part) if part else None


def scheme(name: str | Path) -> Scheme:
    """Return the bundled scheme of that name, or the user's scheme in that TOML file."""
    if str(name) in SCHEMES:
        return _load(str(name))
    if str(name) in _own_schemes:
        return _own_schemes[str(name)]
    if str(name).endswith(_SUFFIX):
        return read_scheme(Path(name))
    raise UnknownNameError("scheme", str(name), known_schemes())


def known_schemes() -> list[str]:
    """Return the names of the bundled schemes and of the user's schemes that were read."""
    return [*SCHEMES, *_own_schemes]


def read_scheme(file: Path) -> Scheme:
    """Read a user's scheme; its name is the name of the file without the suffix."""
    data = read_toml(file)
    _check_scheme(file, data)
    made = _scheme(file.stem, data)
    if _own_schemes.setdefault(made.name, made) != made:
        raise InputError(f"{file}: another scheme is called '{made.name}' already; rename the file")
    return made


def write_scheme(made: Scheme, folder: Path) -> None:
    """Write a user's scheme into a folder, from which `read_scheme` reads it again."""
    data: dict[str, Any] = {
        "about": made.about,
        "source": made.source,
        "together": [list(pair) for pair in sorted(made.together)],
        "to_veil": made.to_veil,
        "from_veil": made.from_veil,
        "approximate": made.approximate,
        "by_text": {label: pattern.pattern for label, pattern in made.by_text.items()},
        "veil_by_text": {
            label: {"of": whole, "holds": pattern.pattern}
            for label, (whole, pattern) in made.veil_by_text.items()
        },
    }
    write_toml(
        folder / f"{made.name}{_SUFFIX}", {key: value for key, value in data.items() if value}
    )


def _check_scheme(file: Path, data: Mapping[str, Any]) -> None:
    known_keys = [each.name for each in fields(Scheme) if each.name != "name"]
    unknown = next((key for key in data if key not in known_keys), None)
    if unknown is not None:
        raise InputError(f"{file}: unknown key '{unknown}'; known: {', '.join(known_keys)}")
    if file.stem in SCHEMES:
        raise InputError(f"{file}: '{file.stem}' is a scheme of Veil; rename the file")
    to_veil = data.get("to_veil")
    if not isinstance(to_veil, dict) or not to_veil:
        raise InputError(f'{file}: write a table [to_veil] with lines such as PersonName = "NAME"')
    targets = [("to_veil", label, target) for label, target in to_veil.items()]
    for key in ("from_veil", "approximate"):
        table = data.get(key, {})
        if not isinstance(table, dict):
            raise InputError(
                f"{file}: [{key}] is a table of Veil's labels and labels of the scheme"
            )
        targets += [(key, label, label) for label in table]
        missing = next((label for label in table.values() if label and label not in to_veil), None)
        if missing is not None:
            raise InputError(f"{file}, [{key}]: '{missing}' is not in [to_veil]")
    for key, label, target in targets:
        veil_label, _, part = target.partition(":") if isinstance(target, str) else ("", "", "")
        if veil_label not in _family_of() or part not in ("", *get_args(Part)):
            known = ", ".join(_family_of())
            raise InputError(f"{file}, [{key}], {label}: not a label of Veil; known: {known}")


@cache
def _load(name: str) -> Scheme:
    return _scheme(name, _read(name))


def _scheme(name: str, data: Mapping[str, Any]) -> Scheme:
    to_veil = {label: label for label in _family_of()} if name == VEIL else data["to_veil"]
    from_veil: dict[str, str] = {}
    for label, veil_label in to_veil.items():
        from_veil.setdefault(veil_label, label)
    from_veil.update(data.get("from_veil", {}))
    return Scheme(
        name,
        data.get("about", ""),
        data.get("source", ""),
        to_veil,
        from_veil,
        data.get("approximate", {}),
        frozenset((first, second) for first, second in data.get("together", ())),
        {label: compile_pattern(pattern) for label, pattern in data.get("by_text", {}).items()},
        {
            label: (part["of"], compile_pattern(part["holds"]))
            for label, part in data.get("veil_by_text", {}).items()
        },
    )


def _read(name: str) -> dict[str, Any]:
    return read_toml(Path(__file__).parent / "schemes" / f"{name}.toml")


@cache
def _family_of() -> dict[str, str]:
    families: dict[str, list[str]] = _read(VEIL)["families"]
    return {
        label: family_label
        for family_label, types in families.items()
        for label in (family_label, *types)
    }


@cache
def family(label: str) -> str:
    """Return the family of a Veil label: PATIENT -> NAME. Clinical values are their own family."""
    if label == VALUE:
        return VALUE
    try:
        return _family_of()[label]
    except KeyError:
        raise UnknownNameError("label", label, _family_of()) from None


def has_types(label: str) -> bool:
    """Whether a Veil label is a family with more specific types: NAME, LOCATION."""
    return family(label) == label and label in _families_with_types()


@cache
def _families_with_types() -> frozenset[str]:
    return frozenset(name for label, name in _family_of().items() if label != name)


def family_in(label: str, source: Scheme | None) -> str | None:
    """Return the Veil family of a label of any scheme, or None where the scheme lacks it."""
    veil_label = source.to_veil.get(label) if source else None
    return family(veil_label.partition(":")[0]) if veil_label else None


def guess_scheme(labels: Iterable[str]) -> Scheme | None:
    """Return the first scheme that has all labels; failing that, the one that has most."""
    wanted = set(labels)
    if not wanted:
        return None
    best = max(
        map(scheme, known_schemes()),
        key=lambda candidate: len(wanted & candidate.to_veil.keys()),
    )
    return best if wanted & best.to_veil.keys() else None


@dataclass
class Converter:
    """Maps spans of one scheme to another and counts what cannot be mapped exactly.

    `unmapped`: labels without a counterpart in the target, whose spans are left out. `approximate`:
    pairs in which the target's label is a guess.
    """

    source: Scheme
    target: Scheme
    unmapped: Counter[str] = field(default_factory=Counter)
    approximate: Counter[tuple[str, str]] = field(default_factory=Counter)
    _targets: dict[tuple[str, Part | None], _Target] = field(default_factory=dict, repr=False)

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
                converted[-1] = converted[-1].at(converted[-1].start, end)
            converted += pieces
            before = span if converted and converted[-1].end == span.end else None
        return converted

    def _are_together(self, doc: Document, first: Span, second: Span) -> bool:
        """Whether the target scheme treats two neighbouring spans as one."""
        in_veil = self.source.to_veil
        pair = in_veil.get(first.label, ""), in_veil.get(second.label, "")
        if pair not in self.target.together:
            return False
        return _BETWEEN.fullmatch(doc.text, first.end, second.start) is not None

    def convert(self, doc: Document, span: Span) -> list[Span]:
        """Return the span in the target scheme: one span, several name parts, or nothing."""
        if self.source.name == self.target.name:
            return [span]
        return [
            Span(start, end, label, span.score, span.source, part)
            for start, end, label, part in self._pieces(doc, span)
        ]

    def labels(self, doc: Document, span: Span) -> frozenset[str]:
        """The labels of the spans that a span is converted to."""
        if self.source.name == self.target.name:
            return frozenset((span.label,))
        return frozenset(label for _, _, label, _ in self._pieces(doc, span))

    def depends_on_text(self, span: Span) -> bool:
        """Whether spans of this label and part may become different labels."""
        if self.source.name == self.target.name or span.label not in self.source.to_veil:
            return False
        veil_label, part = self.source.veil_labels[span.label]
        return (
            span.label in self.source.veil_labels_by_text
            or veil_label in self.target.labels_by_text
            or ((part or span.part) is None and self.target.has_parts(veil_label))
        )

    def _pieces(self, doc: Document, span: Span) -> list[tuple[int, int, str, Part | None]]:
        """Start, end, label and part of each span that a span is converted to."""
        mapped = self.source.in_veil(doc, span)
        if mapped is None:
            self.unmapped[span.label] += 1
            return []
        veil_label, part = _split(mapped)
        part = part or span.part
        has_parts = self.target.has_parts(veil_label)
        parts = [(span.start, span.end, part)]
        if has_parts and part is None:
            parts = _parts_of(doc, span, veil_label)
        # Where the target has labels for parts, the label already says which part it is.
        is_in_label = has_parts and self.target.name != VEIL
        pieces = []
        for start, end, part in parts:
            label = self._by_text(doc, start, end, veil_label) or self._label(veil_label, part)
            if label:
                pieces.append((start, end, label, None if is_in_label else part))
            else:
                self.unmapped[span.label] += 1
        return pieces

    def _by_text(self, doc: Document, start: int, end: int, veil_label: str) -> str | None:
        """The target's label that fits the text of a span, if there is one."""
        for label, pattern in self.target.labels_by_text.get(veil_label, ()):
            if pattern.match(doc.text, start, end):
                return label
        return None

    def _label(self, veil_label: str, part: Part | None) -> str:
        """The label of the target, or an empty string if it has none."""
        target = self._targets.get((veil_label, part))
        if target is None:
            target = self._targets[veil_label, part] = _find_target(self.target, veil_label, part)
        if target.is_guess:
            self.approximate[veil_label, target.label] += 1
        return target.label


def convert_to_veil(doc: Document, spans: Iterable[Span], source: Scheme) -> list[Span]:
    """Return a detector's spans in another scheme, each converted to one of Veil's labels.

    A span is never dropped: one whose label the scheme lacks becomes OTHER.
    """
    converted = []
    for span in spans:
        if span.label in source.veil_labels_by_text:
            label, part = _split(source.in_veil(doc, span) or _OTHER)
        else:
            label, part = source.veil_labels.get(span.label, (_OTHER, None))
        part = part or span.part
        is_same = label == span.label and part == span.part
        converted.append(span if is_same else span.labelled(label, part))
    return converted


class _Target(NamedTuple):
    label: str
    is_guess: bool = False


def _find_target(scheme: Scheme, veil_label: str, part: Part | None) -> _Target:
    """Find a scheme's label: the Veil label before its family, exact before approximate."""
    for name in (veil_label, family(veil_label)):
        for key in (f"{name}:{part}", name) if part else (name,):
            if key in scheme.from_veil:
                return _Target(scheme.from_veil[key])
        if name in scheme.approximate:
            return _Target(scheme.approximate[name], is_guess=True)
    return _Target("")


def _parts_of(doc: Document, span: Span, veil_label: str) -> list[tuple[int, int, Part | None]]:
    """The parts in the text of a name or date: start, end and part of each."""
    text = doc.text[span.start : span.end]
    if family(veil_label) == "NAME" and veil_label != "USERNAME":
        pieces = split_name(text, surname_alone=veil_label == "DOCTOR")
        return [(span.start + start, span.start + end, part) for start, end, part in pieces]
    return [(span.start, span.end, date_part(text) if veil_label == "DATE" else None)]


def split_name(name: str, *, surname_alone: bool = False) -> list[tuple[int, int, Part]]:
    """Split a name into first and last, with offsets into `name`.

    The surname of "Anna Maria von Essen" begins at its particle; that of "Lindgren, Anna" ends at
    the comma. A single word is a first name, or with `surname_alone` a last name (carlsson-2010:
    after a doctor's title).
    """
    words = [(match.start(), match.end()) for match in _NAME_WORD.finditer(name)]
    if not words:
        return [(0, len(name), "first")]
    if len(words) == 1:
        return [(*words[0], "last" if surname_alone else "first")]
    comma = name.find(",")
    if 0 < comma < words[-1][0]:
        surname = [word for word in words if word[0] < comma]
        given = [word for word in words if comma < word[0]]
        if surname and given:
            return [
                (surname[0][0], surname[-1][1], "last"),
                (given[0][0], given[-1][1], "first"),
            ]
    opening = next(
        (
            index
            for index, (start, end) in enumerate(words[1:-1], start=1)
            if name[start:end].lower() in _SURNAME_PARTICLES
        ),
        len(words) - 1,
    )
    return [
        (words[0][0], words[opening - 1][1], "first"),
        (words[opening][0], words[-1][1], "last"),
    ]


def date_part(date: str) -> Part:
    """Distinguish a full date, which has day, month and year, from a partial one."""
    if _SIX_OR_EIGHT_DIGITS.fullmatch(date.strip()):
        return "full"
    numbers = len(_NUMBERS.findall(date))
    if numbers >= 3:
        return "full"
    has_month_word = _MONTH_WORD.search(date) is not None
    if numbers == 2 and has_month_word and _YEAR.search(date):
        return "full"
    return "partial"
