"""Stores of installs, of postbacks and of both: every subcommand knows what a record is, and says so."""

import json
import subprocess

import pytest
from received import AT, PLAN, ReportCase
from stores import postgres_database
from tools import outbox_entry, skan

POSTBACK = "a" * 64
OUTBOX_KEY = f"outbox/{POSTBACK}/example/partner"
ENTRY = outbox_entry(OUTBOX_KEY.encode(), state="dead", attempts=3, created=1000000, due=2000000, reason="HTTP 500")
# PLAN has 26 that are counted and 8 that are refused.
HELD = "26 postbacks, 8 refused postbacks and 1 outbox entry"
FOR_INSTALLS = "skan show, export, import and purge are for installs"
FOR_POSTBACKS = "skan report and skan postbacks are for postbacks"
FOR_OUTBOX = "skan outbox lists outbox entries"
FOR_ALL = "skan move and check take records of every kind"


class Kinds(ReportCase):
    def postbacks(self, name="p.db"):
        url = self.received(PLAN, name=name)
        self.put(name, OUTBOX_KEY.encode(), ENTRY)
        return url

    def installs(self, name="i.db", count=10):
        return self.filled(name, count)

    def both(self, name="b.db"):
        url = self.postbacks(name)
        self.succeeded(skan("move", self.installs("from.db"), url))
        return url

    def said(self, answer, *words, code=1):
        """A single line on standard error that has all of the words."""
        self.succeeded(answer, code)
        self.assertEqual(answer.err.count("\n"), 1, answer)
        for word in words:
            self.assertIn(word, answer.err)
        for word in ["format", "damage", "corrupt"]:
            self.assertNotIn(word, answer.err)

    def test_what_a_subcommand_is_not_for_is_told_and_left_alone(self):
        installs, postbacks, both = self.installs(), self.postbacks(), self.both()
        records, told = self.records("p.db"), f"found {HELD}: {FOR_POSTBACKS}, {FOR_OUTBOX}, {FOR_ALL}"
        for subcommand, options, url, expected, out in [
            *(("report", options, installs, "postbacks", "") for options in [[], ["--json"], ["--csv"], ["--html"]]),
            ("outbox", [], installs, "an outbox", ""),
            ("export", [], postbacks, "installs", ""),
            ("purge", ["--closed-before=0"], postbacks, "installs", "0 records read, 0 removed\n"),
        ]:
            answer = skan(subcommand, url, *options)
            self.assertEqual(answer.out, out)
            found = told if url == postbacks else f"found 10 installs: {FOR_INSTALLS}, {FOR_ALL}"
            self.said(answer, f"skan: {url}: expected {expected}, {found}\n")
        self.assertEqual(self.records("p.db"), records)
        # A report and the outbox read nothing else, and so know nothing of it.
        left = {"export": HELD, "purge": HELD}
        answers = {name: skan(name, both, *options) for name, options in {
            "report": ["--json", AT], "outbox": [], "export": [], "purge": ["--closed-before=1"]}.items()}
        for name, answer in answers.items():
            if name in left:
                self.said(answer, f"skan: {both}: left alone: {left[name]}\n", code=0)
            else:
                self.assertEqual(self.succeeded(answer).err, "")
        alone, beside = self.document(postbacks, AT), json.loads(answers["report"].out)
        self.assertEqual((alone.pop("store"), beside.pop("store")), (postbacks, both))
        self.assertEqual(beside, alone)
        self.assertEqual([line["partner"] for line in answers["outbox"].documents()], ["partner"])
        self.assertEqual(len(answers["export"].documents()), 10)
        self.assertEqual(answers["purge"].out, "10 records read, 1 removed\n")
        self.assertEqual(len(self.records("b.db")), len(records) + 9)

    @pytest.mark.server("postgres")
    def test_no_install_is_read_for_a_report(self):
        """By what the server counts of rows and entries of the index."""
        url, path = postgres_database(), self.postbacks()
        self.succeeded(skan("move", self.filled("many.db", 3000), url))
        self.succeeded(skan("move", path, url))

        def asked(sql):
            return subprocess.run(["psql", "-qAtc", sql, url], check=True, stdout=subprocess.PIPE, text=True).stdout

        asked("VACUUM ANALYZE skan_records")
        for subcommand, options, most in [
            ("report", ["--json"], 34), ("postbacks", [], 34), ("outbox", [], 1),
            ("purge", ["--dry-run", "--refused-before=0"], 8),
        ]:
            with self.subTest(subcommand):
                asked("SELECT pg_stat_reset()")
                self.succeeded(skan(subcommand, url, *options))
                read = asked(
                    "SELECT t.seq_tup_read, t.idx_tup_fetch, i.idx_tup_read FROM pg_stat_user_tables t"
                    " JOIN pg_stat_user_indexes i USING (relid)")
                scanned, fetched, entries = map(int, read.split("|"))
                self.assertEqual(scanned, 0)
                # Each is listed and loaded; whoever plans that looks at both ends of the index.
                self.assertTrue(0 < fetched <= 2 * most, fetched)
                self.assertTrue(0 < entries <= 2 * most + 10, entries)

    def test_what_belongs_to_postbacks_is_not_worth_a_word(self):
        self.assertEqual(self.report(self.postbacks(), AT).err, "")
        self.assertEqual(skan("outbox", self.received(PLAN, name="r.db")).err, "")
        # A receiver that has none yet gives a report of none.
        self.assertEqual(self.document(self.installs("none.db", 0))["counted"], 0)

    def test_check(self):
        answer = self.succeeded(skan("check", self.both()))
        self.assertEqual(answer.out, f"found 10 installs, {HELD}\n45 records read, 0 damaged, 0 too new\n")
        self.assertEqual(skan("check", self.installs()).out, "10 records read, 0 damaged, 0 too new\n")

    def test_check_names_damage_and_wrong_names_of_every_kind(self):
        url = self.both()
        records = self.records("b.db")
        counted = next(record for key, record in records.items() if key.startswith(b"postback/"))
        for key, record in {
            f"postback/{POSTBACK}": b"\0" + counted[1:], f"postback/{'b' * 64}": counted[:-1],
            f"refused/{'c' * 64}": b"skpb\xff" + counted[5:], f"outbox/{'d' * 64}/n/p": b"{}",
            f"postback/{'e' * 64}": records[b"player-0000000"], "player-x": counted,
            "outbox/x": outbox_entry(b"outbox/x"),
        }.items():
            self.put("b.db", key.encode(), record)
        answer = self.succeeded(skan("check", url), 1)
        for line in [
            f"postback/{POSTBACK}: damaged: record of a postback: its first bytes are not those of such a record",
            f"postback/{'b' * 64}: damaged: record of a postback: the checksum does not match",
            f"refused/{'c' * 64}: too new: record of a postback: format 255, this libskan reads format 1",
            f"outbox/{'d' * 64}/n/p: damaged: outbox: not an entry of this key",
            f"postback/{'e' * 64}: wrong name: an install under the name of a postback",
            "player-x: wrong name: a postback is under postback/ or refused/ and 64 hexadecimal digits",
            "outbox/x: wrong name: an outbox entry is under outbox/, its postback, network and partner",
        ]:
            self.assertIn(line, answer.lines())
        self.assertEqual(answer.lines()[-1], "52 records read, 3 damaged, 1 too new, 3 under wrong names")
        # What is under the name of another kind is in no report and in no outbox, and is not passed over either.
        answer = self.succeeded(skan("report", url, "--json"), 1)
        self.assertEqual(json.loads(answer.out)["counted"], 26)
        self.assertIn(f"skan: postback/{'e' * 64}: wrong name: an install under the name of a postback", answer.err)
        self.assertIn("skan: outbox/x: wrong name: ", self.succeeded(skan("outbox", url), 1).err)

    def test_move(self):
        both = self.both()
        records = self.records("b.db")
        answer = self.succeeded(skan("move", "--keep", both, self.sqlite("c.db")))
        self.assertEqual((answer.out, answer.err), (f"10 installs, {HELD} copied\n", ""))
        self.assertEqual(self.records("c.db"), records)
        self.assertEqual(self.succeeded(skan("move", both, self.sqlite("d.db"))).out, f"10 installs, {HELD} moved\n")
        self.assertEqual((self.records("d.db"), self.records("b.db")), (records, {}))

    def test_show(self):
        url = self.postbacks()
        key = next(key for key in self.records("p.db") if key.startswith(b"postback/")).decode()
        apart = next(key for key in self.records("p.db") if key.startswith(b"refused/")).decode()
        for name, found, advice in [
            (key, "a postback", FOR_POSTBACKS), (apart, "a refused postback", FOR_POSTBACKS),
            (OUTBOX_KEY, "an outbox entry", FOR_OUTBOX),
        ]:
            for options in [[], ["--json"]]:
                answer = skan("show", url, name, *options)
                self.assertEqual(answer.out, "")
                self.said(answer, f"skan: {name}: expected an install, found {found}: {advice}\n")
        answer = self.succeeded(skan("show", url, "player-1"), 1)
        self.assertIn(f"skan: player-1: no such install in {url}\n", answer.err)
        self.assertIn(f"skan: {url}: expected installs, found {HELD}: {FOR_POSTBACKS}", answer.err)
        both = self.both()
        self.assertEqual(skan("show", both, "nobody").err, f"skan: nobody: no such install in {both}\n")

    def test_show_a_user_of_skan_serve(self):
        url = self.installs()
        name = "v2-idfa/com.example.game/ABC"
        self.put("i.db", name.encode(), self.records("i.db")[b"player-0000000"])
        shown = skan("show", url, name).out
        self.assertRegex(shown, r"\nnamed as +a user of skan serve, app com.example.game, idfa ABC\n")
        self.assertNotIn("named as", self.succeeded(skan("show", url, "player-0000000")).out)
        self.assertEqual(len(skan("export", url).lines()), 11)
