"""The routes of the service, with the shapes of their requests and responses."""

# Annotations are evaluated when the routes are created, so they cannot be strings.

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

import veil
from veil.core.errors import VeilError
from veil.io.fhir.formats import SECURITY_LABELS
from veil.serve.batch import NDJSON, BatchResponse
from veil.serve.engine import Answer, Catalogue, EngineOptions, WithheldError, examples
from veil.serve.guard import (
    BATCH,
    FHIR,
    LOG,
    PROBLEM,
    Access,
    ClientGoneError,
    Guard,
    Limits,
    ProblemError,
    kind_of,
)
from veil.serve.metrics import CONTENT_TYPE, Metrics
from veil.serve.page import api_page, landing_page, static_file
from veil.serve.presidio import entity_types, operators
from veil.serve.workers import (
    BusyError,
    TaskFailedError,
    TimeLimitError,
    WorkerLostError,
    Workers,
)

_ABOUT = """
Veil finds and removes what could identify people in clinical free text. Offsets are Unicode code
points, half open. A text that cannot be processed is withheld: the request fails, and the error
contains no text.
"""
# Traces and exported logs of the framework would contain bodies and exception messages.
_NO_TELEMETRY: Any = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
_FIELD = re.compile(r"[a-z_]{1,40}")


class _Strict(BaseModel):
    """A request in which an unknown key is an error."""

    model_config = ConfigDict(extra="forbid")


class TextRequest(_Strict):
    """A text and, optionally, its language, which is identified by default."""

    text: str = Field(description="the text, exactly as it is recorded")
    language: str | None = Field(
        None, description="code of the language; default: identified from the text"
    )
    known: dict[str, str | list[str] | None] | None = Field(
        None, description="known data of the patient, by the columns of docs/known.md"
    )


class MaskRequest(TextRequest):
    policy: str | None = Field(None, description="name of a policy; see GET /policies")
    patient: str | None = Field(
        None, description="id of the patient: texts of one patient get the same surrogates"
    )


class ExplainRequest(TextRequest):
    """With `start` and `end`, the response also explains why this range was found or missed."""

    top: int = Field(8, ge=1, le=100, description="number of features for each span")
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=1)


class BatchLine(TextRequest):
    """A line of `/batch`."""

    id: str | int | None = None
    patient: str | None = None


class FoundSpan(BaseModel):
    start: int
    end: int
    label: str
    score: float = Field(description="probability given by the detector")
    source: str = Field(description="detector and rule")


class DetectResponse(BaseModel):
    language: str | None
    spans: list[FoundSpan]


class MaskedSpan(FoundSpan):
    action: str = Field(description="action of the policy; 'keep' if the text is unchanged")
    replacement: str | None
    new_start: int = Field(description="offset in the masked text")
    new_end: int


class MaskResponse(BaseModel):
    text: str
    language: str | None
    policy: str
    spans: list[MaskedSpan]


class Feature(BaseModel):
    text: str
    weight: float


class ExplainedSpan(FoundSpan):
    sentences: list[str] = Field(
        description="the detector that found it, and the second-best label"
    )
    features: list[Feature] = Field(description="features of the model, by weight")


class ExplainedStretch(BaseModel):
    start: int
    end: int
    causes: list[str]
    sentences: list[str]
    features: list[Feature]


class ExplainResponse(BaseModel):
    language: str | None
    spans: list[ExplainedSpan]
    asked: ExplainedStretch | None = Field(description="about `start` and `end` of the request")


class AnalyzeRequest(BaseModel):
    """A request of Presidio's analyzer."""

    text: str | list[str]
    language: str
    entities: list[str] | None = None
    score_threshold: float | None = None
    return_decision_process: bool | None = None
    allow_list: list[str] | None = None
    allow_list_match: str | None = None
    correlation_id: Any = None
    ad_hoc_recognizers: list[Any] | None = Field(None, description="must be empty")
    context: list[str] | None = Field(None, description="has no effect")


class AnalyzerResult(BaseModel):
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    entity_type: str
    score: float


class AnalyzeResult(AnalyzerResult):
    analysis_explanation: dict[str, Any] | None


class AnonymizeRequest(BaseModel):
    """A request of Presidio's anonymizer."""

    text: str
    analyzer_results: list[AnalyzerResult]
    anonymizers: dict[str, dict[str, Any]] | None = None


class AnonymizedItem(BaseModel):
    start: int
    end: int
    entity_type: str
    text: str
    operator: str
    score: float | None


