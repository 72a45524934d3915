"""What a service manager does for a server, without one: sockets that it opens, and notices that it takes."""

import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from server_tools import NOW, Started
from tools import COMMAND, environment

# The sockets become the files 3, 4, ... of the process that is told of them, by its own id.
ACTIVATE = """
import os, sys
files, names, command = sys.argv[1].split(","), sys.argv[2], sys.argv[3:]
copies = [os.dup(int(file)) for file in files]
while any(copy < 3 + len(copies) for copy in copies):
    copies = [os.dup(copy) for copy in copies]
for place, copy in enumerate(copies):
    os.dup2(copy, 3 + place)
    os.set_inheritable(3 + place, True)
os.closerange(3 + len(copies), 256)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(copies)), LISTEN_FDNAMES=names)
os.execv(command[0], command)
"""


class Notices:
    """The socket of NOTIFY_SOCKET; `name` begins with "@" for an abstract one."""

    def __init__(self, name):
        self.name = str(name)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + self.name[1:] if self.name.startswith("@") else self.name)
        self.socket.settimeout(60)

    def next(self):
        """The lines of the next notice, by their names."""
        return dict(line.split("=", 1) for line in self.socket.recv(65536).decode().rstrip("\n").split("\n"))

    def until(self, name):
        """The next notice that has this line."""
        while name not in (notice := self.next()):
            pass
        return notice

    def close(self):
        self.socket.close()


class Process(Started):
    """A server that says itself where it listens."""

    def __init__(self, folder, *options, sockets=(), names="", notices=None, watchdog=None, **variables):
        clock = folder / f"clock-{len(list(folder.iterdir()))}"
        clock.write_bytes(struct.pack("=q", NOW * 1_000_000))
        self.log_file = clock.with_suffix(".log")
        command = [COMMAND, "serve", "--clock", str(clock), *map(str, options)]
        files = [listener.fileno() for listener in sockets]
        if files:
            command = [sys.executable, "-c", ACTIVATE, ",".join(map(str, files)), names, *command]
        if notices:
            variables["NOTIFY_SOCKET"] = notices.name
        if watchdog:
            variables["WATCHDOG_USEC"] = str(watchdog)
        with open(self.log_file, "wb") as file:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, pass_fds=files,
                                            env=environment(**variables))
        self.line = self.process.stdout.readline().decode()
        found = re.match(r"skan: serving on (.*?), counts ", self.line)
        if not found:
            self.process.wait(60)
            raise AssertionError(f"it does not serve: {self.line!r} {self.log_file.read_text()}")
        self.places = found[1]


def listening(address=("127.0.0.1", 0)):
    """A socket that a service manager has opened."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen(4096)
    return listener
