"""The store in an SQLite file."""

from __future__ import annotations

import os

from ._arguments import path as file_path
from ._errors import InvalidArgument
from ._stores import CompanionStore, Report, StoreLibrary, milliseconds, number

_LIBRARY = StoreLibrary("sqlite", "int32 synchronous; uint32 busy_timeout_ms, max_connections, reserved")


class SQLiteStore(CompanionStore):
    """A store in an SQLite file.

        engine = Engine(SQLiteStore("/var/lib/game/installs.db"), sdk_key="...")

    Any number of threads and processes may use one file at once, on one machine, not over a network file system. While
    the file is in use, and after a crash, there are two more files, `-wal` and `-shm`; keep the three together. A file
    with other tables is refused. New files are readable by their owner only. ":memory:" and URIs are refused: an engine
    without a store keeps installs in memory.

    The package contains an SQLite of its own. Never open the file with the module `sqlite3` in a process in which it is
    open as a store: the two SQLites do not see each other's locks and may damage the file.
    """

    _SYNCHRONOUS = ("full", "normal")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        synchronous: str = "full",
        busy_timeout: float = 5.0,
        max_connections: int = 8,
        report: Report | None = None,
    ) -> None:
        """Opens the file; creates it if it is missing (its directory must exist).

        - synchronous: "full" = each change waits for the disk, so that a power failure loses nothing; "normal" = many
          times faster, but a power failure may lose the last changes. With both, a process that is killed loses
          nothing.
        - busy_timeout: how long a call waits for other threads and, once more, for other processes, in seconds.
        - max_connections: the connections that this process keeps open, 1 to 1024. One thread writes at a time.
        - report: see `Report`.

        Raises `InvalidArgument`; `StoreError` if the file cannot be opened or written, is not a database or belongs to
        another program; `RecordTooNew` if a newer libskan made the file; ImportError if the library is missing.
        """
        if synchronous not in self._SYNCHRONOUS:
            raise InvalidArgument(f'synchronous: expected "full" or "normal", got {synchronous!r}')
        super().__init__(
            _LIBRARY,
            file_path(path, "path"),
            report,
            synchronous=self._SYNCHRONOUS.index(synchronous),
            busy_timeout_ms=milliseconds(busy_timeout, "busy_timeout"),
            max_connections=number(max_connections, "max_connections"),
        )