class AnonymizeResponse(BaseModel):
    text: str
    items: list[AnonymizedItem]


class ModelItem(BaseModel):
    name: str
    language: str
    kind: str
    scheme: str | None
    bytes: int


class PolicyItem(BaseModel):
    name: str
    about: str
    default: bool


class SchemeItem(BaseModel):
    name: str
    about: str
    labels: list[str]


class State(BaseModel):
    status: str
    version: str


class InvalidField(BaseModel):
    field: str
    problem: str


class ProblemBody(BaseModel):
    """Why a request failed (RFC 9457), without content of the request."""

    title: str
    status: int
    code: str
    detail: str
    fields: list[InvalidField] | None = None
    error: str | None = Field(None, description="same as detail, under Presidio's name")


def _responses(*statuses: int, of_fhir: bool = False) -> dict[int | str, dict[str, Any]]:
    """The errors that a route may return."""
    if of_fhir:
        content: dict[str, Any] = {FHIR: {"schema": {"type": "object"}}}
        return {
            status: {"description": _MEANING[status], "content": content} for status in statuses
        }
    problem = {"$ref": "#/components/schemas/ProblemBody"}
    return {
        status: {"description": _MEANING[status], "content": {PROBLEM: {"schema": problem}}}
        for status in statuses
    }


_MEANING = {
    400: "not JSON in UTF-8",
    401: "the bearer token is missing or wrong",
    403: "sent by a page of another site",
    408: "the body arrived too slowly",
    413: "the body is too large",
    421: "sent to another host name",
    422: "not a valid request, or the text is withheld",
    429: "too many requests at the same time",
    500: "an error of the service",
    503: "not ready, busy, or the text took too long",
}
_OF_POST = (400, 401, 403, 408, 413, 421, 422, 429, 503)
_OF_GET = (401, 403, 421)


@dataclass(frozen=True)
class Setup:
    """The settings of the service."""

    engine: EngineOptions
    limits: Limits
    access: Access
    workers: int
    forked: bool | None = None


