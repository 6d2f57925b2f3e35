"""Makes requests of calls."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

from ._file_input import BinaryInput, named_content, size_of
from ._options import Options, RawOptions
from ._route import Route
from ._settings import Settings, check_retries, check_timeout
from .errors import RunwardError


@dataclass(frozen=True)
class Outgoing:
    """A request, ready to be sent any number of times."""

    route: Route
    path: str
    url: str
    headers: dict[str, str]
    content: BinaryInput | None
    data: dict[str, Any] | None
    """The fields of a form."""
    files: list[tuple[str, tuple[str, bytes]]] | None
    timeout: float
    max_retries: int
    repeatable: bool


def prepare(
    settings: Settings,
    route: Route,
    arguments: Sequence[str],
    body: Any,
    query: Mapping[str, Any],
    options: Options,
) -> Outgoing:
    """Makes the request of a call. Raises a RunwardError for an argument that cannot be sent."""
    # The methods take any keyword as an option. Ignoring a misspelled filter would list everything.
    for name in options.keys() - RawOptions.__optional_keys__:
        raise TypeError(f"{route.operation}() got an unexpected keyword argument '{name}'")
    if settings.api_key is None and not (route.is_public or route.key_optional):
        raise RunwardError("No API key. Pass `api_key` to the client, or set the environment variable RUNWARD_API_KEY.")
    chosen = options.get("idempotency_key", None if settings.idempotency_keys else False)
    if route.body == "keyed":
        body = _with_key(body, chosen)
    own_key = isinstance(body, Mapping) and isinstance(body.get("idempotencyKey"), str)
    sends_key = settings.api_key is not None and not route.is_public
    needs_none, has_condition = own_key or not sends_key, "if_match" in options
    header_key = _header_key(route, chosen, needs_none, has_condition, options.get("headers", {}))
    if route.method == "GET" and body is not None:
        raise RunwardError("A GET request has no body; use `query` instead.")
    path = fill_path(route, arguments)
    headers = _headers(settings, route, header_key, options)
    content, data, files = _encoded(route, body)
    if content is not None:
        headers.setdefault("content-type", "application/octet-stream" if route.body == "binary" else "application/json")
        headers["content-length"] = str(size_of(content))
    return Outgoing(
        route=route,
        path=path,
        url=settings.base_url + path + _query_string(query),
        headers=headers,
        content=content,
        data=data,
        files=files,
        timeout=check_timeout(options.get("timeout", settings.timeout)),
        max_retries=check_retries(options.get("max_retries", settings.max_retries)),
        repeatable=route.reads or route.method in ("PUT", "DELETE") or header_key is not None or own_key,
    )


def prepare_signed(
    settings: Settings, route: Route, url: str, body: BinaryInput | None, headers: Mapping[str, str], options: Options
) -> Outgoing:
    """Makes the request of a signed URL, which needs no API key and may lead to another server."""
    return Outgoing(
        route=route,
        path=urlsplit(url).path,
        url=url,
        headers={"user-agent": settings.user_agent, **headers},
        content=body,
        data=None,
        files=None,
        timeout=check_timeout(options.get("timeout", settings.timeout)),
        max_retries=check_retries(options.get("max_retries", settings.max_retries)),
        repeatable=True,
    )


def fill_path(route: Route, arguments: Sequence[str]) -> str:
    """The path with its parameters, percent-encoded. Raises for one that is empty or would change the path."""
    if not arguments:
        return route.path
    values = iter(arguments)

    def fill(found: re.Match[str]) -> str:
        value = next(values)
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise RunwardError(f'{route.operation}: `{found.group(1)}` must be a non-empty string, not "." or "..".')
        return quote(value, safe="")

    return re.sub(r":(\w+)", fill, route.path)


def _with_key(body: Any, chosen: Any) -> Any:
    # A key with a form belongs to its completion. The server rejects it if the form is not completed.
    if body.get("complete") is False or "idempotencyKey" in body or chosen is False:
        return body
    return {**body, "idempotencyKey": chosen or str(uuid.uuid4())}


def _header_key(
    route: Route, chosen: Any, needs_none: bool, has_condition: bool, headers: Mapping[str, str]
) -> str | None:
    if chosen is False:
        return None
    if chosen is not None:
        if not re.fullmatch(r"[\x21-\x7e]{1,255}", chosen):
            raise RunwardError("`idempotency_key` must be 1 to 255 visible ASCII characters, like a UUID.")
        return str(chosen)
    # Repeated, a PUT does the same again, and responds the same, unless its own change has made the record newer.
    is_unsafe = not route.reads and (route.method in ("POST", "PATCH", "DELETE") or has_condition)
    given = any(name.lower() == "idempotency-key" for name in headers)
    return str(uuid.uuid4()) if is_unsafe and not needs_none and not given else None


def _headers(settings: Settings, route: Route, header_key: str | None, options: Options) -> dict[str, str]:
    accepted = [*(route.returns if isinstance(route.returns, tuple) else ()), "application/json"]
    headers = {"accept": ", ".join(accepted), "user-agent": settings.user_agent}
    if settings.api_key is not None and not route.is_public:
        headers["authorization"] = f"Bearer {settings.api_key}"
    if header_key is not None:
        headers["idempotency-key"] = header_key
    given = cast(RawOptions, options)
    if "if_match" in given:
        headers["if-match"] = _entity_tag(given["if_match"])
    if "max_stale" in given:
        headers["cache-control"] = f"max-stale={_whole('max_stale', given['max_stale'])}"
    headers.update({name.lower(): value for name, value in options.get("headers", {}).items()})
    return headers


def _whole(name: str, value: int) -> int:
    if not isinstance(value, int) or value < 0:
        raise RunwardError(f"`{name}` must be a whole number of seconds, 0 or more.")
    return value


def _entity_tag(version: str) -> str:
    if version == "*" or re.fullmatch(r'"[\x21\x23-\x7e]+"', version):
        return version
    if re.fullmatch(r"[\x21\x23-\x7e]+", version):
        return f'"{version}"'
    raise RunwardError("`if_match` must be the `version` of a record, the `etag` of an earlier response, or *.")


def _encoded(
    route: Route, body: Any
) -> tuple[BinaryInput | None, dict[str, Any] | None, list[tuple[str, tuple[str, bytes]]] | None]:
    if route.body is None or body is None:
        return None, None, None
    if route.body == "binary":
        return body, None, None
    if not isinstance(route.body, tuple):
        return json.dumps(body).encode(), None, None
    for name in route.body:
        if name not in body:
            raise RunwardError(f"{route.operation}: `{name}` is missing; pass bytes, a Path, or a name and bytes.")
    fields = {name: _text(value) for name, value in body.items() if name not in route.body}
    return None, fields, [(name, named_content(name, body[name])) for name in route.body]


def _query_string(query: Mapping[str, Any]) -> str:
    given = [(name, _text(value)) for name, value in query.items() if value is not None]
    return f"?{urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_text(each) for each in value)
    return str(value)
