"""The version of this package. The script of a release sets it."""

__version__ = "0.1.0"
