"""Every snippet of README does what it says: C and C++ with warnings as errors and AddressSanitizer, which also finds
what leaks; Swift against the modules of the package's own build; shell lines one by one, in a folder of their own. The
quick starts ask README's own endpoint, and each gets a value."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import snippets
import swift_program

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
BUILD = Path(os.environ.get("BUILD", TOP / "build")).resolve()
SNIPPETS = {snippet.name: snippet for snippet in snippets.read(TOP / "README.md")}
POSTBACKS = json.loads((TOP / "Tests" / "Vectors" / "postbacks.json").read_text(encoding="utf-8"))["postbacks"]
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]

# Lines that are tried elsewhere: by which rule of make.
ELSEWHERE = {
    "make demo": "check-demo",
    "make check": "check",
    "pip install ./Bindings/Python": "check-python",
}
# What README leaves to its reader.
PLACEHOLDERS = {"url": "https://skan.example.com", "key": "…"}
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
        for part in replaced:
            self.assertEqual(SNIPPETS[name].text.count(PLACEHOLDERS[part]), 1, part)
            text = text.replace(PLACEHOLDERS[part], replaced[part])
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
        (serve,) = self.lines("Endpoint: sh")
        (self.folder / "Sources").symlink_to(TOP / "Sources")
        with self.served(serve) as port:
            yield {"url": f"http://127.0.0.1:{port}", "key": "a-key"}


class TestAll(SnippetCase):
    def test_every_snippet_is_tried(self):
        self.assertEqual(covered, set(SNIPPETS))

    def test_what_is_tried_elsewhere_is_tried_there(self):
        rules = "\n".join(path.read_text(encoding="utf-8") for path in [TOP / "Makefile", *TOP.glob("*/**/*.mk")])
        for line, rule in ELSEWHERE.items():
            self.assertRegex(rules, rf"(?m)^(task\.{rule} =|([\w-]+ )*{rule}( [\w-]+)*:)", line)
            self.assertTrue(any(line in map(code, each.text.splitlines()) for each in SNIPPETS.values()), line)

    def test_code_that_would_not_be_seen_is_refused(self):
        for text in ("text\n\n    code\n", "```\ncode\n```\n", "```c\ncode\n", "~~~\ncode\n~~~\n"):
            path = self.folder / "README.md"
            path.write_text(text, encoding="utf-8")
            with self.assertRaises(ValueError, msg=text):
                snippets.read(path)

    @covers("How it is built: text")
    def test_the_tree_is_the_tree(self):
        named, parent = set(), ""
        for line in SNIPPETS["How it is built: text"].text.splitlines():
            names = re.split(r"  +", line.strip())[0].split()
            if not line.startswith(" "):
                parent = names[0] if len(line.split()) == 1 else ""
            named.update((parent if line.startswith(" ") else "") + name.rstrip("/") for name in names)
        for name in named:
            self.assertTrue((TOP / name).exists(), name)
        for folder in ("Sources", "Tests"):
            there = {f"{folder}/{each.name}" for each in (TOP / folder).iterdir() if each.is_dir()}
            self.assertLessEqual(there - {f"{folder}/__pycache__"}, named)

    def test_links_lead_somewhere(self):
        text = (TOP / "README.md").read_text(encoding="utf-8")
        for snippet in SNIPPETS.values():
            text = text.replace(snippet.text, "")
        headings = {"#" + line[3:].lower().replace(" ", "-") for line in text.splitlines() if line.startswith("## ")}
        for link in re.findall(r"\]\(([^)]*)\)", text):
            if link.startswith("#"):
                self.assertIn(link, headings)
            elif not link.startswith("https://"):
                self.assertTrue((TOP / link).exists(), link)


class TestPrograms(SnippetCase):
    def native(self, compiler, options, source, libraries):
        program = source.with_suffix("")
        run(*compiler.split(), *options, *WARNINGS, "-g", "-fsanitize=address", f"-I{TOP}/Include",
            f"-I{TOP}/Bindings/Cpp", "-o", program, source, *(BUILD / library for library in libraries), f"-Wl,-rpath,{BUILD}")
        body = self.folder / "postback.json"
        body.write_bytes(one_of_apples())
        with open(body, "rb") as arrived:
            run(program, cwd=self.folder, stdin=arrived, env=dict(os.environ, ASAN_OPTIONS="detect_leaks=1"))

    @covers("C: c")
    def test_c(self):
        with self.endpoint() as placed:
            source = self.program("C: c", "quick_start.c", **placed)
            self.native(os.environ.get("CC", "gcc"), ["-std=c11"], source, ["libskan-http.so", "libskan.so"])

    @covers("C++: cpp")
    def test_cpp(self):
        with self.endpoint() as placed:
            source = self.program("C++: cpp", "quick_start.cpp", **placed)
            self.native(os.environ.get("CXX", "g++"), ["-std=c++17"], source, ["libskan-http.so", "libskan.so"])

    @covers("Postbacks: c")
    def test_postbacks(self):
        source = self.program("Postbacks: c", "postbacks.c")
        libraries = ["libskan-postback.so", "libskan-sqlite.so", "libskan.so"]
        self.native(os.environ.get("CC", "gcc"), ["-std=c11"], source, libraries)
        self.assertTrue((self.folder / "postbacks.db").exists())

    @covers("Python: python")
    def test_python(self):
        with self.endpoint() as placed:
            run(sys.executable, "-W", "error", self.program("Python: python", "quick_start.py", **placed))

    @covers("Endpoint: json")
    def test_an_endpoints_answer(self):
        answer = SNIPPETS["Endpoint: json"].text
        script = (
            "import sys; from libskan import Engine; engine = Engine(transport=lambda url: sys.argv[1].encode());"
            "engine.register('player-1'); update = engine.update_conversion_values('player-1').update;"
            "print(update.window, update.fine_value, update.coarse_value, update.lock_window)"
        )
        value = json.loads(answer)
        self.assertEqual(
            run(sys.executable, "-c", script, answer).split(),
            [str(value["postback_sequence_index"]), str(value["conversion_value"]),
             str(value["skan_updated_coarse_value"]), "False"],
        )

    @covers("Swift: swift")
    def test_swift(self):
        with self.endpoint() as placed:
            self.swift(self.program("Swift: swift", "quick_start.swift", **placed), "SKAN", ["-ljson-c"])

    @covers("Conversion models: swift")
    def test_swift_with_a_model(self):
        (self.folder / "model.json").symlink_to(TOP / "Sources" / "SKANModels" / "mixed.json")
        source = self.program("Conversion models: swift", "model.swift")
        self.swift(source, "SKANSQLite", ["-ljson-c", "-lsqlite3"])

    def swift(self, source, product, libraries):
        """Runs it with what `swift test` builds: nothing of the package is built again."""
        program = self.folder / "program"
        swift_program.build(source, product, libraries, program)
        run(program, cwd=self.folder)


class TestShell(SnippetCase):
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

    @covers("Try it: sh")
    @covers("Python: sh")
    def test_all_lines_are_tried_elsewhere(self):
        self.assertEqual(self.lines("Try it: sh") + self.lines("Python: sh"), [])

    @covers("Try it: sh 2")
    def test_a_prefix_of_ones_own(self):
        install, path, compile_ = self.lines("Try it: sh 2")
        # Companions are installed by Tests/Hosts/Install.
        self.sh(f"{install} COMPANIONS= BUILD={BUILD}", TOP)
        (self.folder / "server.c").write_text(
            "#include <skan/skan.h>\nint main(void) { return skan_abi_version() != SKAN_ABI_VERSION; }\n")
        self.sh(f"{path}\n{compile_}\n./a.out")

    @covers("Endpoint: sh")
    def test_the_endpoint(self):
        with self.endpoint() as placed:
            self.ask(int(placed["url"].rpartition(":")[2]))
        self.assertIn("default 127.0.0.1:8080", self.sh("skan serve --help"))

    @covers("Conversion models: sh")
    def test_models(self):
        (self.folder / "model.json").symlink_to(TOP / "Sources" / "SKANModels" / "mixed.json")
        (self.folder / "events.jsonl").write_text('{"time": 0, "register": true}\n{"time": 60, "session": true}\n')
        *lines, serve = self.lines("Conversion models: sh")
        for line in lines:
            self.assertTrue(self.sh(line), line)
        with self.served(serve) as port:
            self.ask(port)

    @covers("The skan command: sh")
    def test_the_command(self):
        begun = {"install_id": "player-1", "details": {
            "skan_current_conversion_value": 0, "skan_first_call_to_skadnetwork_timestamp": int(time.time())}}
        (self.folder / "players.jsonl").write_text(json.dumps(begun) + "\n")
        self.sh("skan import sqlite:players.db players.jsonl")
        self.environment["NEW_STORE"] = "sqlite:new.db"
        for line in self.lines("The skan command: sh"):
            self.sh(line)
        self.assertIn("player-1", self.sh("skan show env:NEW_STORE player-1"))
        self.assertNotIn("player-1", self.sh("skan export sqlite:players.db"))

    @contextlib.contextmanager
    def receiver(self, options=""):
        """README's receiver of postbacks; gives what posts to a path one of Apple's."""
        (self.folder / "model.json").symlink_to(TOP / "Sources" / "SKANModels" / "mixed.json")
        (self.folder / "names.csv").write_text(SNIPPETS["Postbacks: text"].text)

        def post(path):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", path, one_of_apples())
            answer = connection.getresponse()
            self.assertEqual((answer.status, json.loads(answer.read())), (200, {"outcome": "counted"}))
            connection.close()

        with self.served(self.lines("Postbacks: sh")[0] + options) as port:
            yield post

    @covers("Postbacks: sh")
    def test_postbacks(self):
        _, receive, report, outbox, purge = self.lines("Postbacks: sh")
        with self.receiver() as post:
            post(APPLES_PATH)
        (self.folder / "march").mkdir()
        arrived = {**json.loads(one_of_apples()), "received_at": "2026-03-01T12:00:00Z"}
        (self.folder / "march" / "1.json").write_text(json.dumps(arrived))
        self.assertEqual(self.sh(receive), "1 postback read, 0 counted, 1 duplicate\n")
        self.sh(report)
        self.assertIn("Revenue that values tell", (self.folder / "report.html").read_text(encoding="utf-8"))
        self.assertEqual(self.sh(outbox), "")
        self.assertIn("0 records read, 0 removed\n", self.sh(purge))

    @covers("Postbacks: json")
    @covers("Postbacks: text")
    def test_networks_partners_names_and_costs(self):
        _, _, report, outbox, _ = self.lines("Postbacks: sh")
        (self.folder / "networks.json").write_text(SNIPPETS["Postbacks: json"].text)
        self.environment["ONE_TOKEN"] = "a-token-of-one-network"
        with self.receiver(" --networks networks.json --campaigns names.csv") as post:
            post("/postbacks/one?token=a-token-of-one-network")
        self.assertEqual(json.loads(self.sh(outbox))["partner"], "analytics")
        self.sh(report.replace(" > ", " --campaigns names.csv > "))
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        for words in ("Spring (campaign-id 42), Example Ads", "converted to USD at 1.09", ">43.60<"):
            self.assertIn(words, page)

    @covers("Postbacks: sh 2")
    @covers("Postbacks: python")
    def test_rows_in_warehouses(self):
        (self.folder / "skan" / "share" / "skan").mkdir(parents=True)
        (self.folder / "skan" / "share" / "skan" / "postbacks.sql").symlink_to(
            TOP / "Include" / "packaging" / "share" / "postbacks.sql")
        with self.receiver() as post:
            post(APPLES_PATH)
        server = [TOP / "Tests" / "Trouble" / "Servers" / "postgres.sh", "start", "--for", str(os.getpid()), "fsync=off"]
        said = subprocess.run(server, stdout=subprocess.PIPE, check=True, text=True).stdout
        url = dict(line.split("=", 1) for line in said.splitlines())["url"]
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "psql").write_text(f'#!/bin/sh\nexec /usr/bin/psql "{url}" "$@"\n')
        (programs / "psql").chmod(0o755)
        self.environment["PATH"] = f"{programs}:{self.environment['PATH']}"
        self.assertRegex(self.sh(SNIPPETS["Postbacks: sh 2"].text), r"Spring +\| +[0-9]+ \|")
        script = self.folder / "warehouse.py"
        script.write_text(SNIPPETS["Postbacks: python"].text, encoding="utf-8")
        said = run(sys.executable, script, cwd=self.folder, env=self.environment)
        self.assertIn("Spring", said)
