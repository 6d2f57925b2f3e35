"""What a client has to know of an endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Route:
    """An endpoint."""

    operation: str
    """The name in the contract, like `runs.launch`."""
    method: str
    path: str
    """Its parameters are words with a colon, like `:runId`."""
    effect: Literal["read", "write"] = "write"
    """`read` if it only reads, though its method is not GET."""
    body: Literal["json", "keyed", "binary"] | tuple[str, ...] | None = None
    """`keyed`: JSON with the property `idempotencyKey`. `binary`: any bytes. A tuple: a form with these files."""
    returns: Literal["json", "list"] | tuple[str, ...] | None = None
    """`list`: a page of a list. A tuple: content of one of these media types. None: nothing."""
    is_public: bool = False
    """It takes no API key."""
    key_optional: bool = False
    """An API key is sent if there is one."""

    @property
    def reads(self) -> bool:
        """Whether it changes nothing."""
        return self.method == "GET" or self.effect == "read"
