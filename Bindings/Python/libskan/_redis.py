"""The store on a Redis server."""

from __future__ import annotations

from ._arguments import flag, optional_text, text
from ._stores import CompanionStore, Report, StoreLibrary, milliseconds, number

_LIBRARY = StoreLibrary(
    "redis",
    "char_p prefix; uint32 timeout_ms, connect_timeout_ms, max_connections, expire_days_after_close, allow_eviction, "
    "reserved",
    {"libssl.so.3": "libssl3", "libcrypto.so.3": "libssl3"},
)


class RedisStore(CompanionStore):
    """A store on a Redis or Valkey server, or on a cluster, using the system's OpenSSL.

        engine = Engine(RedisStore("redis://:password@cache.internal"), sdk_key="...")

    Durability is the server's, and by default it is weak: see redis.h. Any number of threads, processes and machines
    may use one server at once. `Engine.update_revenue_many` takes one round trip for many installs. With
    redis+cluster:// it follows slots that move and masters that fail over.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str | None = None,
        timeout: float = 5.0,
        connect_timeout: float | None = None,
        max_connections: int = 8,
        expire_days_after_close: int | None = None,
        allow_eviction: bool = False,
        report: Report | None = None,
    ) -> None:
        """Connects to the server and checks its eviction policy.

        - url: redis://[user[:password]@]host[:port][/database]; redis+cluster://[user[:password]@]host[:port],... with
          nodes of a cluster; rediss:// or rediss+cluster:// for TLS with [?cacert=file&cert=file&key=file&sni=name]; or
          redis+unix://[user[:password]@]/path[?db=database]. User and password are in no message.
        - prefix: prepended to every key, up to 64 bytes; None = "skan:", "" = none.
        - timeout: the limit of a whole call, in seconds. connect_timeout: the limit for connecting within it; None =
          the same.
        - max_connections: the connections that this process keeps open, to each master of a cluster, 1 to 1024.
        - expire_days_after_close: the number of days, 1 to 36 500, after which the server drops a registered install's
          record, counted from the end of its last postback window; None = all records are kept.
        - allow_eviction: accept a server that drops records when its memory is full.
        - report: see `Report`.

        Raises `InvalidArgument`; `StoreError`, with the server's words, if the server is not reached, refuses the user
        or would drop records; ImportError if the library, hiredis or OpenSSL is missing.
        """
        super().__init__(
            _LIBRARY,
            text(url, "url"),
            report,
            prefix=optional_text(prefix, "prefix"),
            timeout_ms=milliseconds(timeout, "timeout"),
            connect_timeout_ms=0 if connect_timeout is None else milliseconds(connect_timeout, "connect_timeout"),
            max_connections=number(max_connections, "max_connections"),
            expire_days_after_close=0
            if expire_days_after_close is None
            else number(expire_days_after_close, "expire_days_after_close"),
            allow_eviction=flag(allow_eviction, "allow_eviction"),
        )
