"""Pages gone through by Tab alone: a skip link first, a focus that shows, no trap; and pages on paper."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from tests.browser.every_page import EveryPage
from tests.browser.test_arbiter_by_keyboard import Keys

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

#: what Tab must come to, in the order of the page: the elements that are shown and can be used
STOPS = """() => {
    const usable = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
    const shown = (each) => !each.disabled && each.checkVisibility({ visibilityProperty: true });
    return [...document.querySelectorAll(usable)].filter(shown).length;
}"""
AT = "() => document.activeElement === document.body ? null : document.activeElement.outerHTML.slice(0, 200)"


def walk(page: Page, keys: Keys, path: str) -> None:
    """Tab through a page from its begin: the first stop skips to the content, each shows its focus, and the
    way ends outside of the page after no more stops than it has."""
    page.goto(path)
    stops = page.evaluate(STOPS)
    assert stops > 10
    keys.press("Tab")
    assert keys.focused() == "Skip to the content"
    assert page.locator(".skip").is_visible()
    seen = 1
    for _ in range(stops + 5):
        assert keys.shows_focus(), page.evaluate(AT)
        keys.press("Tab")
        if page.evaluate(AT) is None or keys.focused() == "Skip to the content":
            break
        seen += 1
    else:
        raise AssertionError(f"{path}: Tab does not leave the page, it stays at {page.evaluate(AT)}")
    assert seen >= stops - 2  # a group of radio buttons is one stop
    page.goto(path)
    keys.press("Tab", "Enter")
    assert page.evaluate("() => document.activeElement.id") == "content"


@pytest.fixture
def world(live_server, quiet) -> EveryPage:
    return EveryPage()


def test_pages_are_gone_through_by_tab(page: Page, world):
    keys = Keys(page)
    newest = reverse("list", args=[world.rapid.pk, world.newest.list_date])
    for path in ("/", newest, f"/players/{world.people[0].pk}/", "/calendar/"):
        walk(page, keys, path)
    keys.sign_in()
    walk(page, keys, reverse("arbiter-upload", args=[world.due.pk]))


def test_print_leaves_out_what_paper_cannot_use(page: Page, world):
    page.goto(reverse("tournament", args=[world.open.pk]))
    page.emulate_media(media="print", color_scheme="dark")
    for gone in (".site-header", ".site-footer", ".breadcrumbs"):
        assert page.locator(gone).is_hidden()
    assert page.locator(".crosstable").is_visible()
    colours = page.evaluate(
        """() => [document.body, document.querySelector(".crosstable")].map((each) => {
            const look = getComputedStyle(each);
            return [look.backgroundColor, look.color];
        })"""
    )
    assert colours == [["rgb(255, 255, 255)", "rgb(0, 0, 0)"]] * 2
    # Nothing is cut off at the edge of a sheet: the table's box does not scroll.
    box = page.locator(".table-responsive").first
    assert box.evaluate("(each) => getComputedStyle(each).overflowX") == "visible"
