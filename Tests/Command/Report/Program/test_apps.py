"""Several apps in one report: the figures of each app alone, and whose costs they have."""

import csv
import io
import json

from signer import APP, OTHER_APP, keys_file, skadnetwork
from tools import CommandCase, skan

NETWORK = "net1.skadnetwork"


def model(amount):
    rule = {"fine": 2, "when": {"revenue": {"kind": "all", "min": amount}}}
    return {"schema": 1, "id": f"m{amount}", "protocol": 4, "currency": "USD",
            "windows": [{"rules": [rule]}, {"rules": []}, {"rules": []}]}


# Both apps have a campaign 39 of the same network; the last row is of both apps.
COSTS = f"""network,identifier,campaign,cost,currency,app
{NETWORK},39,Spring,5,USD,{APP}
{NETWORK},39,Winter,8,USD,{OTHER_APP}
{NETWORK},40,Both,3,USD,
"""


class Apps(CommandCase):
    def setUp(self):
        super().setUp()
        self.keys = keys_file(self.folder)
        self.models = {}
        for app, amount in ((APP, 1), (OTHER_APP, 10)):
            self.models[app] = self.file(f"{app}.json")
            self.models[app].write_text(json.dumps(model(amount)))
        self.file("costs.csv").write_text(COSTS)
        plan = [(APP, "5139", 2), (APP, "5239", 5), (OTHER_APP, "39", 2), (OTHER_APP, "40", 2), (OTHER_APP, "40", None)]
        self.bodies = [
            (app, skadnetwork(number, NETWORK, app=app, identifier=identifier,
                              **({} if value is None else {"conversion-value": value})))
            for number, (app, identifier, value) in enumerate(plan)]
        self.url = self.received("both.db", APP, OTHER_APP)
        self.own = [f"--model={app}={file}" for app, file in self.models.items()]
        self.costs = f"--campaigns={self.file('costs.csv')}"

    def received(self, name, *apps):
        file = self.file(f"{name}.jsonl")
        file.write_bytes(b"".join(body[:-1] + b', "at": 1767225600}\n' for app, body in self.bodies if app in apps))
        url = self.sqlite(name)
        self.succeeded(skan("receive", url, file, *(word for app in apps for word in ("--app-id", app)),
                            "--postback-keys", self.keys, "--received-field", "at"))
        return url

    def document(self, url, *options):
        [found] = self.succeeded(skan("report", url, "--json", "--at=2026-06-01", *options)).documents()
        return found

    def figures(self, line):
        return [line["installs"], line["revenue"]["min"], line.get("cost")]

    def test_each_app_has_figures_of_its_own_as_in_a_store_of_its_own(self):
        both = self.document(self.url, *self.own, self.costs)
        self.assertEqual([each["app"] for each in both["apps"]], [APP, OTHER_APP])
        self.assertEqual((both["counted"], [each["counted"] for each in both["apps"]]), (5, [2, 3]))
        self.assertEqual(self.figures(both["total"])[1], "21.00")
        for each, cost in zip(both["apps"], ("5.00", "8.00")):
            app = each["app"]
            alone = self.document(self.received(f"{app}.db", app), f"--model={self.models[app]}")
            self.assertEqual(each["costs"]["counted"], cost)
            for key in ("counted", "fine_values", "coarse_values", "values_without_revenue", "days", "refused"):
                self.assertEqual(each[key], alone[key], key)
            self.assertEqual(each["total"]["revenue"], alone["total"]["revenue"])
            self.assertEqual(each["total"]["windows"], alone["total"]["windows"])
        for app in (APP, OTHER_APP):
            own = self.document(self.url, *self.own, f"--app={app}")
            alone = self.document(self.received(f"{app}.db", app), f"--model={self.models[app]}", f"--app={app}")
            self.assertEqual({**own, "store": ""}, {**alone, "store": ""})
            self.assertNotIn("apps", own)
            without_costs = self.document(self.url, *self.own)
            self.assertEqual(next(each["total"] for each in without_costs["apps"] if each["app"] == app), own["total"])

    def test_campaigns_of_one_identifier_have_names_and_costs_of_their_app(self):
        both = self.document(self.url, *self.own, self.costs)
        campaigns = {each["app"]: {line["identifier"]: (line["name"], line["cost"])
                                   for line in each["total"]["networks"][0]["campaigns"]} for each in both["apps"]}
        self.assertEqual(campaigns, {APP: {"39": ("Spring", "5.00")},
                                     OTHER_APP: {"39": ("Winter", "8.00"), "40": ("Both", None)}})
        names = [line["name"] for line in both["total"]["networks"][0]["campaigns"]]
        self.assertEqual(names, ["Spring / Winter", "Both"])
        self.assertEqual(both["total"]["cost"], "16.00")

    def test_app_limits_costs_and_models(self):
        own = self.document(self.url, *self.own, self.costs, f"--app={APP}")
        self.assertEqual(own["costs"]["counted"], "8.00")
        said = self.succeeded(skan("report", self.url, *self.own, self.costs, f"--app={APP}")).out
        self.assertIn("Costs of 3.00 USD name no app and count as if they were of this one.", said)
        self.file("costs.csv").write_text(COSTS.rsplit("\n", 2)[0] + "\n")
        own = self.document(self.url, *self.own, self.costs, f"--app={APP}")
        self.assertEqual(own["costs"]["counted"], "5.00")

    def test_table_csv_and_page_say_the_same(self):
        table = self.succeeded(skan("report", self.url, *self.own, self.costs)).out
        self.assertIn(f"\napp {APP}\n", table)
        self.assertIn(f"\napp {OTHER_APP}\n", table)
        self.assertIn("Costs of 3.00 USD name no app and are in the figures of none.", table)
        rows = list(csv.DictReader(io.StringIO(
            self.succeeded(skan("report", self.url, *self.own, self.costs, "--csv")).out, newline="")))
        apps = [(row["app"], row["installs"], row["revenue_min"], row["cost"])
                for row in rows if row["level"] == "app" and row["window"] == "all"]
        self.assertEqual(apps, [(str(APP), "2", "1.00", "5.00"), (str(OTHER_APP), "3", "20.00", "8.00")])
        self.assertEqual({row["app"] for row in rows if row["level"] != "app"}, {""})
        page = self.succeeded(skan("report", self.url, *self.own, self.costs, "--html")).out
        for app in (APP, OTHER_APP):
            self.assertIn(f"<h3>App {app}</h3>", page)

    def test_one_app_has_no_section_of_its_own(self):
        url = self.received("one.db", APP)
        self.assertNotIn("apps", self.document(url, *self.own))
        self.assertNotIn(f"app {APP}", self.succeeded(skan("report", url, *self.own)).out)
        self.assertNotIn("<h3>", self.succeeded(skan("report", url, *self.own, "--html")).out)

    def test_rows_have_the_names_of_their_app(self):
        rows = self.succeeded(skan("postbacks", self.url, *self.own, self.costs)).documents()
        names = {(row["app_id"], row["source_identifier"]): row["campaign_name"] for row in rows}
        self.assertEqual(names, {(APP, "5139"): "Spring", (APP, "5239"): "Spring", (OTHER_APP, "39"): "Winter",
                                 (OTHER_APP, "40"): "Both"})
