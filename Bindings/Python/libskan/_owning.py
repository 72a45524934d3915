"""Objects that own something in C."""

from typing import NoReturn, SupportsIndex


class Owning:
    """An object that owns something in C. That ends with the object, so the object must not be copied."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Called by copy.copy, copy.deepcopy and pickle. Raises TypeError."""
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}: make another one")
