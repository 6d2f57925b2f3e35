"""A client of the Runward service."""

from ._file_input import BinaryInput, FileInput
from ._options import Options, StaleReadOptions, VersionedOptions
from ._version import __version__
from .client import AsyncClient, Client
from .download import AsyncDownload, Download
from .errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    FeatureLockedError,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
    RateLimitError,
    RunwardError,
    ServerError,
    ValidationError,
)
from .paging import AsyncPages, Pages

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncClient",
    "AsyncDownload",
    "AsyncPages",
    "AuthenticationError",
    "BinaryInput",
    "Client",
    "Download",
    "FeatureLockedError",
    "FileInput",
    "NotFoundError",
    "Options",
    "Pages",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "RateLimitError",
    "RunwardError",
    "ServerError",
    "StaleReadOptions",
    "ValidationError",
    "VersionedOptions",
    "__version__",
]
