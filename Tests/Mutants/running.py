"""Runs the built tests of a copy with one mutant, step by step, until one notices."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import schemata
from areas import Area, Step

FAILED = re.compile(r"✘\S* (?:Test |Suite )?(\w+)|^FAILED (.{1,80})", re.MULTILINE)
RAN = re.compile(r"Test run with|^\d+ passed|\d+ passed|\d+ faults", re.MULTILINE)
# A table that grows without need is not to take the machine's memory.
MEMORY = 6 << 30
SURVIVED = "survived"


class Tests:
    """The built tests of the copy; `bundle` is that of Swift's tests."""

    def __init__(self, tree: Path, copy: Path, bundle: Path | None) -> None:
        self.tree, self.copy, self.bundle = tree, copy, bundle
        self.seconds: dict[Step, float] = {}

    def limit(self, step: Step) -> float:
        """What a step gets with a mutant: ten times as long as without one, when it has to pass, and a minute."""
        if step not in self.seconds:
            begun = time.monotonic()
            if (ended := self.run(0, step, 3600)) is not None:
                raise SystemExit(f"without a mutant: {ended} in {step.name}")
            self.seconds[step] = time.monotonic() - begun
            print(f"{step.name}: {self.seconds[step]:.1f} s", flush=True)
        return 60 + 10 * self.seconds[step]

    def kill(self, number: int, area: Area) -> str:
        """The word for how a mutant ended."""
        for step in area.steps:
            if (ended := self.run(number, step, self.limit(step))) is not None:
                return f"{ended} in {step.name}"
        return SURVIVED

    def command(self, step: Step) -> list[str]:
        if step.kind == "swift":
            skipped = ["--skip", step.skipped] if step.skipped else []
            return [str(self.bundle), "--testing-library", "swift-testing", "--filter", *step.arguments, *skipped]
        if step.kind == "program":
            return [str(self.copy / "build/mutant" / step.arguments[0]), *step.arguments[1:]]
        return [str(self.tree / "build/venv/bin/python"), "-m", "pytest", "-x", "-q", *step.arguments]

    def environment(self, number: int) -> dict[str, str]:
        """The command is the copy's; what else its tests use is the tree's own."""
        programs = self.copy / "build/mutant/bin"
        return dict(
            os.environ, SWIFT_BACKTRACE="enable=no", BUILD=str(self.tree / "build"), SKAN_KILLS="4",
            SKAN_COMMAND=str(programs / "skan"), SKAN_FAULTY_COMMAND=str(programs / "faulty-skan"),
            SKAN_STORES="sqlite", SKAN_SERVERS="postgres redis chromium", **{schemata.ENVIRONMENT: str(number)},
        )  # fmt: skip

    def run(self, number: int, step: Step, seconds: float) -> str | None:
        """How the tests noticed; nil where they did not. The first failure is enough."""
        process = subprocess.Popen(
            self.command(step), cwd=self.copy, env=self.environment(number), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
            start_new_session=True,
        )  # fmt: skip
        if step.kind == "swift":
            resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        waited = threading.Timer(seconds, end, [process])
        waited.start()
        try:
            failed, text = first_failure(process, step)
        finally:
            is_late = not waited.is_alive()
            waited.cancel()
            end(process)
        status = process.wait()
        if failed:
            return f"failed {failed}"
        if is_late:
            return "endless"
        if status < 0:
            return f"crashed ({-status})"
        if status != 0:
            print(text[-2000:], file=sys.stderr)
            return f"failed ({status})"
        return None if RAN.search(text) else "no test"


def first_failure(process: subprocess.Popen[str], step: Step) -> tuple[str | None, str]:
    """The test that failed first, which ends the process, and what was said until then."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if found := FAILED.search(line):
            # pytest ends by itself, and what it started with it.
            if step.kind != "pytest":
                end(process)
            return found[1] or found[2], text
    return None, text


def end(process: subprocess.Popen[str]) -> None:
    """Ends a process and all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
