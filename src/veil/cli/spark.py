"""`veil spark`: mask tables on a Spark cluster."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from veil.cli import common
from veil.cli.mask import Bars, finish_masking, key_of
from veil.cli.progress import drawing
from veil.cli.standard import ending_in_order
from veil.core.errors import InputError
from veil.spark.files import mask_files_on_spark
from veil.spark.session import open_session

if TYPE_CHECKING:
    import argparse


def run_spark(args: argparse.Namespace) -> int:
    detection = common.detection(args)
    session = open_session(args.master, _settings(args.conf or []))
    try:
        with ending_in_order(), drawing(quiet=args.quiet) as draw:
            bars = Bars()
            result = mask_files_on_spark(
                args.sources,
                args.output,
                session=session,
                ship=args.ship,
                policy=args.policy,
                key=key_of(args),
                **common.table(args),
                **common.roles(args),
                drop_columns=args.drop_column,
                output_encoding=args.output_encoding,
                rescan=not args.no_rescan,
                two_pass=args.two_pass,
                rename=args.rename,
                resume=args.resume,
                overwrite=args.overwrite,
                watch=lambda done: draw(partial(bars.line, done)),
                announce=lambda done: draw(partial(bars.line, done)),
                **detection,
            )
    finally:
        session.stop()
    return finish_masking(args, result)


def _settings(given: list[str]) -> dict[str, str]:
    settings = {}
    for written in given:
        name, equals, value = written.partition("=")
        if not equals or not name:
            raise InputError(f"--conf {written}: write NAME=VALUE")
        settings[name] = value
    return settings
