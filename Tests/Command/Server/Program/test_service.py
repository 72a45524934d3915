"""What a server does as a service: it says when it is ready and that it lives, takes sockets that others have opened,
listens on Unix sockets, and ends in steps."""

import os
import signal
import socket
import stat
import time

from server_tools import MIXED, NOW, Answer, ServeCase, exchange, items4, request_of, value_path
from service_tools import Notices, Process, listening
from tools import skan

VALUE = request_of(value_path())


class ServiceCase(ServeCase):
    def start(self, *options, ends=0, **more):
        server = Process(self.folder, *options, **more)
        self.addCleanup(lambda: self.assertEqual(server.stop(), ends, server.log_file.read_text()))
        return server

    def listening(self, *address):
        listener = listening(*address)
        self.addCleanup(listener.close)
        return listener

    def notices(self, name=None):
        notices = Notices(name or self.folder / "notices")
        self.addCleanup(notices.close)
        return notices

    def ask(self, address, path="/healthz", *headers):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        with socket.socket(family) as client:
            client.settimeout(60)
            client.connect(address)
            lines = [f"GET {path} HTTP/1.1", "Host: a", "Connection: close", *headers, "", ""]
            return Answer(exchange(client, "\r\n".join(lines).encode()))


class Notified(ServiceCase):
    def test_it_says_that_it_is_ready_reads_again_and_ends(self):
        model = self.folder / "model.json"
        for name in self.folder / "notices", f"@skan-test-{os.getpid()}":
            model.write_bytes(MIXED.read_bytes())
            notices = self.notices(name)
            server = self.start("--listen", "127.0.0.1:0", "--model", model, "--drain", 1, "--grace", 3, notices=notices)
            self.assertEqual(notices.next(), {"READY": "1", "STATUS": f"serving on {server.places}"})
            before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            server.process.send_signal(signal.SIGHUP)
            reloading = notices.next()
            self.assertEqual(set(reloading), {"RELOADING", "MONOTONIC_USEC"})
            self.assertLessEqual(before, int(reloading["MONOTONIC_USEC"]))
            self.assertEqual(notices.next()["STATUS"], "configuration read again: nothing changed in 1 parts")
            model.write_text("{\n")
            server.process.send_signal(signal.SIGHUP)
            notices.until("RELOADING")
            refused = notices.next()
            self.assertEqual(refused["READY"], "1")
            self.assertRegex(refused["STATUS"], "^configuration not read again: --model: ")
            server.process.terminate()
            stopping = notices.next()
            self.assertEqual(stopping["STOPPING"], "1")
            # The time of --drain and --grace, and a little more.
            self.assertGreater(int(stopping["EXTEND_TIMEOUT_USEC"]), 4_000_000)
            server.process.wait(60)

    def test_the_watchdog_hears_of_it_only_while_it_answers(self):
        notices = self.notices()
        server = self.start("--listen", "127.0.0.1:0", "--threads", 1, notices=notices, watchdog=400_000)
        notices.until("READY")
        for _ in range(3):
            self.assertEqual(notices.next(), {"WATCHDOG": "1"})
        server.process.send_signal(signal.SIGSTOP)
        os.waitpid(server.process.pid, os.WUNTRACED)
        notices.socket.setblocking(False)
        with self.assertRaises(BlockingIOError):
            while True:
                notices.next()
        notices.socket.settimeout(60)
        server.process.send_signal(signal.SIGCONT)
        self.assertEqual(notices.next(), {"WATCHDOG": "1"})
        # It asks itself without a line in the log.
        server.stop()
        self.assertEqual([line["event"] for line in server.log()], ["stopping", "stopped"])

    def test_a_watchdog_of_another_process_hears_nothing(self):
        notices = self.notices()
        server = self.start("--listen", "127.0.0.1:0", notices=notices, watchdog=100_000, WATCHDOG_PID="1")
        notices.until("READY")
        time.sleep(0.3)
        server.process.terminate()
        self.assertIn("STOPPING", notices.next())
        server.process.wait(60)

    def test_a_place_where_nobody_listens_does_no_harm(self):
        for name in "/nowhere/notices", "nonsense", "", "vsock:2:1", "/" + "x" * 300:
            server = self.start("--listen", "127.0.0.1:0", NOTIFY_SOCKET=name)
            self.assertEqual(server.stop(), 0)


