"""Whether and when a failed attempt is repeated."""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from ._request import Outgoing
from ._settings import Settings
from .errors import ApiConnectionError, ApiError, ApiTimeoutError, RateLimitError, RunwardError

_transient_statuses = frozenset({408, 429, 500, 502, 503, 504})


def retry_delay(error: RunwardError, attempt: int, outgoing: Outgoing, settings: Settings) -> float | None:
    """Seconds to wait before the next attempt; None if the error is final. `attempt` counts from 1."""
    if attempt > outgoing.max_retries or not _is_transient(error, outgoing.repeatable):
        return None
    requested = error.retry_after if isinstance(error, ApiError) else None
    if requested is None:
        # A random time up to a limit that doubles with each attempt.
        return random.uniform(0, min(8.0, 0.5 * 2 ** (attempt - 1)))
    return None if requested > settings.max_retry_after else requested


def retry_after(headers: Mapping[str, str], body: Any) -> float | None:
    """The wait in seconds that the server asks for: the header `Retry-After`, else `retryAfter` in the body."""
    header = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]+", header):
        return float(header)
    if re.search(r"[A-Za-z]", header):
        try:
            return float(max(0, math.ceil(parsedate_to_datetime(header).timestamp() - time.time())))
        except ValueError:
            pass
    named = body.get("retryAfter") if isinstance(body, dict) else None
    if isinstance(named, (int, float)) and not isinstance(named, bool) and named >= 0:
        return float(named)
    return None


def _is_transient(error: RunwardError, repeatable: bool) -> bool:
    # A request over the rate limit is rejected before it changes anything, so repeating even a launch is safe.
    if isinstance(error, RateLimitError):
        return True
    if not repeatable:
        return False
    if isinstance(error, ApiError):
        return error.status in _transient_statuses
    return isinstance(error, (ApiConnectionError, ApiTimeoutError))
