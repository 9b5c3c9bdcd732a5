"""The review page for people who use a keyboard, a screen reader, a large zoom or a tablet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from tests.browser.conftest import Review, is_saved, masked_notes, select_words
from tests.requirements import needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

_NOTES = {
    "sv-1.txt": "Bengt Åkerlund söker den 12/3 2024 på Falu lasarett. Ringde 070-174 06 35.\n"
    "Dottern Karin Åkerlund följde med. Bedömning: hjärtsvikt.\n",
    "sv-2.txt": "Anna Karlsson bor i Gimo. Remiss till dr Erik Sundberg.\n",
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Review]:
    """A double review in which two people differ, and one signed."""
    folder = tmp_path_factory.mktemp("accessible")
    originals, masked = masked_notes(folder, _NOTES, "--lang", "sv")
    made = Review([str(masked), "--original", str(originals), "--double"], folder / "store.sqlite")
    made.start()
    for reviewer in ("Anna Berg", "Bo Ek"):
        made.post("/api/reviewers", {"name": reviewer})
        for number in (0, 1):
            made.reviewer = reviewer
            record = made.get(f"/api/records/{number}")
            first = min(record["spans"], key=lambda span: span["start"])
            made.decide(number, "accept" if reviewer == "Bo Ek" else "delete", span=first["id"])
            made.decide(number, "done")
    made.reviewer = "Chris Dahl"
    yield made
    made.kill()
    assert made.problems == []


def _why(page: Page) -> None:
    page.keyboard.press("Shift+W")
    page.wait_for_selector("#why p")


def _selection(page: Page) -> None:
    select_words(page, "original", "hjärtsvikt")
    page.wait_for_selector("#floating:not([hidden])")


def _all_states(page: Page) -> None:
    for key in ("Enter", "Delete", "z"):
        page.keyboard.press(key)
    select_words(page, "original", "hjärtsvikt")
    page.keyboard.press("Space")
    is_saved(page)


def _outcome(page: Page) -> None:
    page.keyboard.press("Shift+O")
    page.wait_for_selector(".cards li")


def _sign(page: Page) -> None:
    _outcome(page)
    page.evaluate("document.getElementById('sign').showModal()")


def _differences(page: Page) -> None:
    page.keyboard.press("Shift+X")
    page.wait_for_selector(".conflicts li")


def _reviewer(page: Page) -> None:
    page.click("#reviewer")


def _confirm(page: Page) -> None:
    page.keyboard.press("Shift+G")
    page.wait_for_selector("#confirm[open]")


def _message(page: Page) -> None:
    page.evaluate("document.getElementById('message').hidden = false")
    page.evaluate("document.querySelector('#message span').textContent = 'A message'")


_VIEWS: dict[str, Callable[[Page], None]] = {
    "record": lambda page: None,
    "all states": _all_states,
    "why": _why,
    "selection": _selection,
    "outcome": _outcome,
    "sign": _sign,
    "differences": _differences,
    "help": lambda page: page.keyboard.press("?"),
    "reviewer": _reviewer,
    "confirm": _confirm,
    "message": _message,
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_any_view(
    running: Review, browser: Browser, scheme: Literal["light", "dark"]
) -> None:
    """Every view meets WCAG 2.1 AA as far as axe can tell, in light and dark."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ModuleNotFoundError:
        needs("axe: pip install 'veil-deid[ci]'")
    axe = Axe()
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    options = {"runOnly": {"type": "tag", "values": tags}}
    found = {}
    # The policy of the page forbids the script of axe: this browser alone does without the policy.
    context = browser.new_context(
        color_scheme=scheme,
        bypass_csp=True,
        viewport={"width": 1366, "height": 820},
        reduced_motion="reduce",
    )
    with context:
        for name, show in _VIEWS.items():
            page = running.open(context, "sv-1.txt")
            show(page)
            violations = axe.run(page, options=options).response["violations"]
            if violations:
                found[name] = [
                    (each["id"], [node["html"][:200] for node in each["nodes"]])
                    for each in violations
                ]
            page.close()
    assert found == {}


