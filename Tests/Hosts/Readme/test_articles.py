"""Every snippet of the articles does what it says."""

import gzip
import http.client
import json
import os
import plistlib
import re
import subprocess
import sys
import time

import stores
from libskan import CallResult, ConversionModel, Device, Engine, PostgresStore
from snippet_case import APPLES_PATH, HERE, SNIPPETS, TOP, SnippetCase, covers, one_of_apples, run

MODEL = TOP / "Sources" / "SKANModels" / "mixed.json"


class TestPrograms(SnippetCase):
    def in_a_folder_with_a_model(self, name, template):
        (self.folder / "model.json").symlink_to(MODEL)
        return self.program(name, template)

    @covers("GettingStarted/C: c")
    def test_getting_started_in_c(self):
        source = self.in_a_folder_with_a_model("GettingStarted/C: c", "getting_started.c")
        self.native(os.environ.get("CC", "gcc"), ["-std=c11"], source, ["libskan-sqlite.so", "libskan.so"])

    @covers("GettingStarted/C++: cpp")
    def test_getting_started_in_cpp(self):
        source = self.in_a_folder_with_a_model("GettingStarted/C++: cpp", "getting_started.cpp")
        self.native(os.environ.get("CXX", "g++"), ["-std=c++17"], source, ["libskan-sqlite.so", "libskan.so"])

    @covers("GettingStarted/Python: python")
    def test_getting_started_in_python(self):
        source = self.in_a_folder_with_a_model("GettingStarted/Python: python", "getting_started.py")
        run(sys.executable, "-W", "error", source, cwd=self.folder)

    @covers("GettingStarted/Swift: swift")
    def test_getting_started_in_swift(self):
        source = self.in_a_folder_with_a_model("GettingStarted/Swift: swift", "getting_started.swift")
        self.swift(source, "SKANSQLite", ["-ljson-c", "-lsqlite3"])

    @covers("GettingStarted/Swift: swift 2")
    def test_money_in_swift(self):
        source = self.in_a_folder_with_a_model("GettingStarted/Swift: swift 2", "money_in_swift.swift")
        self.swift(source, "SKANSQLite", ["-ljson-c", "-lsqlite3"])

    @covers("Postbacks/Receive them in a program: c")
    def test_a_receiver(self):
        source = self.program("Postbacks/Receive them in a program: c", "postbacks.c")
        libraries = ["libskan-postback.so", "libskan-sqlite.so", "libskan.so"]
        self.native(os.environ.get("CC", "gcc"), ["-std=c11"], source, libraries)
        self.assertTrue((self.folder / "postbacks.db").exists())

    @covers("Postbacks/Receive them in a program: swift")
    def test_a_receiver_in_swift(self):
        (self.folder / "postback.json").write_bytes(one_of_apples())
        source = self.in_a_folder_with_a_model("Postbacks/Receive them in a program: swift", "postbacks.swift")
        self.swift(source, "SKANPostback SKANSQLite", ["-ljson-c", "-lsqlite3", "-lcrypto"])
        self.assertTrue((self.folder / "postbacks.db").exists())

    @covers("StoresAndDurability/A store of your own: python")
    def test_a_store_of_ones_own(self):
        name = "StoresAndDurability/A store of your own: python"
        run(sys.executable, "-W", "error", self.program(name, "store_of_ones_own.py"))

    @covers("Endpoint/What an endpoint answers: json")
    def test_an_endpoints_answer(self):
        answer = SNIPPETS["Endpoint/What an endpoint answers: json"].text
        script = (
            "import sys; from libskan import Engine;"
            "engine = Engine(endpoint_url='https://skan.example.com', transport=lambda url: sys.argv[1].encode());"
            "engine.register('player-1'); update = engine.update_conversion_values('player-1').update;"
            "print(update.window, update.fine_value, update.coarse_value, update.lock_window)"
        )
        value = json.loads(answer)
        self.assertEqual(
            run(sys.executable, "-c", script, answer).split(),
            [str(value["postback_sequence_index"]), str(value["conversion_value"]),
             str(value["skan_updated_coarse_value"]), "False"],
        )


