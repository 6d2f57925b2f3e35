"""The checked options of a client."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ._version import __version__
from .errors import RunwardError


@dataclass(frozen=True)
class Settings:
    """The options of a client, with defaults. Printing it does not show the key."""

    api_key: str | None = field(repr=False)
    base_url: str
    """Without a slash at its end."""
    timeout: float
    max_retries: int
    max_retry_after: float
    idempotency_keys: bool
    user_agent: str


def read_settings(
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    max_retry_after: float,
    idempotency_keys: bool,
) -> Settings:
    """Checks options and adds those of the environment. A RunwardError names the option, but not the key."""
    if not max_retry_after >= 0:
        raise RunwardError("`max_retry_after` must be a number, 0 or more.")
    return Settings(
        api_key=_read_key(api_key if api_key is not None else os.environ.get("RUNWARD_API_KEY", "")),
        base_url=_read_base_url(base_url if base_url is not None else os.environ.get("RUNWARD_BASE_URL", "")),
        timeout=check_timeout(timeout),
        max_retries=check_retries(max_retries),
        max_retry_after=max_retry_after,
        idempotency_keys=idempotency_keys,
        user_agent=f"runward-python/{__version__} python/{platform.python_version()}",
    )


def check_timeout(timeout: float) -> float:
    """A usable `timeout`."""
    if not timeout > 0:
        raise RunwardError("`timeout` must be a number of seconds greater than 0.")
    return timeout


def check_retries(max_retries: int) -> int:
    """A usable `max_retries`."""
    if not isinstance(max_retries, int) or max_retries < 0:
        raise RunwardError("`max_retries` must be a whole number, 0 or more; 0 disables retries.")
    return max_retries


def _read_key(given: str) -> str | None:
    key = given.strip()
    if key == "":
        return None
    # The key is not printed, because it may be a different secret.
    if not re.fullmatch(r"sk_live_[A-Za-z0-9_-]+", key):
        raise RunwardError(
            "The API key (`api_key` or RUNWARD_API_KEY) must be `sk_live_` followed by letters and digits. "
            "Copy the key again, and nothing else."
        )
    return key


def _read_base_url(given: str) -> str:
    text = given.strip() or "http://127.0.0.1:3000"
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise RunwardError(
            "`base_url` (or RUNWARD_BASE_URL) must be an http or https URL, like https://runward.example.com."
        )
    if url.username is not None or url.query or url.fragment:
        raise RunwardError("`base_url` (or RUNWARD_BASE_URL) must have no user name, password, query or fragment.")
    return text.rstrip("/")
