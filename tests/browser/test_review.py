"""The review page in a real browser, against the running server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.browser.conftest import Review, is_saved, is_shown, masked_notes, select_words

from veil import io

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

_NOTES = {
    "sv": (
        "Inskriven 12/3 2024 på Akademiska sjukhuset. Bengt Åkerlund söker för andfåddhet.\n"
        "Dottern Karin Åkerlund ringde 070-174 06 35 i går.\n"
        "Bedömning: hjärtsvikt. Överläkare Lena Wikström informerad.\n",
        "Patienten Anna Karlsson bor i Gimo och ringde 018-611 00 00 den 4/5 2024.\n"
        "Remiss till Falu lasarett. Kontakt med dr Erik Sundberg.\n",
        "Återbesök 3/6 2024. Siv Holmgren följde med sin man Tage Holmgren från Tierp.\n"
        "Uppföljning hos dr Olle Franzén på Danderyds sjukhus.\n",
    ),
    "ja": (
        "山田太郎さん、72歳、男性。2024年3月12日に東京第一病院を受診。\n"
        "主治医は佐藤花子医師。電話は090-1234-5678。娘の山田恵子さんが同席した。\n",
        "鈴木一郎さんは2024年4月1日に入院した。紹介元は青葉クリニック。\n"
        "担当は高橋健太医師。連絡先は03-1234-5678。\n",
        "2024年5月6日、田中美咲さん（45歳）が来院した。\n"
        "大阪中央病院の伊藤誠医師に紹介した。電話は06-1234-5678。\n",
    ),
}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Three notes in each of two languages, with their masked copies."""
    return {
        language: masked_notes(
            tmp_path_factory.mktemp(language),
            {f"{language}-{number}.txt": text for number, text in enumerate(texts, 1)},
            "--lang",
            language,
        )
        for language, texts in _NOTES.items()
    }


def _is_current(page: Page, words: str) -> None:
    from playwright.sync_api import expect

    expect(page.locator("#what .quote")).to_have_text(words)


def _go_to(page: Page, words: str) -> None:
    """Go to the span with these words by keyboard."""
    for _ in range(60):
        if page.locator("#what .quote").text_content() == words:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError("no such span")


def _key(review: Review, label: str) -> str:
    labels = review.get("/api/project")["labels"]
    key: str = next(one["key"] for one in labels if one["name"] == label)
    return key


def _exported(page: Page, folder: Path) -> dict[str, list[tuple[int, int, str]]]:
    page.keyboard.press("Shift+O")
    page.select_option("#format", "jsonl")
    with page.expect_download() as download:
        page.click("#export")
    file = folder / "export.jsonl"
    download.value.save_as(file)
    return {
        record.document.text: sorted((span.start, span.end, span.label) for span in record.spans)
        for record in io.read(file)
    }


@pytest.mark.parametrize("language", sorted(_NOTES))
def test_three_records_are_reviewed_by_keyboard_and_exported(
    language: str,
    notes: dict[str, tuple[Path, Path]],
    review: Callable[..., Review],
    context: BrowserContext,
    tmp_path: Path,
) -> None:
    """The export contains what was decided by keyboard, also after a reload in the middle."""
    originals, masked = notes[language]
    running = review(masked, "--original", originals)
    page = running.open(context, f"{language}-1.txt")
    page.select_option("#order", "file")
    expected = {}
    for number in range(1, 4):
        name = f"{language}-{number}.txt"
        is_shown(page, name)
        record = running.record(name)
        spans = sorted(record["spans"], key=lambda span: span["start"])
        assert 4 <= len(spans), "the masked notes have spans to decide on"
        page.keyboard.press("Shift+Q")
        page.keyboard.press("Escape")
        # The first is accepted, the second deleted, the third relabelled.
        _is_current(page, record["original"][spans[0]["start"] : spans[0]["end"]])
        page.keyboard.press("Enter")
        page.keyboard.press("Delete")
        page.keyboard.press(_key(running, "ORGANIZATION"))
        if number == 2:
            is_saved(page)
            page.reload()
            is_shown(page, name)
            _is_current(page, record["original"][spans[2]["start"] : spans[2]["end"]])
        # What was missed is selected by caret: the first two characters of the record.
        page.keyboard.press("Shift+C")
        page.keyboard.press("Control+Home")
        page.keyboard.press("Control+End")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press(_key(running, "CITY"))
        is_saved(page)
        length = len(record["original"])
        expected[record["original"]] = sorted(
            [(length - 2, length - 1, "CITY")]
            + [
                (span["start"], span["end"], "ORGANIZATION" if index == 2 else span["label"])
                for index, span in enumerate(spans)
                if index != 1
            ]
        )
        page.keyboard.press("Control+Enter")
    is_saved(page)
    assert all(entry["done"] for entry in running.get("/api/records", order="file"))
    assert _exported(page, tmp_path) == expected


