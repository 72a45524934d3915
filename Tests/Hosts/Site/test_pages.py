"""The pages of the site as a browser shows them from their files: nothing is asked of another machine, nothing is wider
than a telephone, and a way back to the first page is on each."""

import pytest
from site_case import SITE, browser

PAGES = [
    "index.html",
    "Articles/GettingStarted.html",
    "Articles/Postbacks.html",
    "Core/Rules.html",
    "Truth/CampaignTruth.html",
    "c/skan.html",
    "c/postgres.html",
    "cpp/skan.html",
    "python/engine.html",
    "swift/skan-engine.html",
    "command/skan-serve.html",
]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (400, "dark"), (1280, "light"), (1440, "dark")])
def test_a_page_is_as_wide_as_its_window(name, width, scheme):
    page = browser()
    page.look(width, scheme)
    page.open((SITE / name).as_uri())
    assert page.ask("document.documentElement.scrollWidth") == width
    assert page.complaints == []
    assert all(url.startswith(("file:", "data:")) for url in page.requests)


def test_every_page_leads_to_the_first_one():
    pages = [path for path in SITE.rglob("*.html") if "_static" not in path.parts]
    assert len(pages) > 100
    for path in pages:
        up = "../" * (len(path.relative_to(SITE).parts) - 1)
        assert f'href="{up}index.html"' in path.read_text(encoding="utf-8") or path == SITE / "index.html", path


def test_code_of_120_columns_is_not_cut_on_a_wide_window():
    page = browser()
    page.look(1440, "light")
    page.open((SITE / "c" / "skan.html").as_uri())
    cut = "[...document.querySelectorAll('.content pre')].filter(each => each.scrollWidth > each.clientWidth).length"
    assert page.ask("document.querySelectorAll('.content pre').length") > 0
    assert page.ask(cut) == 0
