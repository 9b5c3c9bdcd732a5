"""The pictures of the documentation: `pytest tests/browser --screenshots docs` writes them there.

Japanese needs a font, such as Noto Sans CJK.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.conftest import Review, is_saved, is_shown, masked_notes, select_words

from veil.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, ViewportSize

_LARGEST = 250_000  # bytes of a picture

_ENGLISH = """\
Harlow Ridge Medical Center
Patient: Margaret Ellery   MRN: 4471920

Admitted 03/12/2024, Ward 6 East.
Ms. Ellery is a 67-year-old librarian
from Brookfield with worsening dyspnea.
BNP 1840, troponin negative. Seen here
in January by Dr. Anil Deshmukh.

Echo on 03/14: EF 35 %. Hashimoto's
disease is unchanged.

Her daughter Joan Whitcomb (802-555-0148)
will drive her home, and Joan will fill
the pill box.

Dictated by: Priya Natarajan, MD
"""
_JAPANESE = """\
退院時サマリー　　氏名：榊原 多恵子　　ID：00418275

68歳、女性。平成30年4月より労作時の息切れを自覚し、
みどり台クリニックを受診。胸部CTで右下葉に浸潤影を認め、
同年6月12日に当院呼吸器内科へ紹介となった。
橋本病で内服中。CRP 0.3 mg/dL、SpO2 95％（室内気）。

主治医は戸田。長男（健一さん、電話 090-0000-1234）に説明した。
7月2日、軽快退院。
"""
_LEAK = "Joan"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Review]:
    """A review of dummy records with surrogates, in which one name was left readable."""
    folder = tmp_path_factory.mktemp("pictures")
    assert (
        main(
            ["synth", "en", "-n", "9", "--seed", "5", "--to", "text", "-q", "-o", str(folder / "s")]
        )
        == 0
    )
    notes = {file.name: file.read_text("utf-8") for file in sorted((folder / "s").iterdir())}
    notes |= {"discharge-0412.txt": _ENGLISH, "taiin-0087.txt": _JAPANESE}
    (folder / "allow.txt").write_text(f"{_LEAK}\n", "utf-8")
    (folder / "key").write_text("07" * 32 + "\n", "utf-8")
    options = ("--policy", "surrogate", "--key-file", str(folder / "key"))
    originals, masked = masked_notes(folder, notes, *options, "--allow", str(folder / "allow.txt"))
    made = Review([str(masked), "--original", str(originals)], folder / "store.sqlite")
    made.start()
    made.post("/api/reviewers", {"name": made.reviewer})
    for entry in made.get("/api/records", order="file"):
        if entry["name"] not in ("discharge-0412.txt", "taiin-0087.txt"):
            made.decide(entry["id"], "done")
    yield made
    made.kill()
    assert made.problems == []


@pytest.fixture
def picture(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Page, str], None]:
    """Take a picture for the documentation, or only try to."""
    folder = Path(request.config.getoption("--screenshots", default=None) or tmp_path)

    def take(page: Page, name: str) -> None:
        page.evaluate("document.fonts.ready")
        file = folder / f"{name}.png"
        page.screenshot(path=file, animations="disabled")
        assert file.stat().st_size < _LARGEST, f"{name}: too large for the repository"

    return take


def test_pictures_of_the_review_page(
    running: Review, browser: Browser, picture: Callable[[Page, str], None]
) -> None:
    """A leak is marked in the masked text; a Japanese record in dark; the outcome."""
    from playwright.sync_api import expect

    size: ViewportSize = {"width": 1400, "height": 800}
    with browser.new_context(viewport=size, color_scheme="light") as context:
        page = running.open(context, "discharge-0412.txt")
        page.select_option("#order", "file")
        for _ in range(6):
            page.keyboard.press("Enter")
        select_words(page, "masked", _LEAK)
        page.keyboard.press("Space")
        is_saved(page)
        expect(page.locator(".line.masked mark.is-added")).to_have_text(_LEAK)
        picture(page, "review")
        page.keyboard.press("Control+Enter")
        is_shown(page, "taiin-0087.txt")
        page.keyboard.press("Control+Enter")
        is_saved(page)
        page.keyboard.press("Shift+O")
        page.wait_for_selector("#open-sign")
        picture(page, "review-outcome")
    with browser.new_context(viewport=size, color_scheme="dark") as context:
        page = running.open(context, "taiin-0087.txt")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+W")
        page.wait_for_selector("#why p")
        page.locator("#why-button").evaluate("element => element.scrollIntoView()")
        is_saved(page)
        picture(page, "review-ja")