def test_decisions_survive_a_killed_server(
    notes: dict[str, tuple[Path, Path]], review: Callable[..., Review], context: BrowserContext
) -> None:
    """Decisions made while the server is dead wait without text, and are saved when it is back."""
    from playwright.sync_api import expect

    originals, masked = notes["sv"]
    running = review(masked, "--original", originals)
    page = running.open(context, "sv-1.txt")
    before = running.words("sv-1.txt")
    city = _key(running, "CITY")
    page.keyboard.press("Enter")
    is_saved(page)
    running.kill()
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    select_words(page, "original", "andfåddhet")
    page.keyboard.press("Space")
    page.keyboard.press(city)  # the leak that was just added
    expect(page.locator("#saved")).to_contain_text("4 decisions not saved yet")
    kept = page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert all(words not in kept for words, _, _ in before)
    assert "andfåddhet" not in kept
    running.start()
    is_saved(page)
    states = [(words, state) for words, _, state in running.words("sv-1.txt")]
    assert states[:3] == [
        (before[0][0], "accepted"),
        (before[1][0], "accepted"),
        (before[2][0], "deleted"),
    ]
    leak = next(entry for entry in running.words("sv-1.txt") if entry[0] == "andfåddhet")
    assert leak == ("andfåddhet", "CITY", "added")


def test_a_new_page_sends_what_a_closed_one_could_not(
    notes: dict[str, tuple[Path, Path]], review: Callable[..., Review], context: BrowserContext
) -> None:
    """A decision made while the server was dead is saved when the page is opened again."""
    from playwright.sync_api import expect

    originals, masked = notes["ja"]
    running = review(masked, "--original", originals)
    page = running.open(context, "ja-1.txt")
    running.kill()
    page.keyboard.press("Delete")
    expect(page.locator("#saved")).to_contain_text("1 decision not saved yet")
    page.close()
    running.start()
    page = running.open(context, "ja-1.txt")
    expect(page.locator("#record-facts")).to_contain_text("1 wrongly masked")
    is_saved(page)
    assert running.words("ja-1.txt")[0][2] == "deleted"


def test_two_windows_of_one_browser_show_the_same(
    notes: dict[str, tuple[Path, Path]], review: Callable[..., Review], context: BrowserContext
) -> None:
    """A decision in one window appears in the other without a reload."""
    from playwright.sync_api import expect

    originals, masked = notes["sv"]
    running = review(masked, "--original", originals)
    one = running.open(context, "sv-2.txt")
    other = running.open(context, "sv-2.txt")
    one.bring_to_front()
    one.keyboard.press("Delete")
    expect(other.locator("#record-facts")).to_contain_text("1 wrongly masked")
    other.bring_to_front()
    other.keyboard.press("Control+z")
    expect(one.locator("#record-facts")).not_to_contain_text("wrongly masked")


def test_windows_of_two_browsers_never_overwrite_each_other(
    notes: dict[str, tuple[Path, Path]],
    review: Callable[..., Review],
    browser: Browser,
    context: BrowserContext,
) -> None:
    """A decision on another span is applied to the new version, one on the same span is refused."""
    from playwright.sync_api import expect

    originals, masked = notes["sv"]
    running = review(masked, "--original", originals)
    one = running.open(context, "sv-1.txt")
    with browser.new_context() as second:
        other = running.open(second, "sv-1.txt")
        later = running.words("sv-1.txt")[1][0]
        # Both see the same version. One window changes the first span, the other the second one.
        one.keyboard.press("Delete")
        is_saved(one)
        _go_to(other, later)
        other.keyboard.press("Delete")
        is_saved(other)
        states = [state for _, _, state in running.words("sv-1.txt")[:2]]
        assert states == ["deleted", "deleted"]
        # The other window knows that now; the first one does not, and meets the changed span.
        other.keyboard.press("Control+z")
        is_saved(other)
        one.keyboard.press("Control+z")
        expect(one.locator("#message")).to_contain_text("changed in another window")
        expect(one.locator("#record-facts")).to_contain_text("1 wrongly masked")
    states = [state for _, _, state in running.words("sv-1.txt")[:2]]
    assert states == ["deleted", "undecided"]


