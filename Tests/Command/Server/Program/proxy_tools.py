"""nginx before servers, with the site that is installed."""

import json
import os
import random
import shutil
import socket
import ssl
import subprocess

from server_tools import MIXED, TOP, Answer, ServeCase, exchange

SHARE = TOP / "Include" / "packaging" / "share"
NETWORK_TOKEN = "t0ken-of-a-network-that-nobody-else-has"
NETWORKS = {"networks": [{"name": "example", "ad_networks": ["example.skadnetwork"], "tokens": ["env:NETWORK_TOKEN"]}]}


class DeploymentCase(ServeCase):
    def set(self, name, value):
        os.environ[name] = value
        self.addCleanup(os.environ.pop, name)


class ProxyCase(DeploymentCase):
    """nginx with the site that is installed: addresses and files are the test's own, the rest is as it is."""

    # At a time.
    CONNECTIONS = 512

    def start_proxy(self, *ports):
        """Before the servers on these ports, one or two."""
        self.ports = ports
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
            "127.0.0.1:8080": f"127.0.0.1:{self.ports[0]}",
            "# server 127.0.0.1:8081": f"server 127.0.0.1:{self.ports[1]}" if self.ports[1:] else "#",
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
        with self.connect() as client:
            return exchange(client, sent)

    def connect(self, source=None):
        context = ssl.create_default_context(cafile=self.folder / "cert.pem")
        context.check_hostname = False
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60, source_address=source and (source, 0))
        return context.wrap_socket(plain, server_hostname="skan.example.com")
