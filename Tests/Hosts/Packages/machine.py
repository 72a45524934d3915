"""Machines without Swift and without a compiler: a minimal Debian in a folder, and a copy of it for each test class."""

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("BUILD", TOP / "build")).resolve()
MIRROR = "http://deb.debian.org/debian"
# The machine's own programs and words, none of ours.
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
               "DEBIAN_FRONTEND": "noninteractive"}


def run(*command: object, **options: object) -> str:
    """What a command prints. A test fails with all of that if the command fails."""
    ended = subprocess.run([str(part) for part in command], check=False, timeout=900, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if ended.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {ended.returncode}\n{ended.stdout}")
    return ended.stdout


def new(suite: str) -> Path:
    """A minimal Debian of a suite ("bookworm"), made once and kept in the build folder. Workers wait for each other."""
    folder = BUILD / "machines" / suite
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder
        made = folder.with_suffix(".new")
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        run("debootstrap", "--variant=minbase", suite, made, MIRROR)
        made.rename(folder)
    return folder


class Machine:
    """A copy of a new machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def command(self, *words: str) -> list[str]:
        """A command there, as its root, with /proc and this machine's network."""
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc",
                "chroot", str(self.root), *words]

    def run(self, *words: str, **variables: str) -> str:
        """What a command there prints."""
        return run(*self.command(*words), env={**ENVIRONMENT, **variables})

    def sh(self, line: str) -> str:
        """What a line of shell in /root there prints."""
        return self.run("sh", "-c", f"cd /root && {line}")

    def put(self, *files: Path) -> None:
        """Copies files into /root."""
        for file in files:
            shutil.copy(file, self.root / "root")

    def install(self, *packages: str) -> None:
        """With apt: packages of Debian, or files in /root, as ./x.deb."""
        self.sh(f"apt-get update -q && apt-get install -q -y {' '.join(packages)}")

    @contextlib.contextmanager
    def serving(self, command: str) -> Iterator[str]:
        """`skan serve` there, on a free port: its URL."""
        started = subprocess.Popen(self.command("sh", "-c", f"cd /root && exec {command} --listen 127.0.0.1:0"),
                                   env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        try:
            said = started.stdout.readline()
            served = re.match(r"skan: serving on (http://127\.0\.0\.1:\d+), ", said)
            if not served:
                raise AssertionError(said)
            yield served[1]
        finally:
            started.kill()  # and with it all that it runs
            started.wait(60)
            started.stdout.close()


@contextlib.contextmanager
def machine(suite: str) -> Iterator[Machine]:
    """A new machine, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / suite
        run("cp", "-a", new(suite), root)
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        yield Machine(root)
