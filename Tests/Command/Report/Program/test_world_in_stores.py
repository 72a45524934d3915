"""The report of a simulated app says the same from every kind of store, each of which lists in another order."""

import json
import subprocess
from pathlib import Path

from stores import each_store
from tools import COMMAND, CommandCase
from worlds import world

SEED, INSTALLS, PART = 1005, 2000, 70


class World(CommandCase):
    def total(self, words):
        run = subprocess.run([*words, "--json"], stdout=subprocess.PIPE, check=True)
        return json.loads(run.stdout)["total"]

    @each_store
    def test_estimates_do_not_depend_on_the_order_in_which_a_store_lists(self, kind, url):
        folder = Path(self.folder) / kind
        folder.mkdir()
        words = world(folder, "none", SEED, INSTALLS, PART)
        (store,) = [word for word in words if word.startswith("sqlite:")]
        subprocess.run([COMMAND, "move", "--keep", store, url], check=True, stdout=subprocess.DEVNULL)
        expected = self.total(words)
        self.assertIsNotNone(expected["estimated_revenue"]["day_35"]["estimate"])
        self.assertEqual(self.total([word.replace(store, url) for word in words]), expected)
