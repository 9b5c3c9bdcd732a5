"""Compares systems on the same gold records: scores, speed, size and changed errors.

The first system is the one that all others are compared with.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from veil.core.errors import InputError, printable
from veil.evaluate.match import pair_records
from veil.evaluate.significance import Difference, Interval, differences, intervals
from veil.evaluate.summary import to_plain
from veil.evaluate.tally import Metric, Tally, tally
from veil.render import NO_TEXT_NOTICE, render_page
from veil.render.terminal import text_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from veil.core.document import Record
    from veil.evaluate.match import Pair

    # A strict error: missed or spurious, the document, and start, end and label of the span.
    StrictError = tuple[str, str, tuple[int, int, str]]

_MISSED, _SPURIOUS = "missed", "spurious"
_SIGNIFICANT = 0.05


@dataclass(frozen=True)
class SystemOutput:
    """The output of a system; `speed` in characters per CPU second, `size` in bytes.

    `scheme` is the label scheme before conversion to that of gold. A system without a
    model has no size.
    """

    name: str
    about: str
    scheme: str
    records: Sequence[Record]
    speed: float
    size: int | None = None


@dataclass(frozen=True, slots=True)
class LabelChange:
    """Strict errors of one label that a system fixes and adds, compared with the first system.

    Missed annotations count for the label of gold, spurious ones for that of the prediction.
    """

    label: str
    gold: int
    missed_fixed: int
    missed_broken: int
    spurious_fixed: int
    spurious_broken: int

    derived: ClassVar = ("fixed", "broken")

    @property
    def fixed(self) -> int:
        return self.missed_fixed + self.spurious_fixed

    @property
    def broken(self) -> int:
        return self.missed_broken + self.spurious_broken


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """The numbers of one system; the first system has no differences and no changes."""

    name: str
    about: str
    scheme: str
    totals: Tally
    metrics: Mapping[Metric, Interval]
    characters_per_cpu_second: float
    model_bytes: int | None
    differences: tuple[Difference, ...] = ()
    changes: tuple[LabelChange, ...] = ()

    def difference(self, metric: Metric) -> Difference | None:
        """The difference from the first system in a metric."""
        return next((each for each in self.differences if each.metric == metric), None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems on the same documents. It holds names, labels and numbers, and no text."""

    language: str
    scheme: str
    documents: int
    characters: int
    gold_annotations: int
    systems: tuple[ComparedSystem, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, strings and numbers."""
        plain: dict[str, Any] = to_plain(self)
        return plain


def compare(
    gold: Sequence[Record], outputs: Sequence[SystemOutput], *, language: str, scheme: str
) -> Comparison:
    """Score systems on the documents that all of them have, and test them against the first."""
    found_by_all = set.intersection(
        *({record.id for record in output.records} for output in outputs)
    )
    gold = [record for record in gold if record.id in found_by_all]
    if not gold:
        raise InputError("no record that all systems could process, so nothing to compare")
    first, *others = outputs
    pairs = {output.name: pair_records(gold, output.records).pairs for output in outputs}
    baseline = _strict_errors(pairs[first.name])
    support = Counter(span.label for pair in pairs[first.name] for span in pair.gold)
    systems = [_score(first, pairs[first.name])]
    systems += [
        _score(
            other,
            pairs[other.name],
            differences(gold, first.records, other.records),
            _changes(support, baseline, _strict_errors(pairs[other.name])),
        )
        for other in others
    ]
    return Comparison(
        language=language,
        scheme=scheme,
        documents=len(gold),
        characters=sum(len(record.document.text) for record in gold),
        gold_annotations=support.total(),
        systems=tuple(systems),
    )


def _score(
    output: SystemOutput,
    pairs: Sequence[Pair],
    tested: tuple[Difference, ...] = (),
    changes: tuple[LabelChange, ...] = (),
) -> ComparedSystem:
    tallies = [tally(pair) for pair in pairs]
    return ComparedSystem(
        name=output.name,
        about=output.about,
        scheme=output.scheme,
        totals=Tally(*map(sum, zip(*tallies, strict=True))),
        metrics=intervals(tallies),
        characters_per_cpu_second=output.speed,
        model_bytes=output.size,
        differences=tested,
        changes=changes,
    )


def _strict_errors(pairs: Iterable[Pair]) -> set[StrictError]:
    errors: set[StrictError] = set()
    for pair in pairs:
        gold = {span.key for span in pair.gold}
        predicted = {span.key for span in pair.predicted}
        errors |= {(_MISSED, pair.document.id, key) for key in gold - predicted}
        errors |= {(_SPURIOUS, pair.document.id, key) for key in predicted - gold}
    return errors


def _changes(
    support: Mapping[str, int], before: set[StrictError], after: set[StrictError]
) -> tuple[LabelChange, ...]:
    """Count the changes by label; labels without a change are left out."""
    fixed = Counter((kind, label) for kind, _, (_, _, label) in before - after)
    broken = Counter((kind, label) for kind, _, (_, _, label) in after - before)
    return tuple(
        LabelChange(
            label,
            support.get(label, 0),
            missed_fixed=fixed[_MISSED, label],
            missed_broken=broken[_MISSED, label],
            spurious_fixed=fixed[_SPURIOUS, label],
            spurious_broken=broken[_SPURIOUS, label],
        )
        for label in sorted({label for _, label in (*fixed, *broken)})
    )


def format_comparison(found: Comparison) -> str:
    """The tables for the terminal; `*` marks a significant difference from the first system."""
    first = found.systems[0].name
    sections = [_heading(found), _score_table(found)]
    if found.systems[1:]:
        sections[-1] += (
            f"\n\np: significance of the difference from {first} in the score before it; "
            f"* below {_SIGNIFICANT}"
        )
        sections.append(_change_table(found))
    sections.append(
        "\n".join(
            f"{printable(each.name)}: {printable(each.about)}; labels: {each.scheme}"
            for each in found.systems
        )
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def _heading(found: Comparison) -> str:
    return (
        f"{found.documents:,} documents, {found.characters:,} characters, "
        f"{found.gold_annotations:,} gold annotations, language: {found.language}, "
        f"labels: {found.scheme}"
    )


def _score_table(found: Comparison) -> str:
    header = ["System", "strict F1", "p", "recall", "p", "precision", "leaking", "p"]
    header += ["chars/CPU s", "model MB"]
    rows = [
        [
            printable(system.name),
            f"{system.metrics['strict f1'].value:.4f}",
            _p(system.difference("strict f1")),
            f"{system.metrics['character recall'].value:.4f}",
            _p(system.difference("character recall")),
            f"{system.metrics['character precision'].value:.4f}",
            f"{system.totals.leaking_documents} of {system.totals.documents}",
            _p(system.difference("document leak")),
            f"{system.characters_per_cpu_second:,.0f}",
            _megabytes(system.model_bytes),
        ]
        for system in found.systems
    ]
    return text_table(header, rows)


def _p(difference: Difference | None) -> str:
    if difference is None:
        return ""
    return f"{difference.p:.4f}{'*' if difference.p < _SIGNIFICANT else ' '}"


def _megabytes(size: int | None) -> str:
    return "-" if size is None else f"{size / 1e6:.1f}"


def _change_table(found: Comparison) -> str:
    """Errors fixed and broken, with a row for each label and a column for each system."""
    first, *others = found.systems
    columns = [{change.label: change for change in system.changes} for system in others]
    support = {label: change.gold for column in columns for label, change in column.items()}
    if not support:
        return f"No system differs from {first.name} in any annotation"
    rows = [
        [label, str(support[label]), *(_fixed_and_broken(column.get(label)) for column in columns)]
        for label in sorted(support)
    ]
    totals = [
        f"+{sum(change.fixed for change in system.changes)} "
        f"-{sum(change.broken for change in system.changes)}"
        for system in others
    ]
    names = [printable(system.name) for system in others]
    rows.append(["all", str(found.gold_annotations), *totals])
    title = f"Errors fixed (+) and broken (-) against {first.name}"
    return f"{title}\n\n{text_table(['Label', 'gold', *names], rows)}"


def _fixed_and_broken(change: LabelChange | None) -> str:
    return f"+{change.fixed} -{change.broken}" if change else "-"


def comparison_page(found: Comparison, *, title: str) -> str:
    """Return the comparison as an HTML page, without text of a record."""
    return "".join(
        render_page(
            "comparison",
            title=title,
            notice=NO_TEXT_NOTICE,
            found=found,
            heading=_heading(found),
            first=found.systems[0],
            best=max(found.systems, key=lambda system: system.metrics["strict f1"].value),
            safest=min(found.systems, key=lambda system: system.totals.leaking_documents),
            systems=[
                {
                    "system": system,
                    "name": printable(system.name),
                    "megabytes": _megabytes(system.model_bytes),
                    "fixed": sum(change.fixed for change in system.changes),
                    "broken": sum(change.broken for change in system.changes),
                }
                for system in found.systems
            ],
            significant=_SIGNIFICANT,
        )
    )
