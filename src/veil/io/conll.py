"""CoNLL columns: a token per line with its IOB tag, a blank line between sentences.

Files that Veil writes can be read back without loss: they also have the offsets of each token and,
as a JSON string, the white space after it. In other files the first column is the word and the last
the tag; words are joined by a space, sentences by a line feed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, cast, get_args

from veil.core.document import Document, Part, Record, Span, Token
from veil.core.errors import RecordError
from veil.io.annotated import AnnotatedFormat, TaggedText, known_labels
from veil.io.base import Located
from veil.io.files import BOM, MARK, head, lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from veil.io.base import ReadLog, Source

_SPACE, _DIGIT, _LETTER, _KANJI, _HIRAGANA, _KATAKANA, _MARK, _OTHER = range(8)
_SCRIPTS = (
    (_KANJI, "\u3005", "\u3007"),  # 々 〆 〇
    (_HIRAGANA, "\u3041", "\u309f"),
    (_KATAKANA, "\u30a1", "\u30ff"),
    (_KATAKANA, "\u31f0", "\u31ff"),
    (_KANJI, "\u3400", "\u9fff"),
    (_KANJI, "\uf900", "\ufaff"),
    (_KATAKANA, "\uff66", "\uff9f"),
    (_KANJI, "\U00020000", "\U0003ffff"),
)


@cache
def _kind(char: str) -> int:
    if char.isspace():
        return _SPACE
    if unicodedata.category(char).startswith("M"):
        return _MARK
    for kind, first, last in _SCRIPTS:
        if first <= char <= last:
            return kind
    if char.isdigit():
        return _DIGIT
    return _LETTER if char.isalpha() else _OTHER


def tokenise(text: str) -> Iterator[Token]:
    """Yield runs of letters (kana and kanji apart), runs of digits, and other characters singly."""
    start, running = 0, _SPACE
    for index, char in enumerate(text):
        kind = _kind(char)
        if kind == _MARK and running != _SPACE:  # an accent belongs to its base character
            continue
        if kind == running and kind != _OTHER:
            continue
        if running != _SPACE:
            yield Token(start, index)
        start, running = index, kind
    if running != _SPACE:
        yield Token(start, len(text))


class Tag(NamedTuple):
    """An IOB tag: `B-NAME+first` begins a span with label NAME and part first."""

    label: str
    part: Part | None
    begins: bool


# A bare label that is in no scheme: `PER` and `LOC_2`, not `Anna`.
_BARE_LABEL = re.compile(r"[A-Z][A-Z0-9_-]+")


def parse_tag(tag: str) -> Tag | None:
    """Parse `B-X`, `I-X` or a bare label `X`; return None for `O` or `0`; else raise an error.

    A bare label must be in a scheme or in capitals, to detect files whose columns are in another
    order, with words where tags should be.
    """
    if tag in ("O", "0"):
        return None
    begins = tag.startswith("B-")
    is_bare = not (begins or tag.startswith("I-"))
    label = tag if is_bare else tag[2:]
    name, plus, part = label.rpartition("+")
    if plus and part in get_args(Part):
        label = name
    else:
        part = ""
    if not label:
        raise RecordError("a tag without label")
    if is_bare and not (_BARE_LABEL.fullmatch(label) or label in known_labels()):
        raise RecordError("the last column is not a tag; words come first and tags last")
    return Tag(label, cast(Part, part) if part else None, begins)


def can_be_tag(label: str) -> bool:
    """Whether a label can be written in a column and read back unchanged."""
    if not label or any(char.isspace() for char in label):
        return False
    return parse_tag(f"B-{label}") == Tag(label, None, begins=True)


def split_at(tokens: Iterable[Token], boundaries: Sequence[int]) -> Iterator[Token]:
    """Yield the tokens, cut wherever one of the sorted boundaries falls inside."""
    index = 0
    for start, end in tokens:
        while index < len(boundaries) and boundaries[index] < end:
            if start < boundaries[index]:
                yield Token(start, boundaries[index])
                start = boundaries[index]
            index += 1
        yield Token(start, end)


_DOCSTART = "-DOCSTART-"
# word, tag, offsets, white space: `Anna<TAB>B-NAME<TAB>0-4<TAB>" "`
_OUR_TOKEN = re.compile(r'([^\t]+)\t([^\t]+)\t([0-9]{1,12})-([0-9]{1,12})\t("[^\t]*")')
_IOB_TAG = re.compile(r"[BI]-\S+")
_ANY_IOB_TAG = re.compile(r"[O0]|[BI]-\S+")
_ANY_TAG = re.compile(r"[O0]|[BI]-\S+|[A-Z][A-Z_-]+")


class ConllFormat(AnnotatedFormat):
    """CoNLL columns with IOB2 tags; a span is cut to the tokens that it contains."""

    name = "conll"
    about = "CoNLL columns, a token per line with its IOB tag"
    suffixes = (".conll", ".bio", ".iob", ".iob2", ".tsv", ".txt")

    def sniff(self, file: Path) -> bool:
        whole, _, rest = head(file).lstrip(MARK).rpartition("\n")
        rows: list[list[str]] = []
        for line in filter(None, map(str.strip, (whole or rest).split("\n"))):
            row = _columns(line)
            if not rows and row[0] == _DOCSTART:
                return True
            if len(row) < 2 or not _ANY_TAG.fullmatch(row[-1]):
                return False
            rows.append(row)
        if not rows:
            return False
        # "Blood group O" is a sentence: without a B- or I- tag, more evidence of columns is needed.
        outside = sum(row[-1] in ("O", "0") for row in rows)
        return any(_IOB_TAG.fullmatch(row[-1]) for row in rows) or (
            4 <= len(rows) <= 2 * outside and {len(row) for row in rows} == {len(rows[0])}
        )

    def read_file(self, source: Source, log: ReadLog) -> Iterator[Located]:
        return _read_file(source, log)

    def render(self, record: Record) -> str:
        doc = record.document
        text, language = doc.text, doc.language or ""
        if re.search(r"[\t\n\r]", doc.id + language):
            raise RecordError("its id or language has a tab or line break", record=doc.id)
        boundaries = sorted({offset for span in record.spans for offset in (span.start, span.end)})
        tokens = list(split_at(tokenise(text), boundaries))
        starts = [*(token.start for token in tokens), len(text)]
        leading = _to_json(text[: starts[0]])
        rows = [f"{_DOCSTART}\tO\t{doc.id}\t{leading}\t{language}\n\n"]
        for token, tag, next_start in zip(tokens, _tags(record, tokens), starts[1:], strict=True):
            gap = text[token.end : next_start]
            word = text[token.start : token.end]
            rows.append(f"{word}\t{tag}\t{token.start}-{token.end}\t{_to_json(gap)}\n")
            if "\n" in gap or "\r" in gap:
                rows.append("\n")
        rows.append("\n")
        return "".join(rows)


def _tags(record: Record, tokens: list[Token]) -> Iterator[str]:
    """Yield the tag of each token; no token crosses the boundary of a span."""
    for span in record.spans:
        if not record.document.text[span.start : span.end].strip():
            raise RecordError(
                f"its span {span.start}-{span.end} is white space, which has no line in conll",
                record=record.id,
            )
        if not can_be_tag(span.label):
            raise RecordError(
                f"the label at {span.start}-{span.end} cannot be an IOB tag", record=record.id
            )
    spans = list(reversed(record.spans))
    begun: Span | None = None
    for token in tokens:
        while spans and spans[-1].end <= token.start:
            spans.pop()
        if not spans or token.start < spans[-1].start:
            yield "O"
            continue
        span = spans[-1]
        part = f"+{span.part}" if span.part else ""
        yield f"{'I' if span is begun else 'B'}-{span.label}{part}"
        begun = span


_Extent = Literal["sentence", "document"]


def _read_file(source: Source, log: ReadLog) -> Iterator[Located]:
    file = source.file
    reader: _Reader | None = None
    documents = 0
    passing_over: _Extent | None = None
    for piece in lines(file, source.encoding):
        starts = piece.data.removeprefix(BOM).startswith(_DOCSTART.encode())
        if starts:
            if reader is not None and passing_over != "document":
                yield Located(reader.record(), reader.line)
            documents += 1
            reader, passing_over = None, None
        elif passing_over == "sentence" and not piece.data.strip():
            passing_over = None
        if passing_over:
            continue
        try:
            line = piece.decode(file).rstrip("\r\n")
            if starts:
                reader = _open(line, f"{source.id}-{documents}", piece.line)
            elif reader is not None or line.strip():
                reader = reader or _Reader(Document(source.id, ""), piece.line, of_file=True)
                reader.add(line)
        except RecordError as error:
            passing_over = "sentence" if reader and reader.drop_sentence() else "document"
            log.withhold(
                RecordError(
                    f"{error.reason}; this {passing_over} is left out",
                    record=reader.document.id if reader else None,
                    path=file,
                    line=piece.line,
                    byte=error.byte,
                )
            )
    if reader is not None and passing_over != "document":
        yield Located(reader.record(), reader.line)


def _open(line: str, default_id: str, number: int) -> _Reader:
    columns = line.split("\t")
    if len(columns) != 5:
        return _Reader(Document(default_id, ""), number)
    _, _, given_id, leading, language = columns
    return _Reader(Document(given_id, _from_json(leading), language or None), number, ours=True)


class _Reader:
    """Collects the lines of one document; its text begins with that of the given document.

    If a document is a whole file (`of_file`), a bad line loses only its sentence, because the file
    does not mark its records.
    """

    def __init__(
        self, document: Document, line: int, *, ours: bool | None = None, of_file: bool = False
    ) -> None:
        self.document = document
        self.line = line
        self._ours = ours
        self._of_file = of_file
        self._tagged = TaggedText(document.text)
        self._gap = ""  # the white space before the next word
        self._sentence = self._tagged.state()

    def add(self, line: str) -> None:
        if self._ours is None and line.strip():
            self._ours = _OUR_TOKEN.fullmatch(line) is not None
        if self._ours:
            if line:
                self._add_ours(line)
        elif line.strip():
            self._add_columns(line)
        else:
            self._tagged.close()
            self._gap = "\n" if self._tagged.length else ""
            self._sentence = self._tagged.state()

    def drop_sentence(self) -> bool:
        """Discard the current sentence; return False if that would not help.

        Offsets in files that Veil wrote depend on all lines before them, and a file whose first
        sentence is bad is probably in another format.
        """
        _, length, _ = self._sentence
        if self._ours or not self._of_file or not length:
            return False
        self._tagged.return_to(self._sentence)
        self._gap = "\n"
        return True

    def _add_ours(self, line: str) -> None:
        match = _OUR_TOKEN.fullmatch(line)
        if match is None:
            raise RecordError("not four columns: word, tag, start-end, white space")
        word, tag, start, end, gap = match.groups()
        expected = self._tagged.length + len(self._gap)
        if (int(start), int(end)) != (expected, expected + len(word)):
            raise RecordError("offsets that do not follow from the previous lines")
        self._token(word, tag)
        self._gap = _from_json(gap)

    def _add_columns(self, line: str) -> None:
        columns = _columns(line.rstrip())
        if len(columns) < 2 or not columns[0]:
            raise RecordError("fewer than two columns")
        if _IOB_TAG.fullmatch(columns[0]) and not _ANY_IOB_TAG.fullmatch(columns[-1]):
            raise RecordError("a tag in the first column; words come first and tags last")
        self._token(columns[0], columns[-1])
        self._gap = " "

    def _token(self, word: str, tag: str) -> None:
        """Add a word; an `I-` that does not continue a span opens one (IOB1)."""
        parsed, tagged = parse_tag(tag), self._tagged
        continues = parsed == (tagged.open_label, tagged.open_part, False)
        if not continues:
            tagged.close()
        tagged.add(self._gap)
        if parsed and not continues:
            tagged.open(parsed.label, parsed.part)
        tagged.add(word)

    def record(self) -> Record:
        self._tagged.close()
        if self._ours:
            self._tagged.add(self._gap)
        return Record.of(replace(self.document, text=self._tagged.text), self._tagged.spans)


def _columns(line: str) -> list[str]:
    separator = "\t" if "\t" in line else " "
    return [column for column in line.split(separator) if column or separator == "\t"]


@lru_cache(maxsize=256)
def _to_json(text: str) -> str:
    return json.dumps(text)


@lru_cache(maxsize=256)
def _from_json(column: str) -> str:
    try:
        text = json.loads(column)
    except ValueError:
        text = None
    if not isinstance(text, str) or text.strip():
        raise RecordError("the last column must be white space as a JSON string")
    return text
