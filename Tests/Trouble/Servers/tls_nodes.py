"""Two nodes of a Redis Cluster and a stranger, that speak TLS: `tls_nodes.py CERTIFICATES HOST MOVED|ASK nodes|stranger`.

The node "first" is at 127.0.0.1 and has all slots by CLUSTER SLOTS, where it is named HOST. It sends every command on a
key to "second", at another port of HOST, or to "stranger", at 127.0.0.2. These two answer as an empty server does. The
ports are printed in this order in one line, then one line for each connection ("first reached"), each name that a client
asks for in its handshake ("first asked for localhost", "for no name") and each command ("first AUTH").
"""

from __future__ import annotations

import binascii
import contextlib
import socket
import ssl
import sys
import threading

FOLDER, HOST, WORD, TARGET = sys.argv[1:5]
NAMES = ("first", "second", "stranger")


def note(*words: object) -> None:
    print(*words, flush=True)


def certified(name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{FOLDER}/{name}.pem", f"{FOLDER}/{name}.key")
    return context


def context_of(node: str) -> ssl.SSLContext:
    """The certificate of localhost and 127.0.0.1, or that of elsewhere.example for those who ask for this name."""
    context, elsewhere = certified("server"), certified("elsewhere")

    def asked(connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        note(node, "asked for", name or "no name")
        if name == "elsewhere.example":
            connection.context = elsewhere

    context.sni_callback = asked
    return context


listeners = {name: socket.create_server(("127.0.0.2" if name == "stranger" else "127.0.0.1", 0)) for name in NAMES}
ports = {name: listener.getsockname()[1] for name, listener in listeners.items()}
moved_to = f"127.0.0.2:{ports['stranger']}" if TARGET == "stranger" else f"{HOST}:{ports['second']}"
SLOTS = f"*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n${len(HOST)}\r\n{HOST}\r\n:{ports['first']}\r\n"
ANSWERS = {"AUTH": "+OK\r\n", "PING": "+PONG\r\n", "ASKING": "+OK\r\n", "CLUSTER": SLOTS, "INFO": "-ERR no\r\n"}
AS_EMPTY = {"GETRANGE": "$0\r\n\r\n"}
SLOT_COUNT = 16384


def slot_of(parts: list[bytes]) -> int:
    """The slot of the key of GETRANGE or of a script: of the part in braces, where there is one."""
    key = parts[1] if parts[0] == b"GETRANGE" else parts[3]
    tag = key.partition(b"{")[2].partition(b"}")[0]
    return binascii.crc_hqx(tag or key, 0) % SLOT_COUNT


def serve(node: str, plain: socket.socket, context: ssl.SSLContext) -> None:
    with contextlib.suppress(OSError), context.wrap_socket(plain, server_side=True) as connection:
        stream = connection.makefile("rwb")
        while head := stream.readline():
            parts = []
            for _ in range(int(head[1:])):
                length = int(stream.readline()[1:])
                parts.append(stream.read(length + 2)[:-2])
            command = parts[0].decode()
            note(node, command)
            answer = ANSWERS.get(command)
            if answer is None:
                answer = f"-{WORD} {slot_of(parts)} {moved_to}\r\n" if node == "first" else AS_EMPTY.get(command, ":0\r\n")
            stream.write(answer.encode())
            stream.flush()


def accept(node: str) -> None:
    context = context_of(node)
    while True:
        connection, _ = listeners[node].accept()
        note(node, "reached")
        threading.Thread(target=serve, args=(node, connection, context), daemon=True).start()


note(*ports.values())
for name in NAMES[1:]:
    threading.Thread(target=accept, args=(name,), daemon=True).start()
accept("first")