class Activated(ServiceCase):
    def test_it_serves_on_the_sockets_that_it_is_given(self):
        path = str(self.folder / "given.sock")
        main, unix, pages = self.listening(), self.listening(path), self.listening()
        server = self.start("--model", MIXED, "--listen", "127.0.0.1:1", sockets=[main, unix, pages],
                            names="http:local:admin")
        self.assertEqual(server.places, f"http://127.0.0.1:{main.getsockname()[1]} and unix:{path}")
        for address in main.getsockname(), path:
            self.assertEqual(self.ask(address, value_path()).document["status"], "ok")
            self.assertEqual(self.ask(address, "/readyz").status, 404)
        self.assertEqual(self.ask(pages.getsockname(), "/readyz").status, 200)

    def test_sockets_of_another_process_are_not_taken(self):
        server = self.start("--listen", "127.0.0.1:0", LISTEN_PID="1", LISTEN_FDS="1")
        self.assertRegex(server.places, r"^http://127\.0\.0\.1:\d+$")

    def test_a_file_that_is_no_listening_socket_is_refused(self):
        with socket.socket() as other, self.assertRaisesRegex(AssertionError, "file 3: expected a stream socket that lis"):
            Process(self.folder, sockets=[other])

    def test_other_machines_need_a_key_here_too(self):
        with self.assertRaisesRegex(AssertionError, "expected --key or --any-key, because other machines can reach"):
            Process(self.folder, sockets=[self.listening(("0.0.0.0", 0))])

    def test_who_connects_during_a_restart_is_answered_by_the_next(self):
        main = self.listening()
        first = self.start("--model", MIXED, "--threads", 1, sockets=[main])
        self.assertEqual(self.ask(main.getsockname(), value_path()).status, 200)
        self.assertEqual(first.stop(), 0)
        waiting = [socket.create_connection(main.getsockname(), timeout=60) for _ in range(50)]
        for client in waiting:
            client.sendall(VALUE)
        self.start("--model", MIXED, "--max-connections-per-peer", 0, sockets=[main])
        for client in waiting:
            self.assertIn(b'"status":"ok"', client.recv(65536))
            client.close()

    def test_limits_hold_there_too(self):
        main = self.listening()
        self.start("--max-connections", 64, "--max-connections-per-peer", 4, "--threads", 2, sockets=[main])
        clients = [socket.create_connection(main.getsockname(), timeout=60) for _ in range(6)]
        statuses = []
        for client in clients:
            client.sendall(request_of("/healthz"))
            statuses.append(Answer(client.recv(65536)).status)
        self.assertEqual(sorted(statuses), [200] * 4 + [503] * 2)
        for client in clients:
            client.close()
        # Places that are free again are taken again, once the server has noticed that a client has gone.
        for _ in range(40):
            self.eventually(lambda: self.ask(main.getsockname()).status == 200)


