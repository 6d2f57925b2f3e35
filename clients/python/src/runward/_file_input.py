"""What can be uploaded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TypeAlias

from .errors import RunwardError

FileInput: TypeAlias = bytes | Path | tuple[str, bytes]
"""A file of a form: its bytes, its path, or its name and its bytes. It is read into memory."""

BinaryInput: TypeAlias = bytes | Path
"""A body without a form: its bytes, or the path of a file, which is read while it is sent."""

_part_bytes = 256 * 1024


def named_content(field: str, file: FileInput) -> tuple[str, bytes]:
    """The name and the bytes of a file. Bytes without a name have that of their field.

    Raises a RunwardError for anything else.
    """
    if isinstance(file, Path):
        return file.name, file.read_bytes()
    if isinstance(file, bytes):
        return field, file
    # A string or an open file could be unpacked, too.
    if isinstance(file, tuple) and len(file) == 2 and isinstance(file[1], bytes):
        return file
    raise RunwardError(f'`{field}` must be bytes, a Path, or a name and bytes. A file on disk is Path("name.pdf").')


def size_of(body: BinaryInput) -> int:
    """The size of a body in bytes."""
    return body.stat().st_size if isinstance(body, Path) else len(body)


def sent(body: BinaryInput | None) -> bytes | Iterator[bytes] | None:
    """A body as httpx sends it."""
    return parts_of(body) if isinstance(body, Path) else body


def sent_async(body: BinaryInput | None) -> bytes | AsyncIterator[bytes] | None:
    """A body as the asynchronous client of httpx sends it."""
    return _async_parts_of(body) if isinstance(body, Path) else body


def parts_of(path: Path) -> Iterator[bytes]:
    """The content of a file in parts."""
    with path.open("rb") as file:
        while part := file.read(_part_bytes):
            yield part


async def _async_parts_of(path: Path) -> AsyncIterator[bytes]:
    for part in parts_of(path):
        yield part
