"""Locks that are free after a fork."""

import os
from threading import Lock
from weakref import WeakSet


class ForkedLock:
    """A lock that is free in the child of a fork, whichever thread of the parent held it."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self.renew()
        _ALL.add(self)

    def renew(self) -> None:
        """Makes the lock free."""
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_ALL: "WeakSet[ForkedLock]" = WeakSet()


def _after_fork() -> None:
    for lock in list(_ALL):
        lock.renew()


os.register_at_fork(after_in_child=_after_fork)
