"""Requests that are refused: clear problems, and nothing of the request in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from .conftest import PLANTED, Server, running

if TYPE_CHECKING:
    from pathlib import Path

NAME = PLANTED.split()[0]
TOKEN = "a-token-of-the-tests-0123456789"  # noqa: S105 - no secret


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"text": 7}, 422),
        ({"text": [PLANTED]}, 422),
        ({"text": "x", PLANTED: PLANTED}, 422),
        ({"text": PLANTED, "policy": PLANTED}, 422),
        ({"text": PLANTED, "policy": "../../secret.toml"}, 422),
        ({"text": PLANTED, "language": PLANTED}, 422),
        ({"text": PLANTED, "known": {PLANTED: "x"}}, 422),
        ({"text": PLANTED, "known": {"birth_date": PLANTED}}, 422),
        ({"text": f"{NAME} war am Montag bei uns in der Praxis und es geht ihm nicht gut."}, 422),
    ],
)
def test_wrong_requests_are_not_repeated(client: httpx.Client, body: Any, status: int) -> None:
    """A wrong request gives a problem with a code, in which nothing of it appears."""
    response = client.post("/mask", json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["code"]
    assert NAME not in response.text
    assert "secret" not in response.text


@pytest.mark.parametrize(
    "content",
    [
        b'{"text": "\xff\xfe ' + NAME.encode() + b'"}',
        b'{"text": "' + NAME.encode(),
        b"[" * 400_000,
        b'{"text":' * 100_000,
        b'{"text": ' + b"9" * 10_000 + b"}",
        b'"\\ud800"',
        b'{"text": "\\ud800 ' + NAME.encode() + b'"}',
        b"\x00" * 100,
        b"",
    ],
)
def test_broken_bodies_are_not_repeated(client: httpx.Client, content: bytes) -> None:
    """A body that is not JSON in UTF-8, or nested without end, is refused and not repeated."""
    headers = {"content-type": "application/json"}
    response = client.post("/mask", content=content, headers=headers)
    assert response.status_code in (400, 422)
    assert response.headers["content-type"] == "application/problem+json"
    assert NAME not in response.text
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("path", [f"/{NAME}", f"/mask/{NAME}", f"/static/{NAME}", "/mask/"])
def test_unknown_routes_are_not_repeated(client: httpx.Client, path: str) -> None:
    """An unknown route gives a problem without its name."""
    for response in (client.get(path), client.post(path, content=NAME)):
        assert response.status_code in (404, 405)
        assert NAME not in response.text


def test_wrong_method_names_the_right_one(client: httpx.Client) -> None:
    """A GET of a route for POST says which method it takes."""
    response = client.get("/mask", params={"text": PLANTED})
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"
    assert NAME not in response.text


def test_large_bodies_are_refused(client: httpx.Client) -> None:
    """A body above the limit gives 413, with and without a declared length."""
    large = json.dumps({"text": f"{PLANTED} " * 60_000}).encode()
    headers = {"content-type": "application/json"}
    for content in (large, (piece for piece in [large])):
        response = client.post("/mask", content=content, headers=headers)
        assert response.status_code == 413
        assert response.json()["code"] == "too-large"
        assert NAME not in response.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "127.0.0.1@evil"])
def test_other_host_names_are_refused(client: httpx.Client, host: str) -> None:
    """On the loopback address other names are refused: a page could have rebound its own."""
    response = client.post("/mask", json={"text": PLANTED}, headers={"host": host})
    assert response.status_code == 421
    assert response.json()["code"] == "wrong-host"


def test_own_host_names_are_served(client: httpx.Client, server: Server) -> None:
    """localhost and the loopback addresses are served, with any port."""
    for host in (f"localhost:{server.port}", "127.0.0.1", "[::1]:80"):
        assert client.get("/health", headers={"host": host}).status_code == 200


def test_pages_of_other_sites_are_refused(client: httpx.Client, server: Server) -> None:
    """A request with another origin is refused, and no header allows it to anybody."""
    for origin in ("https://evil.example", "null", "http://127.0.0.1"):
        response = client.post("/mask", json={"text": "x"}, headers={"origin": origin})
        assert response.status_code == 403
        assert "access-control-allow-origin" not in response.headers
    own = {"origin": f"http://127.0.0.1:{server.port}"}
    assert client.post("/mask", json={"text": "x"}, headers=own).status_code == 200
    preflight = client.options(
        "/mask", headers={"origin": server.url, "access-control-request-method": "POST"}
    )
    assert "access-control-allow-origin" not in preflight.headers


def test_body_must_be_declared_as_json(client: httpx.Client) -> None:
    """A body without a content type of JSON is refused: forms of other sites can send no other."""
    for content_type in ("text/plain", "application/x-www-form-urlencoded"):
        response = client.post(
            "/mask", content=b'{"text": "x"}', headers={"content-type": content_type}
        )
        assert response.status_code == 422


def test_token_is_needed(tmp_path: Path) -> None:
    """With a token file all routes but the probes and the page need the token."""
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", "ascii")
    options = ("--host", "0.0.0.0", "--token-file", str(file), "--rules-only", "--lang", "sv")  # noqa: S104
    with running(tmp_path, *options, "--workers", "1") as server:
        assert "unencrypted" in server.log.read_text("utf-8")
        server.url = f"http://127.0.0.1:{server.port}"
        with server.client() as client:
            for path in ("/", "/health", "/ready", "/static/serve.js"):
                assert client.get(path).status_code == 200
            for header in ({}, {"authorization": f"Bearer {TOKEN}x"}, {"authorization": TOKEN}):
                response = client.post("/mask", json={"text": PLANTED}, headers=header)
                assert response.status_code == 401
                assert response.headers["www-authenticate"] == "Bearer"
                assert client.get("/metrics", headers=header).status_code == 401
            right = {"authorization": f"Bearer {TOKEN}"}
            assert client.post("/mask", json={"text": "x"}, headers=right).status_code == 200
            assert client.get("/metrics", headers=right).status_code == 200
        assert TOKEN not in server.log.read_text("utf-8")
