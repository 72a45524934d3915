"""The transport in Python."""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from ctypes import sizeof
from pathlib import Path
from typing import Any

import libskan
import pytest
from libskan import Engine, HTTPTransport, InvalidArgument, LimitExceeded, TransportError, _http

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
        self.ports = {}
        for line in iter(self.process.stdout.readline, "ready\n"):
            name, port = line.split()
            self.ports[name] = int(port)

    def url(self, port: str, path: str) -> str:
        """A URL of one of its ports."""
        return f"{'http' if port == 'plain' else 'https'}://127.0.0.1:{self.ports[port]}{path}"

    def stop(self) -> None:
        """Ends it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("server"))
    yield started
    started.stop()


def transport(server: Server, **options: Any) -> HTTPTransport:
    """One that is quick to give up."""
    chosen = {"attempt_timeout": 0.4, "backoff": 0.02, "proxy": "", "ca_file": server.folder / "ca.pem", **options}
    return HTTPTransport(**chosen)


@pytest.mark.parametrize("port", ["plain", "tls"])
def test_an_install_is_updated(server: Server, port: str) -> None:
    with Engine(sdk_key=KEY, endpoint_url=server.url(port, "/ok"), transport=transport(server)) as engine:
        engine.register("player")
        result = engine.update_conversion_values("player", "purchase")
        assert result.update is not None
        assert result.update.fine_value == 7


@pytest.mark.parametrize(
    ("port", "path", "words"),
    [
        ("plain", "/status/503", "HTTP status 503, attempt 3 of 3"),
        ("plain", "/status/302", "redirects are not followed"),
        ("plain", "/slow", "Timeout was reached"),
        ("plain", "/garbage", "libcurl error 1"),
        ("self-signed", "/ok", "libcurl error 60"),
    ],
)
def test_a_failure_changes_nothing(server: Server, port: str, path: str, words: str) -> None:
    with Engine(sdk_key=KEY, endpoint_url=server.url(port, path), transport=transport(server)) as engine:
        engine.register("player")
        before = engine.details("player")
        with pytest.raises(TransportError, match=words) as raised:
            engine.update_conversion_values("player", "purchase")
        assert KEY not in str(raised.value)
        assert engine.details("player") == before


def test_a_body_has_its_limit(server: Server) -> None:
    one = transport(server)
    assert len(one.get(server.url("plain", "/size/65536"))) == 65536
    with pytest.raises(LimitExceeded, match="65536 bytes"):
        one.get(server.url("plain", "/size/65537"))
    assert one.get(server.url("plain", "/size/0")) == b""


def test_threads_run_at_once_and_keep_their_words(server: Server) -> None:
    one = transport(server, max_attempts=1, attempt_timeout=60, timeout=60)
    barrier = threading.Barrier(8)
    words = [""] * 8

    def work(number: int) -> None:
        barrier.wait()
        for _ in range(20):
            with pytest.raises(TransportError) as raised:
                one.get(server.url("plain", f"/status/40{number}"))
            words[number] = str(raised.value)
            if f"HTTP status 40{number}" not in words[number]:
                break

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(f"HTTP status 40{number}" in words[number] for number in range(8))


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
        {"max_attempts": 101},
        {"backoff": 3601},
        {"max_backoff": 0},
        {"max_connections": 4097},
        {"proxy": "a\0b"},
        {"ca_file": "a\0b"},
    ],
)
def test_options_are_checked(options: "dict[str, Any]") -> None:
    with pytest.raises(InvalidArgument):
        HTTPTransport(**options)


def test_a_missing_file_of_certificates_is_told() -> None:
    with pytest.raises(TransportError, match=r"/nowhere/ca\.pem: No such file"):
        HTTPTransport(ca_file="/nowhere/ca.pem")


@pytest.mark.parametrize("url", ["", "ok", "ftp://127.0.0.1/", "file:///etc/passwd"])
def test_other_urls_are_refused(server: Server, url: str) -> None:
    with pytest.raises(TransportError, match="expected an absolute http or https URL"):
        transport(server).get(url)


def test_the_options_are_those_of_the_header(tmp_path: Path) -> None:
    """The compiler's size and names of skan_http_options."""
    include = SERVER.parents[3] / "Include"
    names = [name for name, _ in _http.NativeHTTPOptions._fields_]
    places = ", ".join(f"offsetof(skan_http_options, {name})" for name in names)
    program = f"""#include <skan/http.h>
        #include <stdio.h>
        int main(void) {{ size_t places[] = {{sizeof(skan_http_options), {places}}};
            for (size_t i = 0; i < sizeof places / sizeof *places; i++) printf("%zu\\n", places[i]); }}"""
    binary = tmp_path / "places"
    command = [os.environ.get("CC", "cc"), "-x", "c", "-", f"-I{include}", "-o", str(binary)]
    subprocess.run(command, input=program, text=True, check=True)
    printed = subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout
    fields = [getattr(_http.NativeHTTPOptions, name).offset for name in names]
    assert [int(line) for line in printed.split()] == [sizeof(_http.NativeHTTPOptions), *fields]


def test_without_its_library_the_rest_works(tmp_path: Path) -> None:
    package = Path(libskan.__file__).parent
    subprocess.run(["cp", "-R", str(package), str(tmp_path)], check=True)
    (tmp_path / "libskan" / "_lib" / "libskan-http.so").unlink()
    program = """
import libskan
libskan.Engine().close()
try:
    libskan.HTTPTransport()
except ImportError as error:
    print(error)
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
    )
    assert "HTTP transport cannot be loaded" in ended.stdout
