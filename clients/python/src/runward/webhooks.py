"""Verifies deliveries of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

from .models import DeliveryPayload

WebhookErrorCode: TypeAlias = Literal[
    "missing_secret",
    "body_not_raw",
    "missing_header",
    "invalid_timestamp",
    "timestamp_outside_tolerance",
    "invalid_signature_format",
    "signature_mismatch",
    "invalid_payload",
]
"""The check that failed. Stable, unlike the message."""


class WebhookVerificationError(Exception):
    """A delivery failed verification. `code` is the failed check; the message also says what to do."""

    def __init__(self, code: WebhookErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: WebhookErrorCode = code


def verify(
    payload: bytes | bytearray | memoryview | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> DeliveryPayload:
    """Verifies that a delivery is authentic, recent and unchanged, and returns its event.

    During a rotation of the secret a delivery has two signatures, and either may match. A later version of the service
    may send events and keys that this version does not know.

    Args:
        payload: The body exactly as it was received. A string is encoded as UTF-8.
        headers: The headers of the request, with names in any case.
        secret: The signing secret of the organization, or several of which any may have signed.
        tolerance: The most seconds that the timestamp may differ from now.
        now: The current time in epoch seconds, for tests and for stored deliveries.

    Raises:
        WebhookVerificationError: The `code` says which check failed.
        ValueError: `tolerance` or `now` is not a number that can be used.
    """
    secrets = _secrets(secret)
    if not (math.isfinite(tolerance) and tolerance >= 0):
        raise ValueError("`tolerance` must be a number of seconds, 0 or more; omit it for 300.")
    current = time.time() if now is None else now
    if not math.isfinite(current):
        raise ValueError("`now` must be a number of epoch seconds.")
    body = _raw(payload)
    timestamp, signatures = _signature_headers(headers)
    _check_timestamp(timestamp, current, tolerance)
    for name, signature in signatures:
        if not re.fullmatch(r"[0-9a-f]{64}", signature):
            raise WebhookVerificationError(
                "invalid_signature_format",
                f"{name} is not 64 lowercase hex digits. Pass the header unchanged, and check that it is not repeated.",
            )
    expected = [_signature(one, timestamp, body) for one in secrets]
    # Compares in constant time, and always tries every combination.
    matches = [hmac.compare_digest(given, one) for _, given in signatures for one in expected]
    if not any(matches):
        raise WebhookVerificationError(
            "signature_mismatch",
            "No signature matches the body. Check that the secret is that of the sending organization, without "
            "surrounding white space, and that the body is passed unchanged, not parsed and serialized again.",
        )
    return _event(body)


def sign(payload: bytes | str, secret: str, *, timestamp: int | None = None) -> dict[str, str]:
    """The headers of a delivery, for tests of a receiver. `timestamp` is in epoch seconds; default: now."""
    (key,) = _secrets(secret)
    body = _raw(payload)
    at = str(int(time.time()) if timestamp is None else timestamp)
    return {
        "content-type": "application/json",
        "x-flow-timestamp": at,
        "x-flow-signature": _signature(key, at, body),
    }


def _secrets(secret: str | Sequence[str]) -> list[str]:
    given = [secret] if isinstance(secret, str) else list(secret or [])
    if not given or not all(isinstance(one, str) and one for one in given):
        raise WebhookVerificationError(
            "missing_secret",
            "The signing secret is missing or empty. Pass the signing secret of the organization; see GET "
            "/organization/signing-secret.",
        )
    return given


def _raw(payload: Any) -> bytes:
    if isinstance(payload, str):
        return payload.encode()
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return bytes(payload)
    raise WebhookVerificationError(
        "body_not_raw",
        f"The body is of type {type(payload).__name__}, so the signed bytes are lost. Pass the bytes of the request: "
        "`request.get_data()` in Flask, `request.body` in Django, `await request.body()` in FastAPI.",
    )


def _signature_headers(headers: Mapping[str, str]) -> tuple[str, list[tuple[str, str]]]:
    found = {name.lower(): value for name, value in (headers or {}).items() if value}
    missing = [name for name in ("x-flow-timestamp", "x-flow-signature") if name not in found]
    if missing:
        raise WebhookVerificationError(
            "missing_header",
            f"Missing header: {', '.join(missing)}. Pass the headers of the incoming request, and check that no proxy "
            "removes them.",
        )
    names = ("x-flow-signature", "x-flow-signature-previous")
    return found["x-flow-timestamp"], [(name, found[name]) for name in names if name in found]


def _check_timestamp(timestamp: str, now: float, tolerance: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookVerificationError(
            "invalid_timestamp",
            "x-flow-timestamp is not an integer in epoch seconds. Pass the header unchanged, and check that it is not "
            "repeated.",
        )
    age = now - int(timestamp)
    if abs(age) > tolerance:
        raise WebhookVerificationError(
            "timestamp_outside_tolerance",
            f"The timestamp is {math.ceil(abs(age))} s {'old' if age > 0 else 'ahead'}, more than the {tolerance:g} s "
            "allowed. Check the clock of this machine. Every attempt of the service has a new timestamp.",
        )


def _signature(secret: str, timestamp: str, body: bytes) -> str:
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def _event(body: bytes) -> DeliveryPayload:
    try:
        event = json.loads(body.decode())
    except ValueError as cause:
        raise _invalid("it is not JSON in UTF-8") from cause
    if not isinstance(event, dict):
        raise _invalid("it is not a JSON object")
    if not isinstance(event.get("data"), dict):
        raise _invalid("data must be an object")
    for key in ("event", "deliveryId", "timestamp", "orgId"):
        if not isinstance(event.get(key), str) or not event[key]:
            raise _invalid(f"{key} must be a non-empty string")
    return cast(DeliveryPayload, event)


def _invalid(reason: str) -> WebhookVerificationError:
    return WebhookVerificationError(
        "invalid_payload",
        f"The signature matches, but the body is not a webhook payload: {reason}. Check that the sender is Runward.",
    )
