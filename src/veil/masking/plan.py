"""The plan of a run: where each file is written, checks of the paths, and hashes of files.

The hash of an input file is keyed, since a plain one would confirm guesses about its content.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.io import files_below, hidden_below, masked_name
from veil.masking.file_names import keyed_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from veil.replace.secret import Key


WORK = ".veil-mask"
REPORT = "veil-report"
_PARTS = "parts"


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file to mask.

    `path` is its path below the output folder, `name` its path below what the user named, and
    `record` the id of its record, if it contains one.
    """

    source: Path
    path: str
    name: str
    record: str
    size: int
    changed: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The number and size of all files, and a digest that changes when any file changes."""

    files: int
    size: int
    digest: str


@dataclass(frozen=True)
class Plan:
    """The files and folders to mask, and where the output goes.

    `alone` is the name of the output file if a single file is masked to a single file. With a
    `naming_key` files and folders get keyed names.
    """

    sources: tuple[Path, ...]
    folder: Path
    alone: str | None = None
    naming_key: Key | None = None

    def renamed(self, key: Key) -> Plan:
        """The same plan with keyed names of files and folders."""
        if self.alone:
            raise InputError(
                f"{self.output}: --rename needs a folder as output, not the name of a file"
            )
        return replace(self, naming_key=key)

    @cached_property
    def work(self) -> Path:
        """The folder of incomplete files, which exists during the run."""
        return self.folder / (f".{self.alone}{WORK}" if self.alone else WORK)

    @property
    def output(self) -> Path:
        """The output as the user named it."""
        return self.folder / self.alone if self.alone else self.folder

    def part(self, path: str) -> Path:
        """The path of a file until it is complete; its name does not depend on other files."""
        return self.work.joinpath(_PARTS, hashlib.sha256(os.fsencode(path)).hexdigest())

    def report(self, suffix: str) -> Path:
        """The path of the report with this suffix: .json or .html."""
        return self.folder / f"{f'{self.alone}.' if self.alone else ''}{REPORT}{suffix}"

    def files(self) -> Iterator[PlannedFile]:
        """Yield the files to mask, in the same order on every machine."""
        for source in self.sources:
            yield from self._files_of(source)

    def _files_of(self, source: Path) -> Iterator[PlannedFile]:
        below = f"{source}{os.sep}"
        for file in files_below(source, ""):
            # The usual case; `relative_to` takes as long as reading a small file.
            if str(file).startswith(below):
                name = str(file)[len(below) :]
            else:
                name = file.name if file == source else str(file.relative_to(source))
            try:
                status = file.stat()
                size, changed = status.st_size, status.st_mtime_ns
            except OSError:  # it is withheld when it cannot be read
                size = changed = 0
            if self.naming_key:
                # The name itself must not appear in a report or an id either.
                shown = keyed_name(self.naming_key, name, file.suffix)
                record = shown.removesuffix(file.suffix.lower())
                path = masked_name(shown)
            else:
                shown, record = name, name.removesuffix(file.suffix)
                path = self.alone or masked_name(name)
            yield PlannedFile(file, path, shown, record, size, changed)

    def hidden(self) -> Iterator[str]:
        """Yield the hidden files and folders that are skipped, a folder with a slash at its end."""
        for source in self.sources:
            for path in hidden_below(source):
                yield path.relative_to(source).as_posix() + "/" * path.is_dir()

    def survey(self) -> Survey:
        """Go through all files once, without reading them.

        Files that would collide, or be written outside the output, are refused.
        """
        taken = {self.report(suffix).name for suffix in (".json", ".html")}
        count = size = 0
        digest = hashlib.sha256()
        check_below(self.work, self.folder)
        checked = None
        for number, source in enumerate(self.sources):
            for file in self._files_of(source):
                if file.path in taken:
                    raise InputError(
                        f"{file.source}: the report would have this name; move or rename the file"
                    )
                for earlier in self.sources[:number]:
                    _check_free(file, earlier)
                if not self.alone and file.path != file.name and (source / file.path).is_file():
                    raise InputError(
                        f"{file.source} and {source / file.path} would both become {file.path}; "
                        "mask them in two runs"
                    )
                target = self.folder / file.path
                if target.parent != checked:  # files come folder by folder
                    check_below(target.parent, self.folder)
                    checked = target.parent
                if is_folder(target) and file.source.is_file():
                    raise InputError(
                        f"{target}: is a folder, but a file must be written there; move it away"
                    )
                count += 1
                size += file.size
                digest.update(
                    f"{file.path}\0{file.size}\0{file.changed}\n".encode(errors="backslashreplace")
                )
        if not count:
            named = ", ".join(map(str, self.sources))
            hidden = sum(1 for _ in self.hidden())
            skipped = f"; {hidden} hidden file(s) or folder(s) were skipped" if hidden else ""
            raise InputError(f"{named}: no file to mask{skipped}")
        return Survey(count, size, digest.hexdigest())


def _check_free(file: PlannedFile, earlier: Path) -> None:
    """Refuse a file that an earlier source has at the same path of the output."""
    other = earlier if earlier.is_file() else earlier / file.path
    if (earlier.is_dir() or earlier.name == file.path) and other.is_file():
        raise InputError(
            f"{other} and {file.source} would both become {file.path}; mask them in two runs"
        )


def is_folder(path: Path) -> bool:
    """Whether a path is a folder and not a link to one."""
    return path.is_dir() and not path.is_symlink()


def check_below(folder: Path, output: Path) -> None:
    """Refuse a folder of the output that lies elsewhere, perhaps in the input, or is a file."""
    if folder.resolve() != output.resolve() / folder.relative_to(output):
        raise InputError(f"{folder}: is a link in the output to another folder; remove the link")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file, but a folder must be written there; move it away")


def make_plan(sources: Sequence[Path], target: Path, *, as_folder: bool = False) -> Plan:
    """Make the plan; a single file is masked to the file `target`, unless that is a folder."""
    for source in sources:
        if not source.exists():
            raise InputError(f"{source}: no such file or folder")
    _check_apart(sources)
    for source in sources:
        _check_outside(source, target)
    if len(sources) == 1 and sources[0].is_file() and not as_folder and not target.is_dir():
        _check_rights(target.parent)
        wanted = masked_name(sources[0].name)
        if wanted != sources[0].name and masked_name(target.name) != target.name:
            raise InputError(
                f"{target}: a {sources[0].suffix} file is masked to text; name the output {wanted}"
            )
        return Plan(tuple(sources), target.parent, target.name)
    if target.exists() and not target.is_dir():
        raise InputError(f"{target}: is a file; several files need a folder as output")
    _check_rights(target)
    return Plan(tuple(sources), target)


def _check_apart(sources: Sequence[Path]) -> None:
    """Refuse to read a file twice."""
    resolved = [source.resolve() for source in sources]
    for number, path in enumerate(resolved):
        for other in resolved[:number]:
            if path == other:
                raise InputError(f"{sources[number]}: is named twice")
            if path in other.parents or other in path.parents:
                raise InputError(f"{path} and {other}: one contains the other; name only one")


def _check_outside(source: Path, target: Path) -> None:
    inside, outside = target.resolve(), source.resolve()
    if inside == outside:
        raise InputError(f"{target}: is the input, which is never changed; choose another output")
    if outside.is_dir() and outside in inside.parents:
        raise InputError(f"{target}: lies inside the input; choose a folder outside {source}")
    if inside in outside.parents:
        raise InputError(f"{source}: lies inside the output; choose a folder apart from {target}")


def _check_rights(folder: Path) -> None:
    path = folder
    while not path.exists() and path != path.parent:
        path = path.parent
    if not path.is_dir():
        raise InputError(f"{path}: is a file, not a folder")
    if not os.access(path, os.W_OK | os.X_OK):
        raise InputError(f"{path}: no permission to write there")


KEYED = "hmac-sha256"
"""The algorithm for hashes of what the user gave: they cannot be computed without the key."""

HASHES = "hashes"
"""The fact that says how inputs are hashed; runs of earlier versions lack it."""

_COMPILED = ".pyc"
_READ_AT_ONCE = 1 << 18


def hash_file(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    try:
        with path.open("rb", buffering=0) as file:
            data = file.read(_READ_AT_ONCE)
            digest = hashlib.sha256(data)
            while len(data) == _READ_AT_ONCE:
                data = file.read(_READ_AT_ONCE)
                digest.update(data)
            return digest.hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def keyed_hash(key: Key, purpose: str, name: str, digest: str) -> str:
    """An HMAC-SHA-256 of a file's SHA-256, with which the owner of the key can identify the file.

    It also depends on the name, so that files with the same content cannot be recognised.
    """
    return key.digest(KEYED, purpose, name, digest).hex()


def hash_input(key: Key, path: str, source: Path) -> str:
    """The keyed hash of an input file, whose path below the output is `path`."""
    return keyed_hash(key, "input", path, hash_file(source))


def hash_folder(root: Path, *folders: Path) -> str:
    """A hash that depends on the names below `root` and the bytes of all files of folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != _COMPILED:
                digest.update(f"{file.relative_to(root).as_posix()}\0{hash_file(file)}\n".encode())
    return digest.hexdigest()