class Service:
    """The workers and the metrics behind the routes."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.metrics = Metrics()
        self.catalogue = Catalogue(setup.engine)
        options = {} if setup.forked is None else {"forked": setup.forked}
        self.workers = Workers(
            setup.engine, setup.workers, time_limit=setup.limits.time_seconds, **options
        )
        self.failure = ""
        self.on_failure: Callable[[], None] = lambda: None

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """Load the models while probes are already answered; stop the workers on shutdown."""
        asyncio.get_running_loop().set_exception_handler(_log_unhandled)
        loading = asyncio.create_task(self._load())
        try:
            yield
        finally:
            loading.cancel()
            self.workers.close()

    async def _load(self) -> None:
        try:
            await self.workers.start()
        except VeilError as error:
            self.failure = str(error)
        except WorkerLostError:
            self.failure = "the workers cannot start; check that there is enough memory"
        if self.failure:
            self.on_failure()
        else:
            LOG.info("ready")

    async def run(self, request: Request, task: str, **options: Any) -> Answer:
        """Run a task for a request; cancel it if the client disconnects before a worker is free."""
        work = asyncio.create_task(self.workers.run(task, **options))
        gone = asyncio.create_task(_disconnected(request))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ClientGoneError
            answer = await work
        except WithheldError as error:
            self.metrics.withhold()
            raise ProblemError(422, "withheld", str(error)) from None
        except TimeLimitError:
            self.metrics.withhold()
            self.metrics.time_limits += 1
            detail = f"the text took more than {self.setup.limits.time_seconds:g} seconds"
            raise ProblemError(503, "time-limit", detail) from None
        except BusyError:
            detail = "no worker became free in time"
            raise ProblemError(503, "busy", detail, headers={"retry-after": "2"}) from None
        except WorkerLostError:
            self.metrics.withhold()
            raise ProblemError(503, "worker-lost", "a worker process ended") from None
        except TaskFailedError as error:
            self.metrics.withhold()
            LOG.error("task failed", extra={"error": str(error)})
            raise ProblemError(422, "withheld", f"withheld: it failed ({error})") from None
        finally:
            work.cancel()
            gone.cancel()
        self.metrics.add(answer.counts)
        return answer

    def policy(self, name: str | None) -> str:
        """The name of a policy that requests may use; a path is an error."""
        offered = self.setup.engine.policies
        if name is None:
            return self.setup.engine.default_policy
        if name not in offered:
            raise ProblemError(422, "unknown-policy", f"known policies: {', '.join(offered)}")
        return name

    def language(self, code: str | None) -> str | None:
        if (problem := self.unknown_language(code)) is not None:
            raise ProblemError(422, "unknown-language", problem)
        return code

    def unknown_language(self, code: str | None) -> str | None:
        known = self.catalogue.languages
        return None if code is None or code in known else f"known languages: {', '.join(known)}"


def make_app(service: Service) -> Guard:
    """Create the application; the server calls the guard around it."""
    app = FastAPI(
        title="Veil",
        version=veil.__version__,
        description=_ABOUT,
        lifespan=service.lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
    )
    _add_errors(app)
    _add_text_routes(app, service)
    _add_presidio_routes(app, service)
    _add_lists(app, service)
    _add_state(app, service)
    _add_pages(app, service)
    _describe(app)
    known = {route.path for route in app.routes if hasattr(route, "path")}

    def route_of(path: str) -> str:
        if path.startswith("/static/"):
            return "/static/{name}"
        return path if path in known else "other"

    return Guard(
        app,
        limits=service.setup.limits,
        access=service.setup.access,
        metrics=service.metrics,
        route_of=route_of,
        is_ready=lambda: service.workers.is_ready,
    )


def _add_text_routes(app: FastAPI, service: Service) -> None:
    json_response: dict[str, Any] = {"response_class": _Json, "tags": ["texts"]}

    @app.post(
        "/detect", response_model=DetectResponse, responses=_responses(*_OF_POST), **json_response
    )
    async def detect(body: TextRequest, request: Request) -> Response:
        """Find the spans that identify people."""
        service.language(body.language)
        answer = await service.run(
            request, "detect", text=body.text, language=body.language, known=body.known
        )
        return _Json(answer.body)

    @app.post(
        "/mask", response_model=MaskResponse, responses=_responses(*_OF_POST), **json_response
    )
    async def mask(body: MaskRequest, request: Request) -> Response:
        """Replace identifying spans by a policy."""
        service.language(body.language)
        answer = await service.run(
            request,
            "mask",
            policy=service.policy(body.policy),
            text=body.text,
            language=body.language,
            patient=body.patient,
            known=body.known,
        )
        return _Json(answer.body)

    @app.post(
        "/explain", response_model=ExplainResponse, responses=_responses(*_OF_POST), **json_response
    )
    async def explain(body: ExplainRequest, request: Request) -> Response:
        """Explain why each span was found, and why a range of the text was missed."""
        service.language(body.language)
        if (body.start is None) != (body.end is None):
            raise ProblemError(422, "stretch", "give both 'start' and 'end', or neither")
        if body.end is not None and not (body.start or 0) < body.end <= len(body.text):
            raise ProblemError(422, "stretch", "'start' and 'end' must be a range inside the text")
        answer = await service.run(
            request,
            "explain",
            top=body.top,
            start=body.start,
            end=body.end,
            text=body.text,
            language=body.language,
            known=body.known,
        )
        return _Json(answer.body)

    lines = {"schema": {"type": "string", "description": "a BatchLine in each line"}}

    @app.post(
        BATCH,
        response_class=_Ndjson,
        responses={
            200: {"description": "a line for each line, in order", "content": {NDJSON: lines}},
            **_responses(401, 403, 421, 422, 429, 503),
        },
        openapi_extra={"requestBody": {"required": True, "content": {NDJSON: lines}}},
        tags=["texts"],
    )
    async def batch(
        action: Literal["mask", "detect"] = "mask", policy: str | None = None
    ) -> Response:
        """Process a stream of texts, one JSON object in each line, while it arrives."""
        setup = service.setup
        return BatchResponse(
            action=action,
            policy=service.policy(policy),
            model=BatchLine,
            check=lambda line: service.unknown_language(line.get("language")),
            workers=service.workers,
            ahead=2 * setup.workers,
            limits=setup.limits,
            metrics=service.metrics,
        )

    resource = {"schema": {"type": "object", "required": ["resourceType"]}}

    @app.post(
        "/fhir/$deidentify",
        response_class=_Fhir,
        responses={
            200: {
                "description": "the masked resource or bundle",
                "content": {FHIR: {"schema": {"type": "object"}}},
                "headers": {
                    "Veil-Withheld": {
                        "description": "number of entries and elements that were left out",
                        "schema": {"type": "integer"},
                    }
                },
            },
            **_responses(*_OF_POST, of_fhir=True),
        },
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {FHIR: resource, "application/json": resource},
            }
        },
        tags=["FHIR"],
    )
    async def deidentify(
        request: Request,
        policy: str | None = None,
        language: str | None = None,
        security_label: Annotated[
            str | None, Query(description=f"one of {', '.join(SECURITY_LABELS)}")
        ] = None,
    ) -> Response:
        """Mask a FHIR R4 resource or bundle."""
        if security_label is not None and security_label not in SECURITY_LABELS:
            detail = f"known security labels: {', '.join(SECURITY_LABELS)}"
            raise ProblemError(422, "unknown-security-label", detail)
        answer = await service.run(
            request,
            "fhir",
            data=await request.body(),
            policy=service.policy(policy),
            language=service.language(language),
            security_label=security_label,
        )
        return _Fhir(answer.body, headers={"veil-withheld": str(answer.withheld)})


def _add_presidio_routes(app: FastAPI, service: Service) -> None:
    tagged: dict[str, Any] = {"tags": ["Presidio"]}

    @app.post(
        "/analyze",
        response_class=_Json,
        response_model=list[AnalyzeResult] | list[list[AnalyzeResult]],
        responses=_responses(*_OF_POST),
        **tagged,
    )
    async def analyze(body: AnalyzeRequest, request: Request) -> Response:
        """Find entities, with the request and response of Presidio's analyzer."""
        if body.ad_hoc_recognizers:
            detail = "recognizers of a request are not supported; see --own-rules and --deny"
            raise ProblemError(422, "ad-hoc-recognizers", detail)
        if body.allow_list and body.allow_list_match not in (None, "exact"):
            raise ProblemError(422, "allow-list-match", "allow_list_match must be 'exact'")
        is_list = isinstance(body.text, list)
        answer = await service.run(
            request,
            "analyze",
            texts=body.text if isinstance(body.text, list) else [body.text],
            language=service.language(body.language),
            is_list=is_list,
            entities=body.entities or None,
            score_threshold=body.score_threshold,
            with_explanation=bool(body.return_decision_process),
            allow_list=body.allow_list or [],
        )
        return _Json(answer.body)

    @app.post(
        "/anonymize",
        response_class=_Json,
        response_model=AnonymizeResponse,
        responses=_responses(*_OF_POST),
        **tagged,
    )
    async def anonymize(body: AnonymizeRequest, request: Request) -> Response:
        """Replace entities, with the request and response of Presidio's anonymizer."""
        length = len(body.text)
        results = [
            (each.start, each.end, each.entity_type, each.score) for each in body.analyzer_results
        ]
        if any(end < start or length < end for start, end, _, _ in results):
            detail = "an analyzer result is outside the text"
            raise ProblemError(422, "analyzer-results", detail)
        answer = await service.run(
            request,
            "anonymize",
            text=body.text,
            results=results,
            operators=body.anonymizers or {},
        )
        return _Json(answer.body)

    @app.get("/supportedentities", responses=_responses(*_OF_GET, 422), **tagged)
    async def supported_entities(language: str | None = None) -> list[str]:
        """List the entity types that are found."""
        service.language(language)
        return entity_types()

    @app.get("/recognizers", responses=_responses(*_OF_GET, 422), **tagged)
    async def recognizers(language: str | None = None) -> list[str]:
        """List the models that are used."""
        service.language(language)
        return [
            model["name"]
            for model in service.catalogue.models
            if language in (None, model["language"])
        ]

    @app.get("/anonymizers", responses=_responses(*_OF_GET), **tagged)
    async def anonymizers() -> list[str]:
        """List the operators of `/anonymize`."""
        return operators()


