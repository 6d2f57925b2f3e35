"""Errors of requests that have no response."""

from __future__ import annotations

import httpx

from ._request import Outgoing
from ._response import shown_url
from ._settings import Settings
from .errors import ApiConnectionError, ApiTimeoutError, RunwardError


def transport_error(settings: Settings, outgoing: Outgoing, error: httpx.HTTPError) -> RunwardError:
    """The error for a request without a complete response."""
    what = f"{outgoing.route.method} {shown_url(outgoing.path)}"
    if isinstance(error, httpx.TimeoutException):
        return ApiTimeoutError(
            f"{what} made no progress for {outgoing.timeout:g} s. If that is expected, raise `timeout`."
        )
    reason = str(error).rstrip(".") or type(error).__name__
    return ApiConnectionError(
        f"{what} failed: {reason}. Check that base_url ({settings.base_url}) is correct and that the server is running."
    )
