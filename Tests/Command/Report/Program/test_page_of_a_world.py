"""The page of a simulated app with its own installs: what stands first, what cannot be estimated, and how it looks."""

import base64
import re
import subprocess
from collections import Counter, defaultdict
from datetime import date, timedelta
from pathlib import Path

import pytest
from browser import browser_of_run
from page_checks import CUT, OVERLAPS, TALL, barriers, pale
from tools import CommandCase, skan
from worlds import world

# One of its campaigns has values with too few own installs behind them.
SEED, INSTALLS, PART = 1050, 3000, 70

HEADINGS = "[...document.querySelectorAll('h2')].map(each => each.innerText)"
TITLES = "[...document.querySelectorAll('figcaption')].filter(each => each.offsetParent).map(each => each.innerText)"
# Charts behind which a hole is: a chart is as high as the one beside it, and the next one stands beside it or, if it
# ends at the grid's right edge, begins the row below. Behind the last one the row may be empty.
HOLES = """
[...document.querySelectorAll('.charts')].flatMap(grid => {
    const around = grid.getBoundingClientRect(), gap = parseFloat(getComputedStyle(grid).rowGap);
    const same = (one, other) => Math.abs(one - other) < 1;
    const charts = [...grid.querySelectorAll('figure')].filter(each => each.offsetParent);
    const boxes = charts.map(each => each.getBoundingClientRect());
    return charts.filter((_, place) => {
        const box = boxes[place], next = boxes[place + 1];
        if (place === 0 && !(same(box.left, around.left) && same(box.top, around.top))) return true;
        if (!next) return !same(box.bottom, around.bottom);
        const isBeside = same(next.left, box.right + gap) && same(next.top, box.top) && same(next.bottom, box.bottom);
        const isBelow = same(box.right, around.right) && same(next.left, around.left)
            && same(next.top, box.bottom + gap);
        return !isBeside && !isBelow;
    }).map(each => each.querySelector('figcaption').innerText);
})
"""
TOP = "document.querySelector('{}').getBoundingClientRect().top"


