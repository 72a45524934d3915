"""skan receive: forms of files, times of arrival, what is no postback, and the same verdicts as over HTTP."""

import contextlib
import gzip
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import time

from outbox_tools import SKADNETWORK
from server_tools import ServeCase
from signer import APP, OTHER_APP, attribution_kit, keys_file, skadnetwork
from stores import each_store
from test_terminal import BAR, on_terminal
from tools import COMMAND, TOP, CommandCase, environment, faults, skan

KILLS = int(os.environ.get("SKAN_KILLS", "20"))
VECTORS = json.loads((TOP / "Tests/Vectors/postbacks.json").read_text())

UNDECODED = ("skan: postbacks are kept undecoded: give --postback-model FROM=FILE for each model there was, or one "
             "--model; skan report --model decodes them later\n")


def lines(*postbacks):
    return b"".join(postback + b"\n" for postback in postbacks)


def arrived(postback, moment):
    return json.dumps({**json.loads(postback), "received_at": moment}).encode()


class ReceiveCase(CommandCase):
    def setUp(self):
        super().setUp()
        self.url = self.sqlite("p.db")
        self.scope = ["--app-id", APP, "--postback-keys", keys_file(self.folder)]

    def written(self, name, content):
        self.file(name).parent.mkdir(parents=True, exist_ok=True)
        self.file(name).write_bytes(content)
        return self.file(name)

    def receive(self, *arguments, code=0, **more):
        return self.succeeded(skan("receive", self.url, *arguments, *self.scope, **more), code)

    def rows(self):
        return self.succeeded(skan("postbacks", self.url)).documents()

    def transactions(self):
        return sorted(row["transaction_id"] for row in self.rows())


