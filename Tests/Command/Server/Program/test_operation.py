"""What an operator relies on: health, metrics, log lines, an end without loss, a store that fails."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from server_tools import IDFV, KEY, MIXED, Answer, ServeCase, exchange, items3, items4, request_of, running, value_path
from tools import COMMAND, environment, skan

VALUE = request_of(value_path())


def total(samples, **labels):
    """Of skan_http_requests_total, where the labels are these."""
    wanted = [f'{name}="{value}"' for name, value in labels.items()]
    return sum(value for (name, text), value in samples.items()
               if name == "skan_http_requests_total" and all(label in text for label in wanted))


class Metrics(ServeCase):
    def test_requests_outcomes_and_durations(self):
        server = self.serve("--model", MIXED)
        before = server.metrics()
        self.assertIn(("skan_build_info", f'{{version="{skan("--version").out.split()[1]}"}}'), before)
        for _ in range(3):
            server.ask(**items4(skan_total_revenue_by_currency='{"USD":50}', p0_total_iap_revenue='{"USD":50}'))
        server.ask(**items4(a=None))
        # Without a model of SKAN 3 it is the test endpoint, which asks for no key.
        for _ in range(5):
            server.ask(3, **items3(a=None))
        server.get("/nowhere")
        server.get("/healthz", "POST", ["Content-Length: 0"])
        samples = server.metrics()
        self.assertEqual(total(samples, route="conversion_value_v2", outcome="value", status=200), 3)
        self.assertEqual(total(samples, route="conversion_value_v2", outcome="rejected", status=200), 1)
        self.assertEqual(total(samples, route="conversion_value_v1", outcome="value"), 3)
        self.assertEqual(total(samples, route="conversion_value_v1", outcome="no_new_value"), 2)
        self.assertEqual(total(samples, route="other", outcome="refused", status=404), 1)
        self.assertEqual(total(samples, route="healthz", outcome="refused", status=405), 1)
        self.assertEqual(total(samples, route="metrics"), 1)
        # Buckets and sums are in ServerMetricsTests.
        for route, count in {"conversion_value_v2": 4, "conversion_value_v1": 5, "other": 1}.items():
            self.assertEqual(samples["skan_http_request_duration_seconds_count", f'{{route="{route}"}}'], count)

    def test_what_the_process_takes(self):
        """As the system tells it to others."""
        before = time.time()
        server = self.serve("--model", MIXED)
        told = {name: value for (name, labels), value in server.metrics().items() if name.startswith("process_")}
        self.assertLess(abs(told["process_start_time_seconds"] - before), 60)
        self.assertLess(abs(told["process_cpu_seconds_total"] - server.processor_seconds()), 0.2)
        self.assertLess(abs(told["process_resident_memory_bytes"] / 1024 - server.memory()), 4096)
        # Threads that begin to answer reserve addresses.
        virtual = told["process_virtual_memory_bytes"]
        self.assertLess(told["process_resident_memory_bytes"], virtual)
        self.assertLessEqual(virtual / 1024, server.memory("VmPeak"))
        process = Path(f"/proc/{server.process.pid}")
        # The connection that asks is one more.
        self.assertIn(told["process_open_fds"] - len(list((process / "fd").iterdir())), (0, 1))
        limit = re.search(r"Max open files +(\d+)", (process / "limits").read_text(encoding="ascii"))[1]
        self.assertEqual(told["process_max_fds"], int(limit))

    def test_the_times_of_a_stores_calls(self):
        """Each request of a user loads a record and saves it, if it changes something."""
        server = self.serve("--model", MIXED, "--store", self.sqlite("counts.db"))
        for number in range(4):
            server.ask(**items4(idfv=f"{number:08X}-0000-4000-8000-000000000000"))
        samples = server.metrics()

        def calls(call):
            return samples["skan_store_call_duration_seconds_count", f'{{store="counts",call="{call}"}}']

        self.assertEqual((calls("load"), calls("save"), calls("remove")), (4, 4, 0))
        last = samples["skan_store_call_duration_seconds_bucket", '{store="counts",call="save",le="+Inf"}']
        self.assertEqual(last, 4)

    def test_configurations_read_again(self):
        model = self.model("mine", {"fine": 1})
        server = self.serve("--model", model)

        def told():
            samples = server.metrics()
            return (*(samples["skan_reloads_total", f'{{result="{result}"}}'] for result in ("taken", "refused")),
                    samples["skan_last_reload_successful", ""])

        self.assertEqual(told(), (0, 0, 1))
        first = server.metrics()["skan_configuration_time_seconds", ""]
        model.write_text("{")
        self.read_again(server)
        self.assertEqual(told(), (0, 1, 0))
        self.assertEqual(server.metrics()["skan_configuration_time_seconds", ""], first)
        model.write_text(self.model("another", {"fine": 2}).read_text())
        self.read_again(server)
        self.assertEqual(told(), (1, 1, 1))
        self.assertGreaterEqual(server.metrics()["skan_configuration_time_seconds", ""], first)


class Log(ServeCase):
    def test_lines(self):
        server = self.serve("--model", MIXED)
        server.ask(**items4())
        server.ask(**items4(a=None))
        for path in ["/é\"\\", "/\x01\x7f", "/\udcff\udcfe", "/a/🎮", f"/x&a={KEY}", f"/x%3Fa={KEY}",
                     "/" + "y" * 500, f"/x?idfv={IDFV}"]:
            server.get(path)
        server.get("/healthz", "M" * 1000)
        server.get("/healthz", "🎮")
        server.stop()
        lines = server.log()
        requests = [line for line in lines if line["event"] == "request"]
        self.assertEqual([line["event"] for line in lines[-2:]], ["stopping", "stopped"])
        first = requests[0]
        self.assertEqual(list(first), ["time", "level", "event", "route", "method", "status", "outcome", "microseconds"])
        self.assertRegex(first["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual((first["route"], first["status"]), ("conversion_value_v2", 200))
        self.assertEqual(requests[1]["outcome"], "rejected")
        self.assertLessEqual(max(len(line.get("path", "")) for line in requests), 64)
        self.assertLessEqual(max(len(line["method"]) for line in requests), 100)
        self.assertIn("🎮", [line["method"] for line in requests])
        self.assertIn("/x", [line.get("path") for line in requests])

    def test_a_request_has_the_id_that_a_proxy_gave_it(self):
        server = self.serve("--model", MIXED)
        for headers in (["X-Request-ID: 4f2c-9a"], ["x-request-id: a\"b"], ["X-Request-ID: " + "x" * 129],
                        ["X-Request-ID: a", "X-Request-ID: b"], []):
            server.get("/healthz", headers=headers)
        server.stop()
        ids = [line.get("id") for line in server.log() if line["event"] == "request"]
        self.assertEqual(ids, ["4f2c-9a", 'a"b', None, None, None])

    def test_one_of_many_good_answers_has_a_line_and_each_other_one(self):
        server = self.serve("--model", MIXED, "--log-sample", "10")
        for _ in range(25):
            server.ask(**items4())
        for _ in range(5):
            server.get("/nowhere")
        server.stop()
        lines = [line for line in server.log() if line["event"] == "request"]
        self.assertEqual([line.get("sample") for line in lines], [10] * 3 + [None] * 5)

    def test_trouble_that_comes_again_is_told_once_with_its_number(self):
        server = self.serve("--model", MIXED, "--store", self.sqlite("counts.db"), "--log", "errors")
        user = items4()
        server.ask(**user)
        with self.database("counts.db") as database:
            database.execute("UPDATE skan_records SET record = x'00ff', version = version + 1"
                             " WHERE CAST(key AS TEXT) NOT LIKE 'model/%'")
        for _ in range(7):
            self.assertEqual(server.ask(**user).status, 500)
        server.stop()
        told = [(line["level"], line.get("repeated")) for line in server.log() if line["event"] == "record"]
        self.assertEqual(told, [("error", None), ("error", 6)])
        requests = [line["level"] for line in server.log() if line["event"] == "request"]
        self.assertEqual(requests, ["error"] * 7)

    def test_how_much_of_a_clients_address_is_told(self):
        """What of which address that is, is in ClientAddressTests."""
        for level, address, told in [
            (None, "192.0.2.77", None), ("none", "192.0.2.77", None), ("full", "192.0.2.77", "192.0.2.77"),
            ("net", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("full", "nonsense", "127.0.0.1"),
        ]:
            server = self.serve("--any-key", "--trusted-proxy", "127.0.0.1", *(["--log-address", level] if level else []))
            server.get("/healthz", headers=[f"X-Forwarded-For: {address}"])
            server.stop()
            [client] = [line.get("client") for line in server.log() if line.get("route") == "healthz"]
            self.assertEqual(client, told, (level, address))

    def test_levels(self):
        for level in "errors", "nothing":
            server = self.serve("--model", MIXED, "--log", level)
            server.ask(**items4())
            server.stop()
            events = [line["event"] for line in server.log()]
            self.assertEqual(events, ["stopping", "stopped"] if level == "errors" else [])

    def test_a_reader_that_goes_away(self):
        server = self.serve(log=subprocess.PIPE)
        server.process.stderr.close()
        for _ in range(5):
            self.assertEqual(server.get("/healthz").status, 200)
            time.sleep(0.15)


class Ends(ServeCase):
    def drill(self, *options):
        """Threads send as fast as they can; whatever was sent whole before the signal is answered."""
        server = self.serve("--model", MIXED, "--log", "errors", *options)
        is_ending, are_connected = threading.Event(), threading.Barrier(17)
        unanswered, answered = [], []

        def load():
            came, was_before = b"", True
            client = server.connect()
            are_connected.wait(60)
            with contextlib.suppress(OSError), client:
                while b"Connection: close" not in came:
                    came, was_before = b"", not is_ending.is_set()
                    client.sendall(VALUE)
                    was_before = was_before and not is_ending.is_set()
                    while b'"status":"ok"}' not in came:
                        part = client.recv(65536)
                        if not part:
                            raise ConnectionResetError
                        came += part
                    answered.append(1)
                return
            # Before the signal nothing may break; behind it a kept connection may.
            if was_before:
                unanswered.append(came)

        with running(*[load] * 16):
            are_connected.wait(60)
            self.eventually(lambda: len(answered) > 100)
            is_ending.set()
            server.process.send_signal(signal.SIGTERM)
        self.assertEqual(unanswered, [])
        self.assertEqual(server.process.wait(60), 0)

    def test_nothing_is_lost_under_load(self):
        self.drill()
        self.drill("--threads", 1)
        self.drill("--store", self.sqlite("counts.db"))

    def test_nothing_is_lost_that_waits_for_a_thread(self):
        """Connections in the listener's queue, and requests one behind the other."""
        for _ in range(5):
            server = self.serve("--model", MIXED, "--log", "nothing", "--threads", 1, "--max-connections", 256,
                                "--max-connections-per-peer", 0)
            clients = [server.connect() for _ in range(60)]
            server.process.send_signal(signal.SIGSTOP)
            for number, client in enumerate(clients):
                client.sendall(VALUE * (1 + number % 40))
            late = [server.connect() for _ in range(60)]
            for client in late:
                client.sendall(VALUE)
            server.process.send_signal(signal.SIGTERM)
            server.process.send_signal(signal.SIGCONT)
            for number, client in enumerate(clients + late):
                came = exchange(client, b"")
                wanted = 1 + number % 40 if number < len(clients) else 1
                self.assertEqual(came.count(b'"status":"ok"}'), wanted, (number, came[-300:]))
                client.close()
            self.assertEqual(server.process.wait(60), 0)

    def test_nothing_is_lost_that_waits_for_a_place(self):
        for _ in range(5):
            server = self.serve("--max-connections", 4, "--threads", 1)
            server.process.send_signal(signal.SIGSTOP)
            os.waitpid(server.process.pid, os.WUNTRACED)
            clients = [server.connect() for _ in range(20)]
            for client in clients:
                client.sendall(request_of("/healthz"))
            server.process.send_signal(signal.SIGTERM)
            server.process.send_signal(signal.SIGCONT)
            answers = [Answer(exchange(client, b"")) for client in clients]
            # Before the server knows that it is to end, a connection above the limit of all is answered 503.
            self.assertLessEqual({answer.status for answer in answers}, {200, 503})
            self.assertGreaterEqual([answer.status for answer in answers].count(200), 4)
            self.assertEqual(server.process.wait(60), 0)

    def test_the_end_comes_in_time(self):
        server = self.serve("--grace", 1)
        with server.connect() as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(60), 0)


