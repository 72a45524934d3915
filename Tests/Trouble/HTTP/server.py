"""A server that misbehaves as its clients ask, by the first part of the path.

    server.py DIRECTORY

DIRECTORY takes the certificates, and is removed at the end. It prints its ports, "NAME PORT" each and "ready" at last,
then answers lines on its standard input: `reset` forgets what was counted, `stats` prints "CONNECTIONS REQUESTS". It
ends with its input.
"""

import asyncio
import contextlib
import email.utils
import itertools
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Callable, ClassVar

BODY = b'{"conversion_value":7,"skan_updated_coarse_value":1,"postback_sequence_index":0,"status":"ok"}'


class Counts:
    """What came in."""

    connections = 0
    requests = 0
    sequences: ClassVar[dict[str, int]] = {}

    @classmethod
    def reset(cls) -> None:
        """Forgets all of it."""
        cls.connections = cls.requests = 0
        cls.sequences = {}


class Exchange:
    """One request, its path in parts, and the way to answer."""

    def __init__(self, target: str, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.target = target
        self.number = number  # on its connection, from 0
        self.parts = target.partition("?")[0].strip("/").split("/")
        self.reader = reader
        self.writer = writer
        self.keeps = True

    async def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, status: int, body: bytes = b"", *headers: str) -> None:
        """A whole answer."""
        lines = [f"HTTP/1.1 {status} Words", f"Content-Length: {len(body)}", *headers, "", ""]
        await self.send("\r\n".join(lines).encode() + body)

    async def forever(self, piece: bytes, pause: float = 0) -> None:
        """Sends the same again and again, until the client has gone."""
        while True:
            await self.send(piece)
            await asyncio.sleep(pause)

    async def silence(self) -> None:
        """Nothing, until the client has gone."""
        await self.reader.read()
        self.keeps = False

    def reset(self) -> None:
        """Ends the connection with a reset in place of an orderly end."""
        connection = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()
        self.keeps = False


async def ok(exchange: Exchange) -> None:
    await exchange.answer(200, BODY)


async def status(exchange: Exchange) -> None:
    await exchange.answer(int(exchange.parts[1]), b"words of the server", "Location: /ok")


async def size(exchange: Exchange) -> None:
    await exchange.answer(200, b"x" * int(exchange.parts[1]))


async def sequence(exchange: Exchange) -> None:
    """One status after the other, "503,429:1,200": with ":1", ":date2" or any other text as Retry-After."""
    steps = exchange.parts[1].split(",")
    number = Counts.sequences.get(exchange.parts[1], 0)
    Counts.sequences[exchange.parts[1]] = number + 1
    code, _, retry_after = steps[min(number, len(steps) - 1)].partition(":")
    if retry_after.startswith("date"):
        retry_after = email.utils.formatdate(time.time() + int(retry_after[4:]), usegmt=True)
    headers = [f"retry-after:  {retry_after} "] if retry_after else []
    await exchange.answer(int(code), BODY, *headers)


async def once(exchange: Exchange) -> None:
    """The first request of a connection is answered, and no other."""
    if exchange.number == 0:
        await exchange.answer(200, BODY)
    else:
        await exchange.silence()


async def reset(exchange: Exchange) -> None:
    exchange.reset()


async def reset_body(exchange: Exchange) -> None:
    await exchange.send(HALF)
    await asyncio.sleep(0.05)
    exchange.reset()


async def close_later(exchange: Exchange) -> None:
    """A whole answer on a connection that looks kept and is not."""
    await exchange.answer(200, BODY)
    exchange.keeps = False