class Forms(ReceiveCase):
    def setUp(self):
        super().setUp()
        self.three = [skadnetwork(number) for number in range(3)]

    def test_each_form_holds_the_same_postbacks(self):
        indented = json.dumps([json.loads(postback) for postback in self.three], indent=2).encode()
        forms = {
            "lines": lines(*self.three),
            "lines without the last line feed": lines(*self.three)[:-1],
            "lines that end as on Windows": lines(*self.three).replace(b"\n", b"\r\n"),
            "lines with a byte order mark": b"\xef\xbb\xbf" + lines(*self.three),
            "lines with empty ones between them": lines(*self.three).replace(b"\n", b"\n \n"),
            "an array in one line": b"[" + b",".join(self.three) + b"]",
            "an array with a postback on each line": b"[\n" + b",\n".join(self.three) + b"\n]\n",
            "an indented array": indented,
            "two arrays": b"[" + self.three[0] + b"]\n[" + b",".join(self.three[1:]) + b"]\n",
            "indented objects": b"\n".join(json.dumps(json.loads(each), indent=4).encode() for each in self.three),
        }
        for name, content in forms.items():
            parts = gzip.compress(content[:700]) + gzip.compress(content[700:])
            for packed in (content, gzip.compress(content), parts):
                with self.subTest(form=name):
                    self.file("p.db").unlink(missing_ok=True)
                    answer = self.receive(self.written("form", packed))
                    self.assertEqual((answer.out, answer.err), ("3 postbacks read, 3 counted\n", UNDECODED))
                    self.assertEqual(self.transactions(), [f"transaction-{number}" for number in range(3)])

    def test_a_file_may_hold_one_postback_or_none(self):
        one = self.written("one.json", self.three[0])
        self.assertEqual(self.receive(one).out, "1 postback read, 1 counted\n")
        for name, content in {"empty": b"", "blank": b" \n\n", "array": b"[]\n", "packed": gzip.compress(b"")}.items():
            self.assertEqual(self.receive(self.written(name, content)).out, "0 postbacks read, 0 counted\n", name)

    def test_standard_input_may_be_packed_too(self):
        for number, content in enumerate([self.three[0], gzip.compress(self.three[1])]):
            run = subprocess.run([COMMAND, "receive", self.url, "-", *map(str, self.scope)], input=content,
                                 capture_output=True, env=environment(), timeout=60, check=True)
            self.assertEqual(run.stdout, b"1 postback read, 1 counted\n")
            self.assertEqual(len(self.transactions()), number + 1)

    def test_a_folder_is_read_in_the_order_of_names_with_the_folders_in_it(self):
        """The first copy counts, so its arrival shows which file was read first."""
        postback = self.three[0]
        moments = {"logs/b.json": 1700000300, "logs/a/z.json.gz": 1700000200, "logs/.a.json": 1700000100}
        for name, moment in moments.items():
            content = arrived(postback, moment)
            self.written(name, gzip.compress(content) if name.endswith("gz") else content)
        answer = self.receive(self.file("logs"), "--received-field", "received_at")
        self.assertEqual(answer.out, "2 postbacks read, 1 counted, 1 duplicate\n")
        self.assertEqual(self.rows()[0]["received"], "2023-11-14T22:16:40Z")

    def test_several_files_are_read_and_one_that_cannot_be_does_not_hold_up_others(self):
        first, last = (self.written(f"{number}.json", self.three[number]) for number in (0, 1))
        answer = self.receive(first, self.file("none.json"), last, code=1)
        self.assertEqual(answer.out, "not all: 2 postbacks read, 2 counted\n")
        self.assertEqual(answer.err, f"skan: {self.file('none.json')}: No such file or directory\n{UNDECODED}")

    def test_a_packed_file_that_is_cut_or_damaged_is_named(self):
        packed = gzip.compress(lines(*self.three))
        cut = self.receive(self.written("cut.gz", packed[:-20]), code=1)
        self.assertIn("cut.gz: its gzip data ends early", cut.err)
        damaged = self.receive(self.written("bad.gz", packed[:30] + b"\xff\xff\xff" + packed[33:]), code=1)
        self.assertIn("bad.gz: its gzip data is damaged", damaged.err)

    def test_what_follows_the_last_gzip_member_is_named_unless_it_is_zeros(self):
        """A damaged header of a member looks like bytes that belong to no member."""
        members = [gzip.compress(lines(postback)) for postback in self.three]
        damaged = [bytes([first, *members[2][1:2], third, *members[2][3:]])
                   for first, third in ((0x1E, 8), (0x1F, 9), (ord("{"), 8))]
        for number, rest in enumerate([*damaged, b"x", self.three[2], bytes(700) + b"x", b"\0" + members[2],
                                       b"\x1f", members[2][:5]]):
            with self.subTest(number=number):
                self.file("p.db").unlink(missing_ok=True)
                answer = self.receive(self.written("damaged.gz", b"".join(members[:2]) + rest), code=1)
                self.assertRegex(answer.err, "damaged.gz: its gzip data (is damaged|ends early)")
                self.assertEqual(answer.out, "not all: 2 postbacks read, 2 counted\n")
        for number, padding in enumerate([b"\0", bytes(511), bytes(200_000)]):
            with self.subTest(padding=number):
                self.file("p.db").unlink(missing_ok=True)
                answer = self.receive(self.written("padded.gz", b"".join(members) + padding))
                self.assertEqual(answer.out, "3 postbacks read, 3 counted\n")

    def test_members_of_every_size_are_read_to_the_end(self):
        """Members end anywhere in the blocks that are read, and one unpacks to many blocks."""
        wide = [skadnetwork(number, **{"more": "x" * (29000 + number)}) for number in range(40)]
        content = lines(*wide)
        cuts = [0, 1, 2, 70_000, 70_001, 400_000, len(content)]
        members = b"".join(gzip.compress(content[first:last], 0) for first, last in zip(cuts, cuts[1:]))
        answer = self.receive(self.written("wide.gz", members + gzip.compress(b"")))
        self.assertEqual(answer.out, "40 postbacks read, 40 counted\n")

    def test_texts_that_cross_the_blocks_that_are_read(self):
        """Blocks have 64 KiB; the unsigned domain moves the places where they end."""
        postbacks = [skadnetwork(number, **{"more": "x" * (29000 + number)}) for number in range(12)]
        self.assertEqual(self.receive(self.written("wide", lines(*postbacks))).out, "12 postbacks read, 12 counted\n")

    def test_a_terminal_shows_how_far_it_is_with_a_folder(self):
        for number, postback in enumerate(self.three):
            self.written(f"logs/{number}.json", postback)
        code, out, seen = on_terminal("receive", self.url, self.file("logs"), *self.scope)
        self.assertEqual((code, out), (0, "3 postbacks read, 3 counted\n"))
        share, done, total, unit, _ = BAR.findall(seen)[-1]
        self.assertEqual((share, unit), ("100", "kB"))
        self.assertEqual(done, total)