@pytest.mark.parametrize(("width", "height"), [(683, 410), (1024, 768), (360, 640)])
def test_controls_fit_at_a_large_zoom_and_on_a_tablet(
    running: Review, browser: Browser, width: int, height: int
) -> None:
    """At 200 % of 1366 pixels, on a tablet and on a phone, nothing is cut off or too small."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=2, has_touch=True
    )
    with context:
        for name in ("all states", "selection", "outcome", "sign", "differences", "help"):
            page = running.open(context, "sv-1.txt")
            _VIEWS[name](page)
            found = page.evaluate(
                """() => {
                const found = [];
                const wide = document.scrollingElement.scrollWidth;
                if (innerWidth < wide) found.push(`the page scrolls sideways: ${wide}`);
                const controls = 'button, a:not(.skip), select, input, textarea, summary, progress';
                for (const one of document.querySelectorAll(controls)) {
                    const box = one.getBoundingClientRect();
                    if (box.width === 0 || one.matches('progress')) continue;
                    const words = one.textContent.trim() || one.id;
                    if (box.left < -1 || innerWidth + 1 < box.right)
                        found.push(`cut off: ${words}`);
                    const inline = one.closest('li')?.parentElement.id === 'statements';
                    if (!inline && Math.min(box.height, box.width) < 24)
                        found.push(`small: ${words}`);
                }
                return found; }"""
            )
            assert found == [], name
            page.close()


def test_a_tablet_decides_without_a_keyboard(running: Review, browser: Browser) -> None:
    """Taps on a span and on the buttons below the text decide, and a selection offers its own."""
    from playwright.sync_api import expect

    context = browser.new_context(viewport={"width": 768, "height": 1024}, has_touch=True)
    with context:
        page = running.open(context, "sv-2.txt", "Tom Ek")
        last = page.locator(".line.original mark").last
        words = last.text_content()
        box = last.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator("#what .quote")).to_have_text(words or "")
        page.locator(".dock").get_by_role("button", name="Wrongly masked").tap()
        expect(page.locator(".line.original mark.is-deleted")).to_have_text(words or "")
        select_words(page, "masked", "Remiss")
        page.locator("#floating").get_by_role("button", name="Mark as leak").tap()
        expect(page.locator(".line.original mark.is-added")).to_have_text("Remiss")
        is_saved(page)


def test_everything_is_reached_by_the_tab_key_and_the_focus_is_visible(
    running: Review, context: BrowserContext
) -> None:
    """Tab reaches each control once, and each shows that it has the focus."""
    page = running.open(context, "sv-1.txt")
    page.locator(".skip").focus()
    reached = []
    for _ in range(120):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            """() => { const one = document.activeElement; if (one === document.body) return null;
            const style = getComputedStyle(one);
            return [one.id || one.dataset.action || one.dataset.view || one.dataset.label
                    || one.textContent.trim(),
                style.outlineStyle !== 'none' && 2 <= parseFloat(style.outlineWidth)]; }"""
        )
        if focus is None:
            break
        reached.append(focus)
    assert all(visible for _, visible in reached), reached
    names = [name for name, _ in reached]
    for wanted in ("records", "outcome", "help", "order", "done", "text", "accept", "why-button"):
        assert wanted in names
    assert len(reached) < 120


def test_a_screen_reader_hears_each_action(running: Review, context: BrowserContext) -> None:
    """Moves and decisions are announced with words, label and state."""
    from playwright.sync_api import expect

    page = running.open(context, "sv-2.txt", "Eva Ek")
    said = page.locator("#announcer")
    assert said.get_attribute("aria-live") == "polite"
    first, second = running.words("sv-2.txt")[:2]
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text(f"{second[0]}: {second[1]}, undecided")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(said).to_contain_text(f"{first[0]}: accepted")
    current = page.locator("mark:focus")
    expect(current).to_have_attribute("role", "button")
    label = current.get_attribute("aria-label") or ""
    assert label.startswith(f"{second[0]}, {second[1]}, undecided")
