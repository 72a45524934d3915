"""The page of skan report --html, as a browser shows it and as a screen reader meets it."""

import re
from html.parser import HTMLParser
from pathlib import Path

from browser import browser_of_run
from received import DAY, PLAN, ReportCase

CHARTS = [
    "Return on ad spend at least, by campaign",
    "Installs by network", "Installs by campaign", "Winning and non-winning postbacks of window 0 by network",
    "Winning and non-winning postbacks by window", "Installs by the day their postback arrived",
    "Revenue that values report by network", "Revenue that values report by campaign",
    "Revenue that values report by window",
    "Fine, coarse and hidden values by network",
    "Fine, coarse and hidden values by window", "Fine conversion values, window 0", "Coarse conversion values",
    "Fine, coarse and hidden values of re-engagements by window",
    "Revenue that values of re-engagements report by window",
]
TABLES = ["Networks, their campaigns and ad sets; amounts in USD",
          "Re-engagements of networks, their campaigns and ad sets; amounts in USD",
          "Postbacks by network, as they arrived"]
# More of what makes a page wide: long names, large numbers.
LONG_NAME = "a-network-with-a-very-long-name.and.more.skadnetwork.example"
LONG = [(3 * DAY, "4.0", LONG_NAME, f"00{n}", 0, 1, "install", 20, "-", n)
        for n in range(50, 75)]


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


class Nesting(HTMLParser):
    """Fails where an element is not closed in its turn, or an id is there twice."""

    void = ("meta", "link", "rect", "line", "br")

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


