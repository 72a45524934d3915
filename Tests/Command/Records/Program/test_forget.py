"""skan forget: Rules, "Forget", "Endpoint users"."""

import json

from tools import CommandCase, faults, make_damaged, skan

IDFV = "21DB6612-09B3-4ECC-84AC-B353B0AF1334"


class Forget(CommandCase):
    def test_installs(self):
        url = self.filled("p.db", 10)
        answer = self.succeeded(skan("forget", url, "player-0000001", "player-0000004"))
        self.assertEqual((answer.out, answer.err), ("2 records removed\n", ""))
        answer = self.succeeded(skan("forget", url, "player-0000001", "player-0000005"), 1)
        self.assertEqual(answer.out, "1 record removed\n")
        self.assertIn("player-0000001: no such install", answer.err)
        self.assertEqual(len(self.records("p.db")), 7)

    def test_users_of_serve_in_either_spelling(self):
        keys = [f"v2/app/{IDFV}", f"v1/app/{IDFV}", f"v2-idfa/app/{IDFV}", f"v2/other/{IDFV}"]
        lines = [json.dumps({"install_id": key, "details": {"skan_total_revenue_by_currency": {"USD": 1}}})
                 for key in keys]
        url = self.sqlite("u.db")
        self.succeeded(skan("import", url, "-", given="\n".join(lines)))
        answer = self.succeeded(skan("forget", url, "--app", "app", "--idfv", IDFV.lower()))
        self.assertEqual(answer.out, "2 records removed\n")
        answer = self.succeeded(skan("forget", url, "--app", "app", "--idfa", IDFV))
        self.assertEqual(answer.out, "1 record removed\n")
        self.assertEqual(set(self.records("u.db")), {keys[3].encode()})

    def test_users_without_ids_of_apple(self):
        items = ["sing", "sdid", "custom_user_id"]
        keys = [f"v{version}-{item}/app/one" for item in items for version in (1, 2)]
        kept = ["v2/app/one", "v2-sing/app/ONE"]  # the same text as an idfv, and another one as a sing
        keys += kept
        lines = [json.dumps({"install_id": key, "details": {}}) for key in keys]
        url = self.sqlite("u.db")
        self.succeeded(skan("import", url, "-", given="\n".join(lines)))
        for item in items:
            answer = self.succeeded(skan("forget", url, "--app", "app", "--" + item.replace("_", "-"), "one"))
            self.assertEqual(answer.out, "2 records removed\n", item)
        self.assertEqual(set(self.records("u.db")), {key.encode() for key in kept})

    def test_damaged_records_go_and_postbacks_stay(self):
        url = self.filled("p.db", 3)
        damaged = make_damaged(self.records("p.db")[b"player-0000000"])
        for name, (record, _) in damaged.items():
            self.put("p.db", name.encode(), record)
        self.put("p.db", b"postback/" + b"0" * 64, b"skpb")
        self.succeeded(skan("forget", url, *damaged))
        answer = self.succeeded(skan("forget", url, "postback/" + "0" * 64), 1)
        self.assertIn("expected an install, found a postback", answer.err)
        self.assertEqual(len(self.records("p.db")), 4)

    def test_both_records_of_a_rename_go(self):
        for number in range(1, 5):
            for forgotten in [["player-0000004", "new"], ["new", "player-0000004"]]:
                url = self.filled("p.db", 10)
                skan("rename", url, "player-0000004", "new", **faults(f"save-fails={number}"))
                skan("forget", url, *forgotten)
                self.assertEqual(len(self.records("p.db")), 9, (number, forgotten))

    def test_the_command_line(self):
        for words in [[], ["--app", "a"], ["--idfv", "b"], ["x" * 129]]:
            self.succeeded(skan("forget", self.sqlite("none.db"), *words), 2)
