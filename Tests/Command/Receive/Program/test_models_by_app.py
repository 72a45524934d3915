"""Models by app: which model decodes which app's postbacks, in skan receive, serve, postbacks and report."""

import json

from outbox_tools import SKADNETWORK, OutboxCase
from signer import APP, OTHER_APP, attribution_kit, keys_file, skadnetwork
from test_receive_files import ReceiveCase, lines
from tools import skan

THIRD_APP = 1600000001


def model(folder, name, amount, **more):
    """Fine value 2 means this much revenue."""
    rule = {"fine": 2, "when": {"revenue": {"kind": "iap", "scope": "window", "min": amount}}}
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"schema": 1, "id": name, "protocol": 4, "currency": "USD", **more,
                                "windows": [{"rules": [rule]}, {"rules": []}, {"rules": []}]}))
    return file


def valued(number, app, **more):
    return skadnetwork(number, app=app, **{"conversion-value": 2}, **more)


class AppsCase(ReceiveCase):
    def setUp(self):
        super().setUp()
        self.keys = ["--postback-keys", keys_file(self.folder)]
        self.scope = ["--app-id", APP, "--app-id", OTHER_APP, *self.keys]
        self.one, self.other = model(self.folder, "one", 1), model(self.folder, "other", 10)
        self.both = self.written("both", lines(valued(1, APP), valued(2, OTHER_APP)))
        self.own = [f"{APP}={self.one}", f"{OTHER_APP}={self.other}"]

    def amounts(self, *options, url=None):
        rows = self.succeeded(skan("postbacks", url or self.url, *options)).documents()
        return {row["app_id"]: row["revenue_min"] for row in rows}

    def given(self, option, *values):
        return [word for value in values for word in (option, value)]

    def refused(self, answer, code, *names):
        self.assertEqual(answer.code, code, answer)
        self.assertIn(f"postbacks of two apps, {APP} and {OTHER_APP}: say which app it is of", answer.err)
        for name in names:
            self.assertIn(str(name), answer.err)


class Received(AppsCase):
    def test_each_app_is_decoded_by_its_own_model(self):
        for number, options in enumerate([
            self.given("--postback-model", f"{APP}:0={self.one}", f"{OTHER_APP}:2020-01-01={self.other}"),
            self.given("--model", *self.own),
            self.given("--model", *self.own[1:]) + ["--postback-model", f"0={self.one}"],
        ]):
            with self.subTest(options=options):
                self.url = self.sqlite(f"{number}.db")
                answer = self.receive(self.both, *options)
                self.assertEqual((answer.out, answer.err), ("2 postbacks read, 2 counted\n", ""))
                self.assertEqual(self.amounts("--model", self.one, "--model", self.other),
                                 {APP: "1.00", OTHER_APP: "10.00"})

    def test_one_model_for_two_apps_is_refused_before_anything_is_read(self):
        for option, value in (("--postback-model", f"0={self.one}"), ("--model", self.one)):
            self.refused(skan("receive", self.url, self.both, *self.scope, option, value), 2, option, self.one)
        self.assertFalse(self.file("p.db").exists())

    def test_of_any_app_the_first_ends_the_run_that_is_not_of_the_first_one(self):
        file = self.written("many", lines(valued(1, APP), valued(2, APP), valued(3, OTHER_APP), valued(4, APP)))
        answer = skan("receive", self.url, file, "--any-app", *self.keys, "--model", self.one)
        self.refused(answer, 1, f"{file}:3")
        self.assertEqual(answer.out, "not all: 2 postbacks read, 2 counted\n")
        answer = skan("receive", self.url, file, "--any-app", *self.keys, *self.given("--model", *self.own))
        self.assertEqual((answer.code, answer.out), (0, "4 postbacks read, 2 counted, 2 duplicates\n"))

    def test_that_a_model_holds_for_several_apps_can_be_said(self):
        for number, apps in enumerate((f"{APP},{OTHER_APP}", "any")):
            self.url = self.sqlite(f"{number}.db")
            self.receive(self.both, "--postback-model", f"{apps}:0={self.one}")
            self.assertEqual(self.amounts("--model", f"{apps}={self.one}"), {APP: "1.00", OTHER_APP: "1.00"})

    def test_one_model_for_one_app_needs_no_app(self):
        self.scope = ["--app-id", APP, *self.keys]
        self.receive(self.written("own", lines(valued(1, APP), valued(2, APP))), "--model", self.one)
        self.assertEqual(self.amounts("--model", self.one), {APP: "1.00"})

    def test_two_models_of_an_app_from_the_same_time_are_refused(self):
        answer = skan("receive", self.url, self.both, *self.scope, *self.given(
            "--postback-model", f"{APP}:0={self.one}", f"{APP}:0={self.other}", f"{OTHER_APP}:0={self.other}"))
        self.assertEqual(answer.code, 1)
        self.assertIn("expected a later moment", answer.err)

    def test_reengagements_are_bound_as_installs_are(self):
        keys = [*self.given("--reengagement-model", f"{APP}:0={self.one}", f"{OTHER_APP}:0={self.other}")]
        body = [attribution_kit(number, app=app, conversion_type="re-engagement", **{"conversion-value": 2})
                for number, app in enumerate((APP, OTHER_APP))]
        self.receive(self.written("taps", lines(*body)), *keys)
        self.assertEqual(self.amounts(*keys), {APP: "1.00", OTHER_APP: "10.00"})
        answer = skan("receive", self.url, self.both, *self.scope, "--reengagement-model", f"0={self.one}")
        self.refused(answer, 2, "--reengagement-model")


