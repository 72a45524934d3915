"""What tries the snippets of README and of the articles: C and C++ with warnings as errors and AddressSanitizer, which
also finds what leaks; Swift against the modules of the package's own build; shell lines one by one, in a folder of their
own."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import snippets
import swift_program

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
BUILD = Path(os.environ.get("BUILD", TOP / "build")).resolve()
ARTICLES = TOP / "Sources" / "Articles"
# Those of README by section and language, those of an article with its name before: "Postbacks/Decode them: sh".
SNIPPETS = {snippet.name: snippet for snippet in snippets.read(TOP / "README.md")} | {
    f"{path.stem}/{snippet.name}": snippet for path in sorted(ARTICLES.glob("*.md")) for snippet in snippets.read(path)
}
POSTBACKS = json.loads((TOP / "Tests" / "Vectors" / "postbacks.json").read_text(encoding="utf-8"))["postbacks"]
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]

# Lines that are tried elsewhere: by which rule of make.
ELSEWHERE = {
    "make demo": "check-demo",
    "make check": "check",
    "make check-all": "check-all",
    "make check CHANGED=1": "check-changed",
    "pip install ./Bindings/Python": "check-python",
}
# What README leaves to its reader.
PLACEHOLDERS = {"url": "https://skan.example.com", "key": '"…"'}
APPLES_PATH = "/.well-known/skadnetwork/report-attribution/"
covered = set()


def covers(name):
    covered.add(name)
    return lambda test: test


def run(*command, **options):
    """What it prints; a test fails with all that it said where it fails."""
    options = {"cwd": TOP, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, **options}
    ended = subprocess.run([str(part) for part in command], check=False, timeout=600, **options)
    if ended.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {ended.returncode}\n{ended.stdout}")
    return ended.stdout


def one_of_apples():
    """The body of a postback that Apple signed, an example of its documentation."""
    return json.dumps(next(each["postback"] for each in POSTBACKS if each["result"] == "valid")).encode()


def code(line):
    """A line of shell without its comment."""
    return re.sub(r"\s+# .*", "", line)


class SnippetCase(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        self.environment = dict(os.environ, PATH=f"{BUILD / 'bin'}:{os.environ['PATH']}", HOME=held.name, LC_ALL="C")
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
            self.environment.pop(name, None)

    def program(self, name, template, **replaced):
        """The snippet in its template; `replaced`: the endpoint's URL and the key, which README leaves to its reader."""
        text = snippets.filled(SNIPPETS[name], HERE / template)
        for part, value in replaced.items():
            self.assertEqual(SNIPPETS[name].text.count(PLACEHOLDERS[part]), 1, part)
            text = text.replace(PLACEHOLDERS[part], value)
        path = self.folder / template
        path.write_text(text, encoding="utf-8")
        return path

    def lines(self, name):
        """A shell snippet's commands; with what is tried elsewhere left out."""
        lines = [code(line) for line in SNIPPETS[name].text.splitlines()]
        return [line for line in lines if line not in ELSEWHERE]

    @contextlib.contextmanager
    def served(self, line):
        """Runs a line that serves until it is told to end, on a free port, which is given."""
        started = subprocess.Popen(["sh", "-c", f"exec {line} --listen 127.0.0.1:0 --log nothing"], cwd=self.folder,
                                   env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            said = started.stdout.readline()
            port = re.match(r"skan: serving on http://127\.0\.0\.1:(\d+), ", said)
            self.assertTrue(port, said)
            yield int(port[1])
        finally:
            started.terminate()
            code = started.wait(60)
            said = started.stdout.read()
            started.stdout.close()
        self.assertEqual((code, said), (0, ""))

    @contextlib.contextmanager
    def endpoint(self):
        """README's own endpoint, with its model; gives what a quick start has in place of README's URL and key."""
        (serve,) = self.lines("Try it: sh 3")
        (self.folder / "Sources").symlink_to(TOP / "Sources")
        with self.served(serve) as port:
            yield {"url": f"http://127.0.0.1:{port}", "key": '"a-key"'}

    def native(self, compiler, options, source, libraries):
        program = source.with_suffix("")
        run(*compiler.split(), *options, *WARNINGS, "-g", "-fsanitize=address", f"-I{TOP}/Include",
            f"-I{TOP}/Bindings/Cpp", "-o", program, source, *(BUILD / library for library in libraries), f"-Wl,-rpath,{BUILD}")
        body = self.folder / "postback.json"
        body.write_bytes(one_of_apples())
        with open(body, "rb") as arrived:
            run(program, cwd=self.folder, stdin=arrived, env=dict(os.environ, ASAN_OPTIONS="detect_leaks=1"))

    def swift(self, source, product, libraries):
        """Runs it with what `swift test` builds: nothing of the package is built again."""
        program = self.folder / "program"
        swift_program.build(source, product, libraries, program)
        run(program, cwd=self.folder)

    def sh(self, line, folder=None):
        return run("sh", "-c", line, cwd=folder or self.folder, env=self.environment)

    def ask(self, port):
        """A session of a new install, of whoever asks an endpoint."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        now = int(time.time())
        connection.request("GET", "/api/v2/conversion_value?a=key&v=17.2&i=com.example.game&app_v=1&n=__SESSION__&p=iOS"
                           "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&skan_current_conversion_value=0"
                           f"&skan_first_call_to_skadnetwork_timestamp={now}"
                           f"&skan_last_call_to_skadnetwork_timestamp={now}")
        answer = json.loads(connection.getresponse().read())
        connection.close()
        self.assertEqual(answer.get("status"), "ok", answer)

    @contextlib.contextmanager
    def receiver(self, options="", line=None):
        """README's receiver of postbacks; gives what posts one of Apple's to a path."""
        copy, _, serve, *_ = self.lines("Stores, models, postbacks and reports: sh")
        (self.folder / "Sources").symlink_to(TOP / "Sources")
        self.sh(copy)
        (self.folder / "names.csv").write_text(SNIPPETS["Reports/One page: csv"].text)

        def post(path):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", path, one_of_apples())
            answer = connection.getresponse()
            self.assertEqual((answer.status, json.loads(answer.read())), (200, {"outcome": "counted"}))
            connection.close()

        with self.served((line or serve) + options) as port:
            yield post
