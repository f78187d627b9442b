"""The help in Chromium without JavaScript, on a phone, light and dark."""

import pytest
from playwright.sync_api import expect

from tests.help.building import built

pytestmark = [pytest.mark.browser, pytest.mark.once]
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 28)"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built(tmp_path_factory.mktemp("help"))


@pytest.mark.parametrize("scheme", PAPER)
def test_every_page_fits_a_phone_and_loads_its_own_files_only(chromium, site, scheme):
    asked, wide, papers = [], [], set()
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, java_script_enabled=False
    )
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            wide.append(path.name)
        papers.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    page.goto((site / "index.html").as_uri())
    page.click("summary:has-text('Players')")
    page.click("nav a:has-text('How to read a calculation')")
    expect(page.locator("h1")).to_have_text("How to read a calculation")
    context.close()
    assert (wide, papers) == ([], {PAPER[scheme]})
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
