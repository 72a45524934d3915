"""What is asked of every page that a browser shows: that nothing is cut, and that everybody can read it."""

import functools
import json
import re
from importlib.util import find_spec
from pathlib import Path

# Tables that are wider than their place, and cells whose text is wider than the cell.
CUT = """
[...document.querySelectorAll('.wide')].filter(each => each.offsetParent && (each.scrollWidth > each.clientWidth
    || each.firstElementChild.scrollWidth > each.clientWidth)).map(each => each.innerText.slice(0, 60))
.concat([...document.querySelectorAll('th, td')].filter(each => each.offsetParent && each.scrollWidth > each.clientWidth + 1)
    .map(each => each.innerText))
"""
# Intervals and reasons in cells that take more than two lines.
TALL = """
[...document.querySelectorAll('td small')].filter(each => each.offsetParent
    && each.offsetHeight > 2.2 * parseFloat(getComputedStyle(each).lineHeight)).map(each => each.innerText)
"""
# Words of a chart that lie over others of it, and words that leave it.
OVERLAPS = """
[...document.querySelectorAll('figure > svg')].filter(each => each.getClientRects().length).flatMap(chart => {
    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll('text')].map(each => [each.textContent, each.getBoundingClientRect()]);
    const lie = ([, one], [, other]) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top + 3 < other.bottom - 3 && other.top + 3 < one.bottom - 3;
    return texts.filter((one, place) => texts.some((other, after) => after > place && lie(one, other))
        || one[1].left < frame.left - 2 || one[1].right > frame.right + 2).map(([text]) => text);
})
"""
PAIRS = """
[...document.querySelectorAll('body, .answer, .soft, small, summary, caption, thead th, td b, .remark, svg text, a')]
.filter(each => each.getClientRects().length).map(each => {
    const paint = getComputedStyle(each);
    let under = each;
    while (under && getComputedStyle(under).backgroundColor === 'rgba(0, 0, 0, 0)') under = under.parentElement;
    const ink = each instanceof SVGElement ? paint.fill : paint.color;
    return [ink, getComputedStyle(under || document.body).backgroundColor, each.textContent.slice(0, 30)];
})
"""


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def pale(browser):
    """Texts whose contrast with what is under them is below 4.5."""
    return sorted({f"{text}: {ink} on {under}" for ink, under, text in browser.ask(PAIRS) if contrast(ink, under) < 4.5})


@functools.cache
def axe():
    """axe-core, as a package of PyPI has it."""
    package = find_spec("axe_playwright_python")
    assert package and package.origin, "axe-playwright-python is not installed"
    return (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def barriers(browser, contrast=False):
    """What axe-core finds that keeps people from reading the page. Its rule of contrast takes four fifths of its time;
    `pale` judges the same."""
    browser.ask(axe() + "; 0")
    rules = json.dumps({"rules": {"color-contrast": {"enabled": contrast}}})
    found = browser.call(
        "Runtime.evaluate", awaitPromise=True, returnByValue=True,
        expression=f"axe.run({rules}).then(found => JSON.stringify(found.violations.map("
                   "each => [each.id, each.nodes.map(node => node.html.slice(0, 120))])))")
    return json.loads(found["result"]["value"])
