from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import pytest

from veil import Document, RecordError
from veil.io import FORMATS, TableOptions

if TYPE_CHECKING:
    from pathlib import Path

Change = Callable[[Document], str]


class Written(NamedTuple):
    """What a format made of a file: its bytes, the documents in it, and the errors."""

    data: bytes
    documents: dict[str, Document]
    errors: list[RecordError]

    @property
    def text(self) -> str:
        return self.data.decode("utf-8")

    @property
    def texts(self) -> dict[str, str]:
        return {name: doc.text for name, doc in self.documents.items()}


Rewrite = Callable[..., Written]


@pytest.fixture
def rewrite(tmp_path: Path) -> Rewrite:
    """Write a file with its texts changed, or as they are."""

    def rewrite(
        name: str,
        data: str | bytes,
        change: Change = lambda doc: doc.text,
        *,
        file: str = "notes.x",
        options: TableOptions | None = None,
    ) -> Written:
        file_format = FORMATS.get(name)
        options = options or TableOptions()
        source, target = tmp_path / file, tmp_path / "target"
        source.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        documents: dict[str, Document] = {}
        errors = []
        with file_format.writer(source, target, options) as writer:
            for item in file_format.items(source, options):
                if isinstance(item, RecordError):
                    errors.append(item)
                    continue
                documents.update({doc.id: doc for doc in item.documents})
                writer.write(item, [change(doc) for doc in item.documents])
        return Written(target.read_bytes() if target.exists() else b"", documents, errors)

    return rewrite
