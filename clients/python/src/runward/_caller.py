"""Sends the requests of a client."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import httpx

from ._file_input import BinaryInput, sent
from ._options import Options
from ._request import Outgoing, prepare, prepare_signed
from ._response import media_type, read_json, to_error, unexpected
from ._retry import retry_delay
from ._route import Route
from ._settings import Settings
from ._transport import transport_error
from .download import Download
from .errors import RunwardError
from .generated.routes import ROUTES
from .paging import Pages


class Caller:
    """Sends requests, and repeats those that may succeed later."""

    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self._settings = settings
        self._http = http

    def call(
        self, route: Route, arguments: Sequence[str], body: Any, query: Mapping[str, Any], options: Options
    ) -> Any:
        """Calls an endpoint. Returns its data, None, or a Download."""
        return self.send(prepare(self._settings, route, arguments, body, query, options))

    def pages(
        self, route: Route, arguments: Sequence[str], body: Any, query: Mapping[str, Any], options: Options
    ) -> Pages[Any, Any]:
        """A list, whose pages are requested when they are needed."""

        def page(cursor: str | None) -> Any:
            return self.call(route, arguments, body, {**query, "cursor": cursor}, options)

        return Pages(page)

    def follow(
        self, operation: str, url: str, body: BinaryInput | None, headers: Mapping[str, str], options: Options
    ) -> Any:
        """Sends the request of a signed URL."""
        return self.send(prepare_signed(self._settings, ROUTES[operation], url, body, headers, options))

    def send(self, outgoing: Outgoing) -> Any:
        """Sends a request, with retries."""
        attempt = 1
        while True:
            try:
                return self._attempt(outgoing)
            except RunwardError as error:
                delay = retry_delay(error, attempt, outgoing, self._settings)
                if delay is None:
                    raise
            time.sleep(delay)
            attempt += 1

    def _attempt(self, outgoing: Outgoing) -> Any:
        request = self._http.build_request(
            outgoing.route.method,
            outgoing.url,
            headers=outgoing.headers,
            content=sent(outgoing.content),
            data=outgoing.data,
            files=outgoing.files,
            timeout=outgoing.timeout,
        )
        try:
            response = self._http.send(request, stream=True, follow_redirects=False)
            content_type = response.headers.get("content-type", "")
            returns = outgoing.route.returns
            if response.is_success and isinstance(returns, tuple):
                if media_type(content_type) != "text/html" or "text/html" in returns:
                    return Download(response)
                response.close()
                raise unexpected(outgoing, content_type, " or ".join(returns))
            try:
                content = response.read()
            finally:
                response.close()
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise transport_error(self._settings, outgoing, error) from error
        if not response.is_success:
            headers = cast(Mapping[str, str], response.headers)
            raise to_error(self._settings, outgoing, response.status_code, response.reason_phrase, headers, content)
        return read_json(outgoing, content_type, content)
