"""A browser, and the server of the review page as a process that can be killed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import pytest
from tests.requirements import needs

from veil.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

TOKEN = "token-of-a-test"  # noqa: S105
REVIEWER = "Anna Berg"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the tests write the pictures of the documentation."""
    parser.addoption("--screenshots", metavar="FOLDER", help="write pictures of pages to FOLDER")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of the system."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        needs("the browser Chromium")
    try:
        from playwright.sync_api import expect, sync_playwright
    except ModuleNotFoundError:
        needs("playwright: pip install 'veil-deid[ci]'")
    expect.set_options(timeout=90_000)  # a busy machine is no error
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@dataclass
class Review:
    """A review that runs as a process."""

    arguments: list[str]
    store: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None
    address: str = ""
    reviewer: str = REVIEWER
    problems: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Start the server, and wait for its address; after a kill on the same port."""
        command = [sys.executable, "-m", "veil", "review", *self.arguments]
        self.process = subprocess.Popen(
            [*command, "--store", str(self.store), "--port", str(self.port)],
            env={**os.environ, "VEIL_REVIEW_TOKEN": TOKEN, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), "the server did not start"
        self.port = int(self.address.split(":")[2].split("/")[0])

    def kill(self) -> None:
        """End the server without a chance to tidy up."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def get(self, path: str, **query: object) -> Any:
        """What the server answers, asked apart from the page."""
        query = {"reviewer": self.reviewer, **query}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}?{urlencode(query)}",
            headers={"Authorization": f"Bearer {TOKEN}"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
            return json.load(answer)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send a request apart from the page."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}?{urlencode({'reviewer': self.reviewer})}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
            return json.load(answer)

    def decide(self, record: int, action: str, **values: object) -> None:
        """Make a decision apart from the page."""
        version = self.get(f"/api/records/{record}")["version"]
        tab = f"{self.reviewer} {record} {action}"
        body = {"tab": tab, "number": version, "version": version, "action": action, **values}
        self.post(f"/api/records/{record}/decisions", body)

    def record(self, name: str) -> dict[str, Any]:
        """A record by its name."""
        listed = self.get("/api/records", order="file")
        number = next(entry["id"] for entry in listed if entry["name"] == name)
        record: dict[str, Any] = self.get(f"/api/records/{number}")
        return record

    def words(self, name: str) -> list[tuple[str, str, str]]:
        """Words, label and state of each span of a record, in the order of the text."""
        record = self.record(name)
        spans = sorted(record["spans"], key=lambda span: (span["start"], span["end"]))
        return [
            (record["original"][span["start"] : span["end"]], span["label"], span["state"])
            for span in spans
        ]

    def open(
        self, context: BrowserContext, record: str | None = None, reviewer: str | None = None
    ) -> Page:
        """Open the page, say who reviews if it asks, and wait for a record."""
        page = context.new_page()
        page.set_default_timeout(90_000)
        page.on(
            "console",
            lambda message: (
                self.problems.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
                else None
            ),
        )
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(self.address + (f"#record={quote(record)}" if record else ""))
        page.wait_for_selector("#who[open], .line")
        if page.locator("#who[open]").count():
            page.fill("#who-name", reviewer or self.reviewer)
            page.keyboard.press("Enter")
        page.wait_for_selector(".line")
        if record:
            is_shown(page, record)
        return page


def is_shown(page: Page, record: str) -> None:
    """Wait until a record is shown."""
    from playwright.sync_api import expect

    expect(page.locator("#record-name")).to_have_text(record)


def is_saved(page: Page) -> None:
    """Wait until the server has confirmed all decisions."""
    from playwright.sync_api import expect

    expect(page.locator("#saved")).to_have_attribute("data-state", "saved")
    expect(page.locator("#saved")).to_have_text("All decisions saved")


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Callable[..., Review]]:
    """Start reviews; afterwards no page may have reported an error."""
    started: list[Review] = []

    def start(*arguments: object) -> Review:
        store = tmp_path / f"review-{len(started)}.sqlite"
        made = Review([str(argument) for argument in arguments], store)
        made.start()
        started.append(made)
        return made

    yield start
    for one in started:
        one.kill()
        assert one.problems == []


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser without memory of other tests."""
    context = browser.new_context(
        viewport={"width": 1366, "height": 820}, locale="en-GB", accept_downloads=True
    )
    context.set_default_timeout(90_000)
    yield context
    context.close()


def masked_notes(folder: Path, notes: dict[str, str], *options: str) -> tuple[Path, Path]:
    """Write notes and mask them: the folders of the originals and of the masked copies."""
    originals, masked = folder / "notes", folder / "masked"
    originals.mkdir(parents=True)
    for name, text in notes.items():
        (originals / name).write_bytes(text.encode())
    assert main(["mask", str(originals), "-o", str(masked), "--quiet", *options]) == 0
    return originals, masked


def select_words(page: Page, side: str, words: str) -> None:
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
