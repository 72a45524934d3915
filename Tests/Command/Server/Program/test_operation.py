"""What an operator relies on: health, metrics, log lines, an end without loss, a store that fails."""

import signal
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.parse

from server_tools import IDFV, KEY, MIXED, Answer, ServeCase, exchange, items3, items4
from tools import COMMAND, environment

VALUE = f"GET /api/v2/conversion_value?{urllib.parse.urlencode(items4())} HTTP/1.1\r\nHost: a\r\n\r\n".encode()


def total(samples, **labels):
    """Of skan_http_requests_total, where the labels are these."""
    wanted = [f'{name}="{value}"' for name, value in labels.items()]
    return sum(value for (name, text), value in samples.items()
               if name == "skan_http_requests_total" and all(label in text for label in wanted))


class Metrics(ServeCase):
    def test_requests_outcomes_and_durations(self):
        server = self.serve("--model", MIXED)
        before = server.metrics()
        self.assertIn(("skan_build_info", f'{{version="{self.version()}"}}'), before)
        for _ in range(3):
            server.ask(**items4(skan_total_revenue_by_currency='{"USD":50}', p0_total_iap_revenue='{"USD":50}'))
        server.ask(**items4(a=None))
        for _ in range(5):
            server.ask(3, **items3())
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
        for route, count in {"conversion_value_v2": 4, "conversion_value_v1": 5, "other": 1}.items():
            name = "skan_http_request_duration_seconds"
            self.assertEqual(samples[f"{name}_count", f'{{route="{route}"}}'], count)
            buckets = [(float(text.split('le="')[1].split('"')[0]), value) for (sample, text), value in samples.items()
                       if sample == f"{name}_bucket" and f'route="{route}"' in text]
            self.assertEqual([end for end, _ in buckets], sorted(end for end, _ in buckets))
            self.assertEqual([value for _, value in buckets], sorted(value for _, value in buckets))
            self.assertEqual(buckets[-1], (float("inf"), count))
            self.assertGreaterEqual(samples[f"{name}_sum", f'{{route="{route}"}}'], 0)

    def version(self):
        run = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True, env=environment())
        return run.stdout.split()[-1]

    def test_numbers_are_written_alike_in_every_locale(self):
        server = self.serve()
        text = server.get("/metrics").body.decode()
        self.assertIn('le="5e-05"', text)
        self.assertNotIn(",5", text)


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
        self.assertEqual(list(first), ["time", "event", "route", "method", "status", "outcome", "microseconds"])
        self.assertRegex(first["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual((first["route"], first["status"]), ("conversion_value_v2", 200))
        self.assertEqual(requests[1]["outcome"], "rejected")
        self.assertLessEqual(max(len(line.get("path", "")) for line in requests), 64)
        self.assertLessEqual(max(len(line["method"]) for line in requests), 100)
        self.assertIn("🎮", [line["method"] for line in requests])
        self.assertIn("/x", [line.get("path") for line in requests])

    def test_levels(self):
        for level in "errors", "nothing":
            server = self.serve("--model", MIXED, "--log", level)
            server.ask(**items4())
            server.stop()
            events = [line["event"] for line in server.log()]
            self.assertEqual(events, ["stopping", "stopped"] if level == "errors" else [])

    def test_a_reader_that_goes_away(self):
        process = subprocess.Popen([COMMAND, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment())
        self.addCleanup(process.kill)
        port = int(process.stdout.readline().split(b",")[0].rsplit(b":", 1)[1])
        process.stderr.close()
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
                sent = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                self.assertEqual(Answer(exchange(client, sent)).status, 200)
            time.sleep(0.15)
        process.terminate()
        process.stdout.close()
        self.assertEqual(process.wait(30), 0)


class Ends(ServeCase):
    def drill(self, store, *options):
        """Threads send as fast as they can; whatever was sent whole before the signal is answered."""
        server = self.serve("--model", MIXED, "--log", "errors", *options)
        is_ending = threading.Event()
        unanswered, answered = [], [0]

        def load():
            count = 0
            try:
                client = server.connect()
                while True:
                    was_before = not is_ending.is_set()
                    client.sendall(VALUE)
                    was_before = was_before and not is_ending.is_set()
                    came = b""
                    while b'"status":"ok"}' not in came:
                        part = client.recv(65536)
                        if not part:
                            break
                        came += part
                    if not part:
                        if was_before:
                            unanswered.append(came)
                        break
                    count += 1
                    if b"Connection: close" in came:
                        break
            except OSError as error:
                # Before the signal nothing may break; behind it a kept connection may.
                if not is_ending.is_set() or was_before:
                    unanswered.append(error)
            answered[0] += count

        threads = [threading.Thread(target=load) for _ in range(16)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        is_ending.set()
        server.process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join(60)
        self.assertEqual(unanswered, [])
        self.assertGreater(answered[0], 16)
        self.assertEqual(server.process.wait(30), 0)

    def test_nothing_is_lost_under_load(self):
        self.drill(None)
        self.drill(None, "--threads", 1)
        self.drill(None, "--store", f"sqlite:{self.folder / 'counts.db'}")

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
            self.assertEqual(server.process.wait(30), 0)

    def test_the_end_comes_in_time(self):
        server = self.serve("--grace", 1)
        with server.connect() as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
            start = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(30), 0)
            self.assertLess(time.monotonic() - start, 20)

    def test_no_new_connections_after_the_signal(self):
        server = self.serve()
        server.stop()
        with self.assertRaises(ConnectionRefusedError):
            server.connect(5)


class Trouble(ServeCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "counts.db"

    def status(self, server):
        answer = server.ask(**items4())
        if answer.status == 503:
            self.assertEqual(answer.document, {"status": "error", "reason": "the server's store cannot be used now"})
        return answer.status

    def test_a_store_that_cannot_be_written_recovers(self):
        server = self.serve("--model", MIXED, "--store", f"sqlite:{self.file}")
        self.assertEqual((self.status(server), server.get("/healthz").status), (200, 200))
        # Somebody holds the file for longer than the store waits.
        holder = sqlite3.connect(self.file, isolation_level=None)
        self.addCleanup(holder.close)
        holder.execute("BEGIN EXCLUSIVE")
        self.assertEqual(self.status(server), 503)
        self.assertEqual((server.get("/nowhere").status, server.get("/readyz").status), (404, 503))
        holder.execute("ROLLBACK")
        self.assertEqual((self.status(server), server.get("/healthz").status), (200, 200))
        server.stop()
        self.assertIn("store", [line["event"] for line in server.log()])
        self.assertIn(503, [line.get("status") for line in server.log()])

    def test_a_file_that_is_gone_comes_back(self):
        """What is written into a file that nobody finds any more would be lost."""
        server = self.serve("--model", MIXED, "--store", f"sqlite:{self.file}")
        self.assertEqual(self.status(server), 200)
        away = self.folder / "away.db"
        self.file.rename(away)
        self.assertEqual((self.status(server), server.get("/readyz").status), (503, 503))
        away.rename(self.file)
        self.assertEqual(self.status(server), 200)
        self.eventually(lambda: server.get("/readyz").status == 200)

    def test_a_damaged_record(self):
        server = self.serve("--model", MIXED, "--store", f"sqlite:{self.file}")
        self.assertEqual(self.status(server), 200)
        with sqlite3.connect(self.file) as database:
            database.execute("UPDATE skan_records SET record = x'00ff', version = version + 1")
        self.assertEqual(self.status(server), 500)
        self.assertEqual(server.ask(**items4(idfv="another")).status, 200)

    def test_what_it_is_told_wrong(self):
        bad = self.model("bad", windows=[])
        for options, code, words in [
            (["--model", bad], 1, "model at"), (["--model", self.folder / "none.json"], 1, "none.json"),
            (["--model", self.folder], 1, "Is a directory"), (["--app", "x"], 2, "BUNDLE=FILE"),
            (["--app", "=x"], 2, "BUNDLE=FILE"), (["--listen", "here"], 2, "--listen"),
            (["--listen", "localhost:0"], 1, "numeric"), (["--listen", "127.0.0.1:65536"], 2, "65535"),
            (["--listen", "192.0.2.1:0", "--any-key"], 1, "cannot listen"), (["--threads", "0"], 2, "--threads"),
            (["--log", "all"], 2, "requests"), (["--store", "nothing"], 2, "no such kind of store"), (["more"], 2, ""),
            (["--clock", self.folder / "none"], 1, "none"), (["--idle-timeout", "0"], 2, "--idle-timeout"),
            (["--model", MIXED, "--help"], 0, ""),
        ]:
            with self.subTest(options=options):
                run = subprocess.run([COMMAND, "serve", *map(str, options)], capture_output=True, text=True, timeout=60,
                                     env=environment(), check=False)
                self.assertEqual(run.returncode, code, run)
                self.assertIn(words, run.stderr + run.stdout)

    def test_a_port_that_is_taken(self):
        server = self.serve()
        run = subprocess.run([COMMAND, "serve", "--listen", f"127.0.0.1:{server.port}"], capture_output=True, text=True,
                             timeout=60, env=environment(), check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("in use", run.stderr)

    def test_ipv6(self):
        process = subprocess.Popen([COMMAND, "serve", "--listen", "[::1]:0"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment())
        line = process.stdout.readline().decode()
        if line:
            port = int(line.split(",")[0].rsplit(":", 1)[1])
            with socket.create_connection(("::1", port), timeout=20) as client:
                self.assertEqual(Answer(exchange(client, b"GET /healthz HTTP/1.0\r\n\r\n")).status, 200)
            process.terminate()
        _, words = process.communicate(timeout=30)
        # Where the machine has no IPv6 it says so.
        self.assertTrue(process.returncode == 0 or b"cannot listen on ::1" in words, words)