def _add_lists(app: FastAPI, service: Service) -> None:
    listed: dict[str, Any] = {"responses": _responses(*_OF_GET), "tags": ["lists"]}

    @app.get("/models", response_model=list[ModelItem], **listed)
    async def models() -> list[dict[str, Any]]:
        """List the models that are used."""
        return service.catalogue.models

    @app.get("/policies", response_model=list[PolicyItem], **listed)
    async def policies() -> list[dict[str, Any]]:
        """List the policies that requests may use."""
        return service.catalogue.policies

    @app.get("/schemes", response_model=list[SchemeItem], **listed)
    async def schemes() -> list[dict[str, Any]]:
        """List the label schemes that Veil has."""
        return service.catalogue.schemes


def _add_state(app: FastAPI, service: Service) -> None:
    state: dict[str, Any] = {"tags": ["state"]}

    @app.get("/health", response_model=State, responses=_responses(403, 421), **state)
    async def health() -> dict[str, str]:
        """Check that the process responds."""
        return {"status": "ok", "version": veil.__version__}

    @app.get("/ready", response_model=State, responses=_responses(403, 421, 503), **state)
    async def ready() -> dict[str, str]:
        """Check whether the models are loaded."""
        if not service.workers.is_ready:
            raise ProblemError(503, "loading", "the models are being loaded")
        return {"status": "ready", "version": veil.__version__}

    @app.get(
        "/metrics",
        response_class=PlainTextResponse,
        responses=_responses(*_OF_GET),
        **state,
    )
    async def metrics() -> Response:
        """Return metrics for Prometheus."""
        workers = service.workers
        text = service.metrics.text(
            workers=service.setup.workers, waiting=workers.waiting, replaced=workers.replaced
        )
        return Response(text, headers={"content-type": CONTENT_TYPE})


