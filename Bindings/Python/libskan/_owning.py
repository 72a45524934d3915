"""Objects that own something of C's."""

from typing import NoReturn, SupportsIndex


class Owning:
    """What C made for one object ends with it, so that no copy of the object may have it too."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """What copy.copy, copy.deepcopy and pickle call."""
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}: make another one")