class TestAppCalls(SnippetCase):
    """The app's part, with stand-ins for Apple's frameworks."""

    def built(self):
        source = self.program("AppCalls/Swift code for the app: swift", "app_calls.swift")
        for module in ("StoreKit", "AdAttributionKit"):
            run("swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-emit-module",
                "-emit-library", "-static", "-module-name", module, HERE / "AppleStandIns" / f"{module}.swift",
                "-o", self.folder / f"lib{module}.a", cwd=self.folder)
        program = self.folder / "app"
        run("swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", f"-I{self.folder}",
            f"-L{self.folder}", "-lStoreKit", "-lAdAttributionKit", source, "-o", program, cwd=self.folder)
        return program

    @covers("AppCalls/Swift code for the app: swift")
    @covers("AppCalls/Lists of calls: json")
    def test_the_app_makes_the_calls_of_a_list(self):
        told = SNIPPETS["AppCalls/Lists of calls: json"].text
        (self.folder / "list.json").write_text(told)
        refused = told.replace('"tag": "1"', '"tag": "refused"')
        (self.folder / "refused.json").write_text(refused)
        self.assertNotEqual(refused, told)
        said = run(self.built(), "list.json", "refused.json", cwd=self.folder).splitlines()
        first = ["SKAdNetwork 5 medium lock false", "AdAttributionKit 5 medium lock false types [AdAttributionKit.ConversionType.install]"]
        self.assertEqual(said, [
            *first, "AdAttributionKit 10 high lock true tag 1", "acknowledged 7 delivered, 5 delivered",
            "AdAttributionKit 0 - lock false types [AdAttributionKit.ConversionType.reengagement]",
            "report 1 /spring started true recent true",
            *first, "AdAttributionKit 10 high lock true tag refused", "acknowledged 7 delivered, 5 invalidTag",
        ])

    @covers("AppCalls/Opting in to tags: xml")
    def test_the_key_is_the_one_that_the_app_looks_up(self):
        keys = plistlib.loads(
            b"<plist version='1.0'><dict>" + SNIPPETS["AppCalls/Opting in to tags: xml"].text.encode() + b"</dict></plist>")
        self.assertEqual(list(keys.values()), [True])
        self.assertIn(f'"{next(iter(keys))}"', SNIPPETS["AppCalls/Swift code for the app: swift"].text)

    @covers("AppCalls/What the server does: python")
    def test_the_server_gives_such_a_list(self):
        model, returns = (
            ConversionModel((MODEL.parent / name).read_bytes()) for name in ("mixed.json", "reengagement.json"))
        with Engine(models=[model], reengagement_models=[returns]) as engine:
            engine.register("player")
            report = {"open_id": "1", "tag": "1", "reference": "spring", "is_overlapping": True}
            names = {"engine": engine, "player": "player", "report": report, "age": 5, "os_version": "18.4", "time": time,
                     "Device": lambda version: Device(os_version=version), "CallResult": CallResult}
            exec(SNIPPETS["AppCalls/What the server does: python"].text, names)
            made = json.loads(names["body"])
            told = json.loads(SNIPPETS["AppCalls/Lists of calls: json"].text)
            self.assertEqual(list(made), list(told))
            self.assertEqual({tuple(call) for call in made["calls"]}, {tuple(call) for call in told["calls"]})
            self.assertEqual([call["tag"] for call in made["calls"]], [None, None, "1"])


