"""The server of the review page: it listens on this machine only, and requires a token.

Answers contain text of records and are never stored by the browser. Errors and logs contain none.
"""

import hmac
import mimetypes
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from veil.core.errors import VeilError
from veil.review.project import Project, check_name
from veil.review.statement import statement_page
from veil.review.store import DecisionError, StaleError

_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
}
_STATEMENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_LONGEST_TEXT = 2000
_LARGEST_BODY = 64 * 1024


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Reviewer(_Body):
    """The name of a reviewer."""

    name: str = Field(max_length=200)


class Decision(_Body):
    """A decision about a record; its action determines which fields are required."""

    tab: str = Field(min_length=1, max_length=100)
    number: int = Field(ge=0, lt=2**53)
    version: int = Field(ge=0)
    action: Literal[
        "accept", "delete", "relabel", "resize", "add", "undo", "redo", "done", "reopen"
    ]
    span: str | None = Field(default=None, max_length=50)
    start: int | None = None
    end: int | None = None
    label: str | None = Field(default=None, max_length=100)
    everywhere: bool = False
    all_records: bool = False


class Choice(_Body):
    """A choice between the versions of a place."""

    start: int
    end: int
    choice: str = Field(max_length=200)


class Signature(_Body):
    """The person who signs."""

    name: str = Field(max_length=200)
    role: str = Field(default="", max_length=200)
    remark: str = Field(default="", max_length=_LONGEST_TEXT)


_NEEDS = {
    "accept": ("span",),
    "delete": ("span",),
    "relabel": ("span", "label"),
    "resize": ("span", "start", "end"),
    "add": ("start", "end", "label"),
}


_FIELDS = {
    *("record", "order", "reviewer", "start", "end", "to"),
    *(name for body in (Reviewer, Decision, Choice, Signature) for name in body.model_fields),
}


def make_app(project: Project, token: str) -> FastAPI:
    """Make the application for a review."""
    app = FastAPI(title="Veil review", docs_url=None, redoc_url=None, openapi_url=None)
    page = files("veil.review") / "page"

    @app.middleware("http")
    async def guard(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        response = _refusal(request, token) or await answer(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        # The message of pydantic quotes what was sent, which may be text of a record.
        named = {str(each) for problem in error.errors() for each in problem["loc"]}
        known = sorted(named & _FIELDS)
        return JSONResponse({"detail": f"the request is not valid: {', '.join(known)}"}, 422)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return JSONResponse({"detail": f"internal error ({type(error).__name__})"}, 500)

    def reviewer(name: Annotated[str, Query(alias="reviewer", max_length=200)]) -> str:
        if name not in project.store.reviewers():
            raise HTTPException(422, "register the reviewer first")
        return name

    who = Annotated[str, Depends(reviewer)]

    @app.get("/")
    def index() -> Response:
        return _file(page / "index.html")

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        if name == "page.css":
            return _file(files("veil.render") / "templates" / name)
        known = {each.name: each for each in page.iterdir()} if page.is_dir() else {}
        if name not in known or name.startswith((".", "_")):
            raise HTTPException(404, "no such file")
        return _file(known[name])

    @app.get("/api/project")
    def describe() -> Any:
        return project.describe()

    @app.post("/api/reviewers")
    def register(body: Reviewer) -> Any:
        with _errors():
            name = check_name(body.name)
            project.store.register(name)
        return {"name": name}

    @app.get("/api/records")
    def record_list(name: who, order: str = "file") -> Any:
        with _errors():
            return project.record_list(order, name)

    @app.get("/api/records/{record}")
    def record(record: int, name: who) -> Any:
        with _errors():
            return project.record(record, name)

    @app.post("/api/records/{record}/decisions")
    def decide(record: int, body: Decision, name: who) -> Any:
        for field in _NEEDS.get(body.action, ()):
            if getattr(body, field) is None:
                raise HTTPException(422, f"the action {body.action} needs '{field}'")
        with _errors():
            try:
                return project.decide(record, name, body.model_dump())
            except StaleError:
                return JSONResponse(project.record(record, name), 409)

    @app.get("/api/records/{record}/why")
    def why(record: int, start: int, end: int, name: who) -> Any:
        with _errors():
            return project.why(record, start, end, name)

    @app.get("/api/outcome")
    def outcome() -> Any:
        return project.outcome()

    @app.get("/api/conflicts")
    def conflicts() -> Any:
        return project.conflicts()

    @app.post("/api/records/{record}/adjudicate")
    def adjudicate(record: int, body: Choice, name: who) -> Any:
        with _errors():
            return project.adjudicate(record, name, body.start, body.end, body.choice)

    @app.post("/api/sign")
    def sign(body: Signature) -> Any:
        with _errors():
            made = project.sign(check_name(body.name), body.role.strip(), body.remark.strip())
        return {"statement": f"/statement/{made.number}"}

    @app.get("/statement/{number}")
    def statement(number: int) -> Response:
        for each in project.store.statements():
            if each.number == number:
                policy = {"Content-Security-Policy": _STATEMENT_POLICY}
                return HTMLResponse(statement_page(each), headers=policy)
        raise HTTPException(404, "no such statement")

    @app.get("/api/export")
    def export(to: str = "jsonl") -> Response:
        with _errors():
            name, data = project.export_file(to)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(
            data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    return app


@contextmanager
def _errors() -> Iterator[None]:
    """Turn errors into responses; their messages contain no text of a record."""
    try:
        yield
    except DecisionError as error:
        raise HTTPException(422, str(error)) from None
    except VeilError as error:
        raise HTTPException(422, str(error)) from None
    except LookupError:
        raise HTTPException(404, "no such record") from None


def _file(path: Any) -> Response:
    if not path.is_file():
        raise HTTPException(404, "no such file")
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind.endswith("javascript"):
        kind += "; charset=utf-8"
    return Response(path.read_bytes(), media_type=kind)


def _refusal(request: Request, token: str) -> Response | None:
    """The reason to refuse a request: another origin or host, no token, or a body too large."""
    host = request.headers.get("host", "")
    if host.rpartition(":")[0] not in _LOCAL and host not in _LOCAL:
        return _refused(403, "only this machine can use the page")
    origin = request.headers.get("origin")
    if origin is not None and origin != f"{request.url.scheme}://{host}":
        return _refused(403, "requests from other pages are refused")
    length = request.headers.get("content-length", "")
    if request.method == "POST" and (not length.isdecimal() or _LARGEST_BODY < int(length)):
        return _refused(413, "the request is too large")
    path = request.url.path
    if path == "/" or path.startswith("/static/"):
        return None
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not given and (path.startswith("/statement/") or path == "/api/export"):
        given = request.query_params.get("token", "")
    if not hmac.compare_digest(given.encode(), token.encode()):
        return _refused(
            401, "the token is missing or wrong; open the address that veil review printed"
        )
    return None


def _refused(status: int, message: str) -> Response:
    return JSONResponse({"detail": message}, status)
