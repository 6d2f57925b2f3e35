"""Streamed responses."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

import httpx

from .errors import ApiConnectionError, ApiTimeoutError, RunwardError


class _Described:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.content_type = response.headers.get("content-type", "application/octet-stream")
        """The media type, like `text/csv; charset=utf-8`."""
        self.size: int | None = None
        """The size of a file in bytes; None for what is made for the request."""
        self.file_name = file_name(response.headers) or "download"
        """The file name without folders. `download` if the response has none."""
        self._digest = hashlib.sha256()
        self._expected: str | None = None

    def expecting(self, name: str, size: int, sha256: str) -> Self:
        """Sets what the service says of a file. Content that differs from it makes the last part raise."""
        self.file_name, self.size, self._expected = safe_name(name) or "download", size, sha256
        return self

    def _check(self) -> None:
        actual = self._digest.hexdigest()
        if self._expected not in (None, actual):
            raise ApiConnectionError(
                f'"{self.file_name}" arrived with other content than was uploaded (SHA-256 {actual} instead of '
                f"{self._expected}). Discard it and retry; if this recurs, check proxies between here and the server."
            )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.file_name!r} {self.content_type!r}>"


class Download(_Described):
    """Content that is read once, as it arrives. Read it to its end, or use it in a `with` block."""

    def read(self) -> bytes:
        """All of the content."""
        return b"".join(self.parts())

    def parts(self) -> Iterator[bytes]:
        """The content in parts. Raises a RunwardError if it is incomplete."""
        try:
            for part in self._response.iter_bytes():
                self._digest.update(part)
                yield part
            self._check()
        except (httpx.TransportError, httpx.DecodingError, httpx.StreamError) as error:
            raise _broken(error) from error
        finally:
            self._response.close()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the content to a new file. Raises FileExistsError if there is one, and removes what is incomplete."""
        with self, open(path, "xb") as file:
            try:
                for part in self.parts():
                    file.write(part)
            except BaseException:
                os.unlink(path)
                raise

    def __enter__(self) -> Download:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._response.close()


class AsyncDownload(_Described):
    """Content that is read once, as it arrives. Read it to its end, or use it in an `async with` block."""

    async def read(self) -> bytes:
        """All of the content."""
        return b"".join([part async for part in self.parts()])

    async def parts(self) -> AsyncIterator[bytes]:
        """The content in parts. Raises a RunwardError if it is incomplete."""
        try:
            async for part in self._response.aiter_bytes():
                self._digest.update(part)
                yield part
            self._check()
        except (httpx.TransportError, httpx.DecodingError, httpx.StreamError) as error:
            raise _broken(error) from error
        finally:
            await self._response.aclose()

    async def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the content to a new file. Raises FileExistsError if there is one, and removes what is incomplete."""
        async with self:
            with open(path, "xb") as file:
                try:
                    async for part in self.parts():
                        file.write(part)
                except BaseException:
                    os.unlink(path)
                    raise

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._response.aclose()


def file_name(headers: Mapping[str, Any]) -> str | None:
    """The file name in `Content-Disposition`, without folders; `filename*` comes before `filename`."""
    disposition = str(headers.get("content-disposition", ""))
    extended = re.search(r";\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)", disposition, re.IGNORECASE)
    plain = re.search(r';\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))', disposition, re.IGNORECASE)
    names = [
        unquote(extended.group(1)) if extended else "",
        re.sub(r"\\(.)", r"\1", plain.group(1) or "") or plain.group(2) or "" if plain else "",
    ]
    return next((safe for safe in map(safe_name, names) if safe is not None), None)


def safe_name(path: str) -> str | None:
    """A file name without folders and control characters. None if nothing is left."""
    name = re.sub(r"[\x00-\x1f\x7f-\x9f]", "", re.split(r"[/\\]", path)[-1]).strip()
    return None if name in ("", ".", "..") else name


def _broken(error: Exception) -> RunwardError:
    if isinstance(error, httpx.TimeoutException):
        return ApiTimeoutError("The download made no progress. It is incomplete; discard it and retry.")
    return ApiConnectionError(f"The download failed: {error}. It is incomplete; discard it and retry.")
