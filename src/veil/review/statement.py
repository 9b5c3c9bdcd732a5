"""The signed statement: the reviewer, the records, the result, and its verification."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.render import NO_TEXT_NOTICE, render_page
from veil.review.store import Statement, canonical, sha256

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.review.store import Store

_DATA = re.compile(r'<pre id="statement-data"[^>]*>(.*?)</pre>', re.DOTALL)


def statement_page(statement: Statement) -> str:
    """A statement as a self-contained page that can be printed."""
    payload = statement.payload
    return "".join(
        render_page(
            "statement",
            title=f"Review of {payload['title']}",
            notice=NO_TEXT_NOTICE,
            statement=payload,
            outcome=payload["outcome"],
            verdict=verdict(payload),
            facts=list(_facts(statement)),
            digest=statement.digest,
            data=canonical(payload),
        )
    )


def verdict(payload: Mapping[str, Any]) -> str:
    """The result in one sentence."""
    found = payload["outcome"]
    if payload["mode"] != "audit":
        done, of = found["read"], found["of"]
        return f"{done:,} of {of:,} records were read, and their annotations corrected."
    read, leaking, population = found["read"], found["leaking_records"], found["population"]
    if read == population:
        return f"All {population:,} records were read. {leaking:,} {_still(leaking)}."
    start = (
        f"Of {population:,} records {read:,} were drawn at random and read. "
        f"{leaking:,} of these {_still(leaking)}."
    )
    return (
        f"{start} With {found['confidence']:.0%} confidence, at most {found['bound']:.2%} of all "
        f"{population:,} records do."
    )


def _still(count: int) -> str:
    verb = "contains" if count == 1 else "contain"
    return f"still {verb} something that identifies a person"


def _facts(statement: Statement) -> Iterator[tuple[str, str]]:
    payload = statement.payload
    found = payload["outcome"]
    yield "signed by", f"{payload['name']}{', ' + payload['role'] if payload['role'] else ''}"
    yield "date", payload["when"]
    if payload["remark"]:
        yield "remark", payload["remark"]
    yield "records", f"{found['population']:,}"
    if payload["mode"] == "audit":
        yield "sample", f"{found['of']:,} records, drawn at random; the seal is the seed"
        yield "records that leak, in the sample", f"{found['leaking_records']:,}"
        yield "leaks, in all records read", f"{found['leaks']:,}"
        yield "wrongly masked, in all records read", f"{found['wrongly_masked']:,}"
        if found["bound"] is not None:
            yield (
                f"upper bound for these records ({found['confidence']:.0%}, hypergeometric)",
                f"{found['bound']:.4%}",
            )
            yield (
                f"upper bound for such records ({found['confidence']:.0%}, Clopper-Pearson)",
                f"{found['process_bound']:.4%}",
            )
    else:
        yield "records read", f"{found['read']:,}"
        yield "spans added or extended", f"{found['added']:,}"
        yield "spans deleted", f"{found['deleted']:,}"
    if agreement := found["agreement"]:
        kappa = agreement["kappa"]
        yield (
            "agreement of reviewers",
            f"F1 {agreement['f1']:.4f}, kappa {'-' if kappa is None else f'{kappa:.4f}'} "
            f"({agreement['records']:,} records)",
        )
    yield "reviewers", ", ".join(payload["reviewers"])
    yield "double review", "yes" if payload["double_review"] else "no"
    if payload["seal"]:
        yield "seal of the masked output", payload["seal"]
    if run := payload["run"]:
        yield "policy, key, files", f"{run['policy']}, {run['key']}, {run['files']:,}"
    yield "digest of the texts", payload["records"]
    yield "digest of the sample", payload["sample_records"]
    yield "decisions", f"{payload['decisions']:,}"
    yield "digest of all decisions", payload["decisions_digest"] or "-"
    yield "software", f"Veil {payload['veil']}"
    yield "digest of this statement", statement.digest


@dataclass(frozen=True)
class Verification:
    """The verification of statements: problems, and the number of later decisions."""

    statements: int
    problems: tuple[str, ...]
    decisions_since: int


def verify(
    store: Store, page: Path | None = None, *, differences: Sequence[str] = ()
) -> Verification:
    """Check the decisions of a store against its statements and, if given, a page.

    `differences` are the differences between the output and its seal.
    """
    problems = list(differences)
    damaged = store.damaged_event()
    if damaged is not None:
        problems.append(f"decision {damaged} was changed after it was saved")
    digests = [event.digest for event in store.events()]
    statements = store.statements()
    since = len(digests)
    for each in statements:
        name = f"statement {each.number}"
        if sha256(canonical(each.payload)) != each.digest:
            problems.append(f"{name} was changed after it was signed")
        count = each.payload["decisions"]
        head = digests[count - 1] if 0 < count <= len(digests) else ""
        if count > len(digests) or head != each.payload["decisions_digest"]:
            problems.append(f"{name}: the signed decisions were changed")
        since = len(digests) - count
    if page is not None and _of_page(page) not in [each.digest for each in statements]:
        problems.append(f"{page}: is not a statement of this store, or was changed")
    if not statements:
        problems.append("nothing was signed")
    return Verification(len(statements), tuple(problems), max(0, since))


def _of_page(page: Path) -> str:
    """The digest of the data in a page; the page must be the one made from these data."""
    try:
        text = page.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{page}: cannot be read") from None
    found = _DATA.search(text)
    if found is None:
        raise InputError(f"{page}: is not a statement of a review")
    try:
        payload = json.loads(html.unescape(found[1]))
    except ValueError:
        return ""
    return sha256(canonical(payload)) if _is_made_from(text, payload) else ""


def _is_made_from(text: str, payload: Mapping[str, Any]) -> bool:
    """Whether the visible page was made from the data."""
    try:
        made = statement_page(Statement(0, payload, sha256(canonical(payload))))
    except (LookupError, TypeError, ValueError):
        return False
    return _without_version(made) == _without_version(text)


def _without_version(text: str) -> str:
    """The contents of the statement, without the design and the version of Veil."""
    return re.sub(r"<style>.*?</style>|<footer>.*?</footer>", "", text, flags=re.DOTALL)
