"""How many postbacks a second skan serve takes into SQLite FULL, by 8 connections: bench.py [COUNT]."""

import os
import selectors
import shutil
import socket
import sys
import tempfile
import time
from pathlib import Path

import outbox_tools
from server_tools import Server
from signer import NETWORK, keys_file, skadnetwork

CONNECTIONS = 8


def request(number):
    body = skadnetwork(number, **{"conversion-value": number % 64})
    return (f"POST {outbox_tools.SKADNETWORK} HTTP/1.1\r\nHost: skan\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body


def send_all(server, requests):
    """Each connection has one request under way. Seconds, and how many were counted."""
    left, counted, begin = iter(requests), 0, time.monotonic()
    with selectors.DefaultSelector() as selector:
        for _ in range(CONNECTIONS):
            client = socket.create_connection(("127.0.0.1", server.port))
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.sendall(next(left))
            selector.register(client, selectors.EVENT_READ)
        open_count = CONNECTIONS
        while open_count:
            for key, _ in selector.select():
                answer = key.fileobj.recv(65536)
                counted += answer.startswith(b"HTTP/1.1 200") and b'"counted"' in answer
                body = next(left, None)
                if body:
                    key.fileobj.sendall(body)
                else:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    open_count -= 1
    return time.monotonic() - begin, counted


def fsync_rate(folder):
    """What the disk bounds: how often it seals 4 KiB."""
    with open(folder / "probe", "wb") as file:
        begin, count = time.monotonic(), 0
        while time.monotonic() - begin < 1:
            file.write(bytes(4096))
            file.flush()
            os.fdatasync(file.fileno())
            count += 1
    return count


def run(name, count, partners):
    folder = Path(tempfile.mkdtemp(prefix="skan-bench-"))
    partner = outbox_tools.Partner()
    server = None
    try:
        partner.start()
        told = f'[{{"name":"partner","url":"http://127.0.0.1:{partner.port}/?id={{id}}"}}]' if partners else "[]"
        (folder / "networks.json").write_text(
            f'{{"networks":[{{"name":"example","ad_networks":["{NETWORK}"],"partners":{told}}}]}}')
        if partners == "down":
            partner.stop()
        requests = [request(number) for number in range(count)]
        rate = fsync_rate(folder)
        server = Server(folder, "--postbacks", f"sqlite:{folder}/postbacks.db", "--postback-keys", keys_file(folder),
                        "--networks", folder / "networks.json", "--any-app", "--log", "errors")
        seconds, counted = send_all(server, requests)
        assert counted == count, (counted, count)
        print(f"receive, SQLite FULL, {CONNECTIONS} connections, {name}: {counted} postbacks in {seconds:.2f} s, "
              f"{counted / seconds:.0f} a second (the disk seals {rate} times a second)", flush=True)
        if partners == "up":
            begin = time.monotonic()
            while len(partner.ids()) < count:
                time.sleep(0.05)
            print(f"told: all {count}, {time.monotonic() - begin:.2f} s after the last answer", flush=True)
    finally:
        if server:
            server.stop()
        partner.stop()
        shutil.rmtree(folder)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    run("no partner", count, None)
    run("a partner that is down", count, "down")
    run("a partner in this Python process", count, "up")


main()
