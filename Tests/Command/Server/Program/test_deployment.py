"""What is installed for running skan serve: a unit of systemd, and a site of nginx before it."""

import contextlib
import json
import os
import random
import re
import shlex
import shutil
import socket
import sqlite3
import ssl
import subprocess

from server_tools import COMMAND, KEY, MIXED, TOP, Answer, ServeCase, exchange, items4, running, value_path

SHARE = TOP / "Include" / "packaging" / "share"
NETWORK_TOKEN = "t0ken-of-a-network-that-nobody-else-has"
NETWORKS = {"networks": [{"name": "example", "ad_networks": ["example.skadnetwork"], "tokens": ["env:NETWORK_TOKEN"]}]}
VALUE = value_path()


class DeploymentCase(ServeCase):
    def set(self, name, value):
        os.environ[name] = value
        self.addCleanup(os.environ.pop, name)


class Unit(DeploymentCase):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "skan").symlink_to(COMMAND)
        self.unit = self.folder / "skan-serve.service"
        self.unit.write_text((SHARE / "skan-serve.service").read_text().replace("@PREFIX@", str(self.folder)))

    def analyze(self, *arguments):
        return subprocess.run(["systemd-analyze", *arguments, self.unit], capture_output=True, text=True)

    def test_systemd_takes_it(self):
        verified = self.analyze("verify", "--man=no", "--recursive-errors=no")
        self.assertEqual((verified.returncode, verified.stderr), (0, ""))

    def test_what_it_may_do_is_little(self):
        """systemd's own measure, in tenths: 2.0 at most."""
        judged = self.analyze("security", "--offline=true", "--threshold=20")
        self.assertEqual(judged.returncode, 0, judged.stdout)
        self.assertIn("Overall exposure level", judged.stdout)

    def read_again(self, server):
        """As systemctl reload does."""
        reload = re.search(r"^ExecReload=(.*)$", self.unit.read_text(), re.M)[1]
        subprocess.run(shlex.split(reload.replace("$MAINPID", str(server.process.pid))), check=True)
        self.eventually(lambda: '"read again: nothing changed in ' in server.log_file.read_text())

    def test_its_command_serves(self):
        """By the unit's command and the file of options that is installed, with places of the test's own."""
        etc = self.folder / "etc"
        etc.mkdir()
        shutil.copy(MIXED, etc / "model.json")
        (etc / "networks.json").write_text(json.dumps(NETWORKS))
        (self.folder / "state" / "skan").mkdir(parents=True)
        options = (SHARE / "serve.conf").read_text()
        for name, value in {
            "/etc/skan": etc, "/var/lib": self.folder / "state", "listen = 127.0.0.1:8080\n": "",
            "127.0.0.1:8081": "127.0.0.1:0",
        }.items():
            self.assertIn(name, options)
            options = options.replace(name, str(value))
        (etc / "serve.conf").write_text(options)
        command = re.search(r"^ExecStart=(.*)$", self.unit.read_text(), re.M)[1].replace("/etc/skan", str(etc))
        program, *words = shlex.split(command)
        self.assertEqual((program, words[0]), (str(self.folder / "bin" / "skan"), "serve"))
        self.set("SKAN_KEY", KEY)
        self.set("NETWORK_TOKEN", NETWORK_TOKEN)
        server = self.serve(*words[1:])
        self.assertEqual(server.get(VALUE).status, 200)
        self.assertEqual(server.get("/metrics").status, 404)
        self.read_again(server)
        self.assertEqual(server.get(VALUE.replace(KEY, "another")).document["status"], "error")
        self.assertEqual(
            sorted(file.name for file in (self.folder / "state" / "skan").glob("*.db")), ["postbacks.db", "users.db"])


class ProxyCase(DeploymentCase):
    """nginx with the site that is installed: addresses and files are the test's own, the rest is as it is."""

    OPTIONS = ()
    # At a time.
    CONNECTIONS = 512

    def setUp(self):
        super().setUp()
        self.set("NETWORK_TOKEN", NETWORK_TOKEN)
        networks = self.folder / "networks.json"
        networks.write_text(json.dumps(NETWORKS))
        self.server = self.serve(
            "--model", MIXED, "--any-key", "--trusted-proxy", "127.0.0.1/32", "--admin", "127.0.0.1:0",
            "--postbacks", f"sqlite:{self.folder / 'p.db'}", "--app-id", 525463029, "--networks", networks,
            *self.OPTIONS)
        self.make_certificate()
        self.start_nginx()

    def make_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=skan.example.com", "-keyout", self.folder / "key.pem", "-out", self.folder / "cert.pem"],
            check=True, capture_output=True)

    def site(self):
        site = (SHARE / "nginx.conf").read_text()
        for name, value in {
            "listen 443": f"listen 127.0.0.1:{self.port}", "    listen [::]:443 ssl http2;\n": "",
            "127.0.0.1:8080": f"127.0.0.1:{self.server.port}",
            "/etc/ssl/certs/skan.example.com.pem": self.folder / "cert.pem",
            "/etc/ssl/private/skan.example.com.key": self.folder / "key.pem", "/var/log/nginx": self.folder,
        }.items():
            self.assertIn(name, site)
            site = site.replace(name, str(value))
        return site

    def start_nginx(self):
        """Where another process has the port, nginx ends, and the next port is tried."""
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        is_listening = (self.folder / "nginx.pid").exists
        while not is_listening():
            self.port = random.randrange(20_000, 32_000)
            process = subprocess.Popen([nginx, "-p", self.folder, "-c", self.configured()], stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait, 60)
            self.addCleanup(process.terminate)
            self.eventually(lambda process=process: is_listening() or process.poll() is not None)
            if not is_listening():
                self.assertIn("Address already in use", (self.folder / "nginx.log").read_text())

    def configured(self):
        """nginx's own file, around the site."""
        temporary = "".join(
            f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        main = self.folder / "nginx.conf"
        main.write_text(
            f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log;\n"
            f"events {{ worker_connections {self.CONNECTIONS}; }}\nhttp {{ {temporary}\n{self.site()}\n}}\n")
        return main

    def get(self, path, *headers, method="GET", body=b""):
        lines = [f"{method} {path} HTTP/1.1", "Host: skan.example.com", "Connection: close", *headers, "", ""]
        return Answer(self.talk("\r\n".join(lines).encode() + body))

    def talk(self, sent):
        context = ssl.create_default_context(cafile=self.folder / "cert.pem")
        context.check_hostname = False
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as plain:
            with context.wrap_socket(plain, server_hostname="skan.example.com") as client:
                return exchange(client, sent)


class Crowd(ProxyCase):
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


class Proxy(ProxyCase):
    OPTIONS = ("--rate", 5)

    def test_values_and_postbacks_pass_and_nothing_else(self):
        self.assertEqual(self.get(VALUE).document["status"], "ok")
        for path in ("/metrics", "/healthz", "/readyz", "/", "/.well-known/", "/api/v2/conversion_value/x"):
            self.assertEqual(self.get(path).status, 404, path)
        apples = "/.well-known/skadnetwork/report-attribution/"
        self.assertEqual(self.get(apples, "Content-Length: 2", method="POST", body=b"{}").status, 200)

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