class Trouble(ServeCase):
    def serve_counts(self, *options):
        return self.serve("--model", MIXED, "--store", self.sqlite("counts.db"), *options)

    def status(self, server):
        answer = server.ask(**items4())
        if answer.status == 503:
            self.assertEqual(answer.document, {"status": "error", "reason": "the server's store cannot be used now"})
        return answer.status

    def test_a_file_that_is_gone_comes_back(self):
        """What is written into a file that nobody finds any more would be lost."""
        server = self.serve_counts()
        self.assertEqual(self.status(server), 200)
        store, away = self.file("counts.db"), self.file("away.db")
        store.rename(away)
        self.assertEqual((self.status(server), server.get("/readyz").status), (503, 503))
        away.rename(store)
        self.assertEqual(self.status(server), 200)
        self.eventually(lambda: server.get("/readyz").status == 200)
        server.stop()
        self.assertIn("store", [line["event"] for line in server.log()])
        self.assertIn(503, [line.get("status") for line in server.log()])

    def test_a_store_that_cannot_be_read_is_noticed_without_a_request(self):
        server = self.serve_counts()
        store, away = self.file("counts.db"), self.file("away.db")
        store.rename(away)
        self.eventually(lambda: server.get("/readyz").body == b"counts: cannot be read\n")
        away.rename(store)
        self.eventually(lambda: server.get("/readyz").status == 200)

    def test_a_damaged_record(self):
        server = self.serve_counts("--log", "errors")
        self.assertEqual(self.status(server), 200)
        with self.database("counts.db") as database:
            database.execute("UPDATE skan_records SET record = x'00ff', version = version + 1")
        self.assertEqual(self.status(server), 500)
        self.assertEqual(server.ask(**items4(idfv="another")).status, 200)
        self.assertEqual(server.get("/nowhere").status, 404)
        server.stop()
        self.assertEqual([line["status"] for line in server.log() if line["event"] == "request"], [500])

    def test_what_it_is_told_wrong(self):
        bad = self.model("bad", windows=[])
        key = f"file:{self.secret('key', KEY)}"
        for options, code, words in [
            (["--model", bad], 1, "model at"), (["--model", self.folder / "none.json"], 1, "none.json"),
            (["--model", self.folder], 1, "Is a directory"), (["--app", "x"], 2, "BUNDLE=FILE"),
            (["--app", "=x"], 2, "BUNDLE=FILE"), (["--listen", "here"], 2, "--listen"),
            (["--listen", "localhost:0"], 1, "numeric"), (["--listen", "127.0.0.1:65536"], 2, "65535"),
            (["--listen", "192.0.2.1:0", "--any-key"], 1, "cannot listen"), (["--threads", "0"], 2, "--threads"),
            (["--log", "all"], 2, "requests"), (["--store", "nothing"], 2, "no such kind of store"), (["more"], 2, ""),
            (["--clock", self.folder / "none"], 1, "none"), (["--idle-timeout", "0"], 2, "--idle-timeout"),
            (["--listen", "0.0.0.0:0"], 2, "--any-key"), (["--listen", "[::]:0"], 2, "--any-key"),
            (["--key", KEY], 1, "env:NAME"), (["--key", "file:/nowhere"], 1, "No such file"),
            (["--key", "env:SKAN_TEST_NONE"], 1, "not set"), (["--key", key, "--any-key"], 2, "--key"),
            (["--max-users", "0"], 2, "--max-users"), (["--model", MIXED, "--help"], 0, ""),
            (["--listen", f"127.0.0.1:{self.serve().port}"], 1, "in use"),
        ]:
            with self.subTest(options=options):
                answer = self.succeeded(skan("serve", *options), code)
                self.assertIn(words, answer.err + answer.out)
                self.assertNotIn(KEY, answer.err)

    def test_ipv6(self):
        process = subprocess.Popen([COMMAND, "serve", "--listen", "[::1]:0"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment())
        line = process.stdout.readline().decode()
        if line:
            port = int(line.split(",")[0].rsplit(":", 1)[1])
            with socket.create_connection(("::1", port), timeout=60) as client:
                self.assertEqual(Answer(exchange(client, b"GET /healthz HTTP/1.0\r\n\r\n")).status, 200)
            process.terminate()
        _, words = process.communicate(timeout=60)
        # Where the machine has no IPv6 it says so.
        self.assertTrue(process.returncode == 0 or b"cannot listen on ::1" in words, words)
