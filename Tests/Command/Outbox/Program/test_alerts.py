"""The alert rules and the dashboard in share/skan: Prometheus takes them, and every metric that they name exists."""

import json
import re
import subprocess

from outbox_tools import SKADNETWORK, OutboxCase
from server_tools import MIXED, items4
from signer import skadnetwork
from tools import TOP

SHARE = TOP / "Include" / "packaging" / "share"
RULES = SHARE / "alerts.yml"
DASHBOARD = SHARE / "dashboard.json"
CASES = TOP / "Tests" / "Command" / "Server" / "Program" / "alerts_test.yml"
METRIC = re.compile(r"\b(?:skan|process)_[a-z_]+[a-z]\b")


def promtool(*arguments):
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, check=False)


class Rules(OutboxCase):
    def test_prometheus_takes_them(self):
        checked = promtool("check", "rules", RULES)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertRegex(checked.stdout, r"SUCCESS: \d+ rules found")

    def test_they_fire_when_they_should_and_only_then(self):
        cases = self.folder / "cases.yml"
        cases.write_text(CASES.read_text(encoding="utf-8").replace("RULES", str(RULES)), encoding="utf-8")
        tested = promtool("test", "rules", cases)
        self.assertEqual(tested.returncode, 0, tested.stdout + tested.stderr)


class Names(OutboxCase):
    def metrics(self):
        server = self.receive("--model", MIXED, "--store", self.sqlite("counts.db"), networks=self.networks(self.partner()))
        server.ask(**items4())
        self.assertEqual(self.outcome(server, skadnetwork(1), SKADNETWORK), (200, "counted"))
        return {name for name, _ in server.metrics()}

    def test_each_metric_that_they_name_exists(self):
        expressions = re.findall(r"expr: (?:>-\n)?((?:.+\n)(?:          .+\n)*)", RULES.read_text(encoding="utf-8"))
        self.assertGreater(len(expressions), 8)
        panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
        expressions += [target["expr"] for panel in panels for target in panel["targets"]]
        named = {name for expression in expressions for name in METRIC.findall(expression)}
        self.assertGreater(len(named), 20)
        self.assertEqual(named - self.metrics(), set())
