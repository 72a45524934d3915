"""The transport in Python. How it retries, and what it makes of servers' misbehaviour, is proven in Tests/HTTP."""

import gc
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from libskan import (
    Engine,
    HTTPTransport,
    InvalidArgument,
    LimitExceeded,
    TransportError,
    TransportUnknown,
    _http,
)
from libskan._calls import completed

SERVER = Path(__file__).resolve().parents[2] / "Trouble" / "HTTP" / "server.py"
KEY = "the-sdk-key"


class Server:
    """server.py, as a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, str(SERVER), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.ports = dict(line.split() for line in iter(self.process.stdout.readline, "ready\n"))

    def url(self, port: str, path: str) -> str:
        """A URL of one of its ports."""
        return f"{'http' if port == 'plain' else 'https'}://127.0.0.1:{self.ports[port]}{path}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("server"))
    yield started
    started.process.communicate()


def transport(server: Server, **options: Any) -> HTTPTransport:
    """A transport with short pauses."""
    ours = {"attempt_timeout": 20, "timeout": 60, "backoff": 0.02, "proxy": "", "ca_file": server.folder / "ca.pem"}
    chosen = {**ours, **options}
    return HTTPTransport(**chosen)


def test_an_install_is_updated(server: Server) -> None:
    with Engine(sdk_key=KEY, endpoint_url=server.url("tls", "/ok"), transport=transport(server)) as engine:
        engine.register("player")
        result = engine.update_conversion_values("player", "purchase")
        assert result.update is not None
        assert result.update.fine_value == 7


@pytest.mark.parametrize(
    ("port", "path", "error", "words"),
    [
        ("plain", "/status/503", TransportUnknown, "HTTP status 503, attempt 6 of 6"),
        ("self-signed", "/ok", TransportError, "libcurl error 60"),
    ],
)
def test_a_failure_changes_nothing(
    server: Server, port: str, path: str, error: type[TransportError], words: str
) -> None:
    with Engine(sdk_key=KEY, endpoint_url=server.url(port, path), transport=transport(server)) as engine:
        engine.register("player")
        before = engine.details("player")
        with pytest.raises(TransportError, match=words) as raised:
            engine.update_conversion_values("player", "purchase", event_id="1")
        assert type(raised.value) is error
        assert KEY not in str(raised.value)
        assert engine.details("player") == before


def test_a_url_is_got(server: Server) -> None:
    one = transport(server)
    assert one.get(server.url("plain", "/size/65536")) == b"x" * 65536
    assert one.get(server.url("plain", "/size/0")) == b""
    with pytest.raises(LimitExceeded, match="65536 bytes"):
        one.get(server.url("plain", "/size/65537"))
    with pytest.raises(TransportError, match="expected an absolute http or https URL"):
        one.get("file:///etc/passwd")


def test_threads_run_at_once_and_keep_their_words(server: Server) -> None:
    one = transport(server, max_attempts=1, attempt_timeout=60, timeout=60)

    def work(number: int) -> None:
        for _ in range(20):
            with pytest.raises(TransportError, match=f"HTTP status 40{number}"):
                one.get(server.url("plain", f"/status/40{number}"))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(8))) == [None] * 8


def test_a_fork_has_its_own_connections(server: Server) -> None:
    one = transport(server)
    assert one.get(server.url("tls", "/ok"))
    child = os.fork()
    if child == 0:
        os._exit(0 if one.get(server.url("tls", "/ok")) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert one.get(server.url("tls", "/ok"))


def test_it_ends_with_its_object(server: Server) -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task"))

    gc.collect()
    before = threads()
    one = transport(server)
    one.get(server.url("plain", "/ok"))
    assert threads() == before + 1
    del one
    gc.collect()
    # The system lists a thread for a moment after it was joined.
    end = time.monotonic() + 60
    while threads() > before and time.monotonic() < end:
        time.sleep(0.001)
    assert threads() == before


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 0},
        {"timeout": float("nan")},
        {"timeout": 3601},
        {"attempt_timeout": -1},
        {"connect_timeout": 0.0001},
        {"max_attempts": 0},
        {"proxy": "a\0b"},
        {"ca_file": "a\0b"},
    ],
)
def test_options_are_checked(options: "dict[str, Any]") -> None:
    with pytest.raises(InvalidArgument):
        HTTPTransport(**options)


def test_times_are_passed_on_in_milliseconds(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def opened(function: Any, options: Any, transport: Any) -> None:
        given.append(options._obj)
        completed(function, options, transport)

    monkeypatch.setattr(_http, "completed", opened)
    HTTPTransport(timeout=2.5, attempt_timeout=1.25, connect_timeout=0.75, backoff=0.002, max_backoff=3600)
    times = ("timeout_ms", "attempt_timeout_ms", "connect_timeout_ms", "backoff_ms", "max_backoff_ms")
    assert [getattr(given[0], time) for time in times] == [2500, 1250, 750, 2, 3_600_000]


def test_a_missing_file_of_certificates_is_told() -> None:
    with pytest.raises(TransportError, match=r"/nowhere/ca\.pem: No such file"):
        HTTPTransport(ca_file="/nowhere/ca.pem")
