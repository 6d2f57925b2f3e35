"""Transfers of files that combine several endpoints."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TypeGuard, Unpack

from . import models as m
from ._file_input import FileInput, named_content, parts_of
from ._options import Options
from .download import AsyncDownload, Download
from .errors import ApiConnectionError
from .generated.async_endpoints import AsyncFilesMethods
from .generated.sync_endpoints import FilesMethods

_direct_bytes = 8 * 1024 * 1024
_images = {
    "image/png": rb"\x89PNG\r\n",
    "image/jpeg": rb"\xff\xd8\xff",
    "image/gif": rb"GIF8[79]a",
    "image/webp": rb"(?s:RIFF....WEBP)",
    "image/heic": rb"(?s:....ftyp(?:heic|heix|hevc|hevx|heim|heis|mif1|msf1))",
}


class Files(FilesMethods):
    """Files of form fields."""

    def download(self, file_id: str, **options: Unpack[Options]) -> Download:
        """Begins the download of a file. Reading it to its end checks its SHA-256."""
        target = self.download_url(file_id, **options)
        download: Download = self._caller.follow("files.transfer", target["url"], None, {}, options)
        return download.expecting(target["fileName"], target["size"], target["sha256"])

    def upload(
        self, execution_entry_id: str, run_task_field_id: str, file: FileInput, **options: Unpack[Options]
    ) -> m.File:
        """Uploads a file to a field of an open entry, and checks its SHA-256. A Path may be of any size.

        Without a name of their own, bytes get the name `file`.
        """
        if _is_large(file):
            announced = _announced(execution_entry_id, run_task_field_id, file)
            target = self.upload_url(announced, **_without_key(options))
            headers = {"content-length": str(file.stat().st_size), **target["headers"]}
            self._caller.follow("files.receive", target["uploadUrl"], file, headers, options)
            attached = self.confirm({"fileId": target["fileId"]}, **options)
            digest = _digest(file)
        else:
            name, content = named_content("file", file)
            attached = self.direct_upload(
                {"executionEntryId": execution_entry_id, "runTaskFieldId": run_task_field_id, "file": (name, content)},
                **options,
            )
            digest = hashlib.sha256(content).hexdigest()
        if attached["sha256"] != digest:
            self.delete(attached["id"])
            raise _other_content(attached, digest)
        return attached


class AsyncFiles(AsyncFilesMethods):
    """Files of form fields."""

    async def download(self, file_id: str, **options: Unpack[Options]) -> AsyncDownload:
        """Begins the download of a file. Reading it to its end checks its SHA-256."""
        target = await self.download_url(file_id, **options)
        download: AsyncDownload = await self._caller.follow("files.transfer", target["url"], None, {}, options)
        return download.expecting(target["fileName"], target["size"], target["sha256"])

    async def upload(
        self, execution_entry_id: str, run_task_field_id: str, file: FileInput, **options: Unpack[Options]
    ) -> m.File:
        """Uploads a file to a field of an open entry, and checks its SHA-256. A Path may be of any size.

        Without a name of their own, bytes get the name `file`.
        """
        if _is_large(file):
            announced = _announced(execution_entry_id, run_task_field_id, file)
            target = await self.upload_url(announced, **_without_key(options))
            headers = {"content-length": str(file.stat().st_size), **target["headers"]}
            await self._caller.follow("files.receive", target["uploadUrl"], file, headers, options)
            attached = await self.confirm({"fileId": target["fileId"]}, **options)
            digest = _digest(file)
        else:
            name, content = named_content("file", file)
            attached = await self.direct_upload(
                {"executionEntryId": execution_entry_id, "runTaskFieldId": run_task_field_id, "file": (name, content)},
                **options,
            )
            digest = hashlib.sha256(content).hexdigest()
        if attached["sha256"] != digest:
            await self.delete(attached["id"])
            raise _other_content(attached, digest)
        return attached


def _is_large(file: FileInput) -> TypeGuard[Path]:
    # A request of a form is held in memory by both sides, and a broken connection repeats all of it.
    return isinstance(file, Path) and file.stat().st_size > _direct_bytes


def _announced(execution_entry_id: str, run_task_field_id: str, path: Path) -> m.AnnounceUpload:
    return {
        "executionEntryId": execution_entry_id,
        "runTaskFieldId": run_task_field_id,
        "fileName": path.name,
        "contentType": _image_type(path) or "application/octet-stream",
        "size": path.stat().st_size,
    }


def _image_type(path: Path) -> str | None:
    # SIGNATURE and IMAGE fields need the type in advance. The service detects it itself and rejects another one, so the
    # name, which may be wrong, does not tell.
    with path.open("rb") as file:
        start = file.read(12)
    return next((name for name, pattern in _images.items() if re.match(pattern, start)), None)


def _without_key(options: Options) -> Options:
    # The key of the caller belongs to the request that attaches the file.
    kept = options.copy()
    kept.pop("idempotency_key", None)
    return kept


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    for part in parts_of(path):
        digest.update(part)
    return digest.hexdigest()


def _other_content(attached: m.File, digest: str) -> ApiConnectionError:
    return ApiConnectionError(
        f'The service received other bytes of "{attached["fileName"]}" than were sent (SHA-256 {attached["sha256"]} '
        f"instead of {digest}), and the file was removed again. Upload it again; if this recurs, check proxies between "
        "here and the server."
    )
