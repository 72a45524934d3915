"""skan serve among strangers: strangers.py attacks [SECONDS] tells, for each attack, what a client of another address
of loopback sees meanwhile; strangers.py day [SECONDS] plays 24 hours of all of them, and tells memory and disk."""

import contextlib
import json
import multiprocessing
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import outbox_tools
from server_tools import MIXED, NOW, Server, value_path
from signer import keys_file, skadnetwork

CLIENT = "127.0.0.2"
HOURS = 24
# Of each: four attacks at a time have as many together as one address may.
CONNECTIONS = 8
VALUES = value_path(idfv=None, a="key")

# A request for each of wrk's connections, by what SKAN_ATTACK says.
SCRIPT = """
local attack = os.getenv("SKAN_ATTACK")
local posts = {["Content-Type"] = "application/json"}
function init()
   local a, b, c = string.byte(io.open("/dev/urandom", "rb"):read(3), 1, 3)
   math.randomseed(a * 65536 + b * 256 + c)
end
function request()
   local number = string.format("%d-%d", math.random(1000000000), math.random(1000000000))
   if attack == "users" then return wrk.format("GET", os.getenv("SKAN_VALUES") .. "&idfv=" .. number) end
   if attack == "items" then return wrk.format("GET", os.getenv("SKAN_VALUES") .. string.rep("&x=1", 15000)) end
   local body = number
   if attack == "signed" then body = string.gsub(os.getenv("SKAN_POSTBACK"), "transaction%-0", number) end
   if attack == "large" then body = number .. string.rep("x", 30000) end
   return wrk.format("POST", os.getenv("SKAN_POSTS"), posts, body)
end
"""
BY_WRK = ("malformed", "large", "signed", "users", "items")


def silent(port, count=2100):
    """Sockets that say nothing; new ones for those that the server closes."""
    clients = []
    while True:
        while len(clients) < count:
            clients.append(socket.create_connection(("127.0.0.1", port)))
        for client in list(clients):
            client.setblocking(False)
            try:
                if client.recv(4096) == b"":
                    clients.remove(client)
                    client.close()
            except BlockingIOError:
                pass
            except OSError:
                clients.remove(client)
        time.sleep(0.05)


def endless(port):
    """Bodies without an end."""
    while True:
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(f"POST {outbox_tools.SKADNETWORK} HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n"
                           .encode())
            try:
                while True:
                    client.sendall(bytes(65536))
            except OSError:
                pass


def dripping(port):
    """Heads of a byte now and then."""
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
    while True:
        for index, client in enumerate(clients):
            try:
                client.send(b"G")
            except OSError:
                clients[index] = socket.create_connection(("127.0.0.1", port))
        time.sleep(0.2)


BY_HAND = {"silent": silent, "endless": endless, "dripping": dripping}


@contextlib.contextmanager
def attack(name, server, folder, seconds):
    """Meanwhile it runs."""
    if name in BY_HAND:
        process = multiprocessing.Process(target=BY_HAND[name], args=(server.port,), daemon=True)
        process.start()
        wait = process.join
    else:
        script = folder / f"{name}.lua"
        script.write_text(SCRIPT)
        postback = json.dumps(json.loads(skadnetwork(0)) | {"fidelity-type": 0})
        process = subprocess.Popen(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{int(seconds) + 60}", "-s", str(script), server.url],
            stdout=subprocess.DEVNULL,
            env={"SKAN_ATTACK": name, "SKAN_VALUES": VALUES, "SKAN_POSTS": outbox_tools.SKADNETWORK,
                 "SKAN_POSTBACK": postback, "PATH": "/usr/bin:/bin"})
        wait = process.wait
    try:
        yield
    finally:
        process.kill()
        wait()


def ask(server):
    """Milliseconds until a new connection has the answer; None where there is none within 5 s."""
    begin = time.monotonic()
    try:
        with socket.create_connection(("127.0.0.1", server.port), 5, (CLIENT, 0)) as client:
            client.sendall(f"GET {VALUES}&idfv=me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
            answer = client.recv(4096)
    except OSError:
        return None
    return (time.monotonic() - begin) * 1000 if answer.startswith(b"HTTP/1.1 200") else None


def well_behaved(server, seconds):
    """What 50 requests a second see."""
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        times.append(ask(server))
        time.sleep(0.02)
    came = sorted(t for t in times if t is not None)
    at = [came[min(len(came) - 1, int(len(came) * part))] for part in (0.5, 0.99)] if came else [float("nan")] * 2
    return f"{len(came)} of {len(times)} answered, p50 {at[0]:.1f} ms, p99 {at[1]:.1f} ms"


def open_server(folder, *options):
    return Server(folder, "--model", MIXED, "--postbacks", f"sqlite:{folder}/postbacks.db", "--postback-keys",
                  keys_file(folder), "--any-app", "--log", "errors", *options, files=4096)


def disk(folder):
    """MiB of the store's files."""
    return sum(file.stat().st_size for file in folder.glob("postbacks.db*")) / 2**20


def attacks(folder, seconds):
    for name in (None, *BY_HAND, *BY_WRK):
        server = open_server(folder)
        with attack(name, server, folder, seconds) if name else contextlib.nullcontext():
            time.sleep(2)
            print(f"{name or 'none'}: {well_behaved(server, seconds)}, {server.memory('VmHWM') / 1024:.0f} MiB",
                  flush=True)
        server.stop()


def day(folder, seconds):
    server = open_server(folder)
    with contextlib.ExitStack() as running:
        for name in ("malformed", "large", "signed", "users"):
            running.enter_context(attack(name, server, folder, seconds))
        for hour in range(HOURS):
            server.at(NOW + hour * 3600)
            seen = well_behaved(server, seconds / HOURS)
            print(f"hour {hour + 1}: memory {server.memory() / 1024:.0f} MiB, disk {disk(folder):.1f} MiB; {seen}",
                  flush=True)
    print(f"memory at most {server.memory('VmHWM') / 1024:.0f} MiB, disk {disk(folder):.1f} MiB", flush=True)
    server.stop()


if __name__ == "__main__":
    place = Path(tempfile.mkdtemp(prefix="skan-strangers-"))
    try:
        {"attacks": attacks, "day": day}[sys.argv[1]](place, float(sys.argv[2]) if len(sys.argv) > 2 else 10)
    finally:
        shutil.rmtree(place)
