"""What is installed for running skan serve: a unit of systemd, and a site of nginx before it."""

import contextlib
import json
import re
import shlex
import shutil
import sqlite3
import subprocess

from proxy_tools import NETWORK_TOKEN, NETWORKS, SHARE, DeploymentCase, ProxyCase
from server_tools import COMMAND, KEY, MIXED, items4, running, value_path

VALUE = value_path()


class Unit(DeploymentCase):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "skan").symlink_to(COMMAND)
        for unit in SHARE.glob("skan-serve*"):
            (self.folder / unit.name).write_text(unit.read_text().replace("@PREFIX@", str(self.folder)))
        self.unit = self.folder / "skan-serve.service"

    def analyze(self, unit, *arguments):
        return subprocess.run(["systemd-analyze", *arguments, self.folder / unit], capture_output=True, text=True)

    def test_systemd_takes_them(self):
        for unit in "skan-serve.service", "skan-serve@.service", "skan-serve.socket":
            verified = self.analyze(unit, "verify", "--man=no", "--recursive-errors=no")
            self.assertEqual((verified.returncode, verified.stderr), (0, ""), unit)

    def test_what_they_may_do_is_little(self):
        """systemd's own measure, in tenths: 2.0 at most."""
        for unit in "skan-serve.service", "skan-serve@.service":
            judged = self.analyze(unit, "security", "--offline=true", "--threshold=20")
            self.assertEqual(judged.returncode, 0, judged.stdout)
            self.assertIn("Overall exposure level", judged.stdout)

    def test_instances_are_the_service_but_for_their_places(self):
        """Both have the same sandbox, limits and commands."""
        lines = [(self.folder / unit).read_text().partition("[Unit]")[2].splitlines()
                 for unit in ("skan-serve.service", "skan-serve@.service")]
        different = [line for line in [*set(lines[0]) ^ set(lines[1])] if not line.startswith("#")]
        self.assertEqual(sorted({line.partition("=")[0] for line in different}),
                         ["Conflicts", "Description", "ExecStart", "User"])

    def reload(self, etc, server):
        """As systemctl reload does: the commands one after the other, until one fails. The exit code of the last."""
        for reload in re.findall(r"^ExecReload=(.*)$", self.unit.read_text(), re.M):
            reload = reload.replace("$MAINPID", str(server.process.pid)).replace("/etc/skan", str(etc))
            if code := subprocess.run(shlex.split(reload), capture_output=True).returncode:
                return code
        return 0

    def test_its_command_serves(self):
        """By the unit's command and the file of options that is installed, with places of the test's own."""
        etc = self.folder / "etc"
        etc.mkdir()
        shutil.copy(MIXED, etc / "model.json")
        (self.folder / "state" / "skan").mkdir(parents=True)
        options = (SHARE / "serve.conf").read_text()
        for name, value in {
            "/etc/skan": etc, "/var/lib": self.folder / "state", "listen = 127.0.0.1:8080\n": "",
            "127.0.0.1:8090": "127.0.0.1:0",
        }.items():
            self.assertIn(name, options)
            options = options.replace(name, str(value))
        (etc / "serve.conf").write_text(options)
        command = re.search(r"^ExecStart=(.*)$", self.unit.read_text(), re.M)[1].replace("/etc/skan", str(etc))
        program, *words = shlex.split(command)
        self.assertEqual((program, words[0]), (str(self.folder / "bin" / "skan"), "serve"))
        self.set("SKAN_KEY", KEY)
        server = self.serve(*words[1:])
        self.assertEqual(server.get(VALUE).status, 200)
        self.assertEqual(server.get("/metrics").status, 404)
        self.assertEqual(self.reload(etc, server), 0)
        self.eventually(lambda: '"read again: nothing changed in ' in server.log_file.read_text())
        (etc / "model.json").write_text("{")
        self.assertEqual(self.reload(etc, server), 1)
        self.assertNotIn("not read again", server.log_file.read_text())
        self.assertEqual(server.get(VALUE.replace(KEY, "another")).document["status"], "error")
        self.assertEqual(
            sorted(file.name for file in (self.folder / "state" / "skan").glob("*.db")), ["postbacks.db", "users.db"])


class SiteCase(ProxyCase):
    """The site before one server."""

    OPTIONS = ()

    def setUp(self):
        super().setUp()
        self.set("NETWORK_TOKEN", NETWORK_TOKEN)
        networks = self.folder / "networks.json"
        networks.write_text(json.dumps(NETWORKS))
        self.server = self.serve(
            "--model", MIXED, "--any-key", "--trusted-proxy", "127.0.0.1/32", "--admin", "127.0.0.1:0",
            "--postbacks", f"sqlite:{self.folder / 'p.db'}", "--app-id", 525463029, "--networks", networks,
            *self.OPTIONS)
        self.start_proxy(self.server.port)