def _add_pages(app: FastAPI, service: Service) -> None:
    hidden: dict[str, Any] = {"include_in_schema": False}

    @app.get("/", response_class=HTMLResponse, **hidden)
    async def landing() -> str:
        return landing_page(examples(), service.catalogue.policies)

    @app.get("/docs", response_class=HTMLResponse, **hidden)
    async def docs() -> str:
        return api_page(app.openapi())

    @app.get("/static/{name}", **hidden)
    async def static(name: str) -> Response:
        found = static_file(name)
        if found is None:
            raise ProblemError(404, "not-found", "no such file")
        content_type, data = found
        return Response(data, headers={"content-type": content_type})


def _add_errors(app: FastAPI) -> None:
    """Replace the errors of the framework, which quote the request."""

    @app.exception_handler(ProblemError)
    async def problem(request: Request, error: ProblemError) -> Response:
        content_type, body = error.body(request.url.path)
        headers = {**error.headers, "content-type": content_type}
        return Response(body, error.status, headers=headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        fields = [
            {"field": _field(each["loc"]), "problem": str(each["type"])} for each in error.errors()
        ]
        is_json = all(each["problem"] != "json_invalid" for each in fields)
        detail = "not a valid request; see 'fields'"
        if not is_json:
            return await problem(request, ProblemError(400, "not-json", "the body is not JSON"))
        return await problem(request, ProblemError(422, "invalid", detail, fields=fields))

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        codes = {400: "not-json", 404: "not-found", 405: "wrong-method"}
        details = {400: "the body is not JSON in UTF-8", 404: "no such route"}
        code = codes.get(error.status_code, "refused")
        detail = details.get(error.status_code, "the request is refused")
        headers = dict(error.headers or {})
        own = ProblemError(error.status_code, code, detail, headers=headers)
        return await problem(request, own)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        if isinstance(error, ClientGoneError):
            return Response(status_code=499)
        return await problem(request, ProblemError(500, "internal", "the request failed"))


def _field(place: Sequence[str | int]) -> str:
    """The position of an error in a request; unknown keys are not quoted."""
    return ".".join(
        str(each) if isinstance(each, int) or (_FIELD.fullmatch(each) and each in _FIELDS) else "?"
        for each in place
    )


_FIELDS = frozenset(
    {"body", "query", "policy", "language", "action", "security_label"}.union(
        *(
            model.model_fields
            for model in (
                *(TextRequest, MaskRequest, ExplainRequest, AnalyzeRequest, AnonymizeRequest),
                AnalyzerResult,
            )
        )
    )
)


async def _disconnected(request: Request) -> None:
    """Wait until the client goes away."""
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            return


class _Json(JSONResponse):
    """JSON produced by a worker."""

    def render(self, content: bytes) -> bytes:
        return content


class _Ndjson(Response):
    media_type = NDJSON


class _Fhir(Response):
    media_type = FHIR


def _describe(app: FastAPI) -> None:
    """Complete the OpenAPI description: problems, lines, and the token."""
    made: dict[str, Any] = app.openapi()
    schemas = made["components"]["schemas"]
    for model in (ProblemBody, BatchLine):
        schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= schema.pop("$defs", {})
        schemas[model.__name__] = schema
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{}, {"token": []}]
    app.openapi_schema = made


def _log_unhandled(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log the type of an unhandled background error; its message may quote a record."""
    error = context.get("exception")
    LOG.error("background task failed", extra={"error": kind_of(error) if error else "unknown"})
