"""Serving the review page on this machine until it is stopped."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

from veil.core.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.review.project import Project

TOKEN = "VEIL_REVIEW_TOKEN"  # noqa: S105 - the name of a variable
PORT = 8345
_HOST = "127.0.0.1"


def serve_project(
    project: Project, *, port: int | None = None, ready: Callable[[str], None]
) -> None:
    """Serve a review until it is interrupted; `ready` gets the address of the page.

    Without a port the default one is used, or any free port if it is taken.
    """
    uvicorn = require("uvicorn", extra="serve")
    require("fastapi", extra="serve")
    from veil.review.app import make_app

    token = os.environ.get(TOKEN) or project.meta["token"]
    listener = _listener(port)
    config = uvicorn.Config(
        make_app(project, token),
        host=_HOST,
        access_log=False,  # paths contain names and the token
        log_level="critical",
        lifespan="off",
        server_header=False,
    )
    ready(f"http://{_HOST}:{listener.getsockname()[1]}/?token={token}")
    uvicorn.Server(config).run(sockets=[listener])


def _listener(port: int | None) -> socket.socket:
    """A socket that listens on this machine only."""
    for wanted in (PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((_HOST, wanted))
            listener.listen(128)
        except OSError:
            listener.close()
        else:
            return listener
    raise InputError(f"port {port}: in use or not permitted; choose another --port")
