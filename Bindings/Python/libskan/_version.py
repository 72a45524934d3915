"""The version of this package. The library must have the same version."""

__version__ = "0.2.0"
