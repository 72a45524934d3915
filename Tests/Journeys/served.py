"""skan serve with its defaults: a model, the address, and nothing else. It can be stopped and started again."""

import random
import subprocess

from tools import COMMAND, TOP, environment

MIXED = TOP / "Sources" / "SKANModels" / "mixed.json"


class Served:
    """On a port of its own, below those that clients are given: none of them takes it while the server is gone."""

    def __init__(self, folder):
        self.log_file = folder / "serve.log"
        while True:
            self.port = random.randrange(20_000, 32_000)
            if self.start():
                break
            assert "Address already in use" in self.log_file.read_text(), self.log_file.read_text()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self):
        """Whether it serves."""
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                [COMMAND, "serve", "--model", str(MIXED), "--listen", f"127.0.0.1:{self.port}"],
                stdout=subprocess.PIPE, stderr=log, env=environment())
        return self.process.stdout.readline().startswith(f"skan: serving on http://127.0.0.1:{self.port}".encode())

    def stop(self):
        """The exit code."""
        self.process.terminate()
        code = self.process.wait(60)
        self.process.stdout.close()
        return code