class Read(AppsCase):
    """By skan postbacks and skan report, of postbacks that were stored undecoded."""

    def setUp(self):
        super().setUp()
        self.receive(self.both)

    def total(self, *options):
        [report] = self.succeeded(skan("report", self.url, "--json", *options)).documents()
        return report["total"]["revenue"]["min"] if "total" in report else report["revenue"]["min"]

    def test_each_app_is_decoded_by_its_own_model(self):
        for values in (self.own, [f"{APP}:0={self.one}", f"{OTHER_APP}:2020-01-01={self.other}"]):
            options = self.given("--model", *values)
            self.assertEqual(self.amounts(*options), {APP: "1.00", OTHER_APP: "10.00"})
        self.assertEqual(self.amounts("--model", self.own[0]), {APP: "1.00", OTHER_APP: None})

    def test_one_model_for_two_apps_is_refused_and_no_row_is_printed(self):
        for value in (self.one, f"0={self.one}", f"2020-01-01={self.one}"):
            answer = skan("postbacks", self.url, "--model", value)
            self.refused(answer, 1, "one")
            self.assertEqual(answer.out, "")
            self.refused(skan("report", self.url, "--model", value), 1, "one")

    def test_of_one_app_one_model_is_enough(self):
        self.assertEqual(self.amounts("--app", APP, "--model", self.one), {APP: "1.00"})
        self.succeeded(skan("report", self.url, "--app", APP, "--model", self.one))

    def test_rows_of_one_app(self):
        self.assertEqual(self.amounts("--app", OTHER_APP, *self.given("--model", *self.own)), {OTHER_APP: "10.00"})

    def test_a_model_of_another_app_decodes_nothing_that_was_stored_with_it(self):
        url = self.sqlite("wrong.db")
        self.succeeded(skan("receive", url, self.both, *self.scope, "--model", f"any={self.one}"))
        self.assertEqual(self.amounts(*self.given("--model", *self.own), url=url), {APP: "1.00", OTHER_APP: None})
        given = self.given("--model", self.own[0], f"{OTHER_APP}:0={self.other}")
        self.assertEqual(self.amounts(*given, url=url), {APP: "1.00", OTHER_APP: "10.00"})

    def test_an_app_whose_id_could_be_a_time(self):
        url = self.sqlite("third.db")
        third = self.written("third", valued(1, THIRD_APP))
        self.succeeded(skan("receive", url, third, "--any-app", *self.keys))
        self.assertEqual(self.amounts("--model", f"{THIRD_APP}:0={self.one}", url=url), {THIRD_APP: "1.00"})
        self.assertEqual(self.amounts("--model", f"{THIRD_APP}={self.one}", url=url), {THIRD_APP: "1.00"})


