"""The store in a PostgreSQL table."""

from __future__ import annotations

from ctypes import c_char_p, c_size_t, c_uint32, c_void_p

from ._arguments import flag, optional_text, text
from ._library import REPORT, NativeStructure
from ._stores import CompanionStore, Report, milliseconds, number, store_library


class NativePostgresOptions(NativeStructure):
    """skan_postgres_options."""

    _fields_ = (
        ("size", c_size_t),
        ("table", c_char_p),
        ("timeout_ms", c_uint32),
        ("max_connections", c_uint32),
        ("create_table", c_uint32),
        ("pooled", c_uint32),
        ("report", REPORT),
        ("report_context", c_void_p),
    )


_LIBRARY = store_library("postgres", NativePostgresOptions, {"libpq.so.5": "libpq5"})


class PostgresStore(CompanionStore):
    """A store in a PostgreSQL table, using the system's libpq.

        engine = Engine(PostgresStore("postgres://game@db.internal/game", create_table=True), sdk_key="...")

    Any number of threads, processes and machines may use one table at once. `Engine.update_revenue_many` takes one
    round trip for many installs. postgres.h describes durability, failovers and poolers.
    """

    def __init__(
        self,
        url: str,
        *,
        table: str | None = None,
        create_table: bool = False,
        pooled: bool = False,
        timeout: float = 5.0,
        max_connections: int = 8,
        report: Report | None = None,
    ) -> None:
        """Connects to the server and checks the table.

        - url: a connection URI or string of libpq. Its password is in no message.
        - table: "table" or "schema.table", with the names as in the catalog; None = "skan_records".
        - create_table: create the table if it is missing.
        - pooled: keep nothing in a session, for a connection pooler between this process and the server.
        - timeout: the limit of a whole call, in seconds.
        - max_connections: the connections that this process keeps open, 1 to 1024.
        - report: see `Report`.

        Raises `InvalidArgument`; `StoreError`, with the server's words, if the server is not reached or refuses the
        role, or if the table is missing or has other columns; `RecordTooNew` if a newer libskan made the table;
        ImportError if the library or libpq is missing.
        """
        super().__init__(report)
        options = NativePostgresOptions(
            table=optional_text(table, "table"),
            timeout_ms=milliseconds(timeout, "timeout"),
            max_connections=number(max_connections, "max_connections"),
            create_table=flag(create_table, "create_table"),
            pooled=flag(pooled, "pooled"),
        )
        self._opened(_LIBRARY.functions.skan_postgres_store_open, text(url, "url"), options)