async def endless(exchange: Exchange) -> None:
    await exchange.send(f"HTTP/1.1 {exchange.parts[1]} OK\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    await exchange.forever(b"1000\r\n" + b"x" * 4096 + b"\r\n")


Behaviour = Callable[[Exchange], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\n"
HALF = OK + b"Content-Length: 100\r\n\r\nhalf of it"


def then_silence(data: bytes) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await exchange.send(data)
        await exchange.silence()

    return behave


def then_end(data: bytes) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await exchange.send(data)
        exchange.keeps = False

    return behave


def then_forever(data: bytes, piece: bytes, pause: float = 0) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await exchange.send(data)
        await exchange.forever(piece, pause)

    return behave


BEHAVIOURS: "dict[str, Behaviour]" = {
    "ok": ok,
    "status": status,
    "size": size,
    "sequence": sequence,
    "once": once,
    "reset": reset,
    "reset-body": reset_body,
    "close": then_end(b""),
    "close-later": close_later,
    "short": then_end(HALF),
    "garbage": then_end(bytes(range(256)) * 4),
    "no-headers": then_end(BODY),  # as HTTP/0.9 has it
    "slow": then_silence(b""),
    "stall": then_silence(HALF),
    "bad-status": then_silence(b"HTTP/1.1 2OO OK\r\nContent-Length: 0\r\n\r\n"),
    "bad-length": then_silence(OK + b"Content-Length: -5\r\n\r\n"),
    "bad-chunk": then_silence(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nwhat\r\n"),
    "drip": then_forever(OK + b"Content-Length: 60000\r\n\r\n", b"x", 0.05),
    "drip-headers": then_forever(OK, b"X-Header: x\r\n", 0.05),
    "endless": endless,
    "endless-unsized": then_forever(OK + b"\r\n", b"x" * 4096),
    "endless-headers": then_forever(OK, b"X-Header: " + b"x" * 4096 + b"\r\n"),
    "endless-line": then_forever(OK + b"X-Header: ", b"x" * 4096),
    "endless-interim": then_forever(b"", b"HTTP/1.1 102 Processing\r\nX-Header: x\r\n\r\n"),
}


def path_of(target: str) -> str:
    """A proxy is asked with the whole URL."""
    if target.startswith("http://"):
        return "/" + target[7:].partition("/")[2]
    return target


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Requests of one connection, one after the other."""
    Counts.connections += 1
    with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, RuntimeError):
        for number in itertools.count():
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            Counts.requests += 1
            exchange = Exchange(path_of(head.split(" ")[1]), number, reader, writer)
            await BEHAVIOURS[exchange.parts[0]](exchange)
            if not exchange.keeps:
                break
    with contextlib.suppress(OSError, RuntimeError):
        writer.close()


async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Takes connections and says nothing."""
    Counts.connections += 1
    with contextlib.suppress(OSError):
        await reader.read()
    writer.close()


def openssl(folder: Path, *arguments: str) -> None:
    """Quietly, unless it fails."""
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def certificate(folder: Path, name: str, *more: str) -> None:
    """A key and its certificate, by itself unless `more` says whom it is by."""
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost")
    openssl(folder, "req", "-x509", *kind, "-keyout", f"{name}.key", "-out", f"{name}.pem", *more)


def certificates(folder: Path) -> None:
    """An authority of the test's own, what it signs, and what nobody does."""
    by_authority = ("-CA", "ca.pem", "-CAkey", "ca.key")
    names = ("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    certificate(folder, "ca", "-subj", "/CN=Test authority")
    certificate(folder, "tls", *by_authority, *names)
    certificate(folder, "other-name", *by_authority, "-addext", "subjectAltName=DNS:other.example")
    certificate(folder, "expired", *names, "-addext", "authorityKeyIdentifier=none")
    openssl(folder, "x509", "-in", "expired.pem", "-out", "expired.pem", "-days", "-1", *by_authority)
    certificate(folder, "self-signed", *names)


def side_of_server(folder: Path, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    return context


async def obey(servers: "list[asyncio.Server]") -> None:
    """Answers the lines of the standard input, until it ends."""
    loop = asyncio.get_running_loop()
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        if not line:
            break
        if line == "reset\n":
            Counts.reset()
        print(Counts.connections, Counts.requests, flush=True)
    for server in servers:
        server.close()


async def main(folder: Path) -> None:
    """Starts all servers."""
    certificates(folder)
    servers = []
    for name in ("plain", "tls", "other-name", "expired", "self-signed", "mute"):
        context = side_of_server(folder, name) if (folder / f"{name}.pem").exists() else None
        server = await asyncio.start_server(mute if name == "mute" else serve, "127.0.0.1", 0, ssl=context, backlog=1024)
        servers.append(server)
        print(name, server.sockets[0].getsockname()[1], flush=True)
    print("ready", flush=True)
    await obey(servers)
    shutil.rmtree(folder)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        runner = asyncio.new_event_loop()
        runner.set_exception_handler(lambda *_: None)
        runner.run_until_complete(main(Path(sys.argv[1])))
