"""The pages that commands write, in a browser: accessible, without scrolling sideways, silent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from tests.requirements import needs

from veil.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Page

NOTES = {
    "a": ("Seen by Dr. Harlow on 03/04/2019. Parkinson disease.\n", ("DOCTOR", "Harlow")),
    "b": ("Mr. Ruiz lives in Boston, call 555-0142.\n", ("CITY", "Boston")),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Each page of the design, written by its command."""
    folder = tmp_path_factory.mktemp("pages")
    notes, gold = folder / "notes", folder / "gold"
    notes.mkdir()
    gold.mkdir()
    for name, (text, (label, part)) in NOTES.items():
        (notes / f"{name}.txt").write_text(text, "utf-8")
        (gold / f"{name}.txt").write_text(text, "utf-8")
        start = text.index(part)
        annotation = f"T1\t{label} {start} {start + len(part)}\t{part}\n"
        (gold / f"{name}.ann").write_text(annotation, "utf-8")
    (notes / "torn.txt").write_bytes(b"\xff\xfe\xfa")
    found = {name: folder / f"{name}.html" for name in ("evaluate", "show", "explain", "missed")}
    corpus = ("--lang", "en", "--quiet")
    for *arguments, code in (
        ("mask", notes, "-o", folder / "masked", *corpus, 1),
        ("detect", gold, "-o", folder / "found", "--to", "brat", *corpus, 0),
        ("evaluate", gold, folder / "found", "--html", found["evaluate"], "--quiet", 0),
        ("show", folder / "found", "--html", found["show"], "--quiet", 0),
        ("explain", notes / "a.txt", "--html", found["explain"], *corpus, 0),
        ("explain", notes / "a.txt", "--missed", "34:43", "--html", found["missed"], *corpus, 0),
    ):
        assert main([str(each) for each in arguments]) == code
    return {**found, "report": folder / "masked" / "veil-report.html"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(
    pages: Mapping[str, Path], browser: Browser, scheme: Literal["light", "dark"]
) -> None:
    """Every page meets WCAG 2.2 AA as far as axe can tell, in light and dark."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ModuleNotFoundError:
        needs("axe: pip install 'veil-deid[ci]'")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    options = {"runOnly": {"type": "tag", "values": tags}}
    found = {}
    # The policy of the pages forbids the script of axe.
    with browser.new_context(color_scheme=scheme, bypass_csp=True) as context:
        for name, file in pages.items():
            page = context.new_page()
            page.goto(file.as_uri())
            violations = Axe().run(page, options=options).response["violations"]
            if violations:
                found[name] = [
                    (each["id"], [node["html"][:200] for node in each["nodes"]])
                    for each in violations
                ]
            page.close()
    assert found == {}


@pytest.mark.parametrize("width", [320, 640, 1280])
def test_pages_fit_their_window(pages: Mapping[str, Path], browser: Browser, width: int) -> None:
    """At 400 % and 200 % zoom of 1280 pixels only tables and long lines of their own scroll."""
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        for name, file in pages.items():
            page = context.new_page()
            page.goto(file.as_uri())
            assert page.evaluate("document.scrollingElement.scrollWidth") <= width, name
            page.close()


def test_pages_ask_for_nothing(pages: Mapping[str, Path], browser: Browser) -> None:
    """A page loads its own file, reports no error, and prints without its menu."""
    with browser.new_context() as context:
        for name, file in pages.items():
            page = context.new_page()
            asked, errors = _watched(page)
            page.goto(file.as_uri())
            page.emulate_media(media="print")
            assert all(not each.is_visible() for each in page.locator("nav").all()), name
            assert asked == [file.as_uri()], name
            assert errors == [], name
            page.close()


def _watched(page: Page) -> tuple[list[str], list[str]]:
    """What a page will ask for, and the errors that it will report."""
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))

    def read(line: ConsoleMessage) -> None:
        if line.type == "error":
            errors.append(line.text)

    page.on("console", read)
    return asked, errors