@pytest.mark.server("chromium")
class World(CommandCase):
    def setUp(self):
        super().setUp()
        self.words = world(Path(self.folder), "none", SEED, INSTALLS, PART)

    def report(self, *options, words=None):
        run = subprocess.run([*(words or self.words), *options], stdout=subprocess.PIPE, check=True)
        return run.stdout.decode()

    def opened(self, text, width=1280, scheme="light"):
        page = Path(self.folder) / "page.html"
        page.write_text(text)
        browser = browser_of_run()
        browser.look(width, scheme)
        browser.open(page.as_uri())
        return browser

    def test_the_answer_comes_first_then_campaigns_then_trends_then_the_rest(self):
        browser = self.opened(self.report("--html", "--target=120%@D35"))
        answer = browser.ask("document.querySelector('.answer').innerText")
        self.assertRegex(
            answer,
            r"^[\d,]+(\.\d\d)? USD spent on ads has earned an estimated [\d.,k]+ USD \([\d.,k]+ to [\d.,k]+\) so far,"
            r" a return of [\d,.]+% \([\d.,]+% to [\d.,]+%\)\. The target of 120% by day 35 is [\d.]+% likely\."
            r" Best by day 35: .+, [\d.,]+%; weakest: .+, [\d.,]+%\.")
        self.assertEqual(browser.ask(HEADINGS)[:6],
                         ["Campaigns", "Trends", "Events", "Values", "Week by week", "Data quality"])
        self.assertEqual(browser.ask(TITLES)[0], "Installs by week")
        self.assertEqual(browser.ask(TITLES)[-1], "Fine values of the first window")

    def test_what_cannot_be_estimated_is_a_sentence_with_how_many_installs_it_would_take(self):
        expected = (r"No revenue can be estimated for 1 campaign: more than 5 % of the installs have values that fewer"
                    r" than 10 own installs have\. This is how many more own installs with these values it"
                    r" would take: Campaign 10 \(10\), network-0\.example: about \d+ more\.")
        for form in [[], ["--html"]]:
            self.assertRegex(self.report(*form), expected)
        browser = self.opened(self.report("--html"))
        (verdict,) = browser.ask(
            "[...document.querySelector('.sorts').tBodies[1].rows].filter(row => row.cells[0].innerText.startsWith("
            "'Campaign 10\\n')).map(row => row.cells[row.cells.length - 1].innerText)")
        self.assertRegex(verdict, r"No estimate\s+too few: about \d+ more own installs")

    def test_nothing_is_cut_or_pale_or_over_other_words(self):
        text = self.report("--html", "--target=120%@D35")
        for scheme in ["light", "dark"]:
            for width in [390, 1280]:
                browser = self.opened(text, width, scheme)
                with self.subTest(scheme=scheme, width=width):
                    self.assertLessEqual(browser.ask("document.documentElement.scrollWidth"), width)
                    self.assertEqual(browser.ask(OVERLAPS), [])
                    self.assertEqual(pale(browser), [])
                    browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
                    self.assertEqual(browser.ask(CUT), [])
                    if width == 1280:
                        self.assertEqual(browser.ask(TALL), [])
        self.assertEqual(barriers(browser), [])

    def test_there_is_no_hole_between_charts(self):
        browser = self.opened(self.report("--html"))
        self.assertGreater(len(browser.ask(TITLES)), 3)
        for width in [390, 900, 1280]:
            browser.look(width, "light")
            self.assertEqual(browser.ask(HOLES), [], width)

    def test_nothing_is_cut_where_there_are_countries(self):
        folder = Path(self.folder) / "countries"
        folder.mkdir()
        browser = self.opened(self.report("--html", words=world(folder, "natural", 53)))
        self.assertIn("Countries", browser.ask(HEADINGS))
        browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
        self.assertEqual(browser.ask(CUT), [])

    def test_events_are_those_of_the_rows_of_postbacks(self):
        with_fine_values = Path(self.folder) / "fine"
        with_fine_values.mkdir()
        words = world(with_fine_values, "none", 1003, INSTALLS, PART)
        options = [word for word in words[3:] if word.startswith(("--campaigns=", "--model="))]
        counts = Counter()
        for row in self.succeeded(skan("postbacks", words[2], *options)).documents():
            if row["won"] and row["conversion"] in ("install", "redownload") and row["events"] == "level_10":
                counts[row["campaign_name"], row["postback_sequence_index"] or 0] += 1
        browser = self.opened(self.report("--html", words=words))
        rows = browser.ask("[...document.querySelector('#events ~ .wide table').tBodies[1].rows].map(row => "
                           "[row.cells[0].querySelector('bdi').innerText,"
                           " row.cells[3].querySelector('span').firstChild.textContent])")
        found = {name: int(count) for name, count in rows if count != "0"}
        self.assertGreater(len(found), 1)
        self.assertEqual(found, {name: max(count for (of, _), count in counts.items() if of == name)
                                 for name, _ in counts})

    def test_installs_of_each_week_are_those_of_the_rows_of_postbacks(self):
        """In weeks from Mondays on; a table's whole weeks end before the one in which the report is made."""
        options = [word for word in self.words[3:] if word.startswith(("--campaigns=", "--model="))]
        weeks = defaultdict(Counter)
        for row in self.succeeded(skan("postbacks", self.words[2], *options)).documents():
            if row["won"] and row["conversion"] in ("install", "redownload") and not row["postback_sequence_index"]:
                arrived = date.fromisoformat(row["received"][:10])
                weeks[row["campaign_name"]][arrived - timedelta(days=arrived.weekday())] += 1
        mondays = sorted({monday for counts in weeks.values() for monday in counts})
        shown = [mondays[0] + timedelta(weeks=week) for week in range((mondays[-1] - mondays[0]).days // 7 + 1)][-26:]
        self.assertGreater(len(shown), 8)
        browser = self.opened(self.report("--html", f"--at={mondays[-1] + timedelta(days=1)}"))
        rows = browser.ask("[...document.querySelector('#weeks ~ .wide table').tBodies[1].rows].map(row => "
                           "[row.cells[0].querySelector('bdi').innerText,"
                           " row.querySelector('title').textContent, row.cells[2].innerText, row.cells[3].innerText])")
        self.assertLessEqual(set(weeks), {name for name, *_ in rows})
        for name, by_week, latest, before in rows:
            counts = [weeks[name][monday] for monday in shown]
            self.assertEqual(by_week, "Installs by week: " + ", ".join(map(str, counts)), name)
            self.assertEqual([int(latest), int(before)], [sum(counts[-5:-1]), sum(counts[-9:-5])], name)

    def test_a_horizon_is_chosen(self):
        browser = self.opened(self.report("--html"))
        before = browser.ask(TITLES)
        browser.ask("""(() => {
            const select = document.querySelector('[name=horizon]');
            select.value = 'day_2';
            select.dispatchEvent(new Event('change'));
        })()""")
        heads = browser.ask("[...document.querySelector('.sorts').tHead.rows[0].cells].filter(each => each.offsetParent)"
                            ".map(each => each.innerText.trim())")
        self.assertEqual(next(head for head in heads if "day 2" in head).split("\n")[0], "Return on ad spend by day 2")
        self.assertEqual(len([head for head in heads if head.startswith("Return")]), 1)
        self.assertEqual(len(browser.ask(TITLES)), len(before))
        self.assertEqual(browser.complaints, [])

    def test_the_questions_of_managers_are_answered_within_two_screens(self):
        browser = self.opened(self.report("--html", "--target=120%@D35"))
        for place in [".answer", "[data-l^=Verdict]", "[aria-labelledby^=installs]", "#months", "#events", "#values"]:
            self.assertLess(browser.ask(TOP.format(place)), 1800, place)

    def test_six_campaigns_are_six_sheets_of_landscape_paper_at_most(self):
        six = Path(self.folder) / "six"
        six.mkdir()
        words = world(six, "none", 16, 1500, PART)
        browser = self.opened(self.report("--html", "--target=100%@D35", words=words))
        self.assertEqual(browser.ask("document.querySelector('.sorts').tBodies[1].rows.length"), 6)
        browser.call("Emulation.clearDeviceMetricsOverride")
        paper = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True)["data"])
        self.assertLessEqual(len(re.findall(rb"/Type\s*/Page\b", paper)), 6)
        boxes = set(re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper))
        self.assertTrue(boxes and all(float(wide) > float(high) for wide, high in boxes), boxes)

    def test_lines_without_installs_are_in_the_table_of_all_counts_alone(self):
        names = Path(self.folder) / "more.csv"
        (given,) = [word for word in self.words if word.startswith("--campaigns=")]
        rows = Path(given.partition("=")[2]).read_text()
        names.write_text(rows + "nobody.example,77,A campaign that never ran" + "," * (rows.split("\n")[0].count(",") - 2))
        words = [f"--campaigns={names}" if word == given else word for word in self.words]
        browser = self.opened(self.report("--html", words=words))
        tables = browser.ask(
            "[...document.querySelectorAll('table')].filter(each => each.innerText.includes('A campaign that never ran'))"
            ".map(each => each.caption.innerText)")
        self.assertEqual([table.split(";")[0] for table in tables], ["Networks, their campaigns and ad sets"])

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
