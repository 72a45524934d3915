"""A server that misbehaves as its clients ask, by the first part of the path.

    server.py DIRECTORY

DIRECTORY takes the certificates, and is removed at the end. It prints its ports, "NAME PORT" each and "ready" at last,
then answers lines on its standard input: `reset` forgets what was counted, `stats` prints "CONNECTIONS REQUESTS". It
ends with its input.
"""

import asyncio
import collections
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
from typing import Callable

BODY = b'{"conversion_value":7,"skan_updated_coarse_value":1,"postback_sequence_index":0,"status":"ok"}'


# What came in: connections, requests and those of each sequence.
COUNTS: "collections.Counter[str]" = collections.Counter()


class Exchange:
    """One request, its path in parts, and the way to answer."""

    def __init__(self, target: str, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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


async def ok(exchange: Exchange) -> None:
    await exchange.answer(200, BODY)


async def status(exchange: Exchange) -> None:
    await exchange.answer(int(exchange.parts[1]), b"words of the server", "Location: /ok")


async def later(exchange: Exchange) -> None:
    """A whole answer after so many milliseconds."""
    await asyncio.sleep(int(exchange.parts[1]) / 1000)
    await ok(exchange)


async def size(exchange: Exchange) -> None:
    await exchange.answer(200, b"x" * int(exchange.parts[1]))


async def sequence(exchange: Exchange) -> None:
    """One status after the other, "503,429:1,200": with ":1", ":date2" or any other text as Retry-After.

    A step may also be how the connection ends without an answer, "close" or "reset".
    """
    steps = exchange.parts[1].split(",")
    code, _, retry_after = steps[min(COUNTS[exchange.parts[1]], len(steps) - 1)].partition(":")
    COUNTS[exchange.parts[1]] += 1
    if not code.isdigit():
        return await BEHAVIOURS[code](exchange)
    if retry_after.startswith("date"):
        retry_after = email.utils.formatdate(time.time() + int(retry_after[4:]), usegmt=True)
    headers = [f"retry-after:  {retry_after} "] if retry_after else []
    await exchange.answer(int(code), BODY, *headers)


async def silence(exchange: Exchange) -> None:
    """Nothing, until the client has gone."""
    await exchange.reader.read()
    exchange.keeps = False


async def end(exchange: Exchange) -> None:
    exchange.keeps = False


async def reset(exchange: Exchange) -> None:
    """Ends the connection with a reset in place of an orderly end."""
    await asyncio.sleep(0.05)
    connection = exchange.writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.writer.transport.abort()
    exchange.keeps = False


async def once(exchange: Exchange) -> None:
    """The first request of a connection is answered, and no other."""
    await (ok if exchange.number == 0 else silence)(exchange)


async def pair(exchange: Exchange) -> None:
    """The same, once the client has two connections."""
    while COUNTS["connections"] < 2:
        await asyncio.sleep(0.01)
    await once(exchange)


async def close_later(exchange: Exchange) -> None:
    """A whole answer on a connection that looks kept and is not."""
    await ok(exchange)
    await end(exchange)


async def endless(exchange: Exchange) -> None:
    head = f"HTTP/1.1 {exchange.parts[1]} OK\r\n".encode() + CHUNKS
    await after(head, forever(b"1000\r\n" + b"x" * 4096 + b"\r\n"))(exchange)


Behaviour = Callable[[Exchange], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\n"
HALF = OK + b"Content-Length: 100\r\n\r\nhalf of it"
CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n"


def after(data: bytes, then: Behaviour) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await exchange.send(data)
        await then(exchange)

    return behave


def forever(piece: bytes, pause: float = 0) -> Behaviour:
    """Sends the same again and again, until the client has gone."""

    async def behave(exchange: Exchange) -> None:
        while True:
            await exchange.send(piece)
            await asyncio.sleep(pause)

    return behave


BEHAVIOURS: "dict[str, Behaviour]" = {
    "ok": ok,
    "status": status,
    "later": later,
    "size": size,
    "sequence": sequence,
    "once": once,
    "pair": pair,
    "reset": reset,
    "reset-body": after(HALF, reset),
    "close": end,
    "close-later": close_later,
    "short": after(HALF, end),
    "garbage": after(bytes(range(256)) * 4, end),
    "no-headers": after(BODY, end),  # as HTTP/0.9 has it
    "slow": silence,
    "stall": after(HALF, silence),
    "bad-status": after(b"HTTP/1.1 2OO OK\r\nContent-Length: 0\r\n\r\n", silence),
    "bad-length": after(OK + b"Content-Length: -5\r\n\r\n", silence),
    "bad-chunk": after(OK + CHUNKS + b"zz\r\nwhat\r\n", silence),
    "drip": after(OK + b"Content-Length: 60000\r\n\r\n", forever(b"x", 0.05)),
    "drip-headers": after(OK, forever(b"X-Header: x\r\n", 0.05)),
    "endless": endless,
    "endless-unsized": after(OK + b"\r\n", forever(b"x" * 4096)),
    "endless-headers": after(OK, forever(b"X-Header: " + b"x" * 4096 + b"\r\n")),
    "endless-line": after(OK + b"X-Header: ", forever(b"x" * 4096)),
    "endless-interim": forever(b"HTTP/1.1 102 Processing\r\nX-Header: x\r\n\r\n"),
}


def path_of(target: str) -> str:
    """A proxy is asked with the whole URL."""
    if target.startswith("http://"):
        return "/" + target[7:].partition("/")[2]
    return target


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Requests of one connection, one after the other."""
    COUNTS["connections"] += 1
    with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, RuntimeError):
        for number in itertools.count():
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            COUNTS["requests"] += 1
            exchange = Exchange(path_of(head.split(" ")[1]), number, reader, writer)
            await BEHAVIOURS[exchange.parts[0]](exchange)
            if not exchange.keeps:
                break
    with contextlib.suppress(OSError, RuntimeError):
        writer.close()


async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Takes connections and says nothing."""
    COUNTS["connections"] += 1
    with contextlib.suppress(OSError):
        await reader.read()
    writer.close()


async def without_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers the first bytes of a TLS client as HTTP servers do that have no TLS."""
    COUNTS["connections"] += 1
    COUNTS["requests"] += 1
    with contextlib.suppress(OSError):
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        await reader.read()
    writer.close()


async def refusing_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers a TLS client with the alert handshake_failure."""
    COUNTS["connections"] += 1
    COUNTS["requests"] += 1
    with contextlib.suppress(OSError):
        await reader.read(1)
        writer.write(bytes([21, 3, 3, 0, 2, 2, 40]))
        await writer.drain()
        await reader.read()
    writer.close()


async def breaking_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ends the connection of a TLS client in the handshake."""
    COUNTS["connections"] += 1
    COUNTS["requests"] += 1
    with contextlib.suppress(OSError):
        await reader.read(4096)
    writer.close()


HANDLERS = {"mute": mute, "without-tls": without_tls, "refusing-tls": refusing_tls, "breaking-off": breaking_off}


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
            COUNTS.clear()
        print(COUNTS["connections"], COUNTS["requests"], flush=True)
    for server in servers:
        server.close()


async def main(folder: Path) -> None:
    """Starts all servers."""
    certificates(folder)
    servers = []
    for name in ("plain", "tls", "other-name", "expired", "self-signed", *HANDLERS):
        context = side_of_server(folder, name) if (folder / f"{name}.pem").exists() else None
        handler = HANDLERS.get(name, serve)
        server = await asyncio.start_server(handler, "127.0.0.1", 0, ssl=context, backlog=1024)
        servers.append(server)
        print(name, server.sockets[0].getsockname()[1], flush=True)
    # A port that nobody listens on, and that nobody else takes.
    closed = socket.socket()
    closed.bind(("127.0.0.1", 0))
    print("closed", closed.getsockname()[1], flush=True)
    print("ready", flush=True)
    await obey(servers)
    shutil.rmtree(folder)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        runner = asyncio.new_event_loop()
        runner.set_exception_handler(lambda *_: None)
        runner.run_until_complete(main(Path(sys.argv[1])))