class Folders(ReceiveCase):
    def setUp(self):
        super().setUp()
        self.logs = self.file("logs")
        self.logs.mkdir()

    def put(self, name, number):
        return self.written(f"logs/{name}", lines(skadnetwork(number)))

    def test_an_empty_folder_holds_no_postbacks(self):
        (self.logs / "inner").mkdir()
        answer = self.receive(self.logs)
        self.assertEqual((answer.out, answer.err), ("0 postbacks read, 0 counted\n", ""))

    def test_links_in_a_folder_are_left_out_and_counted(self):
        self.put("a.json", 1)
        outside = self.written("secret", b"root:secret-of-the-file:0\n")
        (self.logs / "password").symlink_to(outside)
        (self.logs / "copy").symlink_to("a.json")
        (self.logs / "gone").symlink_to("nowhere")
        answer = self.receive(self.logs)
        self.assertEqual(answer.out, "1 postback read, 1 counted; 3 symbolic links left out\n")
        self.assertEqual(answer.err, UNDECODED)

    def test_links_to_folders_lead_nowhere(self):
        """Two links to the folder itself are 2 to the power of 32 paths."""
        self.put("inner/a.json", 1)
        for name in ("one", "two"):
            (self.logs / name).symlink_to(".")
        (self.logs / "parent").symlink_to("..")
        answer = self.receive(self.logs)
        self.assertEqual(answer.out, "1 postback read, 1 counted; 3 symbolic links left out\n")

    def test_a_link_that_is_named_is_followed(self):
        file = self.put("inner/a.json", 1)
        (self.folder / "to-file").symlink_to(file)
        (self.folder / "to-folder").symlink_to(self.logs)
        self.assertEqual(self.receive(self.folder / "to-file").out, "1 postback read, 1 counted\n")
        self.assertEqual(self.receive(self.folder / "to-folder").out, "1 postback read, 0 counted, 1 duplicate\n")

    def test_a_folder_that_is_named_twice_is_read_once(self):
        self.put("inner/a.json", 1)
        (self.folder / "again").symlink_to(self.logs / "inner")
        answer = self.receive(self.logs, self.logs / "inner", self.folder / "again")
        self.assertEqual(answer.out, "1 postback read, 1 counted\n")

    def test_what_is_no_file_is_passed_over_in_a_folder(self):
        self.put("a.json", 1)
        os.mkfifo(self.logs / "fifo")
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
            listener.bind(str(self.logs / "socket"))
            self.assertEqual(self.receive(self.logs).out, "1 postback read, 1 counted\n")

    def test_twenty_files_that_cannot_be_read_are_named(self):
        names = [self.file(f"none{number}") for number in range(50)]
        answer = self.receive(*names, code=1)
        said = answer.err.splitlines()
        self.assertEqual(len(said), 21)
        self.assertEqual(said[-1], "skan: 30 more: could not be read, and are not named one by one")


