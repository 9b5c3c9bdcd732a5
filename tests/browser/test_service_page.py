"""The page of the service in a browser: it marks and masks a text while it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.requirements import needs
from tests.serve.conftest import Server
from tests.serve.conftest import running as serving

from veil.languages import language_codes
from veil.replace.policy import policies
from veil.serve.engine import examples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = {"en": "Harold Wexler", "es": "Barroso Quintanilla", "sv": "Lars", "ja": "榊原"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("service"), "--workers", "1") as server:
        yield server


@pytest.fixture
def page(service: Server, browser: Browser) -> Iterator[Page]:
    """The page, which must neither ask another host nor break its own policy."""
    with browser.new_context() as context:
        asked: list[str] = []
        errors: list[str] = []
        page = _opened(context, service)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(service.url)
        yield page
        # A request that was refused on purpose is named there, too.
        assert [each for each in errors if "Failed to load resource" not in each] == []
        assert all(url.startswith(f"{service.url}/") for url in asked)


def _opened(context: BrowserContext, service: Server) -> Page:
    page = context.new_page()
    page.set_default_timeout(60_000)  # a busy machine is no error
    return page


def _masked(page: Page) -> dict[str, str]:
    """The masked texts by policy, once all of them are there."""
    filled = "() => [...document.querySelectorAll('[data-policy]')].every((e) => e.textContent)"
    page.wait_for_function(filled)
    return {
        name: page.locator(f'[data-policy="{name}"]').text_content() or "" for name in policies()
    }


@pytest.mark.parametrize("code", language_codes())
def test_example_is_marked_and_masked(page: Page, code: str) -> None:
    """The example of each language is marked, and no policy leaves the name in it."""
    page.locator(f'[data-example="{code}"]').click()
    masked = _masked(page)
    assert NAMES[code] in examples()[code]["text"]
    assert not any(NAMES[code] in text for text in masked.values())
    assert f"language {code}" in (page.locator("#state").text_content() or "")
    marked = page.locator("#found mark").all_text_contents()
    assert any(NAMES[code].split()[0] in each for each in marked)


def test_typed_text_is_marked_at_the_right_place(page: Page) -> None:
    """Characters outside the basic plane before a name do not move its mark."""
    page.locator("#text").fill("😀𠮷 Seen by Dr. Anna Smith on 10/02/2021.")
    page.wait_for_function("() => document.querySelectorAll('#found mark').length === 2")
    assert page.locator("#found mark").first.evaluate("(e) => e.firstChild.data") == "Anna Smith"
    assert _masked(page)["tag"] == "😀𠮷 Seen by Dr. [DOCTOR-1] on [DATE-1]."


def test_markup_in_a_text_stays_text(page: Page) -> None:
    """A text with tags adds no element to the page."""
    page.locator("#text").fill("<img src=x onerror=alert(1)> Seen by Dr. Anna Smith.")
    _masked(page)
    assert page.locator("main img").count() == 0


def test_problems_are_shown_and_clear_the_page(page: Page) -> None:
    """If a text is withheld, the page says why and shows nothing of the text before."""
    page.locator('[data-example="sv"]').click()
    _masked(page)
    german = "Der Patient war am Montag bei uns in der Praxis und es geht ihm nicht gut."
    page.locator("#text").fill(german)
    page.wait_for_function("() => document.querySelector('#state.state-bad')")
    assert "German" in (page.locator("#state").text_content() or "")
    assert page.locator("#found").text_content() == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(service: Server, browser: Browser, scheme: Any) -> None:
    """Both pages meet WCAG 2.1 AA as far as axe can tell, in light and dark."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ModuleNotFoundError:
        needs("axe: pip install 'veil-deid[ci]'")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    options = {"runOnly": {"type": "tag", "values": tags}}
    # The policy of the page forbids the script of axe: this browser alone does without the policy.
    with browser.new_context(color_scheme=scheme, bypass_csp=True) as context:
        page = _opened(context, service)
        for path in ("/", "/docs"):
            page.goto(f"{service.url}{path}")
            if path == "/":
                page.locator('[data-example="sv"]').click()
                _masked(page)
            violations = Axe().run(page, options=options).response["violations"]
            assert [
                (each["id"], [node["html"][:200] for node in each["nodes"]]) for each in violations
            ] == []


@pytest.mark.parametrize("width", [360, 683, 1280])
def test_page_fits_its_window(service: Server, browser: Browser, width: int) -> None:
    """On a phone, at 200 % zoom and on a screen the page scrolls in one direction only."""
    with browser.new_context(viewport={"width": width, "height": 700}) as context:
        page = _opened(context, service)
        for path in ("/", "/docs"):
            page.goto(f"{service.url}{path}")
            overflow = "() => document.documentElement.scrollWidth - innerWidth"
            assert page.evaluate(overflow) <= 0
