"""Servers for tests, of the scripts in Tests/Trouble/Servers."""

import os
import subprocess
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "Trouble" / "Servers"


class Server:
    """A server of one test's own. It goes with this process, however that ends."""

    def __init__(self, name: str, *settings: str) -> None:
        self._script = str(SCRIPTS / f"{name}.sh")
        lines = self._run("start", "--for", str(os.getpid()), *settings).splitlines()
        facts = dict(line.split("=", 1) for line in lines)
        self.url = facts["url"]
        self._directory = facts["directory"]

    def remove(self) -> None:
        """Ends it, and removes its data."""
        self._run("remove", self._directory)

    def _run(self, *arguments: str) -> str:
        return subprocess.run([self._script, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
