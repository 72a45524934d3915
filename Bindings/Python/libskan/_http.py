"""The HTTP transport, based on libcurl: the library libskan-http, which is packed with libskan's own."""

import os
import threading
import weakref
from ctypes import POINTER, byref, c_int32, c_void_p, string_at
from typing import Optional, Union

from ._arguments import in_range, optional_text, path, seconds, text
from ._calls import completed
from ._companions import Companion
from ._errors import EXCEPTIONS, InvalidArgument
from ._library import REPORT, REPORTING, NativeTransport, library, structure
from ._owning import Owning
from ._status import Status

NativeHTTPOptions = structure(
    "skan_http_options",
    "size_t size; uint32 timeout_ms, attempt_timeout_ms, connect_timeout_ms, max_attempts, backoff_ms, max_backoff_ms, "
    f"max_connections, reserved; char_p ca_file, proxy; {REPORTING}",
    report=REPORT,
)

_LIBRARY = Companion(
    "http",
    {
        "skan_http_transport_open": (c_int32, [POINTER(NativeHTTPOptions), POINTER(NativeTransport), c_void_p]),
        "skan_http_transport_close": (None, [POINTER(NativeTransport)]),
    },
    {"libcurl.so.4": "libcurl4"},
)


class _Words(threading.local):
    """The error text of each thread's last failed call. The library reports it on the thread that called."""

    last = ""


_words = _Words()


def _note(_context: Optional[int], _status: int, message: bytes) -> None:
    _words.last = message.decode(errors="replace")


_NOTE = REPORT(_note)


def _milliseconds(time: float, name: str) -> int:
    if not 0.001 <= seconds(time, name) <= 3600:
        raise InvalidArgument(f"{name}: expected 0.001 to 3600 seconds, got {time}")
    return round(time * 1000)


class HTTPTransport(Owning):
    """An HTTP transport for an engine: `Engine(transport=HTTPTransport(), endpoint_url=..., sdk_key=...)`.

    An answer is HTTP status 200 with a complete body of at most 64 KiB, and at most 64 KiB of headers. Redirects are
    not followed. Only http and https URLs are accepted; over https the server's certificate and name are verified.

    A request whose URL carries an `event_id` is tried again after a time-out, after HTTP status 429 and 5xx, and after
    a connection that was refused or ended before the first byte of an answer; any other is tried again only if nothing
    of it was sent, because the server could count it twice. http.h describes the pauses. With the defaults a server may
    be unreachable for two seconds without making a request fail. `timeout` limits the whole request.

    Any number of threads may use one transport, also in the child of a fork. Other threads run while one waits; a
    Ctrl-C takes effect when the request is over. Connections are kept and shared, and closed with the object.
    """

    def __init__(
        self,
        *,
        timeout: float = 10,
        attempt_timeout: float = 4,
        connect_timeout: float = 2,
        max_attempts: int = 6,
        backoff: float = 0.2,
        max_backoff: float = 2,
        max_connections: int = 16,
        ca_file: "Union[str, os.PathLike[str], None]" = None,
        proxy: Optional[str] = None,
    ) -> None:
        """Makes the transport; it does not connect yet.

        timeout: the limit of a whole request in seconds, including retries and pauses; no time may exceed an hour.
        attempt_timeout: the limit of one attempt. connect_timeout: the limit of its name look-up, connection and
        handshake.
        max_attempts: 1 = no retries, up to 100.
        backoff: the longest pause after the first attempt. max_backoff: the longest pause, not counting Retry-After.
        max_connections: the most open connections, up to 4096; the default is half of what skan serve accepts from a
        client.
        ca_file: certificates in PEM form that are trusted in place of the system's.
        proxy: "http://proxy.example:3128"; "" = none; None = the environment's.
        Raises InvalidArgument; TransportError if ca_file cannot be read; ImportError if this machine has no libcurl.
        """
        options = NativeHTTPOptions(
            timeout_ms=_milliseconds(timeout, "timeout"),
            attempt_timeout_ms=_milliseconds(attempt_timeout, "attempt_timeout"),
            connect_timeout_ms=_milliseconds(connect_timeout, "connect_timeout"),
            max_attempts=in_range(max_attempts, "max_attempts", 1, 100),
            backoff_ms=_milliseconds(backoff, "backoff"),
            max_backoff_ms=_milliseconds(max_backoff, "max_backoff"),
            max_connections=in_range(max_connections, "max_connections", 1, 4096),
            ca_file=None if ca_file is None else path(ca_file, "ca_file"),
            proxy=optional_text(proxy, "proxy"),
            report=_NOTE,
        )
        native, loaded = NativeTransport(), _LIBRARY.functions
        completed(loaded.skan_http_transport_open, byref(options), byref(native))
        self._native = native
        weakref.finalize(self, loaded.skan_http_transport_close, byref(native)).atexit = False

    def get(self, url: str, /) -> bytes:
        """Returns the body of an answer with HTTP status 200.

        Raises LimitExceeded for a body of more than 64 KiB, and for everything else TransportError with libcurl's own
        text. No message contains the URL's path or query.
        """
        encoded = text(url, "url")
        body = library.skan_buffer_create()
        try:
            status = self._native.get(self._native.context, encoded, body)
            if status != Status.OK:
                raise EXCEPTIONS[Status(status)](_words.last)
            return string_at(library.skan_buffer_data(body), library.skan_buffer_size(body))
        finally:
            library.skan_buffer_destroy(body)
