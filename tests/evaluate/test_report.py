"""The HTML report."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from veil.evaluate import evaluate, html_report
from veil.evaluate import report as report_module

if TYPE_CHECKING:
    from tests.evaluate.conftest import MakeRecord

    from veil.core.document import Record

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """Checks that tags close in order, and keeps attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["script"], ["style"]):
            self.text.append(data)

    def with_class(self, name: str) -> list[tuple[str, dict[str, str | None]]]:
        return [(tag, a) for tag, a in self.tags if name in (a.get("class") or "").split()]


def report(gold: Record, predicted: Record, title: str = "Report") -> str:
    return html_report(evaluate([gold], [predicted]), [gold], [predicted], title=title)


def test_the_page_parses(record: MakeRecord) -> None:
    """All tags close in order, and every section is there."""
    page = Page(report(record((0, 8, "PATIENT"), (10, 12, "AGE")), record((0, 5, "PATIENT"))))
    assert page.open == []
    names = [attributes.get("id") for tag, attributes in page.tags if tag == "section"]
    assert names == ["protection", "scores", "types", "confusion", "kinds", "errors"]


def test_the_page_says_that_it_holds_text(record: MakeRecord) -> None:
    """Before anything else the reader is told to keep the page as the records are kept."""
    page = report(record((0, 8, "PATIENT")), record())
    assert "contains text of the records: protect it like the records" in page


def test_text_of_records_is_escaped(record: MakeRecord) -> None:
    """A record that holds markup adds no element to the page."""
    text = 'Ana <script>alert("x")</script> & <img src=x onerror=y> Ruiz'
    gold = record((0, 3, "PATIENT"), (4, 12, "<b>"), text=text, name='"><i>')
    page = report(gold, record(text=text, name='"><i>'), title="<script>1</script>")
    parsed = Page(page)
    assert sum(tag == "script" for tag, _ in parsed.tags) == 1
    assert not any(tag == "img" for tag, _ in parsed.tags)
    assert '<script>alert("x")</script>' in "".join(parsed.text)
    assert "onerror" not in {name for _, attributes in parsed.tags for name in attributes}


def test_nothing_is_loaded(record: MakeRecord) -> None:
    """No element refers to anything outside the page, and the page's policy forbids it."""
    page = report(record((0, 8, "PATIENT"), (10, 12, "AGE")), record((0, 5, "PATIENT")))
    assert "http://" not in page
    assert "https://" not in page
    assert "@import" not in page
    assert "url(" not in page
    for _, attributes in Page(page).tags:
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
    assert "default-src 'none'" in page


def test_marks_tell_gold_from_predicted(record: MakeRecord) -> None:
    """'Ana R' is found, 'uiz' stays readable, ', 4' is found beside it."""
    page = Page(report(record((0, 8, "PATIENT")), record((0, 5, "PATIENT"), (8, 11, "AGE"))))
    texts = "".join(page.text)
    assert "Ana R" in texts
    for name in ("both", "gold", "predicted"):
        assert page.with_class(name)
    (item,) = [a for tag, a in page.tags if tag == "li" and a.get("data-kind") == "extent"]
    assert item["data-leak"] == "1"


def test_the_context_is_sixty_characters(record: MakeRecord) -> None:
    """What is further away from an error is not in the page."""
    text = "far " + "x" * 70 + " Ana " + "y" * 70 + " away"
    page = report(record((75, 78, "PATIENT"), text=text), record(text=text))
    assert "x" * 59 + " <mark" in page
    assert "x" * 60 not in page
    assert "far " not in Page(page).text
    assert " away" not in page


def test_a_very_long_error_is_cut(record: MakeRecord) -> None:
    """An annotation over a whole book is shown by its beginning."""
    text = "z" * 5_000
    page = report(record((0, 5_000, "PATIENT"), text=text), record(text=text))
    assert "z" * 400 in page
    assert "z" * 401 not in page


def test_characters_that_html_cannot_hold_are_replaced(record: MakeRecord) -> None:
    """Control characters and lone surrogates do not break the file; line breaks are shown."""
    text = "A\x00na\ud800\nB\x1bo"
    page = report(record((0, 9, "PATIENT"), text=text), record(text=text))
    assert page.encode("utf-8")
    assert not {"\x00", "\x1b", "\ud800"} & set(page)
    assert "↵" in page


def test_leaks_come_first_and_the_rest_is_cut(
    record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more errors than are shown the page says so, and what leaks is shown."""
    monkeypatch.setattr(report_module, "MOST_ERRORS", 1)
    gold = record((0, 8, "PATIENT"), (22, 26, "CITY"))
    page = report(gold, record((0, 8, "DOCTOR"), (65, 68, "PHONE")))
    items = [a for tag, a in Page(page).tags if tag == "li" and "data-kind" in a]
    assert [item["data-kind"] for item in items] == ["missing"]
    assert "1 of 3 errors are shown" in page


def test_filters_wait_for_the_script(record: MakeRecord) -> None:
    """Without JavaScript the controls stay hidden and every error is in the page."""
    page = Page(report(record((0, 8, "PATIENT"), (10, 12, "AGE")), record()))
    (form,) = page.with_class("filters")
    assert "hidden" in form[1]
    items = [a for tag, a in page.tags if tag == "li" and "data-kind" in a]
    assert len(items) == 2
    assert not any("hidden" in item for item in items)


def test_a_perfect_system_has_a_page_too(record: MakeRecord) -> None:
    """Without errors the page says so and holds no text of the record."""
    gold = record((0, 8, "PATIENT"))
    page = report(gold, gold)
    assert Page(page).open == []
    assert "There are none." in page
    assert "Ana" not in page


def test_documents_that_are_not_scored_are_named(record: MakeRecord) -> None:
    """The page warns of records that only one side holds."""
    gold = [record((0, 8, "PATIENT"), name="a"), record(name="lacking")]
    predicted = [record(name="a")]
    page = html_report(evaluate(gold, predicted), gold, predicted, title="Report")
    assert "Not scored: 1 document(s)" in page
    assert "lacking" in page


def test_labels_named_like_margins_do_not_mix_with_them(record: MakeRecord) -> None:
    """A label called 'missing' has its own row and column in the matrix."""
    gold, predicted = record((0, 8, "missing"), (10, 12, "AGE")), record((0, 8, "missing"))
    page = report(gold, predicted)
    assert "missing predicted as missing: 1 (100.0%)" in page
    assert "AGE missing: 1 (100.0%)" in page


def test_the_same_evaluation_makes_the_same_page(record: MakeRecord) -> None:
    """Nothing in the page depends on the time or the hash seed."""
    gold, predicted = record((0, 8, "PATIENT"), (10, 12, "AGE")), record((0, 5, "PATIENT"))
    assert report(gold, predicted) == report(gold, predicted)
