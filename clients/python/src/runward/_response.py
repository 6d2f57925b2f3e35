"""Reads responses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ._request import Outgoing
from ._retry import retry_after
from ._settings import Settings
from .errors import ApiConnectionError, ApiError, ErrorDetails, api_error


def read_json(outgoing: Outgoing, content_type: str, body: bytes) -> Any:
    """The data of a 2xx response; None where the endpoint returns nothing."""
    if outgoing.route.returns is None or (outgoing.route.operation == "request" and body == b""):
        return None
    what = f"{outgoing.route.method} {outgoing.path}"
    is_json = media_type(content_type).endswith(("/json", "+json"))
    try:
        return json.loads(body)
    except ValueError as cause:
        if not is_json:
            raise unexpected(outgoing, content_type, "JSON") from cause
        raise ApiConnectionError(
            f"{what}: the response is not valid JSON (truncated). Retry; if it recurs, check proxies between here and "
            "the server."
        ) from cause


def unexpected(outgoing: Outgoing, content_type: str, wanted: str) -> ApiConnectionError:
    """The error for a response of another type, such as a page of a proxy."""
    found = media_type(content_type) or "of an unknown type"
    return ApiConnectionError(
        f"{outgoing.route.method} {shown_url(outgoing.path)}: the response is not {wanted} but {found}. "
        "Check that base_url leads to the API."
    )


def to_error(
    settings: Settings, outgoing: Outgoing, status: int, reason: str, headers: Mapping[str, str], content: bytes
) -> ApiError:
    """The error for a response whose status is not 2xx. Nothing about its body is certain: a proxy may have sent it."""
    text = shown_url(content.decode("utf-8", "replace"))
    # Error pages of some proxies contain the request with its headers.
    if settings.api_key is not None:
        text = text.replace(settings.api_key, "[redacted]")
    body = _parse(text)
    fields = body if isinstance(body, dict) else {}
    return api_error(
        ErrorDetails(
            method=outgoing.route.method,
            path=shown_url(outgoing.path),
            status=status,
            error=fields["error"] if isinstance(fields.get("error"), str) else reason or "Error",
            code=fields["code"] if isinstance(fields.get("code"), str) else None,
            messages=_redirect(status, headers) or _messages(body),
            request_id=headers.get("x-request-id"),
            retry_after=retry_after(headers, body),
            headers=headers,
            body=body,
        )
    )


def media_type(content_type: str) -> str:
    """The type without its parameters."""
    return content_type.split(";")[0].strip().lower()


def shown_url(text: str) -> str:
    """Removes the signatures of signed URLs from a text, because whoever has such a signature may use the URL."""
    shown = re.sub(r"(/files/transfer/)[\w.-]+", r"\1[redacted]", text)
    return re.sub(r"(X-Amz-Signature=)\w+", r"\1[redacted]", shown)


def _redirect(status: int, headers: Mapping[str, str]) -> tuple[str, ...]:
    if not 300 <= status <= 399:
        return ()
    target = headers.get("location")
    return (
        f"The server redirects{'' if target is None else f' to {target}'}. Redirects are not followed, because they "
        "would send the API key to another address; check base_url (https instead of http, host, path prefix).",
    )


def _messages(body: Any) -> tuple[str, ...]:
    given = body.get("message") if isinstance(body, dict) else None
    messages = tuple(each for each in (given if isinstance(given, list) else [given]) if isinstance(each, str))
    return messages or (body if isinstance(body, str) and body else "The response contains no message.",)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        line = " ".join(text.split())
        return line if len(line) <= 300 else f"{line[:300]}…"
