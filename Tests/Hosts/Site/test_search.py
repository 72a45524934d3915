"""The site's own search finds every command, every header and what it declares, every name of Python, every article and
every rule. It needs no server."""

import json
import re
import subprocess
import time

import libskan
import pytest
from site_case import COMMAND, SITE, TOP, browser

HEADERS = sorted((TOP / "Include" / "skan").glob("*.h")) + sorted((TOP / "Bindings" / "Cpp" / "skan").glob("*.hpp"))


def words(*before):
    """The commands as completion names them: ["serve", "model", ...], and after "model" ["check", ...]."""
    run = subprocess.run([COMMAND, "help", "--complete", *before, ""], stdout=subprocess.PIPE, text=True, check=False)
    return [line.split("\t")[0] for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def index():
    text = (SITE / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(re.fullmatch(r"Search\.setIndex\((.*)\);?\s*", text, re.DOTALL)[1])


@pytest.fixture(scope="module")
def names(index):
    """What Python and the headers declare, as the search finds it."""
    return {".".join(filter(None, [prefix, row[4]])) for prefix, rows in index["objects"].items() for row in rows}


def finds(query, name):
    """Whether the page of this name is among the first ten that the search gives."""
    page = browser()
    page.open(f"{(SITE / 'search.html').as_uri()}?q={query}")
    links = "[...document.querySelectorAll('ul.search li > a')].slice(0, 10).map(each => each.getAttribute('href')).join(' ')"
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if any(link.startswith(name) for link in page.ask(links).split()):
            return True
        time.sleep(0.05)
    return False


def test_every_command_is_found(index):
    listed = {f"skan {word} {part}".strip() for word in words() for part in words(word) or [""]}
    assert len(listed) >= 20
    assert listed <= set(index["alltitles"])


def test_every_header_is_found(index):
    assert len(HEADERS) >= 18
    assert {f"skan/{header.name}" for header in HEADERS} <= set(index["alltitles"])


def test_every_function_of_the_headers_is_found(names):
    declared = {name for header in HEADERS if header.suffix == ".h" for name in
                re.findall(r"^[a-z].*[ *](skan_\w+)\(", header.read_text(encoding="utf-8"), re.MULTILINE)}
    assert len(declared) > 70
    assert declared <= names


def test_every_name_of_the_python_package_is_found(names):
    exported = {f"libskan.{name}" for name in libskan.__all__ if not name.startswith("__")}
    assert exported <= names


def test_every_article_and_every_rule_is_found(index):
    articles = sorted((TOP / "Sources" / "Articles").glob("*.md"))
    titles = {article.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for article in articles}
    rules = re.findall(r"^### (.*)$", (TOP / "Sources" / "Core" / "Rules.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rules) > 50
    assert titles | {rule.replace("`", "") for rule in rules} <= set(index["alltitles"])


@pytest.mark.parametrize(("query", "page"), [
    ("skan+serve", "command/skan-serve.html"),
    ("skan_rename", "c/skan.html"),
    ("update_revenue_many", "python/engine.html"),
    ("PostgresStore", "swift/skanpostgres-postgresstore.html"),
    ("Tickets", "Core/Rules.html"),
])
def test_a_reader_without_a_server_finds_it(query, page):
    assert finds(query, page)
