"""The options that every call takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    """Options of one call. Those of the client apply where one is absent."""

    timeout: float
    """Seconds until the connection is made, and between two parts of the response."""
    max_retries: int
    """The number of retries of a failed request; 0 for none."""
    headers: Mapping[str, str]
    """More headers. They replace those of the client."""
    idempotency_key: str | Literal[False]
    """The key of a write, sent with every attempt. The service performs a request once per key, and repeats the stored
    response for 24 hours. False for none. Default: a new UUID for each POST and PATCH that writes.
    """


class VersionedOptions(Options, total=False):
    """Options of a write that can check the version of its record."""

    if_match: str
    """The `version` of the record. If the record has changed since, nothing is written, and the call raises a
    PreconditionFailedError.
    """


class StaleReadOptions(Options, total=False):
    """Options of a read that may come from a replica of the database."""

    max_stale: int
    """How many seconds old the data may be. With a service that has a replica, up to 5 seconds spare its primary
    database. Default: the current state.
    """


class RawOptions(VersionedOptions, StaleReadOptions, total=False):
    """Options of `request`."""
