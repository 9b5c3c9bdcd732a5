"""Office files: zip packages with parts, opened with limits and rewritten part by part."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import RecordError
from veil.io.files import settle
from veil.io.xml_raw import XmlError, decode_xml, parse_xml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from veil.core.encodings import Decoded
    from veil.io.base import Item
    from veil.io.xml_raw import XmlSource

CONTENT_TYPES = "[Content_Types].xml"
_MOST_PARTS = 10_000
_LARGEST_PART = 1 << 28
_LARGEST = 1 << 30
# The largest ratio of unpacked to packed size; small files of mostly blanks may exceed it.
_MOST_EXPANSION = 200
_SMALL = 1 << 24
_CHUNK = 1 << 20
_START = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_UNSAFE_NAME = re.compile(r"(?:^|/)\.\.(?:/|$)|^/|\\|\0|^[A-Za-z]:")
_EXTERNAL = "External"


class Part(NamedTuple):
    """An XML part and its encoding."""

    name: str
    decoded: Decoded
    xml: XmlSource


class Package:
    """An office file, opened safely; macros, signatures and external references are errors.

    `links` are the types of external references that are allowed.
    """

    def __init__(self, file: Path, *, links: Sequence[str] = ("hyperlink",)) -> None:
        self.file = file
        self._check_start()
        try:
            self._zip = zipfile.ZipFile(file)
            self._infos = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
            raise self.error("a damaged zip archive, or not a zip archive") from None
        try:
            self._check()
            self._check_parts(links)
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Package:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    def error(self, reason: str) -> RecordError:
        return RecordError(reason, path=self.file)

    @property
    def names(self) -> list[str]:
        return [info.filename for info in self._infos if not info.is_dir()]

    def read(self, name: str) -> bytes:
        """The bytes of a part, at most the size that its entry declares."""
        try:
            with self._zip.open(name) as part:
                data = part.read(_LARGEST_PART + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
            raise self.error("a damaged part in the zip archive") from None
        if _LARGEST_PART < len(data):
            raise self.error("a part that unpacks to more than 256 MB")
        return data

    def xml(self, name: str) -> Part:
        """An XML part."""
        try:
            decoded = decode_xml(self.read(name))
            return Part(name, decoded, parse_xml(decoded.text))
        except XmlError as error:
            raise self.error(f"a part with {error}") from None

    def write(self, target: Path, changed: Mapping[str, bytes]) -> int:
        """Write the package with new bytes in some parts; return the size.

        The order and compression of parts stay; comments and extra fields of entries are left out.
        """
        with target.open("wb") as output:
            with zipfile.ZipFile(output, "w") as written:
                for info in self._infos:
                    entry = zipfile.ZipInfo(info.filename, info.date_time)
                    entry.compress_type = info.compress_type
                    entry.external_attr = info.external_attr
                    entry.create_system = info.create_system
                    if info.is_dir():
                        written.writestr(entry, b"")
                        continue
                    data = changed.get(info.filename)
                    written.writestr(entry, self.read(info.filename) if data is None else data)
            return settle(output)

    def _check_start(self) -> None:
        with self.file.open("rb") as source:
            start = source.read(8)
        if start.startswith(_OLE):
            raise self.error(
                "encrypted, or in the older binary format; open it and save it without a password "
                "in the current format"
            )
        if not start.startswith(_START):
            raise self.error("not a zip archive, as office files are")

    def _check(self) -> None:
        infos = self._infos
        if len(infos) > _MOST_PARTS:
            raise self.error(f"more than {_MOST_PARTS} parts in the zip archive")
        size = sum(info.file_size for info in infos)
        packed = self.file.stat().st_size
        if any(info.file_size > _LARGEST_PART for info in infos) or size > _LARGEST:
            raise self.error("a zip archive that is too large when unpacked")
        if size > _SMALL and size > _MOST_EXPANSION * packed:
            raise self.error("a zip archive that is too large when unpacked")
        names = [info.filename.casefold() for info in infos]
        if len(set(names)) < len(names):
            raise self.error("a zip archive with two parts of the same name")
        if any(_UNSAFE_NAME.search(info.filename) for info in infos):
            raise self.error("a zip archive with a part outside of it")
        if any(info.flag_bits & 1 for info in infos):
            raise self.error("an encrypted zip archive")
        if any(
            info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in infos
        ):
            raise self.error("a zip archive with an unusual compression")

    def _check_parts(self, links: Sequence[str]) -> None:
        if CONTENT_TYPES not in self.names:
            raise self.error("a zip archive that is not an office file")
        types = self.read(CONTENT_TYPES).lower()
        lowered = [name.lower() for name in self.names]
        if (
            b"macroenabled" in types
            or b"vbaproject" in types
            or any("vba" in name.rpartition("/")[2] for name in lowered)
        ):
            raise self.error("a file with macros; save it without them first")
        if any(name.startswith("_xmlsignatures/") for name in lowered):
            raise self.error(
                "a signed file, whose signature would be invalid; remove the signature first"
            )
        for name in self.names:
            if name.endswith(".rels"):
                self._check_relationships(name, links)

    def _check_relationships(self, name: str, links: Sequence[str]) -> None:
        for each in self.xml(name).xml.root.elements:
            kind = each.get("Type").rpartition("/")[2]
            if each.get("TargetMode") == _EXTERNAL and kind not in links:
                raise self.error(
                    "a reference to an external file (a linked picture, template or object); "
                    "embed it or remove it first"
                )


class PackageWriter(AbstractContextManager["PackageWriter"]):
    """Writes a package with its only item; the payload has the changed parts."""

    def __init__(
        self, source: Path, target: Path, *, links: Sequence[str] = ("hyperlink",)
    ) -> None:
        self._source, self._target = source, target
        self._links = links
        self._size = 0
        target.unlink(missing_ok=True)

    def write(self, item: Item, texts: Sequence[str]) -> None:
        changed = item.payload.parts(texts)
        with Package(self._source, links=self._links) as package:
            self._size = package.write(self._target, changed)

    def flush(self) -> int:
        return self._size

    def __exit__(self, *_: object) -> None:
        return None


def blank_picture(name: str) -> bytes:
    """A picture of one pixel of the same kind; empty bytes if Veil has none."""
    suffix = name.rpartition(".")[2].lower()
    if suffix == "png":
        return _PNG
    if suffix in ("jpg", "jpeg", "jpe", "jfif"):
        return _JPEG
    if suffix == "gif":
        return _GIF
    if suffix == "svg":
        return b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    return b""


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


_PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _png_chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + _png_chunk(b"IDAT", zlib.compress(b"\0\xff"))
    + _png_chunk(b"IEND", b"")
)
_GIF = bytes.fromhex(
    "47494638396101000100800000ffffff00000021f90400000000002c00000000010001000002024401003b"
)
_JPEG = bytes.fromhex(
    "ffd8ffdb00430001010101010101010101010101010101010101010101010101010101010101010101010101010101"
    "01010101010101010101010101010101010101010101010101ffc0000b080001000101011100ffc4001f0000010501"
    "010101010100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d0102"
    "0300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a2526272829"
    "2a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a83848586878889"
    "8a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1"
    "e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffda0008010100003f00d2cf20ffd9"
)
