"""Check annotated records against the labelling guideline."""

from __future__ import annotations

import json as json_format
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from veil.core.labels import scheme as scheme_of
from veil.evaluate.guideline import check_record, guideline
from veil.files.reading import CHARACTERS_TO_IDENTIFY, FilesResult, Reader, Reading, paths_of
from veil.io.outputs import check_pages, write_text
from veil.languages import identify

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from veil.evaluate.guideline import Finding
    from veil.files.reading import FilePath


@dataclass
class CheckResult(FilesResult):
    """Violations of the labelling guideline; `count` is the number of records."""

    findings: list[Finding] = field(default_factory=list)

    @property
    def violations(self) -> list[Finding]:
        """The findings without the hints."""
        return [each for each in self.findings if not each.is_hint]


def check_files(
    sources: FilePath | Sequence[FilePath],
    *,
    lang: str | None = None,
    hints: bool = False,
    show_text: bool = False,
    json: FilePath | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> CheckResult:
    """Check annotated records against the labelling guideline of their language.

    `hints` adds findings that are less often right. `show_text` adds the mentions to the findings,
    which otherwise contain no text of a record. `json` is a file to write.
    """
    paths = paths_of(sources)
    check_pages([json], paths, overwrite=overwrite)
    reader = Reader(reading)
    result = CheckResult()
    foreign = 0
    for record in chain.from_iterable(map(reader.read, paths)):
        doc = record.document
        code = lang or doc.language or identify(doc.text[:CHARACTERS_TO_IDENTIFY])
        known = scheme_of(guideline(code).scheme).labels
        foreign += sum(span.label not in known for span in record.annotations)
        file, line = reader.log.place or (None, None)
        found = check_record(
            record, code, file=str(file or ""), line=line or 1, show_text=show_text
        )
        result.findings += [each for each in found if hints or not each.is_hint]
        result.count += 1
    if foreign:
        result.warnings.append(
            f"warning: {foreign} span(s) have labels that are not in the scheme of the guideline; "
            "only the rules for all labels were checked there (see docs/labelling.md)"
        )
    result.add(reader.log)
    if json is not None:
        found_json = [asdict(each) for each in result.findings]
        write_text(json, [json_format.dumps(found_json, indent=2, ensure_ascii=False), "\n"])
    return result