class Arrivals(ReceiveCase):
    def test_the_forms_of_a_time(self):
        times = {
            "2026-01-31T10:00:00Z": "2026-01-31T10:00:00Z",
            "2026-01-31T10:00:00.75+02:00": "2026-01-31T08:00:00Z",
            "2026-01-31 10:00:00-0130": "2026-01-31T11:30:00Z",
            "2026-01-31T10:00:00": "2026-01-31T10:00:00Z",
            1769853600: "2026-01-31T10:00:00Z",
            1769853600.25: "2026-01-31T10:00:00Z",
            1769853600123: "2026-01-31T10:00:00Z",
            "1769853600": "2026-01-31T10:00:00Z",
        }
        postbacks = [arrived(skadnetwork(number), moment) for number, moment in enumerate(times)]
        self.receive(self.written("times", lines(*postbacks)), "--received-field", "received_at")
        rows = {row["transaction_id"]: row["received"] for row in self.rows()}
        self.assertEqual([rows[f"transaction-{number}"] for number in range(len(times))], list(times.values()))

    def test_what_is_no_time_of_arrival_is_named_and_not_stored(self):
        wrong = ["2026-01-31", "2026-01-31T10", "soon", "", None, True, -5, 0, 1400000000, [1769853600], 4e9,
                 "1.", "99999999999999999999"]
        content = lines(*(arrived(skadnetwork(number), moment) for number, moment in enumerate(wrong)), skadnetwork(99))
        answer = self.receive(self.written("wrong", content), "--received-field", "received_at", code=1)
        self.assertEqual(answer.out, f"0 postbacks read, 0 counted; not postbacks: {len(wrong) + 1}\n")
        said = answer.err.splitlines()
        self.assertEqual(len(said), len(wrong) + 1)
        for number, line in enumerate(said, 1):
            self.assertIn(f"wrong:{number}: received_at: expected the time of arrival", line)
        self.assertIn('got "2026-01-31"', said[0])
        self.assertIn("got nothing", said[-1])
        self.assertIn("before 2018 or in the future", said[8])
        self.assertEqual(self.rows(), [])

    def test_without_the_option_postbacks_arrive_now(self):
        before = int(time.time())
        self.receive(self.written("now", arrived(skadnetwork(1), 1700000000)))
        moment = time.strptime(self.rows()[0]["received"], "%Y-%m-%dT%H:%M:%SZ")
        self.assertGreaterEqual(int(time.mktime(moment)) - time.timezone + 1, before)

    def test_the_first_arrival_stays(self):
        for moment in (1700000300, 1700000100):
            file = self.written("again", arrived(skadnetwork(1), moment))
            self.receive(file, "--received-field", "received_at")
        self.assertEqual(self.rows()[0]["received"], "2023-11-14T22:18:20Z")

    def test_models_are_chosen_by_the_arrival(self):
        model = TOP / "Sources/SKANModels/mixed.json"
        moments = {1: "2026-03-01T00:00:00Z", 2: "2025-12-01T00:00:00Z"}
        content = lines(*(arrived(skadnetwork(number), moment) for number, moment in moments.items()))
        self.receive(self.written("dated", content), "--received-field", "received_at",
                     "--postback-model", f"2026-01-01T00:00:00Z={model}")
        decodings = {row["transaction_id"]: row["decoding"] for row in self.rows()}
        self.assertEqual(decodings, {"transaction-1": "hidden", "transaction-2": "no_model"})

    def test_one_model_decodes_installs_of_all_times(self):
        content = lines(arrived(skadnetwork(1), "2019-03-01T00:00:00Z"), skadnetwork(2))
        answer = self.receive(self.written("all", content), "--model", TOP / "Sources/SKANModels/mixed.json")
        self.assertEqual(answer.err, "")
        self.assertEqual({row["decoding"] for row in self.rows()}, {"hidden"})

    def test_what_is_kept_undecoded_is_said_where_a_postback_was_counted(self):
        file = self.written("one", skadnetwork(1))
        self.assertEqual(self.receive(file).err, UNDECODED)
        self.assertEqual(self.receive(file).err, "")


