"""A study of name modules as tables for the terminal, as CSV and as an HTML page."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from veil.core.toml import read_toml
from veil.detect.names.detector import MODULES
from veil.detect.names.forms import AS_PUBLISHED, PUBLISHED_SIZES
from veil.learn.name_study import influences
from veil.render import NO_TEXT_NOTICE, render_page
from veil.render.terminal import text_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.evaluate.match import Counts
    from veil.learn.name_study import Effect, Group, Study


TITLES: dict[Group, str] = {
    "total": "First and last names",
    "first": "First names",
    "last": "Last names",
}
"""Display names of the groups of names."""


class Figure(NamedTuple):
    """A figure of the paper: its number, and the scores of orders that its text states."""

    number: int
    orders: Mapping[str, tuple[float, float, float]]


def paper_figure(group: Group) -> Figure:
    """Return what the paper states for a group: precision, recall and F in percent, or 0."""
    data = dict(_PAPER[group])
    number = data.pop("number")
    return Figure(number, {order: (row[0], row[1], row[2]) for order, row in data.items()})


_PAPER = read_toml(Path(__file__).with_name("name_study.toml"))


def group_title(study: Study, group: Group) -> str:
    """The title of a group; without parts the total is simply all names."""
    return TITLES[group] if study.has_parts else "Names"


def describe_study(study: Study) -> list[str]:
    """Describe the study in sentences."""
    modules = sorted(set("".join(study.orders)), key=list(MODULES).index)
    lines = [
        f"{_counted(len(study.orders), 'order')} of "
        f"{', '.join(f'{code} ({MODULES[code]})' for code in modules)} "
        f"over {_counted(study.records, 'record')} in '{study.language}': "
        f"{study.words:,} words and marks, {study.names:,} of them name words.",
        "Scores are by word.",
    ]
    if study.has_parts:
        lines.append("A word is found if its part is right; the total is the sum of both parts.")
    else:
        lines.append(
            "The gold standard does not tell first from last names, so there is a total only: a "
            "word is found if it was found as any part of a name."
        )
    if study.as_published:
        lines.append(_published_settings(study))
    return lines


def _published_settings(study: Study) -> str:
    """Describe how close the dictionaries are to those of the paper."""
    sizes = [
        f"{kind.replace('_', ' ')} {len(AS_PUBLISHED.lexicon(study.language, kind)):,} ({wanted:,})"
        for kind, wanted in PUBLISHED_SIZES.items()
    ]
    return (
        "Settings of the paper. Words in the dictionaries, published in brackets: "
        f"{'; '.join(sizes)}."
    )


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def format_study(study: Study) -> str:
    """Return all tables for the terminal."""
    sections = ["\n".join(describe_study(study)), _scores(study)]
    if 1 < len(study.orders):
        sections.append(_extremes(study))
    if published := list(_published_rows(study)):
        header = ["Published", "order", "P", "R", "F", "here: P", "R", "F"]
        sections.append(text_table(header, published))
    sections += [_influences(study, group) for group in study.groups if influences(study, group)]
    return "\n\n".join(sections) + "\n"


def study_csv(study: Study) -> str:
    """Return the scores as CSV, one line for each order and group."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["order", "names", "tp", "fp", "fn", "precision", "recall", "f1"])
    for group in study.groups:
        for order, counts in study.ranked(group):
            scores = (f"{score:.6f}" for score in (counts.precision, counts.recall, counts.f1))
            writer.writerow([order, group, counts.tp, counts.fp, counts.fn, *scores])
    return file.getvalue()


def extremes(study: Study, group: Group) -> Iterator[tuple[str, str, Counts]]:
    """Yield the best and the worst order by F and by recall, among those that find anything."""
    # The short orders come first, so that a tie goes to the simplest.
    found = [
        (order, counts)
        for order, counts in sorted(study.ranked(group), key=lambda pair: (len(pair[0]), pair[0]))
        if counts.tp + counts.fp
    ]
    if found:
        yield ("highest F", *max(found, key=lambda pair: pair[1].f1))
        yield ("lowest F", *min(found, key=lambda pair: pair[1].f1))
        yield ("highest recall", *max(found, key=lambda pair: pair[1].recall))
        yield ("lowest recall", *min(found, key=lambda pair: pair[1].recall))