class TwoStores(AppsCase):
    """Two apps in one store come out as in stores of their own."""

    def setUp(self):
        super().setUp()
        moments = [1767225600 + 86400 * number for number in range(40)]
        bodies = {app: [self.arrived(app, number, moment) for number, moment in enumerate(moments)]
                  for app in (APP, OTHER_APP)}
        self.urls = {}
        for app, own in ((APP, self.one), (OTHER_APP, self.other)):
            self.urls[app] = self.sqlite(f"{app}.db")
            file = self.written(f"{app}.jsonl", lines(*bodies[app]))
            self.succeeded(skan("receive", self.urls[app], file, "--app-id", app, *self.keys, "--model", own,
                                "--received-field", "received_at"))
        mixed = [body for pair in zip(bodies[APP], bodies[OTHER_APP]) for body in pair]
        self.receive(self.written("mixed", lines(*mixed)), "--received-field", "received_at",
                     *self.given("--model", *self.own))

    def arrived(self, app, number, moment):
        body = json.loads(skadnetwork(f"{app}-{number}", app=app, identifier=str(5200 + number % 3),
                                      window=0, **{"conversion-value": 2 if number % 4 else 7}))
        return json.dumps({**body, "received_at": moment}).encode()

    def test_rows_and_figures_are_equal(self):
        own = self.given("--model", *self.own)
        rows = self.succeeded(skan("postbacks", self.url, *own)).lines()
        apart = [line for app, file in ((APP, self.one), (OTHER_APP, self.other))
                 for line in self.succeeded(skan("postbacks", self.urls[app], "--model", file)).lines()]
        self.assertEqual(sorted(rows), sorted(apart))
        self.assertEqual(len(rows), 80)
        for app, file in ((APP, self.one), (OTHER_APP, self.other)):
            options = ["report", "--at", "2026-06-01"]
            for form in ("--csv", "--json", "--by=ad-set"):
                form = ["--by", "ad-set"] if form.startswith("--by") else [form]
                mixed = skan(*options[:1], self.url, *options[1:], *form, "--app", app, *own)
                alone = skan(*options[:1], self.urls[app], *options[1:], *form, "--app", app, "--model", file)
                self.assertEqual(self.succeeded(mixed).out.replace(self.url, ""),
                                 self.succeeded(alone).out.replace(self.urls[app], ""))


class Served(OutboxCase):
    def test_partners_get_the_amounts_of_the_own_model(self):
        one, other = model(self.folder, "one", 1), model(self.folder, "other", 10)
        partner = self.partner()
        networks = self.networks(partner, items="id={id}&app={app_id}&min={revenue_min}")
        server = self.receive("--postback-model", f"{APP}:0={one}", "--postback-model", f"{OTHER_APP}:0={other}",
                              networks=networks, scope=("--app-id", APP, "--app-id", OTHER_APP))
        for number, app in enumerate((APP, OTHER_APP)):
            self.assertEqual(self.outcome(server, valued(number, app), SKADNETWORK), (200, "counted"))
        self.eventually(lambda: len(partner.ids()) == 2)
        told = {call["app"]: call["min"] for call in partner.calls}
        self.assertEqual(told, {str(APP): "1", str(OTHER_APP): "10"})

    def test_what_is_not_counted_takes_no_model(self):
        one = model(self.folder, "one", 1)
        server = self.receive("--postback-model", f"0={one}")
        for number, (app, outcome) in enumerate(((OTHER_APP, "other_app"), (APP, "counted"), (OTHER_APP, "other_app"))):
            self.assertEqual(self.outcome(server, valued(number, app), SKADNETWORK), (200, outcome))
        rows = self.succeeded(skan("postbacks", self.url, "--model", one)).documents()
        self.assertEqual([row["decoding"] for row in rows], ["decoded"])

    def test_a_server_for_two_apps_and_one_model_does_not_start(self):
        one = model(self.folder, "one", 1)
        for option in (("--postback-model", f"0={one}"), ("--model", one)):
            self.refused(f"two apps, {APP} and {OTHER_APP}", *option, scope=("--app-id", APP, "--app-id", OTHER_APP))

    def test_of_any_app_one_model_decodes_the_first(self):
        one = model(self.folder, "one", 1)
        server = self.receive("--postback-model", f"0={one}", scope=("--any-app",))
        for number, app in enumerate((APP, OTHER_APP, OTHER_APP)):
            self.assertEqual(self.outcome(server, valued(number, app), SKADNETWORK), (200, "counted"))
        server.stop()
        words = [line["message"] for line in server.log() if line["event"] == "model"]
        self.assertEqual(len(words), 1)
        self.assertIn(f"two apps, {APP} and {OTHER_APP}", words[0])
        rows = self.succeeded(skan("postbacks", self.url, "--model", f"any={one}", "--app", APP)).documents()
        self.assertEqual([row["decoding"] for row in rows], ["decoded"])
        stored = self.succeeded(skan("postbacks", self.url, "--app", OTHER_APP)).documents()
        self.assertEqual([row["decoding"] for row in stored], ["none", "none"])