class Unix(ServiceCase):
    def setUp(self):
        super().setUp()
        self.path = str(self.folder / "skan.sock")

    def test_it_listens_with_a_mode_and_cleans_up(self):
        for options, mode in ([], 0o660), (["--socket-mode", "600"], 0o600), (["--socket-mode", "0666"], 0o666):
            server = self.start("--model", MIXED, "--listen", f"unix:{self.path}", *options)
            self.assertEqual(server.places, f"unix:{self.path}")
            self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), mode)
            self.assertEqual(self.ask(self.path, value_path()).document["status"], "ok")
            self.assertEqual(server.stop(), 0)
            self.assertFalse(os.path.exists(self.path))

    def test_pages_of_operators_may_be_there(self):
        self.start("--listen", "127.0.0.1:0", "--admin", f"unix:{self.path}")
        self.assertEqual(self.ask(self.path, "/readyz").status, 200)

    def test_a_socket_that_was_left_behind_is_replaced(self):
        killed = self.start("--listen", f"unix:{self.path}", ends=-signal.SIGKILL)
        killed.process.kill()
        killed.process.wait(60)
        self.assertTrue(os.path.exists(self.path))
        self.start("--listen", f"unix:{self.path}")
        self.assertEqual(self.ask(self.path).status, 200)

    def test_a_socket_in_use_and_any_other_file_stay(self):
        self.start("--listen", f"unix:{self.path}")
        self.assertIn("Address already in use", skan("serve", "--listen", f"unix:{self.path}").err)
        self.assertEqual(self.ask(self.path).status, 200)
        file = self.folder / "file"
        file.write_text("precious")
        refused = skan("serve", "--listen", f"unix:{file}")
        self.assertEqual((refused.code, file.read_text()), (1, "precious"))
        self.assertIn("there is a file that is not a socket", refused.err)

    def test_the_socket_of_a_later_server_is_not_removed(self):
        first = self.start("--listen", f"unix:{self.path}")
        os.unlink(self.path)
        self.start("--listen", f"unix:{self.path}")
        self.assertEqual(first.stop(), 0)
        self.assertEqual(self.ask(self.path).status, 200)

    def test_paths_and_modes_that_are_none(self):
        for options, words in [(["--listen", "unix:"], "unix: and a path"), (["--listen", "unix:@a"], "unix: and a path"),
                               (["--listen", f"unix:/{'x' * 120}"], "at most 107 bytes"),
                               (["--socket-mode", "rw"], "octal digits"), (["--socket-mode", "888"], "octal digits"),
                               (["--listen", "unix:/nowhere/skan.sock"], "cannot listen on unix:/nowhere/skan.sock: No")]:
            self.assertIn(words, skan("serve", *options).err)

    def test_a_proxy_on_the_machine_names_its_clients(self):
        for options, statuses in ([], [200] * 4), (["--trusted-proxy", "unix:", "--any-key"], [200, 200, 429, 200]):
            server = self.start("--model", MIXED, "--listen", f"unix:{self.path}", "--rate", 2, *options)
            asked = [self.ask(self.path, "/healthz", f"X-Forwarded-For: 192.0.2.{last}").status for last in (1, 1, 1, 2)]
            self.assertEqual(asked, statuses)
            server.stop()

    def test_what_was_sent_is_answered_at_the_end(self):
        server = self.start("--model", MIXED, "--listen", f"unix:{self.path}", "--threads", 1)
        server.process.send_signal(signal.SIGSTOP)
        os.waitpid(server.process.pid, os.WUNTRACED)
        clients = [socket.socket(socket.AF_UNIX) for _ in range(20)]
        for client in clients:
            client.settimeout(60)
            client.connect(self.path)
            client.sendall(VALUE)
        server.process.terminate()
        server.process.send_signal(signal.SIGCONT)
        for client in clients:
            self.assertEqual(Answer(exchange(client, b"")).status, 200)
            client.close()
        self.assertEqual(server.process.wait(60), 0)


class Drained(ServeCase):
    def test_it_serves_on_while_it_says_that_it_ends(self):
        server = self.serve("--model", MIXED, "--drain", 2)
        self.assertEqual(server.get("/readyz").status, 200)
        server.process.terminate()
        self.eventually(lambda: server.get("/readyz").body == b"the server is ending\n")
        self.assertEqual(server.get("/readyz").status, 503)
        self.assertEqual(server.get("/healthz").status, 200)
        self.assertEqual(server.ask(**items4()).document["status"], "ok")
        self.assertEqual(server.process.wait(60), 0)
        self.assertEqual([line["event"] for line in server.log() if line["event"] != "request"],
                         ["stopping", "draining", "stopped"])

    def test_a_second_signal_ends_the_draining(self):
        for second in signal.SIGTERM, signal.SIGINT:
            server = self.serve("--drain", 3600)
            server.process.terminate()
            self.eventually(lambda server=server: server.get("/readyz").status == 503)
            server.process.send_signal(second)
            self.assertEqual(server.process.wait(60), 0)

    def test_one_more_ends_it_at_once(self):
        server = self.serve("--grace", 3600, "--idle-timeout", 3600, ends=1)
        with server.connect() as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
            self.eventually(lambda: server.metrics()["skan_http_requests_in_flight", ""] == 2)
            server.process.terminate()
            self.eventually(lambda: any(line["event"] == "stopping" for line in server.log()))
            # The first signal may still be on its way to the thread that waits for the second.
            self.eventually(lambda: server.process.terminate() or server.process.poll() is not None)
        self.assertEqual(server.process.wait(60), 1)
        self.assertIn("came again", server.log()[-1]["message"])

    def test_a_reload_does_not_end_the_draining(self):
        server = self.serve("--model", MIXED, "--drain", 2, now=NOW)
        server.process.terminate()
        self.eventually(lambda: server.get("/readyz").status == 503)
        server.process.send_signal(signal.SIGHUP)
        self.assertEqual(server.ask(**items4()).document["status"], "ok")
        self.assertEqual(server.process.wait(60), 0)
