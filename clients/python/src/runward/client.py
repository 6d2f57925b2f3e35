"""The clients."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Unpack

import httpx

from ._async_caller import AsyncCaller
from ._caller import Caller
from ._options import RawOptions
from ._route import Route
from ._settings import read_settings
from .errors import RunwardError
from .files import AsyncFiles, Files
from .generated.async_endpoints import AsyncEndpoints
from .generated.sync_endpoints import Endpoints


class Client(Endpoints):
    """A client for one server and one key, which threads may share.

    Args:
        api_key: Default: the environment variable RUNWARD_API_KEY. Without a key, only public endpoints can be called.
        base_url: The address of the server with its path prefix, if any. Default: RUNWARD_BASE_URL, else
            `http://127.0.0.1:3000`.
        timeout: Seconds until the connection is made, and between two parts of a response.
        max_retries: The number of retries of a failed request; 0 for none.
        max_retry_after: The longest `Retry-After` to wait for, in seconds. A longer one raises the error at once.
        idempotency_keys: Whether each POST and PATCH that writes gets its own idempotency key, so that it can be
            retried.
        http_client: Replaces the client of httpx, for a proxy or certificates. It is not closed with this client.
    """

    files: Files

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        max_retry_after: float = 60.0,
        idempotency_keys: bool = True,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = read_settings(api_key, base_url, timeout, max_retries, max_retry_after, idempotency_keys)
        self._http = http_client or httpx.Client()
        self._owns_http = http_client is None
        self._caller = Caller(settings, self._http)
        super().__init__(self._caller)
        self.files = Files(self._caller)

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: dict[str, Any] | None = None,
        **options: Unpack[RawOptions],
    ) -> Any:
        """Sends a request with JSON to any path, and returns the JSON of the response; None if it has no content."""
        return self._caller.call(_route_of(method, path), [], body, query or {}, options)

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class AsyncClient(AsyncEndpoints):
    """A client for one server and one key, whose methods are awaited. It takes the options of Client."""

    files: AsyncFiles

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        max_retry_after: float = 60.0,
        idempotency_keys: bool = True,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = read_settings(api_key, base_url, timeout, max_retries, max_retry_after, idempotency_keys)
        self._http = http_client or httpx.AsyncClient()
        self._owns_http = http_client is None
        self._caller = AsyncCaller(settings, self._http)
        super().__init__(self._caller)
        self.files = AsyncFiles(self._caller)

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: dict[str, Any] | None = None,
        **options: Unpack[RawOptions],
    ) -> Any:
        """Sends a request with JSON to any path, and returns the JSON of the response; None if it has no content."""
        return await self._caller.call(_route_of(method, path), [], body, query or {}, options)

    async def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()


def _route_of(method: str, path: str) -> Route:
    if not path.startswith("/"):
        raise RunwardError("`path` must start with a slash, like /runs.")
    return Route("request", method.upper(), path, body="json", returns="json", key_optional=True)