class WrongTexts(ReceiveCase):
    def test_each_is_named_by_file_and_line_and_the_others_count(self):
        good = [skadnetwork(number) for number in range(6)]
        wrong = {
            2: (b"hello", 'expected a postback, which is a JSON object, got "hello"'),
            4: (b'"a, text"', "expected a postback, which is a JSON object"),
            5: (good[5][:-30], "expected a postback, got one that ends early, after"),
            7: (b'{"version": "4.0",', "expected a postback, got one that ends early, after"),
            9: (b'{"version": "4.0"}', "expected a postback: "),
            10: (b"{'a': 1}", "expected a postback: "),
            11: (b"{" + b" " * 30720 + b"}", "expected a postback of at most 30720 bytes, got an object of 30722"),
            12: (b"\xff\xfe\0", 'got "\\xFF\\xFE\\x00"'),
            14: (b"[[1, 2], 3]", "got an array inside an array"),
        }
        rest = iter(good)
        content = lines(*(wrong[number][0] if number in wrong else next(rest) for number in range(1, 15)))
        answer = self.receive(self.written("mixed.jsonl", content), code=1)
        said = answer.err.splitlines()
        for number, (_, words) in wrong.items():
            found = [line for line in said if f"mixed.jsonl:{number}: " in line]
            self.assertTrue(found and words in found[0], (number, words, answer.err))
        self.assertEqual(answer.out, "5 postbacks read, 5 counted; not postbacks: 10\n")
        self.assertEqual(len(self.rows()), 5)
        self.assertEqual([key for key in self.records("p.db") if key.startswith(b"refused/")], [])

    def test_a_postback_may_have_30720_bytes_and_no_more(self):
        postbacks = []
        for number, length in enumerate((30719, 30720, 30721)):
            postback = skadnetwork(number, more="")
            postbacks.append(postback.replace(b'"more": ""', b'"more": "%s"' % (b"x" * (length - len(postback)))))
        self.assertEqual([len(postback) for postback in postbacks], [30719, 30720, 30721])
        answer = self.receive(self.written("long", lines(*postbacks)), code=1)
        self.assertIn("long:3: expected a postback of at most 30720 bytes, got an object of 30721", answer.err)
        self.assertEqual(answer.out, "2 postbacks read, 2 counted; not postbacks: 1\n")

    def test_the_first_twenty_are_named(self):
        answer = self.receive(self.written("bad", b"x\n" * 5000 + skadnetwork(1)), code=1)
        said = answer.err.removesuffix(UNDECODED).splitlines()
        self.assertEqual(len(said), 21)
        self.assertIn("4980 more: are no postbacks", said[-1])
        self.assertEqual(answer.out, "1 postback read, 1 counted; not postbacks: 5000\n")

    def test_an_array_that_has_no_end(self):
        answer = self.receive(self.written("open", b"\n[" + skadnetwork(1) + b",\n"), code=1)
        self.assertIn("expected the end of the array that begins in line 2", answer.err)
        self.assertEqual(answer.out, "1 postback read, 1 counted; not postbacks: 1\n")

    def test_what_is_wrong_with_the_command_line(self):
        for arguments, words in [
            ([self.url], "expected: skan receive STORE"),
            ([self.url, "f"], "expected --app-id, the App Store's id of each app whose postbacks count, or --any-app"),
            ([self.url, "f", "--any-app", "--app-id", "1"], "got both"),
            ([self.url, "-", "-", "--any-app"], "standard input can be read only once"),
            ([self.url, "f", "--any-app", "--received-field", ""], "--received-field: expected NAME"),
            ([self.url, "f", "--any-app", "--postback-model", "m.json"], "expected FROM=FILE"),
        ]:
            answer = self.succeeded(skan("receive", *arguments), 2)
            self.assertIn(words, answer.err)
        self.assertFalse(self.file("p.db").exists())


class Verdicts(ServeCase):
    """Files and HTTP come to the same."""

    def test_the_corpus_has_the_same_rows_by_both_ways(self):
        names = ("4.0", "3.0", "2.2", "2.1", "2.0")
        spki = VECTORS["keys_spki_base64"]
        keys = self.folder / "keys.json"
        p192 = {"1.0", "2.0"}
        keys.write_text(json.dumps({"keys": [
            {"name": name, "spki": spki["test-p192" if name in p192 else "test-p256"]} for name in names]}))
        for given in ([], ["--postback-keys", keys]):
            with self.subTest(keys=given):
                posted, read = (self.sqlite(f"{way}{len(given)}.db") for way in ("posted", "read"))
                server = self.serve("--postbacks", posted, "--any-app", *given)
                bodies = [json.dumps(each["postback"]).encode() for each in VECTORS["postbacks"]]
                outcomes = [server.post(SKADNETWORK, body).document["outcome"] for body in bodies * 2]
                file = self.folder / "corpus.jsonl"
                file.write_bytes(lines(*bodies) * 2)
                answer = self.succeeded(skan("receive", read, file, "--any-app", *given), 1)
                numbers = {word: outcomes.count(word) for word in ("counted", "duplicate")}
                self.assertIn("{counted} counted, {duplicate} duplicates".format(**numbers), answer.out)
                self.assertIn(f"not postbacks: {outcomes.count('malformed')}", answer.out)
                self.assertIn(f"{outcomes.count('invalid')} invalid", answer.out)
                self.assertEqual(self.told(read), self.told(posted))

    def told(self, url):
        """Rows without the times that hang on the arrival."""
        rows = self.succeeded(skan("postbacks", url)).documents()
        self.assertTrue(rows)
        left = ("received", "installed", "reengaged")
        return sorted(json.dumps({name: value for name, value in row.items() if not name.startswith(left)})
                      for row in rows)


