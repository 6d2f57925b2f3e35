"""Lists that request their pages when these are needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, TypeVar

from .errors import RunwardError

Page = TypeVar("Page")
Item = TypeVar("Item")


class Pages(Generic[Page, Item]):
    """A list. Iterating over it yields the items of all pages. Each iteration begins at the first page."""

    def __init__(self, request: Callable[[str | None], Page]) -> None:
        self._request = request

    def first(self) -> Page:
        """Requests the first page."""
        return self._request(None)

    def pages(self) -> Iterator[Page]:
        """Iterates over the pages."""
        cursor: str | None = None
        while True:
            page = self._request(cursor)
            yield page
            cursor = _next_cursor(page, cursor)
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from _items(page)

    def to_list(self, *, limit: int) -> list[Item]:
        """The first `limit` items. Requests no further pages."""
        _check_limit(limit)
        collected: list[Item] = []
        for item in self:
            collected.append(item)
            if len(collected) == limit:
                break
        return collected


class AsyncPages(Generic[Page, Item]):
    """A list. Iterating over it yields the items of all pages. Each iteration begins at the first page."""

    def __init__(self, request: Callable[[str | None], Awaitable[Page]]) -> None:
        self._request = request

    async def first(self) -> Page:
        """Requests the first page."""
        return await self._request(None)

    async def pages(self) -> AsyncIterator[Page]:
        """Iterates over the pages."""
        cursor: str | None = None
        while True:
            page = await self._request(cursor)
            yield page
            cursor = _next_cursor(page, cursor)
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in _items(page):
                yield item

    async def to_list(self, *, limit: int) -> list[Item]:
        """The first `limit` items. Requests no further pages."""
        _check_limit(limit)
        collected: list[Item] = []
        async for item in self:
            collected.append(item)
            if len(collected) == limit:
                break
        return collected


def _items(page: Any) -> list[Any]:
    items: list[Any] = page["data"]
    return items


def _next_cursor(page: Any, cursor: str | None) -> str | None:
    following: str | None = page.get("nextCursor")
    if following is not None and following == cursor:
        raise RunwardError("The server returned the same cursor twice; the list would never end.")
    return following


def _check_limit(limit: int) -> None:
    if not isinstance(limit, int) or limit < 1:
        raise RunwardError("`limit` must be a whole number, 1 or more; it is the maximum number of items.")
