"""A masked folder beside its original, and a review of it that tests may change."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from veil import mask_files
from veil.replace.secret import Key
from veil.review.files import open_project
from veil.review.source import ReviewSource

if TYPE_CHECKING:
    from pathlib import Path

    from veil.review.project import Project

NOTES = {
    "a/sv-1.txt": (
        "Patient: Anna Öhman, 19430708-6233.\nInlagd 3 maj 2021 på Karolinska.\n"
        "Anna Öhman mår bra 😀 idag. Ring 070-123 45 67.\nDr Erik Lind, Linköping\n"
    ),
    "a/sv-2.txt": "Pat Karl Berg söker för hosta.\r\nKarl Berg bor i Umeå, tel 08-123 456 78.\r\n",
    "ja-1.txt": "患者：山田太郎、63歳。\n2021年5月3日に東京病院へ入院。𠮷田医師が担当。\n",
    "en-1.txt": "Mr. John Okafor was seen on 3 May 2021 by Dr. Mary Smith in Boston.\n",
    "en-2.txt": "The patient felt well. BP 120/80.\nThe Glasgow score was 15.\n",
}
KEY = Key(b"a key of tests, which is no secret.")


@dataclass(frozen=True)
class Folder:
    """The paths of an audit: originals, masked output, store and key."""

    original: Path
    masked: Path
    store: Path
    key: Path

    def source(self) -> ReviewSource:
        return ReviewSource(self.masked, (self.original,))

    def open(self) -> Project:
        return open_project(self.source(), self.store)


def _folder(root: Path) -> Folder:
    return Folder(
        root / "notes", root / "masked", root / "masked.veil-review.sqlite", root / "my.key"
    )


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """An audit that was just begun; it is only read."""
    folder = _folder(tmp_path_factory.mktemp("audit"))
    for name, text in NOTES.items():
        file = folder.original / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    folder.key.write_bytes(b"a key of tests, which is no secret.")
    mask_files(folder.original, folder.masked, policy="surrogate", key=KEY)
    with closing(folder.open().store):
        pass
    return folder


@pytest.fixture
def audit(begun: Folder, tmp_path: Path) -> Folder:
    """A copy of an audit that was just begun."""
    root = tmp_path / "audit"
    shutil.copytree(begun.original.parent, root)
    return _folder(root)