class Refused(ReceiveCase):
    def test_each_verdict_is_counted_and_stored_as_by_the_server(self):
        valid = skadnetwork(1)
        forged = json.dumps({**json.loads(skadnetwork(2)), "app-id": 1}).encode()
        newer = json.dumps({**json.loads(skadnetwork(3)), "version": "9.0"}).encode()
        other = json.dumps({**json.loads(valid), "conversion-value": 5}).encode()
        content = lines(
            valid, valid, other, forged, newer, skadnetwork(4, app=OTHER_APP),
            skadnetwork(5, network="else.skadnetwork"),
            attribution_kit(6, kid="test-development/0"), attribution_kit(7))
        file = self.written("all.jsonl", content)
        options = ["--ad-network", "example123.skadnetwork"]
        expected = ("9 postbacks read, {} counted, {} duplicate{}, 1 conflict, 1 of another app, "
                    "1 of another ad network, 1 invalid, 1 unverifiable, 1 signed with a development key\n")
        self.assertEqual(self.receive(file, *options).out, expected.format(2, 1, ""))
        self.assertEqual(self.receive(file, *options).out, expected.format(0, 3, "s"))
        keys = [key.split(b"/")[0] for key in self.records("p.db")]
        self.assertEqual((keys.count(b"postback"), keys.count(b"refused"), len(keys)), (2, 6, 8))

    def test_the_limit_holds_with_what_the_store_has(self):
        content = [lines(*(skadnetwork(number, app=OTHER_APP) for number in numbers))
                   for numbers in (range(3), range(3, 9))]
        self.receive(self.written("first", content[0]), code=1)
        room = 6 * 5120 - 1  # five and their bodies
        answer = self.receive(self.written("second", content[1]), "--refused-bytes-in-all", room, code=1)
        self.assertIn("6 of another app; 4 of those not counted were not stored", answer.out)
        self.assertEqual(len(self.records("p.db")), 5)

    def test_a_store_that_fails_ends_the_run(self):
        self.receive(self.written("one", skadnetwork(1)))
        with contextlib.closing(sqlite3.connect(self.file("p.db"), isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            file = self.written("many", lines(*(skadnetwork(number) for number in range(2, 40))))
            answer = self.receive(file, code=1)
        self.assertIn("many:1: could not be saved: ", answer.err)
        self.assertIn("18 more: could not be saved", answer.err)
        self.assertEqual(answer.out, "not all: 38 postbacks read, 0 counted, 38 could not be saved\n")
        self.assertEqual(self.receive(file).out, "38 postbacks read, 38 counted\n")


class FailedSaves(ReceiveCase):
    def test_a_postback_that_is_not_saved_among_others_is_named_and_the_run_goes_on(self):
        """Each tenth save fails, and a thousand postbacks are several batches."""
        file = self.written("all.jsonl", lines(*(skadnetwork(number) for number in range(1000))))
        answer = self.receive(file, code=1, **faults("save-fails=10"))
        self.assertEqual(answer.out, "1000 postbacks read, 900 counted, 100 could not be saved\n")
        self.assertIn("all.jsonl:10: could not be saved: ", answer.err)
        self.assertNotIn("nothing after", answer.err)
        self.assertEqual(len(self.rows()), 900)
        self.assertIn("1000 postbacks read, 100 counted, 900 duplicates", self.receive(file).out)


class Kinds(ReceiveCase):
    @each_store
    def test_every_kind_of_store_counts_each_once(self, kind, url):
        content = lines(*(skadnetwork(number) for number in range(3000)))
        file = self.written("all.jsonl", content + content[: len(content) // 2])
        answer = self.succeeded(skan("receive", url, file, *self.scope), 1)
        self.assertRegex(answer.out, r"^(\d+) postbacks read, 3000 counted, \d+ duplicates; not postbacks: 1\n$")
        again = self.succeeded(skan("receive", url, file, *self.scope), 1)
        self.assertRegex(again.out, r"^(\d+) postbacks read, 0 counted, \1 duplicates; not postbacks: 1\n$")
        rows = self.succeeded(skan("postbacks", url)).documents()
        self.assertEqual(len({row["transaction_id"] for row in rows}), 3000)
        self.assertEqual(len(rows), 3000)


class Killed(ReceiveCase):
    def test_a_run_that_is_killed_and_repeated_counts_each_once(self):
        count = 200 * KILLS
        file = self.written("all.jsonl", lines(*(skadnetwork(number) for number in range(count))))
        command = [COMMAND, "receive", self.url, str(file), *map(str, self.scope)]
        for _ in range(min(KILLS, 10)):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment())
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0.01, 0.2))
            process.kill()
            self.assertIn(process.wait(), (0, -signal.SIGKILL))
        self.assertIn(f"{count} postbacks read, ", self.receive(file).out)
        self.assertEqual(len(set(self.transactions())), count)
        self.assertEqual(len(self.records("p.db")), count)
