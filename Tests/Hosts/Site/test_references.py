"""The references say what the sources say, in the order of the sources, and no sign of their markup is left over."""

import re

import pytest
from site_case import SITE, TOP

HEADERS = sorted((TOP / "Include" / "skan").glob("*.h"))


def declared(header):
    """The functions and structs of a header, in their order."""
    text = header.read_text(encoding="utf-8")
    return re.findall(r"^(?:typedef struct (?=\w+ \{)|[a-z][\w ]*[ *])(skan_\w+)(?: \{|\()", text, re.MULTILINE)


def text_of(path):
    """A page's text without its examples."""
    page = re.sub(r"<(pre|script|style|title)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"<[^>]*>", "", page)


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_declarations_stand_in_the_order_of_their_header(header):
    page = (SITE / "c" / f"{header.stem}.html").read_text(encoding="utf-8")
    names = declared(header)
    assert names
    places = [page.find(f'id="c.{name}"') for name in names]
    assert -1 not in places, [name for name, place in zip(names, places) if place == -1]
    assert places == sorted(places)


def test_every_status_is_described():
    header = (TOP / "Include" / "skan" / "skan.h").read_text(encoding="utf-8")
    page = (SITE / "c" / "skan.html").read_text(encoding="utf-8")
    described = re.findall(r"^ +(SKAN_\w+) = \d+,? +/\* (\w+)", header, re.MULTILINE)
    assert len(described) > 30
    for name, word in described:
        found = re.search(rf'id="c\.[\w.]*{name}".*?<dd><p>(.*?)</p>', page, re.DOTALL)
        assert found, name
        assert re.sub(r"<[^>]*>", "", found[1]).lstrip("… .").startswith(word), name


@pytest.mark.parametrize("folder", ["c", "cpp", "python", "swift", "command", "Articles", "Core", "Truth"])
def test_no_backtick_is_left_over(folder):
    pages = sorted((SITE / folder).glob("*.html"))
    assert pages
    assert [path.name for path in pages if "`" in text_of(path)] == []


def test_the_engine_comes_first_in_python():
    page = (SITE / "python" / "engine.html").read_text(encoding="utf-8")
    assert page.find('id="libskan.Engine"') < page.find('id="libskan.ConversionModel"')
    first = re.search(r'<a class="reference internal" href="(\w+\.html)"', (SITE / "python" / "index.html").read_text())
    assert first and first[1] == "engine.html"