_EXACT = (
    "grön👨‍👩‍👧‍👦familj",
    "𠮷野屋",
    "Ze\u0301lie",  # e with a combining accent
    "🇸🇪flagga",
    "efter\ttab",
    "葛󠄀城",  # with a variation selector outside the basic plane
    "<img src=x onerror=alert(1)>",
    "sist😀",
)


def test_offsets_are_exact_for_every_character(
    review: Callable[..., Review], context: BrowserContext, tmp_path: Path
) -> None:
    """Emoji, combining marks, CRLF, tabs, markup and rare characters have exact offsets."""
    folder = tmp_path / "notes"
    folder.mkdir()
    text = "Ordlista 😀 utan personer 🩺\r\n" + "".join(
        f"\r\nord nummer {'😀' * number}: {words} och mer text\r\n"
        for number, words in enumerate(_EXACT)
    )
    (folder / "exact.txt").write_bytes(text.encode())
    running = review(folder, "--lang", "sv")
    page = running.open(context, "exact")
    for words in _EXACT:
        select_words(page, "original", words)
        page.keyboard.press("Space")
        is_saved(page)
    added = {words for words, _, state in running.words("exact") if state != "undecided"}
    assert set(_EXACT) <= added
    assert page.locator(".text img").count() == 0


def test_a_leak_is_marked_in_the_masked_text_with_the_mouse(
    notes: dict[str, tuple[Path, Path]], review: Callable[..., Review], context: BrowserContext
) -> None:
    """Words that are dragged over on the masked side are a leak at their place in the original."""
    from playwright.sync_api import expect

    originals, masked = notes["sv"]
    running = review(masked, "--original", originals)
    page = running.open(context, "sv-1.txt")
    select_words(page, "masked", "hjärtsvikt")
    box = page.evaluate(
        """() => { const r = getSelection().getRangeAt(0).getBoundingClientRect();
        getSelection().removeAllRanges(); return [r.left, r.right, (r.top + r.bottom) / 2]; }"""
    )
    page.mouse.move(box[0] + 1, box[2])
    page.mouse.down()
    page.mouse.move(box[1] - 1, box[2], steps=4)
    page.mouse.up()
    expect(page.locator("#what .quote")).to_have_text("hjärtsvikt")
    page.locator("#floating").get_by_role("button", name="Mark as leak").click()
    is_saved(page)
    assert ("hjärtsvikt", "added") in {
        (words, state) for words, _, state in running.words("sv-1.txt")
    }
    expect(page.locator(".line.masked mark.is-added")).to_have_text("hjärtsvikt")
    assert running.get("/api/outcome")["leaks"] <= 1


def test_extent_equal_mentions_undo_and_redo(
    review: Callable[..., Review], context: BrowserContext, tmp_path: Path
) -> None:
    """A span grows and shrinks by words, equal mentions follow, and all can be undone."""
    from playwright.sync_api import expect

    folder = tmp_path / "notes"
    folder.mkdir()
    line = "今日は天気が良いので散歩しました。"
    (folder / "ja.txt").write_text(line * 3 + "\n", "utf-8")
    running = review(folder, "--lang", "ja")
    page = running.open(context, "ja")
    select_words(page, "original", "天気")
    page.keyboard.press("Space")
    _is_current(page, "天気")
    page.keyboard.press("Shift+ArrowRight")
    _is_current(page, "天気が")
    page.keyboard.press("Control+Shift+ArrowLeft")
    _is_current(page, "は天気が")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Control+Shift+ArrowRight")
    _is_current(page, "天気")
    page.keyboard.press("Shift+A")
    expect(page.locator("#record-facts")).to_contain_text("3 added")
    is_saved(page)
    page.keyboard.press("Control+z")
    expect(page.locator("#record-facts")).to_contain_text("1 added")
    page.keyboard.press("Control+y")
    expect(page.locator("#record-facts")).to_contain_text("3 added")
    is_saved(page)
    assert [words for words, _, state in running.words("ja") if state == "added"] == ["天気"] * 3


