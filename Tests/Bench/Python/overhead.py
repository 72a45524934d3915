"""What a call costs in Python over the same call in C: nanoseconds for each, the best of many short rounds.

The C loop is compiled here with `cc` (or $CC) against the library packed in the installed package.
"""

import os
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter_ns
from typing import Callable

import libskan

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = Path(libskan.__file__).parent / "_lib" / "libskan.so"
INSTALL = "player-1"
CALLS = 2_000
ROUNDS = 30
TURNS = 5
# pending_calls gives two calls of eleven members each.
BARS = {"pending_calls": 6000, "update_revenue": 3000}


def compiled(folder: str) -> str:
    """The C loop as a program."""
    program = os.path.join(folder, "overhead")
    source = str(Path(__file__).with_suffix(".c"))
    options = ["-O2", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-I", str(ROOT / "Include")]
    subprocess.run([os.environ.get("CC", "cc"), *options, source, str(LIBRARY), "-o", program], check=True)
    return program


def in_c(program: str) -> dict[str, float]:
    """Nanoseconds a call, by its name."""
    environment = {**os.environ, "LD_PRELOAD": str(LIBRARY)}  # its soname is no file's name in the package
    command = [program, str(CALLS), str(ROUNDS)]
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return {name: float(nanoseconds) for name, nanoseconds in (line.split() for line in output.splitlines())}


def nanoseconds(call: Callable[[], object]) -> float:
    """A call, in the best round; what an empty loop costs is not taken off."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = perf_counter_ns()
        for _ in range(CALLS):
            call()
        best = min(best, (perf_counter_ns() - start) / CALLS)
    return best


def in_python() -> dict[str, float]:
    """Nanoseconds a call, by its name, as in_c."""
    with libskan.Engine(endpoint_url="https://skan.example.com") as engine:
        engine.register(INSTALL)
        return {
            "pending_calls": nanoseconds(lambda: engine.pending_calls(INSTALL)),
            "update_revenue": nanoseconds(lambda: engine.update_revenue(INSTALL, 0.99, "USD")),
        }


def main() -> None:
    """Prints a row a call."""
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        turns = [(in_c(program), in_python()) for _ in range(TURNS)]
    print(f"{'':16}{'C ns/op':>10}{'Python ns/op':>14}{'difference':>12}{'bar':>8}")
    for name in turns[0][0]:
        c = min(c[name] for c, _ in turns)
        python = min(python[name] for _, python in turns)
        bar = BARS[name]
        print(f"{name:16}{c:10.0f}{python:14.0f}{python - c:12.0f}{bar:8}   {'met' if python - c <= bar else 'missed'}")


if __name__ == "__main__":
    main()
