"""The page of skan report --html without own installs, as a browser shows it and as a screen reader meets it."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import browser_of_run
from page_checks import CUT, OVERLAPS, TALL, barriers, pale
from received import DAY, PLAN, ReportCase

CHARTS = ["Installs by the day their postback arrived", "Fine values of the first window"]
TABLES = [
    "Highest first, in USD; from what values prove, the dot, to what is extrapolated",
    "What installs’ first postbacks carry",
    "Coarse values without a fine one",
    "Installs’ postbacks by window",
    "Postbacks by network, as they arrived",
    "Postbacks of re-engagements by window",
    "Re-engagements of networks, their campaigns and ad sets; amounts in USD",
    "Networks, their campaigns and ad sets; amounts in USD",
]
# More of what makes a page wide: long names, many rows.
LONG_NAME = "a-network-with-a-very-long-name.and.more.skadnetwork.example"
LONG = [(3 * DAY, "4.0", LONG_NAME, f"00{n}", 0, 1, "install", 20, "-", n)
        for n in range(50, 75)]
# The captions of tables and the titles of charts, from the top of the page on.
SHOWN = """
[...document.querySelectorAll('table, figure')].filter(each => each.offsetParent)
.sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
.map(each => (each.caption || each.querySelector('figcaption')).innerText.trim())
"""
# Where the columns of the chart of fine values begin and end, and its two lines, in pixels from above.
COLUMNS = """
['rect', 'line'].map(shape => [...document.querySelectorAll('[aria-labelledby=fine-values-t] ' + shape)].map(each => {
    const box = each.getBoundingClientRect();
    return shape === 'rect' ? [box.top, box.bottom] : (box.top + box.bottom) / 2;
}))
"""


class Nesting(HTMLParser):
    """Fails where an element is not closed in its turn, or an id is there twice."""

    void = ("meta", "link", "rect", "line", "br", "circle", "path", "wbr")

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.troubles = [], set(), []

    def handle_starttag(self, tag, attributes):
        identity = dict(attributes).get("id")
        if identity in self.ids:
            self.troubles.append(f"id {identity} twice")
        if identity:
            self.ids.add(identity)
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.troubles.append(f"</{tag}> at {self.getpos()}")


class MadePages(ReportCase):
    def setUp(self):
        super().setUp()
        url, options = self.example()
        long = self.received(PLAN + LONG, (0, self.file("model.json")), name="long.db")
        self.pages = {}
        for name, store in {"short": url, "long": long}.items():
            text = self.report(store, "--html", *options).out
            self.pages[name] = (Path(self.write(f"{name}.html", text)).as_uri(), text)


class PageFile(MadePages):
    def test_it_is_one_well_formed_file(self):
        for name, (_, text) in self.pages.items():
            nesting = Nesting()
            nesting.feed(text)
            self.assertEqual((nesting.troubles, nesting.open), ([], []), name)
            self.assertNotRegex(text, r"https?://|@import|url\(|<img|<iframe")
            self.assertEqual(text.count("<script"), 1)
            self.assertIn('<html lang="en">', text)


@pytest.mark.server("chromium")
class ShownPage(MadePages):
    def browser(self, page="short"):
        """One that shows a page."""
        browser = browser_of_run()
        browser.open(self.pages[page][0])
        return browser

    def rows(self, browser, caption):
        return browser.ask(
            f"[...[...document.querySelectorAll('table')].find(each => each.caption.innerText.startsWith('{caption}'))"
            ".querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()))")

    def test_nothing_is_asked_for_and_nothing_goes_wrong(self):
        browser = self.browser()
        for url, _ in self.pages.values():
            browser.open(url)
            self.assertEqual([each for each in browser.requests if not each.startswith("data:")], [url])
            self.assertEqual(browser.complaints, [])

    def test_another_script_does_not_run(self):
        _, text = self.pages["short"]
        other = text.replace("</main>", "<script>document.title = 'ran'</script></main>")
        browser = self.browser()
        browser.open(Path(self.write("other.html", other)).as_uri())
        self.assertEqual(browser.ask("document.title"), "Campaign report")
        self.assertIn("Content Security Policy", str(browser.complaints))

    def test_what_is_read(self):
        browser = self.browser()
        text = browser.ask("document.body.innerText")
        for words in ["Campaign report", "26 postbacks arrived", "Refused and not counted: 8", "Extrapolated revenue",
                      "spent on ads earned at least"]:
            self.assertIn(words, text)
        self.assertIn(
            ["Autumn\n39", "11", "0", "0", "4", "18.2%", "19.00", "59.83", "30.50", "2.77", "62.3%", "196.2%"],
            self.rows(browser, "Networks, their campaigns"))

    def test_campaigns_stand_by_what_they_returned_at_least(self):
        rows = self.rows(self.browser(), "Highest first")
        self.assertEqual([row[0].split("\n")[0] for row in rows],
                         ["All", "Winter", "Autumn", 'Old, "and" gone', "11", "Spring"])
        # 10 of 5.00; 19 of 30.50, and 59.83 with what is hidden.
        self.assertEqual(rows[1][1:], ["1", "5.00", "5.00", "200.0%\n200.0% extrapolated", "0.0%"])
        self.assertEqual(rows[2][1:], ["11", "30.50", "2.77", "62.3%\n196.2% extrapolated", "18.2%"])

    def test_campaigns_stand_before_all_other_tables_and_charts(self):
        browser = self.browser()
        browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
        shown = browser.ask(SHOWN)
        self.assertGreaterEqual(set(shown), {*CHARTS, *TABLES[:1]})
        self.assertEqual(shown[0], TABLES[0])

    def test_columns_are_as_high_as_their_counts(self):
        columns, (upper, lower) = self.browser().ask(COLUMNS)
        counts = {10: 7, 20: 5, 63: 1}
        self.assertEqual(len(columns), 64)
        for value, (top, bottom) in enumerate(columns):
            self.assertAlmostEqual(bottom, lower, delta=0.1, msg=value)
            self.assertAlmostEqual((bottom - top) / (lower - upper), counts.get(value, 0) / 7, delta=0.001, msg=value)

    def drawn(self, browser, caption, title, shapes):
        """Where the shapes in a row's drawing begin and end, as parts of its width."""
        return browser.ask(f"""(() => {{
            const starts = text => each => each.innerText.trim().startsWith(text);
            const table = [...document.querySelectorAll('table')].find(each => starts('{caption}')(each.caption));
            const drawing = [...table.rows].find(starts('{title}')).querySelector('td svg');
            const around = drawing.getBoundingClientRect();
            return [...drawing.querySelectorAll('{shapes}')].map(each => {{
                const box = each.getBoundingClientRect();
                return [box.left, box.right].map(x => (x - around.left) / around.width);
            }});
        }})()""")

    def test_shares_are_as_wide_as_their_counts(self):
        shares = self.drawn(self.browser(), "What installs", "Autumn", "rect")
        # Of 11 installs 6 carried a fine value, 3 a coarse one alone, and 2 none.
        for (left, right), (start, end) in zip(shares, [(0, 6), (6, 9), (9, 11)], strict=True):
            self.assertAlmostEqual(left, start / 11, delta=0.002)
            self.assertAlmostEqual(right, end / 11, delta=0.002)

    def test_whiskers_are_as_long_as_their_figures(self):
        browser = self.browser()
        for campaign, least, most in [("Winter", 2.0, 2.0), ("Autumn", 0.623, 1.962)]:
            mark, (start, end), dot = self.drawn(browser, "Highest first", campaign, "line.m0, line.e, circle")
            # The mark is at a return of 100 %.
            scale = sum(mark) / 2
            self.assertGreater(scale, 0)
            for place, figure in [(start, least), (sum(dot) / 2, least), (end, most)]:
                self.assertAlmostEqual(place / scale, figure, delta=0.005, msg=campaign)

    def test_what_a_screen_reader_meets(self):
        browser = self.browser()
        tree = browser.tree()
        drawings = {name: description for role, name, description in tree if role in ("image", "img")}
        weeks = [name for name in drawings if name.startswith("Installs by week: ")]
        self.assertEqual(sorted(drawings), sorted(CHARTS + weeks))
        for name in CHARTS:
            description = drawings[name]
            self.assertRegex(description, r"table below", name)
        browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
        tables = [" ".join(name.split()) for role, name, _ in browser.tree() if role == "table"]
        self.assertEqual(sorted(tables), sorted(CHARTS + TABLES))
        levels = browser.ask("[...document.querySelectorAll('h1,h2,h3')].map(each => +each.tagName[1])")
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(each == 2 for each in levels[1:]), levels)

    def test_it_fits_and_can_be_read_in_light_and_dark_narrow_and_wide(self):
        browser = self.browser()
        for name, (url, _) in self.pages.items():
            # Its script asks for no width and no scheme, so it is opened once.
            browser.open(url)
            for scheme in ["light", "dark"]:
                for width in [320, 390, 768, 1280]:
                    browser.look(width, scheme)
                    with self.subTest(page=name, scheme=scheme, width=width):
                        self.assertLessEqual(browser.ask("document.documentElement.scrollWidth"), width)
                        self.assertEqual(browser.ask(OVERLAPS), [])
                        self.assertEqual(pale(browser), [])
                        if width != 768:
                            self.assertEqual(browser.ask(CUT), [])
                        if width == 1280:
                            self.assertEqual(browser.ask(TALL), [])

    def test_nothing_keeps_people_from_reading_it(self):
        for name in self.pages:
            browser = self.browser(name)
            browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
            # The pages have the same colours.
            self.assertEqual(barriers(browser, contrast=name == "short"), [], name)

    def test_a_heading_sorts_and_a_second_time_the_other_way(self):
        browser = self.browser("long")

        def order():
            return [int(row[1]) for row in self.rows(browser, "Highest first")[1:]]

        click = "[...document.querySelectorAll('.sorts .sort')].find(each => each.innerText === 'Installs').click()"
        browser.ask(click)
        self.assertEqual(order(), sorted(order(), reverse=True))
        self.assertEqual(browser.ask("document.querySelector('[aria-sort]').getAttribute('aria-sort')"), "descending")
        browser.ask(click)
        self.assertEqual(order(), sorted(order()))

    def test_a_network_is_chosen_and_long_tables_unfold(self):
        browser = self.browser("long")
        shown = ("[...document.querySelector('.sorts').tBodies[1].rows].filter(row => row.offsetParent)"
                 ".map(row => row.cells[0].innerText)")
        self.assertEqual(len(browser.ask(shown)), 10)
        browser.ask("document.querySelector('.fold').click()")
        self.assertEqual(len(browser.ask(shown)), 30)
        browser.ask("""(() => {
            const select = document.querySelector('[name=network]');
            select.value = [...select.options].find(each => each.innerText === 'two.example').value;
            select.dispatchEvent(new Event('change'));
        })()""")
        self.assertEqual(len(browser.ask(shown)), 2)
        self.assertTrue(all("two.example" in title for title in browser.ask(shown)))

    def test_without_its_script_everything_is_there(self):
        browser = self.browser("long")
        browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            browser.open(self.pages["long"][0])
            hidden = browser.ask("[...document.querySelectorAll('tr')].filter(row => !row.offsetParent"
                                 " && !row.closest('details')).length")
            self.assertEqual(hidden, 0)
            self.assertFalse(browser.ask("document.querySelector('.controls').offsetParent !== null"))
        finally:
            browser.call("Emulation.setScriptExecutionDisabled", value=False)