class TestShell(SnippetCase):
    @covers("Scale/PostgreSQL in parts: sql")
    def test_a_table_in_parts(self):
        database = stores.postgres_database()
        made = self.folder / "parts.sql"
        made.write_text(SNIPPETS["Scale/PostgreSQL in parts: sql"].text)
        run("psql", "-q", "-v", "ON_ERROR_STOP=1", database, "-f", made)
        model = ConversionModel(MODEL.read_bytes())
        with PostgresStore(database, table="game.installs") as store, Engine(store, models=[model]) as engine:
            for number in range(200):
                engine.register(f"player-{number}")
        filled = "SELECT count(*), count(DISTINCT tableoid) > 32 FROM game.installs"
        self.assertEqual(run("psql", "-At", database, "-c", filled).strip(), "200|t")

    @covers("Contributing/Before you push: sh")
    def test_all_lines_are_tried_elsewhere(self):
        self.assertEqual(self.lines("Contributing/Before you push: sh"), [])

    @covers("GettingStarted/Build and install: sh")
    def test_a_prefix_of_ones_own(self):
        self.assertEqual(self.lines("GettingStarted/Build and install: sh"), self.lines("Try it: sh 2"))

    @covers("GettingStarted/HTTP: sh")
    @covers("GettingStarted/HTTP: sh 2")
    def test_getting_started_over_http(self):
        (self.folder / "model.json").symlink_to(MODEL)
        (serve,) = self.lines("GettingStarted/HTTP: sh")
        with self.served(serve) as port:
            request = SNIPPETS["GettingStarted/HTTP: sh 2"].text
            answer = json.loads(self.sh(request.replace("curl", "curl -s").replace("8080", str(port))))
        self.assertEqual(answer["status"], "ok")
        self.assertGreater(answer["conversion_value"], 0)

    @covers("GettingStarted/The command: sh")
    def test_getting_started_with_the_command(self):
        (self.folder / "model.json").symlink_to(MODEL)
        (self.folder / "installs.jsonl").write_text('{"install_id": "install-1", "details": {}}\n')
        self.sh("skan import sqlite:installs.db installs.jsonl")
        (self.folder / "march").mkdir()
        (self.folder / "march" / "1.json").write_bytes(one_of_apples())
        table, show, receive, report = self.lines("GettingStarted/The command: sh")
        self.assertIn("medium", self.sh(table))
        self.assertIn("install-1", self.sh(show))
        self.assertIn("1 counted", self.sh(receive))
        self.sh(report)
        self.assertIn("</html>", (self.folder / "report.html").read_text(encoding="utf-8"))

    @covers("Architecture/One core, thin faces: text")
    def test_the_floors_are_folders(self):
        text = SNIPPETS["Architecture/One core, thin faces: text"].text
        for folder in re.findall(r"(?:Sources|Include|Bindings)/[A-Za-z/]+[a-z]", text):
            self.assertTrue((TOP / folder).exists(), folder)

    @covers("Endpoint/Which endpoint is asked: sh")
    def test_the_endpoint(self):
        self.assertEqual(self.lines("Endpoint/Which endpoint is asked: sh"), self.lines("Try it: sh 3"))

    @covers("ConversionModels/What a model is: json")
    @covers("ConversionModels/Try a model before players do: sh")
    @covers("ConversionModels/Try a model before players do: json")
    @covers("ConversionModels/Serve a model to others: sh")
    def test_a_model(self):
        (self.folder / "model.json").write_text(SNIPPETS["ConversionModels/What a model is: json"].text)
        history = SNIPPETS["ConversionModels/Try a model before players do: json"].text
        (self.folder / "events.jsonl").write_text(history)
        check, table, attempt, decode = self.lines("ConversionModels/Try a model before players do: sh")
        self.assertIn("id        small-1", self.sh(check))
        self.assertIn("high", self.sh(table))
        self.assertIn("5 steps, 4 updates", self.sh(attempt))
        self.assertTrue(self.sh(decode.replace("--fine 21", "--fine 2")))
        (serve,) = self.lines("ConversionModels/Serve a model to others: sh")
        with self.served(serve) as port:
            self.ask(port)

    @covers("MovingOver/Move an install's state over: json")
    @covers("MovingOver/Move an install's state over: sh")
    def test_the_state_of_the_published_snippet(self):
        lines = SNIPPETS["MovingOver/Move an install's state over: json"].text
        (self.folder / "snippet.jsonl").write_text(lines)
        (import_,) = self.lines("MovingOver/Move an install's state over: sh")
        self.assertIn("1 imported, 0 already there", self.sh(import_))
        self.assertIn("0 imported, 1 already there", self.sh(import_))
        told = json.loads(lines)
        moved = json.loads(self.sh(f"skan show --json sqlite:players.db {told['install_id']}"))
        self.assertEqual(told["details"], {key: moved[key] for key in told["details"]})

    @covers("MovingOver/Import what can be imported: sh")
    @covers("MovingOver/Hand the model to networks: sh")
    def test_moving_over(self):
        for each in (HERE / "Schemas").iterdir():
            (self.folder / each.name).symlink_to(each)
        (self.folder / "model.json").write_text(
            '{"schema": 1, "id": "small", "windows": [{"rules": [{"fine": 1, "coarse": 0, "when": {"events": [{"name": "win"}]}}]},'
            ' {"rules": []}, {"rules": []}]}')
        *rows, ga4, pack = self.lines("MovingOver/Hand the model to networks: sh")
        for line in [*rows, pack]:
            self.assertIn("win", self.sh(line))
        self.sh(f"{ga4} --map names.json > schema.json")
        *imports, check, table = self.lines("MovingOver/Import what can be imported: sh")
        for line in imports:
            self.sh(line)
            self.sh(check)
            self.assertTrue(self.sh(table))

    @covers("PersonsData/Export it: sh")
    @covers("PersonsData/Move it to another id: sh")
    @covers("PersonsData/Erase it: sh")
    def test_one_persons_data(self):
        details = {"skan_total_revenue_by_currency": {"USD": 4.99}}
        known = {"sqlite:installs.db": "install-7",
                 "sqlite:users.db": "v2/com.example.game/21DB6612-09B3-4ECC-84AC-B353B0AF1334"}
        for store, install in known.items():
            line = json.dumps({"install_id": install, "details": details})
            self.sh(f"echo '{line}' | skan import {store} -")
        show, export = self.lines("PersonsData/Export it: sh")
        self.assertEqual(json.loads(self.sh(show))["skan_total_revenue_by_currency"], {"USD": 4.99})
        self.sh(export)
        (rename,) = self.lines("PersonsData/Move it to another id: sh")
        self.assertIn("1 install renamed", self.sh(rename))
        *forget, purge = self.lines("PersonsData/Erase it: sh")
        for line in forget:
            self.assertIn("1 record removed", self.sh(line))
        self.assertIn("0 records read", self.sh(purge))

    @covers("OperatingServe/Start it: sh")
    def test_a_server_with_a_store(self):
        (self.folder / "model.json").symlink_to(MODEL)
        (serve,) = self.lines("OperatingServe/Start it: sh")
        with self.served(serve) as port:
            self.ask(port)

    @covers("OperatingServe/Let networks read what values mean: conf")
    def test_a_network_that_reads_a_model(self):
        (self.folder / "model.json").symlink_to(MODEL)
        key = self.folder / "example.key"
        key.write_text("a-network-of-its-own")
        key.chmod(0o600)
        (self.folder / "example-events.json").write_text('{"purchase": "fb_mobile_purchase"}')
        options = SNIPPETS["OperatingServe/Let networks read what values mean: conf"].text
        (self.folder / "serve.conf").write_text(options.replace("/etc/skan", str(self.folder)))
        with self.served("skan serve --options serve.conf") as port:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            bearer = {"Authorization": f"Bearer {key.read_text()}"}
            connection.request("GET", "/schemas/com.example.game", headers=bearer)
            answer = connection.getresponse()
            body = answer.read()
            self.assertEqual(answer.status, 200, body)
            self.assertTrue(json.loads(body))
            connection.close()

    @covers("OperatingServe/Look after the stores: sh")
    @covers("OperatingServe/Back up: sh")
    def test_the_command(self):
        begun = {"install_id": "player-1", "details": {
            "skan_current_conversion_value": 0, "skan_first_call_to_skadnetwork_timestamp": int(time.time())}}
        (self.folder / "players.jsonl").write_text(json.dumps(begun) + "\n")
        self.sh("skan import sqlite:players.db players.jsonl")
        self.environment["NEW_STORE"] = "sqlite:new.db"
        for line in self.lines("OperatingServe/Back up: sh"):
            self.sh(line)
        self.assertIn("player-1", self.sh("skan show sqlite:backup.db player-1"))
        for line in self.lines("OperatingServe/Look after the stores: sh"):
            self.sh(line)
        self.assertIn("player-1", self.sh("skan show env:NEW_STORE player-1"))
        self.assertNotIn("player-1", self.sh("skan export sqlite:players.db"))

    @covers("Postbacks/Receive them without code: sh")
    @covers("Postbacks/Receive them without code: json")
    @covers("Reports/One page: sh")
    @covers("Reports/One page: csv")
    def test_postbacks_of_a_network(self):
        serve, _, outbox, purge = self.lines("Postbacks/Receive them without code: sh")
        (report,) = self.lines("Reports/One page: sh")
        (self.folder / "networks.json").write_text(SNIPPETS["Postbacks/Receive them without code: json"].text)
        self.environment["ONE_TOKEN"] = "a-token-of-one-network"
        with self.receiver(" --campaigns names.csv", serve) as post:
            post("/postbacks/one?token=a-token-of-one-network")
        self.assertEqual(json.loads(self.sh(outbox))["partner"], "analytics")
        self.sh(report)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        for words in ("<bdi>Spring</bdi>", ">campaign-id 42</bdi>", "converted to USD at 1.09", ">43.60<"):
            self.assertIn(words, page)
        self.assertIn("0 removed\n", self.sh(purge))

    @covers("Postbacks/Load what others stored: sh")
    @covers("Postbacks/Load what others stored: json")
    def test_rows_of_others(self):
        maps = TOP / "Include" / "packaging" / "share" / "columns"
        (self.folder / "skan" / "share" / "skan").mkdir(parents=True)
        (self.folder / "skan" / "share" / "skan" / "columns").symlink_to(maps)
        (self.folder / "raw_data.csv.gz").write_bytes(gzip.compress((maps / "prefixed_columns.csv").read_bytes()))
        (self.folder / "envelopes.jsonl").symlink_to(maps / "text_in_envelope.jsonl")
        setting, raw_data, envelopes = self.lines("Postbacks/Load what others stored: sh")
        self.assertIn("3 postbacks read, 3 counted", self.sh(f"{setting}; {raw_data}"))
        self.assertIn("2 postbacks read, 0 counted, 2 duplicates", self.sh(f"{setting}; {envelopes}"))
        (self.folder / "own.json").write_text(SNIPPETS["Postbacks/Load what others stored: json"].text)
        body = json.loads((maps / "text_in_envelope.jsonl").read_text().splitlines()[0])["body"]
        row = {"event": {"raw": body}, "ingested_at": "2026-03-01 10:00:00 UTC", "forwarded_by": "com.example"}
        (self.folder / "rows.jsonl").write_text(json.dumps(row))
        said = self.sh("skan receive sqlite:own.db --any-app --columns own.json rows.jsonl")
        self.assertIn("1 postback read, 1 counted", said)

    @covers("Postbacks/Decode them: sh")
    @covers("Postbacks/Look at refused postbacks: sh")
    @covers("Postbacks/Look at refused postbacks: sh 2")
    def test_several_apps_and_what_was_refused(self):
        serve, report, rows = SNIPPETS["Postbacks/Decode them: sh"].text.replace("\\\n", "").splitlines()
        for name in ("one.json", "other.json"):
            (self.folder / name).symlink_to(MODEL)
        with self.receiver("", serve) as post:
            post(APPLES_PATH)
        self.assertIn("installs", self.sh(report))
        self.assertEqual(self.sh(rows), "")
        (self.folder / "postback.json").write_bytes(one_of_apples())
        self.sh("skan receive sqlite:postbacks.db postback.json --app-id 1 || true")
        table, lines = self.lines("Postbacks/Look at refused postbacks: sh")
        self.assertIn("1 refused postback: 1 of another app\n", self.sh(table))
        self.assertEqual(self.sh(lines), "")
        (again,) = self.lines("Postbacks/Look at refused postbacks: sh 2")
        self.assertEqual(self.sh(again), "1 refused postback judged again, 0 counted, 1 duplicate\n")

    def database(self):
        """The URL of a PostgreSQL server of this test's own."""
        server = [TOP / "Tests" / "Trouble" / "Servers" / "postgres.sh", "start", "--for", str(os.getpid()), "fsync=off"]
        said = subprocess.run(server, stdout=subprocess.PIPE, check=True, text=True).stdout
        return dict(line.split("=", 1) for line in said.splitlines())["url"]

    def replace_program(self, name, text):
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
        self.environment["PATH"] = f"{programs}:{self.environment['PATH']}"

    @covers("StoresAndDurability/PostgreSQL: sh")
    @covers("StoresAndDurability/PostgreSQL: sql")
    def test_a_fresh_server_of_postgresql(self):
        url = self.database()
        host, port = re.search(r"host=(.*)&port=(\d+)", url).groups()
        self.environment.update(PGHOST=host, PGPORT=port, PGUSER="skan")
        # The superuser of this server needs no sudo, and nobody is there to type a password.
        self.replace_program("sudo", 'shift 2; exec $(echo "$@" | sed s/--pwprompt//)')
        for line in self.lines("StoresAndDurability/PostgreSQL: sh"):
            self.sh(line)
        script = self.folder / "table.sql"
        script.write_text(SNIPPETS["StoresAndDurability/PostgreSQL: sql"].text)
        self.sh(f"psql -v ON_ERROR_STOP=1 -q -d game -f {script}")
        self.environment["STORE"] = f"postgres://game@/game?host={host}&port={port}"
        self.assertIn("0 records", self.sh("skan check env:STORE"))

    @covers("Postbacks/Hand them to a warehouse: sh")
    @covers("Postbacks/Hand them to a warehouse: python")
    def test_rows_in_warehouses(self):
        (self.folder / "skan" / "share" / "skan").mkdir(parents=True)
        (self.folder / "skan" / "share" / "skan" / "postbacks.sql").symlink_to(
            TOP / "Include" / "packaging" / "share" / "postbacks.sql")
        with self.receiver() as post:
            post(APPLES_PATH)
        self.replace_program("psql", f'exec /usr/bin/psql "{self.database()}" "$@"')
        into_postgresql = SNIPPETS["Postbacks/Hand them to a warehouse: sh"].text
        self.assertRegex(self.sh(into_postgresql), r"Spring +\| +[0-9]+ \|")
        script = self.folder / "warehouse.py"
        script.write_text(SNIPPETS["Postbacks/Hand them to a warehouse: python"].text, encoding="utf-8")
        said = run(sys.executable, script, cwd=self.folder, env=self.environment)
        self.assertIn("Spring", said)
