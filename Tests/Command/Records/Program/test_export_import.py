"""skan export and skan import, and both in a circle."""

import base64
import json

from stores import each_store
from tools import CommandCase, faults, make_damaged, skan


class RoundTrip(CommandCase):
    @each_store
    def test_export_import_export_is_equal(self, kind, url):
        source = self.filled("source.db", 2500)
        first = self.succeeded(skan("export", source))
        self.assertEqual(first.err, "")
        answer = self.succeeded(skan("import", url, "-", given=first.out))
        self.assertEqual(answer.out, "2500 lines read, 2500 imported, 0 already there, 0 refused\n")
        self.assertEqual(sorted(skan("export", url).lines()), sorted(first.lines()))
        again = self.succeeded(skan("import", url, "-", given=first.out))
        self.assertEqual(again.out, "2500 lines read, 0 imported, 2500 already there, 0 refused\n")
        self.assertEqual(sorted(skan("export", url).lines()), sorted(first.lines()))

    @each_store
    def test_ids_of_all_scripts(self, kind, url):
        self.filled("source.db", 1)
        record = self.records("source.db")[b"player-0000000"]
        ids = ["玩家 1", "é", "a\u0301", "\U0001f3ae", "\u009b", "\u2028"]
        ids += ['quote " and \\ and /', "a" * 128, "'; --", "%s%n", "*"]
        for install in ids:
            self.put("source.db", install.encode(), record)
        first = self.succeeded(skan("export", self.sqlite("source.db")))
        self.succeeded(skan("import", url, "-", given=first.out))
        self.assertEqual(set(self.exported(url)), {*ids, "player-0000000"})


class Export(CommandCase):
    def test_a_line_has_id_details_and_the_record(self):
        answer = self.succeeded(skan("export", self.filled("p.db", 10)))
        records = self.records("p.db")
        self.assertEqual([line["install_id"].encode() for line in answer.documents()], sorted(records))
        for line in answer.documents():
            self.assertEqual(list(line), ["install_id", "details", "record"])
            self.assertEqual(base64.b64decode(line["record"], validate=True), records[line["install_id"].encode()])
            shown = json.loads(skan("show", "--json", self.sqlite("p.db"), line["install_id"]).out)
            self.assertEqual(line["details"], shown)

    def test_damaged_records_come_with_their_error_and_bytes(self):
        url = self.filled("p.db", 5)
        damaged = make_damaged(self.records("p.db")[b"player-0000000"])
        for name, (record, _) in damaged.items():
            self.put("p.db", name.encode(), record)
        answer = self.succeeded(skan("export", url), 1)
        lines = {line["install_id"]: line for line in answer.documents()}
        self.assertEqual(len(lines), 5 + len(damaged))
        for name, (record, _) in damaged.items():
            self.assertIsNone(lines[name]["details"])
            self.assertTrue(lines[name]["error"].startswith("record"))
            self.assertEqual(base64.b64decode(lines[name]["record"], validate=True), record)
            self.assertIn(f"skan: {name}: {lines[name]['error']}\n", answer.err)
        self.assertIn(f"{len(lines)} lines exported, {len(damaged)} of them with an error", answer.err)

    def test_names_that_json_cannot_hold_are_left_out(self):
        url = self.filled("p.db", 1)
        self.put("p.db", b"\xff", self.records("p.db")[b"player-0000000"])
        answer = self.succeeded(skan("export", url), 1)
        self.assertEqual(len(answer.lines()), 1)
        self.assertIn("skan: \\xFF: left out, because it is not an install id: an install id is UTF-8\n", answer.err)

    def test_a_listing_that_repeats_keys_repeats_lines(self):
        url = self.filled("p.db", 3000)
        plain = skan("export", url)
        twice = self.succeeded(skan("export", url, **faults("list-twice=1")))
        self.assertGreater(len(twice.lines()), 3000)
        self.assertEqual(set(twice.lines()), set(plain.lines()))
        self.succeeded(skan("import", self.sqlite("q.db"), "-", given=twice.out))
        self.assertEqual(self.records("q.db"), self.records("p.db"))


