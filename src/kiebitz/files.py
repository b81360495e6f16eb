"""Replaces files atomically: completely or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that replaces `path` at the end; if anything fails, the old file stays.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "one.txt")) as file:
    ...         _ = file.write(b"new")
    ...     Path(folder, "one.txt").read_text(), len(os.listdir(folder))
    ('new', 1)
    """
    path = path.resolve()  # a symbolic link stays one
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with open(beside, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # otherwise a power cut could leave an empty file under the name
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
