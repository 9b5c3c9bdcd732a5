"""The routes of the review page: what they answer, what they refuse, and what they never say."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from veil.core.labels import known_schemes, scheme
from veil.review.app import make_app
from veil.review.files import open_project
from veil.review.project import label_keys
from veil.review.source import ReviewSource
from veil.review.statement import verify

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.review.conftest import Folder

    from veil.review.project import Project

TOKEN = "secret"  # noqa: S105
ADDRESS = "http://127.0.0.1:8000"


class Client:
    """Sends requests to the application itself, without a network."""

    def __init__(self, project: Project, **headers: str) -> None:
        self._transport = httpx.ASGITransport(make_app(project, TOKEN), raise_app_exceptions=False)
        self._headers = headers

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=self._transport, base_url=ADDRESS, headers=self._headers
            ) as client:
                return await client.request(method, path, **options)

        return asyncio.run(send())

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)


def client_of(project: Project, **headers: str) -> Client:
    return Client(project, **{"Authorization": f"Bearer {TOKEN}", **headers})


@pytest.fixture
def project(audit: Folder) -> Iterator[Project]:
    project = audit.open()
    with closing(project.store):
        yield project


@pytest.fixture
def client(project: Project) -> Client:
    made = client_of(project)
    made.post("/api/reviewers", json={"name": "anna"})
    return made


class Page:
    """What the page does: it loads a record and sends decisions about it."""

    def __init__(self, client: Client, reviewer: str = "anna") -> None:
        self.client = client
        self.who = {"reviewer": reviewer}
        self.number = 0

    def records(self, order: str = "file") -> list[dict[str, Any]]:
        answer = self.client.get("/api/records", params={**self.who, "order": order})
        assert answer.status_code == 200
        return list(answer.json())

    def record(self, name: str) -> dict[str, Any]:
        (number,) = [each["id"] for each in self.records() if each["name"] == name]
        return dict(self.client.get(f"/api/records/{number}", params=self.who).json())

    def send(self, record: dict[str, Any], **action: Any) -> dict[str, Any]:
        self.number += 1
        body = {"tab": self.who["reviewer"], "number": self.number, "version": record["version"]}
        answer = self.client.post(
            f"/api/records/{record['id']}/decisions", params=self.who, json={**body, **action}
        )
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def mark(self, record: dict[str, Any], words: str, label: str) -> dict[str, Any]:
        start = record["original"].index(words)
        return self.send(record, action="add", start=start, end=start + len(words), label=label)

    def read_all(self) -> None:
        for each in self.records():
            self.send(self.record(each["name"]), action="done")


def test_project(client: Client) -> None:
    """The page learns what there is: labels with different keys, orders and formats."""
    found = client.get("/api/project").json()
    assert (found["mode"], found["records"], found["reviewers"]) == ("audit", 5, ["anna"])
    keys = [label["key"] for label in found["labels"] if label["key"]]
    assert len(keys) == len(set(keys))
    assert all(len(key) == 1 and key.isascii() and key.isalnum() for key in keys)
    assert {order["name"] for order in found["orders"]} == {
        *("sample", "uncertain", "disagreement", "learning", "file"),
    }
    assert "brat" in found["formats"]


def test_labels_have_the_same_keys_in_every_project() -> None:
    """The keys of a scheme do not depend on the records; labels of the records come after them."""
    for name in known_schemes():
        labels = scheme(name)
        keys = label_keys(labels, labels.labels)
        more = label_keys(labels, ["DRUG", *reversed(labels.labels), "AAA"])
        assert {label: more.get(label) for label in keys} == keys
        assert len(set(more.values())) == len(more) == min(36, len(labels.labels) + 2)
        assert {keys[label] for label in labels.labels if label == "DATE"} <= {"d"}
    assert label_keys(scheme("veil"), ())["PATIENT"] == "p"


def test_texts_are_aligned(client: Client) -> None:
    """Outside the changes original and masked text are equal, also beyond the basic plane."""
    page = Page(client)
    for each in page.records():
        record = page.record(each["name"])
        assert record["changes"] or each["name"] == "en-2.txt"
        at = masked_at = 0
        for start, end, masked_start, masked_end in record["changes"]:
            assert record["original"][at:start] == record["masked"][masked_at:masked_start]
            assert record["original"][start:end] != record["masked"][masked_start:masked_end]
            at, masked_at = end, masked_end
        assert record["original"][at:] == record["masked"][masked_at:]


@pytest.mark.parametrize("order", ["sample", "uncertain", "disagreement", "learning", "file"])
def test_orders(client: Client, order: str) -> None:
    """Every order has every record once; the least certain come first where that is asked for."""
    records = Page(client).records(order)
    assert sorted(each["id"] for each in records) == list(range(5))
    if order == "uncertain":
        assert [each["lowest"] for each in records] == sorted(each["lowest"] for each in records)


def test_sample_follows_from_the_seal(project: Project, audit: Folder, tmp_path: Path) -> None:
    """Whoever begins the review again gets the same sample; another output has another one."""
    with closing(open_project(audit.source(), tmp_path / "other.sqlite").store) as other:
        assert [row.sample for row in other.records()] == [row.sample for row in project.rows]


def test_decision_and_conflict(client: Client) -> None:
    """A decision is answered with the record; one about an old version with 409 and the record."""
    page = Page(client)
    old = page.record("en-1.txt")
    new = page.send(old, action="accept", span="s1")
    assert (new["version"], new["spans"][0]["state"]) == (1, "accepted")
    assert (new["can_undo"], new["can_redo"]) == (True, False)
    body = {"tab": "other", "number": 1, "version": 0, "action": "delete", "span": "s1"}
    url = f"/api/records/{old['id']}/decisions"
    stale = client.post(url, params=page.who, json=body)
    assert (stale.status_code, stale.json()) == (409, new)
    body |= {"version": 1}
    first = client.post(url, params=page.who, json=body)
    again = client.post(url, params=page.who, json=body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/records/99", None, 404),
        ("GET", "/api/records?order=best", None, 422),
        ("GET", "/api/records/0/why?start=3&end=3", None, 422),
        ("GET", "/static/absent.js", None, 404),
        ("GET", "/static/..%2fapp.py", None, 404),
        ("GET", "/statement/7", None, 404),
        ("GET", "/api/export?to=unknown", None, 422),
        ("POST", "/api/reviewers", {"name": "  "}, 422),
        ("POST", "/api/reviewers", {"name": "="}, 422),
        ("POST", "/api/sign", {"name": "Anna"}, 422),
        ("POST", "/api/records/0/adjudicate", {"start": 0, "end": 4, "choice": "bo"}, 422),
        ("POST", "/api/records/0/decisions", {"Okafor": 1}, 422),
        ("POST", "/api/records/0/decisions", "Okafor", 422),
    ],
)
def test_errors(client: Client, method: str, path: str, body: Any, status: int) -> None:
    """Errors say what is wrong, and repeat nothing of what was sent."""
    answer = client.request(method, f"{path}{'&' if '?' in path else '?'}reviewer=anna", json=body)
    assert answer.status_code == status
    assert answer.json()["detail"]
    assert "Okafor" not in answer.text


def test_refusals(project: Project) -> None:
    """Without the token, from another page or under another name of the machine, nothing."""
    for headers in (
        {"Authorization": "Bearer wrong"},
        {"Authorization": ""},
        {"Origin": "http://evil.example"},
        {"Host": "evil.example:8000"},
    ):
        answer = client_of(project, **headers).get("/api/project")
        assert answer.status_code in (401, 403)
        assert set(answer.json()) == {"detail"}
    assert client_of(project, Origin=ADDRESS).get("/api/project").status_code == 200
    links = Client(project)
    assert links.get(f"/api/export?to=jsonl&token={TOKEN}").status_code == 200
    assert links.get(f"/api/outcome?token={TOKEN}").status_code == 401
    assert (
        links.post(
            "/api/sign", content=b"x" * 100_000, headers={"Authorization": f"Bearer {TOKEN}"}
        ).status_code
        == 413
    )


def test_headers(client: Client) -> None:
    """Browsers keep no copy, and pages load nothing from elsewhere."""
    for path in ("/api/project", "/api/outcome", "/static/page.css"):
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'")


def test_why(client: Client) -> None:
    """A marked place and an unmarked one are both explained, in sentences."""
    page = Page(client)
    record = page.record("en-1.txt")
    span = record["spans"][0]
    url = f"/api/records/{record['id']}/why"
    extent = {"start": span["start"], "end": span["end"]}
    found = client.get(url, params={**page.who, **extent}).json()
    assert (found["kind"], found["span"], found["label"]) == ("span", "s1", span["label"])
    assert found["sentences"][0] == f"This was masked as {span['label']}."
    assert found["features"]
    start = record["original"].index("was seen")
    none = client.get(url, params={**page.who, "start": start, "end": start + 8}).json()
    assert (none["kind"], none["span"]) == ("text", None)
    assert none["sentences"]


def test_outcome_and_statement(client: Client, project: Project) -> None:
    """When all of the sample is read, the result is signed; later decisions do not change it."""
    page = Page(client)
    assert client.get("/api/outcome").json()["why_not"]
    assert client.post("/api/sign", json={"name": "Anna Ek"}).status_code == 422
    page.mark(page.record("en-2.txt"), "Glasgow", "CITY")
    page.send(page.record("en-1.txt"), action="delete", span="s1")
    page.read_all()
    outcome = client.get("/api/outcome").json()
    assert outcome["can_sign"]
    assert (outcome["read"], outcome["of"], outcome["leaking_records"]) == (5, 5, 1)
    assert (outcome["leaks"], outcome["wrongly_masked"], outcome["bound"]) == (1, 1, 0.2)
    made = client.post("/api/sign", json={"name": "Anna <b>Ek", "role": "DPO", "remark": "ok"})
    answer = client.get(made.json()["statement"])
    assert answer.headers["content-type"].startswith("text/html")
    assert "Anna &lt;b&gt;Ek" in answer.text
    for words in (project.meta["seal"], "All 5 records were read", "20.0000%", "DPO"):
        assert words in answer.text
    assert client.get("/api/outcome").json()["statements"][0]["number"] == 1
    assert verify(project.store).problems == ()
    page.send(page.record("en-2.txt"), action="undo")
    assert verify(project.store).problems == ()
    assert verify(project.store).decisions_since == 1
    assert client.get(made.json()["statement"]).text == answer.text


def test_export(client: Client) -> None:
    """The exported spans are those that were clicked, in a file or as an archive."""
    page = Page(client)
    record = page.mark(page.record("en-2.txt"), "Glasgow", "CITY")
    start = record["original"].index("Glasgow")
    lines = client.get("/api/export?to=jsonl").text.splitlines()
    by_id = {data["id"]: data for data in map(json.loads, lines)}
    assert len(by_id) == 5
    found = by_id["en-2"]
    assert found["text"] == record["original"]
    spans = [(each["start"], each["end"], each["label"]) for each in found["spans"]]
    assert (start, start + 7, "CITY") in spans
    archive = zipfile.ZipFile(io.BytesIO(client.get("/api/export?to=brat").content))
    assert f"CITY {start} {start + 7}\tGlasgow" in archive.read("en-2.ann").decode()


def test_double_review(audit: Folder, tmp_path: Path) -> None:
    """Two reviewers read apart; their agreement is measured, and a third person chooses."""
    source = ReviewSource(audit.masked, (audit.original,), double=True)
    project = open_project(source, tmp_path / "double.sqlite")
    with closing(project.store):
        client = client_of(project)
        pages = []
        for name in ("anna", "bo"):
            client.post("/api/reviewers", json={"name": name})
            pages.append(Page(client, name))
        anna, bo = pages
        anna.mark(anna.record("en-2.txt"), "Glasgow", "CITY")
        for page in pages:
            page.read_all()
        outcome = client.get("/api/outcome").json()
        assert outcome["conflicts"] == 1
        assert not outcome["can_sign"]
        agreement = outcome["agreement"]
        assert agreement["records"] == 5
        assert 0.5 < agreement["f1"] < 1
        assert 0.5 < agreement["kappa"] < 1
        (entry,) = client.get("/api/conflicts").json()
        assert entry["versions"]["bo"] == []
        assert [each["label"] for each in entry["versions"]["anna"]] == ["CITY"]
        body = {"start": entry["start"], "end": entry["end"], "choice": "bo"}
        url = f"/api/records/{entry['record']}/adjudicate"
        chosen = client.post(url, params={"reviewer": "bo"}, json=body).json()
        assert chosen == {**entry, "choice": "bo"}
        outcome = client.get("/api/outcome").json()
        assert (outcome["leaks"], outcome["can_sign"]) == (0, True)
        assert bo.record("en-2.txt")["spans"] == []


def test_changed_text_is_refused(audit: Folder) -> None:
    """A record whose text was changed since the review began is named, without its text."""
    (audit.original / "en-2.txt").write_text("The patient is Anna Ek.\n")
    with pytest.raises(Exception, match=r"en-2\.txt: its text has changed"):
        audit.open()
