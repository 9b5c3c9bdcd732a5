from __future__ import annotations

from pathlib import Path

import pytest

from veil import InputError
from veil.io.outputs import check_free, check_output


def test_standard_output_is_refused_where_files_are_written(tmp_path: Path) -> None:
    """A dash means standard output to most people: no file of that name is made."""
    for overwrite in (False, True):
        with pytest.raises(InputError, match="does not write to standard output"):
            check_output(tmp_path, Path("-"), overwrite=overwrite)
        with pytest.raises(InputError, match="does not write to standard output"):
            check_free(Path("-"), overwrite=overwrite)