class Networks(SiteCase):
    """Who is one client for the site: six requests of each pass. Addresses are those that a header names, as no test
    has networks of its own."""

    def site(self):
        site = super().site()
        for name, value in {"rate=500r/s": "rate=1r/m", "burst=500": "burst=5"}.items():
            self.assertIn(name, site)
            site = site.replace(name, value)
        return f"set_real_ip_from 127.0.0.1; real_ip_header X-Tested;\n{site}"

    def answers(self, *addresses):
        """The statuses of many requests that come at once."""
        last = len(addresses) - 1
        sent = "".join(f"GET {VALUE} HTTP/1.1\r\nHost: skan.example.com\r\nX-Tested: {address}\r\n"
                       f"{'Connection: close' if number == last else 'X: y'}\r\n\r\n"
                       for number, address in enumerate(addresses))
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", self.talk(sent.encode()))]

    def test_a_network_of_64_bits_is_one_client(self):
        for name, addresses, statuses in [
            ("one /64", [f"2001:db8:0:1:{number:x}::1" for number in range(1, 21)], [200] * 6 + [429] * 14),
            ("one /64 with line feeds", [f"a0a:a0a:a0a:a0a:{number:x}::1" for number in range(1, 8)], [200] * 6 + [429]),
            ("others", [f"2001:db8:0:{number:x}::1" for number in range(2, 22)], [200] * 20),
            ("one IPv4", ["192.0.2.1"] * 7, [200] * 6 + [429]),
            ("others", [f"192.0.2.{number}" for number in range(2, 22)], [200] * 20),
        ]:
            self.assertEqual(self.answers(*addresses), statuses, name)


class Crowd(SiteCase):
    def test_one_client_has_so_many_requests_at_a_time(self):
        """The others wait for a store that is locked."""
        refused = []

        def post():
            answer = self.get("/.well-known/skadnetwork/report-attribution/", "Content-Length: 2", method="POST",
                              body=b"{}")
            if b"nginx" in answer.body:
                refused.append(answer.status)

        with contextlib.closing(sqlite3.connect(self.folder / "p.db", isolation_level=None)) as store:
            store.execute("BEGIN EXCLUSIVE")
            with running(*[post] * 40):
                self.eventually(lambda: len(refused) == 8)
                store.execute("ROLLBACK")
        self.assertEqual(refused, [503] * 8)


class Proxy(SiteCase):
    OPTIONS = ("--rate", 5, "--schema-key", "example=env:SCHEMA_KEY")

    def setUp(self):
        self.set("SCHEMA_KEY", "schema_key_of_a_network")
        super().setUp()

    def test_values_and_postbacks_pass_and_nothing_else(self):
        self.assertEqual(self.get(VALUE).document["status"], "ok")
        for path in ("/metrics", "/healthz", "/readyz", "/", "/.well-known/", "/api/v2/conversion_value/x"):
            self.assertEqual(self.get(path).status, 404, path)
        apples = "/.well-known/skadnetwork/report-attribution/"
        self.assertEqual(self.get(apples, "Content-Length: 2", method="POST", body=b"{}").status, 200)
        rows = self.get("/schemas/com.example.game", "Authorization: Bearer schema_key_of_a_network")
        self.assertEqual((rows.status, rows.headers["content-type"]), (200, "application/json"))

    def test_a_clients_limits_are_its_own_whatever_it_says(self):
        """A forged address is a proxy's to overwrite: all of these are one client's."""
        last = 99
        sent = "".join(
            f"GET {VALUE} HTTP/1.1\r\nHost: skan.example.com\r\nX-Forwarded-For: 203.0.113.{number}\r\n"
            f"{'Connection: close' if number == last else 'X: y'}\r\n\r\n" for number in range(last + 1))
        # All at once: on a busy machine one after the other might be within the limit.
        answers = re.findall(rb"HTTP/1\.1 (\d+) ", self.talk(sent.encode()))
        self.assertEqual((answers[0], len(answers)), (b"200", last + 1))
        self.assertIn(b"429", answers)

    def test_what_is_too_large_ends_at_the_proxy(self):
        refused = self.get("/postbacks/example", "Content-Length: 70000", method="POST", body=bytes(70000))
        self.assertEqual(refused.status, 413)

    def test_no_secret_is_in_its_logs(self):
        self.assertEqual(self.get(VALUE).status, 200)
        self.get(f"/postbacks/example?token={NETWORK_TOKEN}", "Content-Length: 2", method="POST", body=b"{}")
        log = self.folder / "skan.log"
        self.eventually(lambda: log.exists() and "/postbacks/example" in log.read_text())
        logged = "".join(file.read_text() for file in self.folder.glob("*.log"))
        self.assertIn("/api/v2/conversion_value 200", logged)
        for secret in (KEY, NETWORK_TOKEN, items4()["idfv"]):
            self.assertNotIn(secret, logged)
