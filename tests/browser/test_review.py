"""The review page in a real browser, against the running server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.browser.conftest import Review, is_saved, is_shown

from veil import io
from veil.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

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


def _masked(folder: Path, notes: dict[str, str], *options: str) -> tuple[Path, Path]:
    originals, masked = folder / "notes", folder / "masked"
    originals.mkdir(parents=True)
    for name, text in notes.items():
        (originals / name).write_bytes(text.encode())
    assert main(["mask", str(originals), "-o", str(masked), "--quiet", *options]) == 0
    return originals, masked


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Three notes in each of two languages, with their masked copies."""
    return {
        language: _masked(
            tmp_path_factory.mktemp(language),
            {f"{language}-{number}.txt": text for number, text in enumerate(texts, 1)},
            "--lang",
            language,
        )
        for language, texts in _NOTES.items()
    }


def _select(page: Page, side: str, words: str) -> None:
    """Select the first mention of words on one side, as a mouse would."""
    page.evaluate(
        """([side, words]) => {
            for (const line of document.querySelectorAll(`.line.${side}`)) {
                const at = line.textContent.indexOf(words);
                if (at < 0) continue;
                const place = (offset) => {
                    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
                    while (walker.nextNode()) {
                        const node = walker.currentNode;
                        if (offset <= node.length) return [node, offset];
                        offset -= node.length;
                    }
                };
                getSelection().setBaseAndExtent(...place(at), ...place(at + words.length));
                return;
            }
            throw new Error("not on the page");
        }""",
        [side, words],
    )


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
