"""The page of a simulated app with its own installs: what stands first, what cannot be estimated, and how it looks."""

import subprocess
from pathlib import Path

from browser import browser_of_run
from test_page import OVERLAPS
from tools import CommandCase
from worlds import world

# One of its campaigns has values with too few own installs behind them.
SEED, INSTALLS, PART = 1050, 3000, 70

HEADINGS = "[...document.querySelectorAll('h2')].map(each => each.innerText)"
TITLES = "[...document.querySelectorAll('figcaption')].map(each => each.innerText)"
# Of each group of charts the part of its area that no chart covers.
HOLES = """
[...document.querySelectorAll('.charts')].map(group => {
    const gap = parseFloat(getComputedStyle(group).rowGap), around = group.getBoundingClientRect();
    const area = box => (box.width + gap) * (box.height + gap);
    const charts = [...group.children].reduce((sum, each) => sum + area(each.getBoundingClientRect()), 0);
    return 1 - charts / area(around);
})
"""
# Words that are cut without an ellipsis, or without a title that has all of them.
CUT = """
[...document.querySelectorAll('svg .label')].filter(each => each.scrollWidth > each.clientWidth
    && (getComputedStyle(each).textOverflow !== 'ellipsis' || each.title !== each.textContent)
).map(each => each.textContent)
"""
# The rows of the table of estimates; intervals and reasons on more than two lines; captions that the page cuts.
ROWS = "[...document.querySelectorAll('[aria-label=\"Estimated revenue\"] tbody tr')].map(each => each.innerText)"
TALL = """
[...document.querySelectorAll('td small')].filter(each =>
    each.offsetHeight > 2.2 * parseFloat(getComputedStyle(each).lineHeight)).map(each => each.innerText)
"""
CUT_CAPTIONS = """
[...document.querySelectorAll('main > .wide caption')].filter(each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect().right > innerWidth;
}).map(each => each.innerText)
"""


class World(CommandCase):
    def setUp(self):
        super().setUp()
        self.words = world(Path(self.folder), "none", SEED, INSTALLS, PART)

    def report(self, *options, words=None):
        run = subprocess.run([*(words or self.words), *options], stdout=subprocess.PIPE, check=True)
        return run.stdout.decode()

    def opened(self, text):
        page = Path(self.folder) / "page.html"
        page.write_text(text)
        browser = browser_of_run()
        browser.open(page.as_uri())
        return browser

    def test_the_headline_comes_first_then_return_on_ad_spend_then_the_rest(self):
        browser = self.opened(self.report("--html"))
        first = browser.ask("document.querySelector('.facts dt').innerText")
        self.assertIn("revenue to date", first)
        headings = browser.ask(HEADINGS)
        self.assertEqual(headings[:2], ["Return on ad spend", "Estimated revenue in USD"])
        self.assertEqual(browser.ask(TITLES)[:3], [
            "Estimated return on ad spend to date, by campaign", "Estimated revenue to date by campaign",
            "Estimated revenue until day 35 by campaign",
        ])
        without = [word for word in self.words if not word.startswith("--installs")]
        browser = self.opened(self.report("--html", words=without))
        self.assertEqual(browser.ask(TITLES)[0], "Return on ad spend at least, by campaign")

    def test_what_cannot_be_estimated_is_a_sentence_with_how_many_installs_it_would_take(self):
        expected = (r"No revenue can be estimated for 1 campaign: more than 5 % of the installs have values that fewer"
                    r" than 10 own installs have\. This is how many more own installs with these values it"
                    r" would take: Campaign 10 \(10\), network-0\.example: about \d+ more\.")
        for form in [[], ["--html"]]:
            self.assertRegex(self.report(*form), expected)
        browser = self.opened(self.report("--html"))
        labels = browser.ask("[...document.querySelectorAll('[aria-labelledby^=estimate] .label')]"
                             ".map(each => each.textContent)")
        self.assertNotIn("Campaign 10 (10), network-0.example", labels)
        self.assertIn("Campaign 18 (18), network-2.example", labels)

    def test_there_is_no_hole_between_charts_and_nothing_is_wider_than_the_page(self):
        browser = self.opened(self.report("--html"))
        for scheme in ["light", "dark"]:
            for width in [390, 1280]:
                browser.look(width, scheme)
                with self.subTest(scheme=scheme, width=width):
                    self.assertLessEqual(browser.ask("document.documentElement.scrollWidth"), width)
                    self.assertEqual(browser.ask(OVERLAPS), [])
                    self.assertEqual(browser.ask(CUT), [])
                    self.assertEqual((browser.ask(TALL), browser.ask(CUT_CAPTIONS)), ([], []))
                    self.assertTrue(all(hole < 0.01 for hole in browser.ask(HOLES)), browser.ask(HOLES))

    def test_lines_without_installs_are_in_the_table_of_all_figures_alone(self):
        names = Path(self.folder) / "more.csv"
        (given,) = [word for word in self.words if word.startswith("--campaigns=")]
        rows = Path(given.partition("=")[2]).read_text()
        names.write_text(rows + "nobody.example,77,A campaign that never ran" + "," * (rows.split("\n")[0].count(",") - 2))
        words = [f"--campaigns={names}" if word == given else word for word in self.words]
        browser = self.opened(self.report("--html", words=words))
        self.assertIn("A campaign that never ran", browser.ask("document.body.innerText"))
        rows = browser.ask(ROWS)
        self.assertGreater(len(rows), 3)
        self.assertEqual([row for row in rows if "no installs" in row.replace("\xa0", " ")], [])

    def test_the_histogram_says_what_a_value_means(self):
        with_fine_values = Path(self.folder) / "fine"
        with_fine_values.mkdir()
        words = world(with_fine_values, "none", 1003, INSTALLS, PART)
        browser = self.opened(self.report("--html", words=words))
        meanings = browser.ask("document.querySelector('[aria-labelledby=fine-values-t] ~ .meanings').innerText")
        self.assertRegex(meanings, r"\n2\+ sessions")
        self.assertRegex(meanings, r"\$0\.05 to \$0\.15 ad revenue")
        columns = browser.ask("[...document.querySelectorAll('[aria-labelledby=fine-values-t] g title')]"
                              ".map(each => each.textContent)")
        self.assertRegex(columns[1], r"^1: [\d,]+; 2\+ sessions")
