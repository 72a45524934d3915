"""Models that networks read: /schemas/BUNDLE, its keys, names of events, and ETag."""

import hashlib
import json

from server_tools import KEY, MIXED, SKAN3, ServeCase
from tools import skan

FIRST, SECOND, WRONG = "first-network-key-1", "second-network-key", "no-networks-key-00"
PATH = "/schemas/com.example.game"


class Schemas(ServeCase):
    def reading(self, *options):
        """A server with a model for every app, which two networks read, one of them with a map."""
        self.map = self.folder / "map.json"
        self.map.write_text('{"level_10": "fb_mobile_level_achieved"}')
        self.key = self.secret("first", FIRST)
        server = self.serve("--model", MIXED, "--schema-key", f"first=file:{self.key}", "--schema-key",
                            f"second=file:{self.secret('second', SECOND)}", "--schema-map", f"first={self.map}",
                            *options)
        self.addCleanup(self.check_secrets, server)
        return server

    def check_secrets(self, server):
        for secret in (FIRST, SECOND, WRONG):
            self.assertNotIn(secret, server.log_file.read_text(encoding="utf-8"))

    def read(self, server, key=FIRST, path=PATH, **more):
        headers = ([f"Authorization: Bearer {key}"] if key else []) + more.pop("headers", [])
        return server.get(path, headers=headers, **more)

    def rows(self, model, *options):
        return json.loads(self.succeeded(skan("model", "export", model, "--form", "rows", *options)).out)

    def test_a_network_reads_rows_with_its_own_names(self):
        server = self.reading()
        first, second = self.read(server), self.read(server, SECOND)
        self.assertEqual((first.status, second.status), (200, 200))
        self.assertEqual(first.headers["content-type"], "application/json")
        self.assertEqual(first.document, self.rows(MIXED, "--map", self.map))
        self.assertEqual(second.document, self.rows(MIXED))
        self.assertIn("fb_mobile_level_achieved", first.body.decode())
        self.assertNotIn("fb_mobile_level_achieved", second.body.decode())

    def test_the_etag_is_of_model_and_map(self):
        server = self.reading()
        version = hashlib.sha256(MIXED.read_bytes()).hexdigest()
        answer = self.read(server)
        etag = answer.headers["etag"]
        self.assertEqual(etag, f'"{version}-{hashlib.sha256(self.map.read_bytes()).hexdigest()}"')
        self.assertNotEqual(self.read(server, SECOND).headers["etag"], etag)
        for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
            same = self.read(server, headers=[f"If-None-Match: {known}"])
            self.assertEqual((same.status, same.body, same.headers["etag"]), (304, b"", etag), known)
        for other in ('"other"', version, etag[:-2] + '"', ""):
            self.assertEqual(self.read(server, headers=[f"If-None-Match: {other}"]).status, 200, other)
        # Nobody learns from an ETag whether it is right.
        for key in (WRONG, None):
            self.assertEqual(self.read(server, key, headers=[f"If-None-Match: {etag}"]).status, 401)
        self.map.write_text('{"level_10": "renamed"}')
        self.read_again(server)
        again = self.read(server, headers=[f"If-None-Match: {etag}"])
        self.assertEqual(again.status, 200)
        self.assertIn("renamed", again.body.decode())

    def test_nobody_reads_without_a_key(self):
        server = self.reading()
        for key in (WRONG, None, "", FIRST[:-1], FIRST + "1", KEY):
            for path in (PATH, "/schemas/", "/schemas/%00"):
                answer = self.read(server, key, path)
                self.assertEqual((answer.status, answer.headers.get("etag")), (401, None), (key, path))
                self.assertNotIn("windows", answer.body.decode())
        self.assertEqual(server.get(f"{PATH}?token={FIRST}").status, 401)
        self.assertEqual(self.serve("--model", MIXED).get(PATH).status, 404)

    def test_an_apps_own_first_model_is_read(self):
        own = self.model("own", {"fine": 1, "when": {}})
        later = self.model("later", {"fine": 2, "when": {}})
        server = self.serve("--app", f"com.example.größe={own}", "--app", f"com.example.größe={later}",
                            "--app", f"com.example.old={SKAN3}",
                            "--schema-key", f"first=file:{self.secret('first', FIRST)}")
        self.assertEqual(self.read(server, path="/schemas/com.example.gr%C3%B6%C3%9Fe").document, self.rows(own))
        self.assertEqual(self.read(server, path="/schemas/com.example.old").document, self.rows(SKAN3))
        for unknown in ("com.example", "com.example.older", "", "a" * 5000, "%00"):
            self.assertEqual(self.read(server, path=f"/schemas/{unknown}").status, 404, unknown)

    def test_keys_are_read_again(self):
        server = self.reading()
        self.key.write_text(WRONG)
        self.assertEqual(self.read_again(server).count("changed --schema-key"), 1)
        self.assertEqual((self.read(server).status, self.read(server, WRONG).status), (401, 200))

    def test_log_and_metrics_name_the_network(self):
        server = self.reading()
        for _ in range(2):
            self.read(server)
        self.read(server, SECOND)
        self.read(server, WRONG)
        metrics = server.metrics()
        self.assertEqual(metrics["skan_schema_reads_total", '{network="first"}'], 2)
        self.assertEqual(metrics["skan_schema_reads_total", '{network="second"}'], 1)
        self.eventually(lambda: sum(line["event"] == "schema" for line in server.log()) == 3)
        said = [line["message"] for line in server.log() if line["event"] == "schema"]
        self.assertEqual(said[2], "network second read the model of com.example.game")

    def test_what_is_wrong_is_refused_at_the_start(self):
        first, same = self.secret("first", FIRST), self.secret("same", FIRST)
        names = self.folder / "names.json"
        names.write_text("{}")
        for options, why in (
            (["--schema-map", f"first={names}"], "expected --schema-key for this network too"),
            (["--schema-key", f"first=file:{first}", "--schema-key", f"second=file:{same}"],
             "another network has this key too"),
            (["--schema-key", f'fi"rst=file:{first}'], "expected 1 to 64 letters"),
            (["--schema-key", f"first=file:{first}", *["--schema-map", f"first={names}"] * 2],
             "expected at most one map for each network"),
            (["--schema-key", FIRST], "expected NETWORK=SOURCE"),
        ):
            ended = skan("serve", "--model", MIXED, "--listen", "127.0.0.1:0", "--check", *options)
            self.assertNotEqual(ended.code, 0, options)
            self.assertIn(why, ended.out + ended.err)