def _scores(study: Study) -> str:
    header = ["order"]
    for group in study.groups:
        prefix = "" if group == "total" else f"{group} "
        header += [f"{prefix}P", f"{prefix}R", f"{prefix}F"]
    return text_table(header, _score_rows(study))


def _score_rows(study: Study) -> list[list[str]]:
    columns = {group: dict(study.ranked(group)) for group in study.groups}
    return [
        [order, *(cell for group in study.groups for cell in _prf(columns[group][order]))]
        for order, _ in study.ranked("total")
    ]


def _extremes(study: Study) -> str:
    rows = []
    for group in study.groups:
        rows.append([group_title(study, group)])
        rows += [
            [f"  {what}", order, *_prf(counts)] for what, order, counts in extremes(study, group)
        ]
    return text_table(["", "order", "P", "R", "F"], rows)


def _published_rows(study: Study) -> Iterator[list[str]]:
    """Yield the figures of the paper, beside those measured with its settings."""
    if not _is_of_paper(study):
        return
    for group in study.groups:
        figure, scores = paper_figure(group), dict(study.ranked(group))
        for order, published in figure.orders.items():
            if order in scores:
                stated = [f"{score:.2f}" if score else "" for score in published]
                title = f"Figure {figure.number}: {TITLES[group]}"
                yield [title, order, *stated, *_prf(scores[order])]


def _is_of_paper(study: Study) -> bool:
    """Whether a study has the settings, the language and the parts of names of the paper."""
    return study.as_published and study.has_parts and study.language == _PAPER["language"]


def _influences(study: Study, group: Group) -> str:
    title = f"{group_title(study, group)}: with a module minus without"
    rows = [
        [
            f"{each.code} {MODULES[each.code]}",
            str(each.pairs),
            str(each.unchanged),
            *_effect(each.precision),
            *_effect(each.recall),
            *_effect(each.f1),
        ]
        for each in influences(study, group)
    ]
    header = [title, "pairs", "same", "P", "range", "R", "range", "F", "range"]
    return text_table(header, rows)


def _prf(counts: Counts) -> list[str]:
    return [f"{100 * score:.2f}" for score in (counts.precision, counts.recall, counts.f1)]


def _effect(effect: Effect) -> list[str]:
    return [f"{100 * effect.mean:+.2f}", f"{100 * effect.low:+.2f}…{100 * effect.high:+.2f}"]


_FINDERS = ("D", "T")


def study_page(study: Study, *, title: str) -> str:
    """Return the page: the paper's figures, all orders, and the effect of each module."""
    header = ["order"]
    for group in study.groups:
        header += [f"{group_title(study, group)}: P", "R", "F"]
    page = render_page(
        "name_study",
        title=title,
        notice=NO_TEXT_NOTICE,
        sentences=describe_study(study),
        groups=[_group(study, group) for group in study.groups],
        modules=MODULES,
        header=header,
        rows=_score_rows(study),
    )
    return "".join(page)


def _group(study: Study, group: Group) -> dict[str, object]:
    shown = _shown(study, group)
    title = group_title(study, group)
    return {
        "title": f"Figure {paper_figure(group).number}: {title}" if study.has_parts else title,
        "shown": list(_bars(study, group, shown)),
        "orders": study.ranked(group),
        "named": set(shown),
        "influences": influences(study, group),
    }


class _Stated(NamedTuple):
    """Scores that the paper states; those that it leaves out are 0."""

    precision: float
    recall: float
    f1: float


def _bars(
    study: Study, group: Group, shown: Mapping[str, tuple[str, Counts]]
) -> Iterator[tuple[str, str, Counts | _Stated]]:
    """Yield the bars of a figure, with those of the paper below those of the same order."""
    stated = paper_figure(group).orders if _is_of_paper(study) else {}
    for order, (note, counts) in shown.items():
        yield order, note, counts
        if order in stated:
            yield order, "published", _Stated(*(score / 100 for score in stated[order]))


def _shown(study: Study, group: Group) -> dict[str, tuple[str, Counts]]:
    """The orders of the figure: finders alone, those that the paper names, and the extremes."""
    scores = dict(study.ranked(group))
    shown = {code: ("alone", scores[code]) for code in _FINDERS if code in scores}
    if study.has_parts:
        named = (order for order in paper_figure(group).orders if order in scores)
        shown |= {order: ("in the paper", scores[order]) for order in named}
    for note, order, counts in extremes(study, group):
        shown.setdefault(order, (note, counts))
    return shown
