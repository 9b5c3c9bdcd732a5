"""Attachments that are not what they say: they are masked as what they are, or withheld."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from veil import RecordError
from veil.io import FORMATS, TableOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Attach = Callable[..., tuple[dict[str, Any], list[str], list[str]]]

TEXTS = {
    "ja": "患者は山田太郎さん、63歳。7月2日に入院した。CTで異常なし。",
    "sv": "Åsa Sjöberg är 73 år och bor på Östra vägen i Malmö.",
    "es": "José Pérez Núñez, de 53 años, vive en Cádiz. ¿Alérgico? Sí.",
}
ENCODINGS = {
    "ja": ("utf-8", "utf-16-le", "utf-16-be", "shift_jis", "euc_jp", "iso2022_jp"),
    "sv": ("utf-8", "utf-16-le", "latin-1", "cp1252", "mac_roman", "cp850"),
    "es": ("utf-8", "utf-16-le", "latin-1", "cp1252", "mac_roman", "cp850"),
}
LABELS = (
    "utf-8 utf-16 utf-16le utf-16be utf-32 iso-8859-1 iso-8859-15 windows-1252 us-ascii shift_jis"
    " euc-jp iso-2022-jp koi8-r cp037 big5 utf-7 macintosh"
).split()


@pytest.fixture
def attach(tmp_path: Path) -> Attach:
    """Write an attachment with 山田 replaced: what is written, its texts, and the errors."""
    file_format, options = FORMATS.get("fhir-ndjson"), TableOptions()

    def attach(**attachment: Any) -> tuple[dict[str, Any], list[str], list[str]]:
        source, target = tmp_path / "a.ndjson", tmp_path / "b.ndjson"
        content = [{"attachment": attachment}]
        resource = {"resourceType": "DocumentReference", "id": "d", "content": content}
        source.write_text(json.dumps(resource), "utf-8")
        texts, errors = [], []
        with file_format.writer(source, target, options) as writer:
            for item in file_format.items(source, options):
                if isinstance(item, RecordError):
                    errors.append(str(item))
                    continue
                texts += [doc.text for doc in item.documents]
                writer.write(item, [doc.text.replace("山田", "川上") for doc in item.documents])
        written = json.loads(target.read_text("utf-8"))
        return written["content"][0]["attachment"], texts, errors

    return attach


def coded(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("label", LABELS)
def test_encodings_are_verified(attach: Attach, language: str, label: str) -> None:
    """A text is searched as what it is, or the attachment is withheld, whatever its label says."""
    text = TEXTS[language]
    for encoding in ENCODINGS[language]:
        made, texts, errors = attach(
            contentType=f"text/plain; charset={label}",
            data=coded(text.encode(encoding)),
            size=1,
            hash=coded(b"1"),
        )
        if texts:
            assert texts == [text]
        else:
            assert made.keys() == {"contentType", "_data"}
            assert len(errors) == 1


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        ("utf-8", "utf-8"),
        ("UTF-8", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16le", "utf-16-le"),
        ("UTF-16BE", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("shift_jis", "shift_jis"),
        ("EUC-JP", "euc_jp"),
        ("iso-2022-jp", "iso2022_jp"),
    ],
)
def test_right_encodings_are_kept(attach: Attach, label: str, encoding: str) -> None:
    """A text in its declared encoding is masked in it; size and hash follow."""
    kind = f"text/plain; charset={label}"
    made, texts, errors = attach(
        contentType=kind, data=coded(TEXTS["ja"].encode(encoding)), size=1, hash=coded(b"1")
    )
    new = TEXTS["ja"].replace("山田", "川上").encode(encoding)
    assert (texts, errors) == ([TEXTS["ja"]], [])
    assert made == {
        "contentType": kind,
        "data": coded(new),
        "size": len(new),
        "hash": coded(hashlib.sha1(new).digest()),  # noqa: S324 - FHIR says so
    }


@pytest.mark.parametrize(
    "data",
    [
        TEXTS["ja"].encode().decode("latin-1").encode(),
        TEXTS["sv"].encode().decode("cp1252", "replace").encode(),
        TEXTS["ja"].encode("utf-16"),
        b"\xef\xbb\xbf" + TEXTS["ja"].encode("utf-16-le"),
        b"\xff\xfe" + TEXTS["ja"].encode(),
        TEXTS["ja"].encode("utf-16-le").replace(b"\0", b"\1"),
        b"{\\rtf1 \\u23665?\\u30000?}",
        b"%PDF-1.4 1 0 obj",
        gzip.compress(b"Zebrowski"),
    ],
)
def test_what_is_no_text_is_withheld(attach: Attach, data: bytes) -> None:
    """Text that was encoded twice, marks that contradict the label, and other formats."""
    made, texts, errors = attach(contentType="text/plain; charset=utf-8", data=coded(data))
    assert made.keys() == {"contentType", "_data"}
    assert texts == []
    assert len(errors) == 1


@pytest.mark.parametrize(
    "attachment",
    [
        {"data": coded(b"Zebrowski")},
        {"contentType": "application/octet-stream", "data": coded(b"Zebrowski")},
        {"contentType": "text/plain", "data": coded(b"Zebrowski???").replace("/", "_")},
        {"contentType": "text/plain", "data": coded(b"Zebrowski 1").rstrip("=")},
        {"contentType": "text/plain", "data": [coded(b"Zebrowski")]},
        {"contentType": "text/plain", "data": {"data": coded(b"Zebrowski")}},
        {"contentType": "text/plain", "data": 123456},
        {"contentType": ["text/plain"], "data": coded(b"Zebrowski")},
        {"contentType": "text/plain; charset=utf-8; charset=utf-16", "data": coded(b"Zebrowski")},
        {"contentType": "zebrowski/zebrowski", "data": coded(b"Zebrowski")},
    ],
)
def test_other_forms_are_withheld(attach: Attach, attachment: dict[str, Any]) -> None:
    """Data without a type, or in another form than base64, are taken out and reported."""
    made, texts, errors = attach(**attachment)
    assert "data" not in made
    assert texts == []
    assert errors
    assert not any("zebrowski" in error.lower() for error in errors)


def test_line_breaks_in_base64(attach: Attach) -> None:
    """Base64 in lines is read."""
    data = base64.encodebytes(TEXTS["ja"].encode()).decode()
    made, texts, _ = attach(contentType="text/plain", data=data)
    assert texts == [TEXTS["ja"]]
    assert "川上" in base64.b64decode(made["data"]).decode()
