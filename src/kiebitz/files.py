"""Files that are replaced by complete new ones or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of `path` at the end; if anything fails, the old one stays.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "one.txt")) as file:
    ...         _ = file.write(b"new")
    ...     Path(folder, "one.txt").read_text(), len(os.listdir(folder))
    ('new', 1)
    """
    path = path.resolve()  # a link stays one
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)  # mkstemp makes private files; this one is as readable as any other
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