def test_a_decision_in_a_long_record_draws_one_line(
    review: Callable[..., Review], context: BrowserContext, tmp_path: Path
) -> None:
    """In a record of 200,000 characters, with a line of 40,000, a decision draws one row again."""
    folder = tmp_path / "notes"
    folder.mkdir()
    text = "ord utan person " * 2500 + "\n" + "Patienten mår bra idag.\n" * 7000
    (folder / "long.txt").write_text(text, "utf-8")
    running = review(folder, "--lang", "sv")
    page = running.open(context, "long")
    assert page.evaluate(
        "[...document.querySelectorAll('.line')].map(e => e.textContent).join('')"
    ) == (text.replace("\n", ""))
    page.evaluate(
        """() => { window.drawn = new Set(); new MutationObserver((all) => {
            for (const one of all) {
                const line = one.target.closest?.('.line');
                if (line && one.type === 'childList') window.drawn.add(line.dataset.row);
            } }).observe(document.getElementById('text'), { childList: true, subtree: true }); }"""
    )
    select_words(page, "original", "idag")
    page.keyboard.press("Space")
    is_saved(page)
    page.wait_for_selector("mark.is-added")
    assert page.evaluate("window.drawn.size") == 1
    assert [words for words, _, state in running.words("long") if state == "added"] == ["idag"]


def test_differences_are_decided_and_the_outcome_is_signed(
    notes: dict[str, tuple[Path, Path]],
    review: Callable[..., Review],
    browser: Browser,
    context: BrowserContext,
) -> None:
    """Two people read alone, a third decides where they differ and signs, all by keyboard."""
    from playwright.sync_api import expect

    originals, masked = notes["ja"]
    running = review(masked, "--original", originals, "--double")
    for name, decision in (("Anna Berg", "Enter"), ("Bo Ek", "Delete")):
        with browser.new_context() as other:
            page = running.open(other, "ja-1.txt", name)
            page.keyboard.press(decision)
            for last in (False, False, True):
                shown = page.locator("#record-name").text_content() or ""
                page.keyboard.press("Control+Enter")
                if not last:
                    expect(page.locator("#record-name")).not_to_have_text(shown)
                is_saved(page)
    page = running.open(context, "ja-1.txt", "Chris Dahl")
    page.keyboard.press("Shift+X")
    entries = page.locator(".conflicts > li")
    expect(entries).to_have_count(1)
    expect(entries.first).to_be_focused()
    page.keyboard.press("1")
    expect(page.locator(".conflicts > li.decided")).to_have_count(1)
    page.keyboard.press("Shift+O")
    page.wait_for_selector("#open-sign")
    page.locator("#open-sign").press("Enter")
    page.fill("#sign-role", "data protection officer")
    page.locator("#sign-role").press("Enter")
    link = page.locator("#statements a")
    expect(link).to_have_text("Statement 1")
    with context.expect_page() as opened:
        link.press("Enter")
    expect(opened.value.locator("body")).to_contain_text("Chris Dahl")


def test_single_keys_can_be_switched_off(
    notes: dict[str, tuple[Path, Path]], review: Callable[..., Review], context: BrowserContext
) -> None:
    """Somebody who dictates can switch off keys without Ctrl (WCAG 2.1.4)."""
    from playwright.sync_api import expect

    originals, masked = notes["sv"]
    running = review(masked, "--original", originals)
    page = running.open(context, "sv-1.txt")
    page.keyboard.press("?")
    page.locator("#single-keys").press("Space")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    label = running.words("sv-1.txt")[0][1]
    page.keyboard.press(_key(running, "URL"))
    page.keyboard.press("Control+Enter")
    is_saved(page)
    assert running.words("sv-1.txt")[0][1:] == (label, "undecided")
    assert running.record("sv-1.txt")["done"]


def test_the_address_chooses_the_order(
    notes: dict[str, tuple[Path, Path]], review: Callable[..., Review], context: BrowserContext
) -> None:
    """The order in the address holds until another one is chosen, which a reload keeps."""
    from playwright.sync_api import expect

    originals, masked = notes["ja"]
    running = review(masked, "--original", originals)
    running.address += "&order=uncertain"
    page = running.open(context)
    expect(page.locator("#order")).to_have_value("uncertain")
    page.select_option("#order", "file")
    expect(page.locator("#announcer")).to_contain_text("Order:")
    page.reload()
    expect(page.locator("#order")).to_have_value("file")


def test_a_page_without_its_token_shows_nothing(
    notes: dict[str, tuple[Path, Path]], review: Callable[..., Review], context: BrowserContext
) -> None:
    """Without the token the page says what to do, and has no text of a record."""
    from playwright.sync_api import expect

    originals, masked = notes["sv"]
    running = review(masked, "--original", originals)
    for address in (f"http://127.0.0.1:{running.port}/", running.address + "-wrong"):
        page = context.new_page()
        page.goto(address)
        expect(page.locator("#message")).to_contain_text("needs its token")
        assert "token" not in page.url
        assert page.locator(".line").count() == 0
