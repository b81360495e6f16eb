"""Archives: NumPy's format without pickles, for policies and the memory of solvers. Nothing in a file is executed."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz.errors import Error, LimitError, ParameterError
from kiebitz.files import replacing

MOST_BYTES = 2**31
"""Size of the unpacked arrays of a file."""
MOST_TEXT = 2**26
"""Size of a part whose size nobody knows before, such as the description of a game: four bytes a character."""
QUICK = 1
"""The level of compression, because checkpoints are written often: three times as quick as the usual one."""


class ArchiveError(ParameterError):
    """A file that is not what was expected; the message names it."""


def write_archive(path: str | Path, arrays: Mapping[str, Any]) -> None:
    """Writes a NumPy archive. An older file of that name is replaced completely or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_archive(folder + "/one.npz", {"format": np.array("mine 1"), "numbers": np.arange(3)})
    ...     Archive(Path(folder, "one.npz"), "mine 1")["numbers"]
    array([0, 1, 2])
    """
    if not isinstance(path, str | Path):
        raise ParameterError(f"file: expected its name, got {type(path).__name__}")
    size = sum(np.asarray(array).nbytes for array in arrays.values())
    if size > MOST_BYTES:
        raise LimitError(f"{path}: expected at most {MOST_BYTES:,} bytes of arrays, got {size:,}")
    try:
        target = Path(path)
        if target.exists() and not target.is_file():
            raise ParameterError(f"{path}: expected the name of a file, got something else")
        with (
            replacing(target) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=QUICK) as archive,
        ):
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)
    except (OSError, ValueError) as error:  # ValueError: such as a zero in the name
        if isinstance(error, Error):
            raise
        raise ParameterError(f"{path!s:.200}: cannot be written: {getattr(error, 'strerror', error)}") from None


class Archive(Mapping[str, NDArray[Any]]):
    """The arrays of a NumPy archive of a known format, each read when it is asked for: a small file can unpack to
    gigabytes, so nothing larger than its reader expects is unpacked. Nothing in it is executed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_archive(folder + "/one.npz", {"format": np.array("mine 1"), "numbers": np.arange(3)})
    ...     Archive(Path(folder, "one.npz"), "mine 1").part("numbers", most=2)
    Traceback (most recent call last):
    kiebitz.solve.archive.ArchiveError: ...one.npz: numbers: expected at most 2 bytes, got 24
    """

    def __init__(self, path: Path, expected: str) -> None:
        self._path = path
        with self._opened() as archive:
            members = archive.infolist()
            if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
                raise ValueError("not compressed the way NumPy does it")
        size = sum(member.file_size for member in members)
        if size > MOST_BYTES:
            raise LimitError(f"{path}: expected at most {MOST_BYTES:,} bytes of arrays, got {size:,}")
        self._members = {member.filename.removesuffix(".npy"): member for member in members}
        found = str(self["format"]) if "format" in self else "none"
        if found != expected:
            raise ArchiveError(f"{path}: expected the format '{expected}', got '{found:.60}'")

    @contextmanager
    def _opened(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self._path) as archive:
                yield archive
        except ArchiveError:
            raise
        except (OSError, ValueError, EOFError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            raise ArchiveError(f"{self._path}: expected a file written by Kiebitz: {error!s:.200}") from None

    def part(self, name: str, most: int) -> NDArray[Any]:
        """An array of up to `most` bytes."""
        member = self._members[name]
        with self._opened() as archive:
            size = member.file_size - _header_size(archive, member)
            if size > most:
                raise ArchiveError(f"{self._path}: {name}: expected at most {most:,} bytes, got {size:,}")
            return _array(archive.read(member))

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.part(name, MOST_TEXT)

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


def _header_size(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    with archive.open(member) as file:
        start = file.read(12)
    length, width = (12, 4) if start[6:7] == b"\x02" else (10, 2)
    return length + int.from_bytes(start[8 : 8 + width], "little")


def _array(data: bytes) -> NDArray[Any]:
    """An array from the bytes of a .npy file, if there are as many bytes as its header says."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"expected an array, got one of the version {version}")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, _, dtype = read(file)
    except Exception as error:  # NumPy evaluates the header as Python, which can raise anything
        raise ValueError(f"broken header: {error!s:.100}") from None
    if dtype.hasobject:
        raise ValueError("expected plain numbers and texts, got Python objects")
    if math.prod(shape) * max(dtype.itemsize, 1) > len(data):  # before any memory is allocated
        raise ValueError(f"an array of the shape {shape} is cut off")
    file.seek(0)
    array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    if dtype.kind == "U":  # NumPy does not check texts, and Python fails on code points that do not exist
        codes = np.ascontiguousarray(array).view(np.dtype(np.uint32).newbyteorder(dtype.byteorder))
        if np.any((codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))):
            raise ValueError("a text with invalid characters")
    return array
