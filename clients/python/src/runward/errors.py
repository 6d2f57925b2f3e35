"""What calls raise."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class RunwardError(Exception):
    """The base of all errors of this package. Raised directly for an invalid option or argument."""


class ApiConnectionError(RunwardError):
    """The server could not be reached, the connection broke, or the response does not come from the API."""


class ApiTimeoutError(RunwardError):
    """An attempt took longer than `timeout`."""


@dataclass(frozen=True)
class ErrorDetails:
    """What an error response says."""

    method: str
    path: str
    status: int
    error: str
    code: str | None
    messages: tuple[str, ...]
    request_id: str | None
    retry_after: float | None
    headers: Mapping[str, str]
    body: Any


class ApiError(RunwardError):
    """A response whose status is not 2xx. Statuses without their own class, such as 413, are plain ApiErrors."""

    def __init__(self, details: ErrorDetails) -> None:
        self.method = details.method
        self.path = details.path
        self.status = details.status
        self.error = details.error
        """The reason phrase, like `Not Found`."""
        self.code = details.code
        """What went wrong, for programs, like `run_terminal`. None if the body has none, because a proxy sent it."""
        self.messages = details.messages
        """One message per error; at least one."""
        self.request_id = details.request_id
        """The operator of the server can find the request by it."""
        self.retry_after = details.retry_after
        """Seconds to wait before the next attempt; None if the server does not say."""
        self.headers = details.headers
        self.body = details.body
        """The parsed body. If it is not JSON, the beginning of its text."""
        request = "" if self.request_id is None else f" (request {self.request_id})"
        super().__init__(f"{self.method} {self.path}: {self.status} {self.error}: {'; '.join(self.messages)}{request}")


class ValidationError(ApiError):
    """400: the input is invalid (one message per error), or a rule of the process forbids the request."""


class AuthenticationError(ApiError):
    """401: the API key is missing, malformed, expired or revoked."""


class FeatureLockedError(ApiError):
    """402: the plan of the organization lacks a feature."""

    @property
    def capability(self) -> str | None:
        """The capability that the plan lacks; None if the response does not name it."""
        found = self.body.get("capability") if isinstance(self.body, dict) else None
        return found if isinstance(found, str) else None


class PermissionDeniedError(ApiError):
    """403: the API key lacks a scope, or the template is outside its resource scope."""

    @property
    def missing_scope(self) -> str | None:
        """The missing scope, like `runs:read`; None if a scope is not the reason."""
        found = re.search(r"lacks the scope ([a-z-]+:[a-z-]+)", "\n".join(self.messages))
        return found and found.group(1)


class NotFoundError(ApiError):
    """404: the record does not exist in the organization, or was deleted."""


class PreconditionFailedError(ApiError):
    """412: the record no longer has the version in `if_match`. Nothing was written."""


class RateLimitError(ApiError):
    """429: the rate limit was exceeded, and the retries were used up or the wait would have been too long."""


class ServerError(ApiError):
    """500 and above: the server or a proxy failed."""


_classes: dict[int, type[ApiError]] = {
    400: ValidationError,
    401: AuthenticationError,
    402: FeatureLockedError,
    403: PermissionDeniedError,
    404: NotFoundError,
    412: PreconditionFailedError,
    429: RateLimitError,
}


def api_error(details: ErrorDetails) -> ApiError:
    """The error for a status that is not 2xx."""
    return _classes.get(details.status, ServerError if details.status >= 500 else ApiError)(details)
