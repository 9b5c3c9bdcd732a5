"""What all pages have in common: one base, one style sheet, offline, for keyboard and printer."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import veil
import veil.render
from veil import Document, Record, Span
from veil.render import families_of, record_view, render_page
from veil.render.highlight import FAMILIES

TEMPLATES = Path(veil.render.__file__).parent / "templates"
PAGES = sorted(
    file.name for file in TEMPLATES.glob("*.html") if file.name not in ("base.html", "macros.html")
)
CSS = (TEMPLATES / "page.css").read_text("utf-8")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", PAGES)
def test_pages_share_one_base(name: str) -> None:
    """A page has no style sheet and no frame of its own."""
    source = (TEMPLATES / name).read_text("utf-8")
    assert '{% extends "base.html" %}' in source
    assert "<style" not in source
    assert "<html" not in source


@pytest.mark.parametrize("name", PAGES)
def test_wide_tables_can_be_scrolled_by_keyboard(name: str) -> None:
    """What scrolls can have the focus."""
    source = (TEMPLATES / name).read_text("utf-8")
    assert '<div class="scroll">' not in source


def test_every_family_has_its_colour() -> None:
    """Marks of records and legends have a rule for each family; what has none is `other`."""
    for family in FAMILIES:
        assert f"--{family.lower()}: #" in CSS
        if family != "OTHER":
            assert f"mark.{family.lower()} {{ background: var(--{family.lower()}); }}" in CSS


def test_records_have_a_legend() -> None:
    """A page of records names the families and shows their colours."""
    record = Record.of(Document("r", "Ann, 73"), [Span(0, 3, "PATIENT"), Span(5, 7, "AGE")])
    page = "".join(render_page("records", title="T", paragraphs=(), records=[record_view(record)]))
    for family, title in FAMILIES.items():
        assert f'<mark class="{family.lower()}">{title}</mark>' in page
    assert families_of([record_view(record)]) == [("name", "names"), ("age", "ages")]


def test_pages_are_for_the_printer_too() -> None:
    """On paper nothing sticks, scrolls or is hidden, and the dark colours are for screens."""
    assert "@media screen and (prefers-color-scheme: dark)" in CSS
    paper = CSS[CSS.index("@media print {") :]
    assert "print-color-adjust: exact" in paper
    assert re.search(r"nav, \.filters, \.skip \{ display: none; \}", paper)


def test_the_demo_shows_three_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Original, tags and surrogates side by side, with a legend, and how to review them."""
    spec = importlib.util.spec_from_file_location("demo", EXAMPLES / "demo.py")
    assert spec
    assert spec.loader
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    monkeypatch.setattr(demo, "OUT", tmp_path)
    monkeypatch.setattr(demo, "PAGE", tmp_path / "demo.html")
    demo.main()
    page = (tmp_path / "demo.html").read_text("utf-8")
    for title in ("Original", "Tags", "Surrogates"):
        assert page.count(f"<h4>{title} <small>") == len(demo.LANGUAGES)
    assert '<ul class="families"' in page
    assert "Confidential" not in page
    assert not re.search(r"https?:|<script|<link|src=", page)
    shown = capsys.readouterr().out
    assert f"The same as a page:      {tmp_path / 'demo.html'}" in shown
    masked, notes = tmp_path / "demo-masked", tmp_path / "demo-notes"
    assert f" review {masked} --original {notes}\n" in shown
    assert (masked / "veil-report.html").is_file()
    assert {file.relative_to(notes) for file in notes.rglob("*.txt")} == {
        file.relative_to(masked) for file in masked.rglob("*.txt")
    }
