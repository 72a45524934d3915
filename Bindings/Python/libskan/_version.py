"""The version of this package, which its library must have too."""

VERSION = "0.1.0"