class Page(ReportCase):
    def setUp(self):
        super().setUp()
        url, options = self.example()
        long = self.received(PLAN + LONG, (0, self.file("model.json")), name="long.db")
        self.pages = {}
        for name, store in {"short": url, "long": long}.items():
            text = self.report(store, "--html", *options).out
            self.pages[name] = (Path(self.write(f"{name}.html", text)).as_uri(), text)

    def browser(self, page="short"):
        """One that shows a page."""
        browser = browser_of_run()
        browser.open(self.pages[page][0])
        return browser

    def test_it_is_one_well_formed_file(self):
        for name, (_, text) in self.pages.items():
            nesting = Nesting()
            nesting.feed(text)
            self.assertEqual((nesting.troubles, nesting.open), ([], []), name)
            self.assertNotRegex(text, r"<script|https?://|@import|url\(|<img|<iframe")
            self.assertIn('<html lang="en">', text)

    def test_nothing_is_asked_for_and_nothing_goes_wrong(self):
        browser = self.browser()
        for url, _ in self.pages.values():
            browser.open(url)
            self.assertEqual([each for each in browser.requests if not each.startswith("data:")], [url])
            self.assertEqual(browser.complaints, [])

    def test_what_is_read(self):
        browser = self.browser()
        text = browser.ask("document.body.innerText")
        for words in ["Postback report", "26 postbacks were counted", "Autumn (39)", "45.00 USD", "107.12 USD",
                      "Refused and not counted: 8", "Extrapolated revenue"]:
            self.assertIn(words, text)
        rows = browser.ask("[...document.querySelectorAll('main > .wide tbody tr')].map(row => row.innerText)")
        self.assertIn("Autumn (39)\t11\t0\t0\t4\t18.2%\t19.00\t59.83\t30.50\t2.77\t62.3%\t196.2%", rows)
        self.assertIn("11\t2\t0\t0.0%\t\u2013\t\u2013", rows)

    def test_what_a_screen_reader_meets(self):
        browser = self.browser()
        tree = browser.tree()
        drawings = {name: description for role, name, description in tree if role in ("image", "img")}
        self.assertEqual(sorted(drawings), sorted(CHARTS))
        for name, description in drawings.items():
            self.assertRegex(description, r"table below", name)
        summaries = [name for role, name, _ in tree if role == "DisclosureTriangle"]
        self.assertEqual(len(summaries), len(CHARTS))
        browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
        tables = [name for role, name, _ in browser.tree() if role == "table"]
        self.assertEqual(sorted(tables), sorted(CHARTS + TABLES))
        levels = browser.ask("[...document.querySelectorAll('h1,h2,h3')].map(each => +each.tagName[1])")
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(each == 2 for each in levels[1:]), levels)
        row = browser.ask("document.querySelector('figure table tbody tr').innerText")
        self.assertEqual(row, "Winter (40), one.example\t200.0%")

    def test_bars_have_the_length_of_their_figures(self):
        browser = self.browser()
        # one.example: 11 installs and 1 redownload, the longest bar; two.example: 6 and 2 re-engagements.
        drawing = "[aria-labelledby=installs-network-t]"
        wide = browser.ask(f"document.querySelector('{drawing}').getBoundingClientRect().width")
        lengths = browser.ask(
            f"[...document.querySelectorAll('{drawing} .g')].map(each => each.getBBox().width)"
        )
        self.assertEqual(len(lengths), 4)
        for expected, length in zip([11 / 12, 1 / 12, 6 / 12, 2 / 12], lengths):
            self.assertAlmostEqual(expected, length / wide, places=3)

    def test_it_fits_and_can_be_read_in_light_and_dark_narrow_and_wide(self):
        browser = self.browser()
        for name, (url, _) in self.pages.items():
            browser.open(url)
            for scheme in ["light", "dark"]:
                for width in [320, 390, 768, 1280]:
                    browser.look(width, scheme)
                    with self.subTest(page=name, scheme=scheme, width=width):
                        self.assertLessEqual(browser.ask("document.documentElement.scrollWidth"), width)
                        self.assertEqual(browser.ask(OVERLAPS), [])
                        self.look_at_colours(browser)

    def test_a_label_that_does_not_fit_ends_in_an_ellipsis(self):
        browser = self.browser("long")
        browser.look(320, "light")
        labels = browser.ask(LABELS)
        for text, shown, _, end, overflow in labels:
            self.assertEqual((text, end, overflow), (shown, "ellipsis", "hidden"))
        longer = {text for text, _, fits, _, _ in labels if not fits}
        self.assertIn(LONG_NAME, longer)
        self.assertNotIn("window 0", longer)

    def look_at_colours(self, browser):
        colours = browser.ask(COLOURS)
        self.assertGreaterEqual(contrast(colours["ink"], colours["paper"]), 7)
        for soft in ["dt", "summary", "caption"]:
            self.assertGreaterEqual(contrast(colours[soft], colours["card"]), 4.5, soft)
        for bar in ["s0", "s1", "s2"]:
            self.assertGreaterEqual(contrast(colours[bar], colours["bed"]), 3, bar)


# Labels that lie over their figures, in bar charts.
OVERLAPS = """
[...document.querySelectorAll('foreignObject')].filter(box => {
    const label = box.firstChild.getBoundingClientRect(), figures = box.nextElementSibling.getBoundingClientRect();
    return label.right > figures.left && label.bottom > figures.top + 2;
}).map(box => box.textContent + box.nextElementSibling.textContent)
"""
# Of each label its text and what the pointer shows; whether it fits; how it ends where it does not.
LABELS = """
[...document.querySelectorAll('foreignObject > div')].map(each => [
    each.textContent, each.title, each.scrollWidth <= each.clientWidth,
    getComputedStyle(each).textOverflow, getComputedStyle(each).overflowX
])
"""
COLOURS = """
(() => {
    const of = (place, what) => getComputedStyle(document.querySelector(place))[what];
    return {ink: of('body', 'color'), paper: of('body', 'backgroundColor'), card: of('figure', 'backgroundColor'),
        dt: of('dt', 'color'), summary: of('summary', 'color'), caption: of('caption', 'color'),
        bed: of('svg .b', 'fill'),
        s0: of('svg .s0', 'fill'), s1: of('svg .s1', 'fill'), s2: of('svg .s2', 'fill')};
})()
"""