class Import(CommandCase):
    def setUp(self):
        super().setUp()
        self.line = skan("export", self.filled("source.db", 1)).out.rstrip("\n")
        self.document = json.loads(self.line)
        self.record = self.records("source.db")[b"player-0000000"]
        self.url = self.sqlite("p.db")

    def imported(self, text, *options, code=0, **more):
        return self.succeeded(skan("import", *options, self.url, "-", given=text, **more), code)

    def line_of(self, **members):
        return json.dumps({**self.document, **members})

    def test_a_file(self):
        self.file("lines").write_text(self.line)
        answer = self.succeeded(skan("import", self.url, self.file("lines")))
        self.assertEqual(answer.out, "1 line read, 1 imported, 0 already there, 0 refused\n")
        self.assertEqual(self.records("p.db"), self.records("source.db"))

    def test_a_file_that_is_not_there_or_a_folder(self):
        answer = self.succeeded(skan("import", self.url, self.file("none")), 1)
        self.assertIn("none: No such file or directory", answer.err)
        self.assertFalse(self.file("p.db").exists())
        self.assertIn("Is a directory", self.succeeded(skan("import", self.url, self.folder), 1).err)

    def test_a_record_that_is_there_stays(self):
        self.imported(self.line)
        before = self.records("p.db")
        answer = self.imported(self.line)
        self.assertEqual(answer.out, "1 line read, 0 imported, 1 already there, 0 refused\n")
        other = json.dumps({"install_id": "player-0000000", "details": {"skan_total_revenue_by_currency": {"USD": 7}}})
        answer = self.imported(other)
        self.assertEqual(
            answer.out, "1 line read, 0 imported, 1 already there (1 of them with other contents), 0 refused\n"
        )
        self.assertEqual(self.records("p.db"), before)

    def test_wrong_lines_are_named_and_the_others_go_on(self):
        """What else is a wrong line is in InstallLineTests."""
        damaged = {
            name: self.line_of(record=base64.b64encode(record).decode())
            for name, (record, _) in make_damaged(self.record).items() if len(record) < 40000
        }
        wrong = {
            "half": (self.line[:100], "expected one JSON object"),
            "no UTF-8": ('{"install_id": "\udcff"}', "expected one JSON object"),
            "an empty id": (self.line_of(install_id=""), "an install id is not empty"),
            "an empty record": (self.line_of(record=""), "record: record"),
            "a numeric record": (self.line_of(record=1, details=None), "expected a \"record\", or \"details\""),
            "too long": (self.line + " " * 262144, "longer than 256 KiB"),
            "wrong details": (
                '{"install_id": "a", "details": {"skan_total_revenue_by_currency": {"USD": "much"}}}', "details: "
            ),
            **{name: (line, "record: record") for name, line in damaged.items()},
        }
        lines, numbers = [], {}
        for line, why in wrong.values():
            lines.append(self.line_of(install_id=f"right-{len(lines)}"))
            lines.append(line)
            numbers[len(lines)] = why
        lines.append(self.line_of(install_id="last"))
        answer = self.imported("\n".join(lines), code=1)
        right = len(wrong) + 1
        self.assertEqual(
            answer.out, f"{len(lines)} lines read, {right} imported, 0 already there, {len(wrong)} refused\n"
        )
        self.assertEqual(len(self.records("p.db")), right)
        said = answer.err.splitlines()
        self.assertEqual(len(said), len(wrong), answer)
        for line, (number, why) in zip(said, numbers.items()):
            self.assertTrue(line.startswith(f"skan: standard input: line {number}: {why}"), line)

    def test_line_ends_and_empty_lines(self):
        text = "\n\n" + self.line + "\r\n\n" + self.line_of(install_id="b") + " \t\n"
        self.assertIn("5 lines read, 2 imported, 0 already there, 0 refused", self.imported(text).out)

    def test_the_same_install_twice(self):
        lines = [self.line_of(install_id=name) for name in "abca"]
        self.assertIn("4 lines read, 3 imported, 1 already there, 0 refused", self.imported("\n".join(lines)).out)

    def test_details_alone(self):
        details = (
            '{"skan_current_conversion_value": "12", "skan_first_call_to_skadnetwork_timestamp": 1700000000,'
            ' "skan_total_revenue_by_currency": {"USD": 123456789012345678.123456789012, "EUR": 0.10},'
            ' "more": [1, {"}": "]"}]}'
        )
        text = '{"details": ' + details + ', "install_id": "a", "other": "\\"details\\": {"}'
        self.assertIn("1 line read, 1 imported", self.imported(text).out)
        shown = skan("show", "--json", self.url, "a").out
        self.assertIn('"skan_current_conversion_value":12,', shown)
        self.assertIn('{"EUR":0.1,"USD":123456789012345678.123456789012}', shown)
        again = self.imported(text)
        self.assertEqual(again.out, "1 line read, 0 imported, 1 already there, 0 refused\n")

    def test_numbers_of_more_than_64_bits_are_told_as_they_are_written(self):
        for details in [{"p0_coarse": 10**40}, {"skan_total_revenue_by_currency": {"USD": 1.5, "EUR": -(10**40)}}]:
            text = json.dumps({"install_id": "a", "details": details})
            self.assertRegex(self.imported(text, code=1).err, f'got the number "-?{10**40}"\n')

    def test_outcomes_that_are_unknown_are_looked_up(self):
        first = skan("export", self.filled("many.db", 2500))
        for fault in ["save-lost=7", "save-made=5"]:
            self.url = self.sqlite(f"{fault}.db")
            answer = self.imported(first.out, **faults(fault))
            self.assertEqual(answer.out, "2500 lines read, 2500 imported, 0 already there, 0 refused\n")
            self.assertEqual(self.records(f"{fault}.db"), self.records("many.db"))

    def test_saves_that_fail_are_named(self):
        first = skan("export", self.filled("many.db", 10))
        answer = self.imported(first.out, code=1, **faults("save-fails=4"))
        self.assertEqual(answer.out, "10 lines read, 8 imported, 0 already there, 0 refused, 2 could not be saved\n")
        self.assertIn("skan: standard input: line 4: could not be saved: an accident\n", answer.err)
        answer = self.imported(first.out)
        self.assertEqual(answer.out, "10 lines read, 2 imported, 8 already there, 0 refused\n")

    def test_a_store_that_takes_nothing_ends_it(self):
        first = skan("export", self.filled("many.db", 3000))
        answer = self.imported(first.out, code=1, **faults("save-fails=1"))
        self.assertTrue(answer.out.startswith("not all: 1025 lines read, 0 imported"), answer.out)
        self.assertIn("the import ends after line 1025", answer.err)

    def test_a_store_that_takes_nothing_ends_it_where_an_install_comes_twice(self):
        one, other = skan("export", self.filled("two.db", 2)).lines()
        answer = self.imported(f"{one}\n{one}\n{other}\n", code=1, **faults("save-fails=1"))
        self.assertTrue(answer.out.startswith("not all: 2 lines read, 0 imported"), answer.out)
