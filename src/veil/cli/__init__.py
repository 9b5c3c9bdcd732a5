"""The command line. It holds no logic: every command calls public functions of the library."""

from veil.cli.main import build_parser, main

__all__ = ["build_parser", "main"]
