"""The version of this package, which its library must have too."""

__version__ = "0.1.0"
