"""The HTTP transport: libcurl, through the library libskan-http beside libskan's own."""

import os
import threading
import weakref
from ctypes import POINTER, byref, c_char_p, c_int32, c_size_t, c_uint32, c_void_p, string_at
from typing import Optional, Union

from ._arguments import optional_text, path, seconds, text, whole
from ._companions import Companion
from ._errors import EXCEPTIONS, InvalidArgument
from ._library import REPORT, NativeStructure, NativeTransport, library
from ._owning import Owning
from ._status import Status


class NativeHTTPOptions(NativeStructure):
    """skan_http_options."""

    _fields_ = (
        ("size", c_size_t),
        ("timeout_ms", c_uint32),
        ("attempt_timeout_ms", c_uint32),
        ("connect_timeout_ms", c_uint32),
        ("max_attempts", c_uint32),
        ("backoff_ms", c_uint32),
        ("max_backoff_ms", c_uint32),
        ("max_connections", c_uint32),
        ("reserved", c_uint32),
        ("ca_file", c_char_p),
        ("proxy", c_char_p),
        ("report", REPORT),
        ("report_context", c_void_p),
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
    """What the last failed call of a thread reported, on that thread."""

    last = ""


_words = _Words()


def _note(_context: Optional[int], _status: int, message: bytes) -> None:
    _words.last = message.decode(errors="replace")


_NOTE = REPORT(_note)


def _milliseconds(time: float, name: str) -> int:
    if not 0.001 <= seconds(time, name) <= 3600:
        raise InvalidArgument(f"{name}: expected 0.001 to 3600 seconds, got {time}")
    return round(time * 1000)


def _number(value: int, limit: int, name: str) -> int:
    if not 1 <= whole(value, name) <= limit:
        raise InvalidArgument(f"{name}: expected 1 to {limit}, got {value}")
    return value


class HTTPTransport(Owning):
    """HTTP for an engine, by libcurl: `Engine(transport=HTTPTransport(), endpoint_url=..., sdk_key=...)`.

    An answer is HTTP status 200 with a whole body of at most 64 KiB, and 64 KiB of headers at most. Redirects are not
    followed. Only http and https; over https the server's certificate and name are verified.

    Requests are tried again after a time-out, HTTP status 429 and 5xx, and a connection that was refused or ended
    before the first byte of an answer, and in no other case. The pauses between attempts double and are drawn at
    random; the time that a Retry-After header asks for is added. With the defaults a server may be unreachable for two
    seconds and no request fails. If no time would be left after the pause, the request ends at once. `timeout` limits
    the whole.

    Any number of threads may use one transport: connections are kept and shared, HTTP/2 where the server has it. It may
    be made before a fork. Other threads run while one waits; a Ctrl-C is heard when the request is over. Connections
    end with the object.
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

        timeout: limit of a whole request in seconds, retries and pauses included; no time may exceed an hour.
        attempt_timeout: limit of one attempt; connect_timeout: of its name look-up, connection and TLS handshake.
        max_attempts: 1 = no retries, up to 100.
        backoff, max_backoff: the first pause and any pause are at most that long, Retry-After aside.
        max_connections: open at once, up to 4096; the default is half of what skan serve takes from one client.
        ca_file: certificates in PEM form that are trusted in place of the system's.
        proxy: "http://proxy.example:3128"; "" = none; None = the environment's.
        Raises InvalidArgument; TransportError if ca_file cannot be read; ImportError if this machine has no
        libcurl.
        """
        options = NativeHTTPOptions(
            timeout_ms=_milliseconds(timeout, "timeout"),
            attempt_timeout_ms=_milliseconds(attempt_timeout, "attempt_timeout"),
            connect_timeout_ms=_milliseconds(connect_timeout, "connect_timeout"),
            max_attempts=_number(max_attempts, 100, "max_attempts"),
            backoff_ms=_milliseconds(backoff, "backoff"),
            max_backoff_ms=_milliseconds(max_backoff, "max_backoff"),
            max_connections=_number(max_connections, 4096, "max_connections"),
            ca_file=None if ca_file is None else path(ca_file, "ca_file"),
            proxy=optional_text(proxy, "proxy"),
            report=_NOTE,
        )
        native, error = NativeTransport(), c_void_p()
        loaded = _LIBRARY.functions
        status = loaded.skan_http_transport_open(byref(options), byref(native), byref(error))
        if status != Status.OK:
            message = library.skan_error_message(error).decode(errors="replace")
            library.skan_error_free(error)
            raise EXCEPTIONS[Status(status)](message)
        self._native = native
        weakref.finalize(self, loaded.skan_http_transport_close, byref(native)).atexit = False

    def get(self, url: str, /) -> bytes:
        """The body of an answer with HTTP status 200.

        Raises TransportError, with libcurl's words, for everything else, LimitExceeded for a body of more than 64 KiB.
        The URL's path and query are in no message.
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
