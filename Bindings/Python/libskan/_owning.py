"""Objects that own something in C."""

from typing import Any, NoReturn, SupportsIndex, TypeVar

Self = TypeVar("Self", bound="Closing")


class Owning:
    """An object that owns something in C. That ends with the object, so the object must not be copied."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Called by copy.copy, copy.deepcopy and pickle. Raises TypeError."""
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}: make another one")


class Closing(Owning):
    """An owning object that `close` ends, as do the end of a `with` and that of the object."""

    __slots__ = ()

    _native: Any  # what it owns; None once it is closed

    def close(self) -> None:
        """Ends what the object owns."""
        raise NotImplementedError

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # If __init__ raised, the object owns nothing, and perhaps has not even the attribute.
        if getattr(self, "_native", None):
            self.close()
