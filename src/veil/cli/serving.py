"""`veil serve`: Veil over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.cli import common
from veil.core.errors import InputError, require
from veil.detect.assembly import DetectionOptions
from veil.replace.secret import Key

if TYPE_CHECKING:
    import argparse

_MEGABYTE = 1_000_000


def run_serve(args: argparse.Namespace) -> int:
    for module in ("fastapi", "uvicorn"):
        require(module, extra="serve")
    from veil.serve.engine import EngineOptions
    from veil.serve.server import ServeOptions, serve

    common.refuse_idle({"--two-pass, in a service": args.two_pass})
    detection = DetectionOptions.of({**common.detection(args)})
    if detection.scheme is None:
        raise InputError(
            f"{detection.model}: the model's labels are in no scheme of Veil, so no policy applies"
        )
    detection.check()
    engine = EngineOptions(
        detection,
        args.policy,
        Key.generate() if args.key_file is None else Key.read(args.key_file),
        rescan=not args.no_rescan,
    )
    options = ServeOptions(
        host=args.host,
        port=args.port,
        token_file=args.token_file,
        tls_cert=args.tls_cert,
        tls_key=args.tls_key,
        allowed_hosts=args.allowed_host,
        workers=args.workers,
        max_bytes=int(args.max_size * _MEGABYTE),
        time_limit=args.time_limit,
        read_timeout=args.read_timeout,
        max_requests=args.max_requests,
        log_format=args.log_format,
    )
    if args.key_file is None:
        common.say(
            "surrogates will change after a restart; give --key-file to keep them",
            quiet=args.quiet,
        )
    serve(engine, options, common.say)
    return 0
