"""The store in a PostgreSQL table."""

from __future__ import annotations

from ._arguments import flag, optional_text, text
from ._stores import CompanionStore, Report, StoreLibrary, milliseconds, number

_LIBRARY = StoreLibrary(
    "postgres", "char_p table; uint32 timeout_ms, max_connections, create_table, pooled", {"libpq.so.5": "libpq5"}
)


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
        super().__init__(
            _LIBRARY,
            text(url, "url"),
            report,
            table=optional_text(table, "table"),
            timeout_ms=milliseconds(timeout, "timeout"),
            max_connections=number(max_connections, "max_connections"),
            create_table=flag(create_table, "create_table"),
            pooled=flag(pooled, "pooled"),
        )
