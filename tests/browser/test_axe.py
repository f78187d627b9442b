"""WCAG 2.2 AA by axe-core on every page, light and dark, on telephone and desk; nothing scrolls sideways."""

from __future__ import annotations

from importlib.resources import files

import pytest
from django.test import Client
from django.urls import resolve
from playwright.sync_api import Browser, BrowserContext, Page

from ratinglists import urls as ratinglists
from ratinglists.files import WHOLE as files_of_lists
from tests.browser.every_page import EMPTY, EveryPage, Visit
from tournaments import urls as tournaments

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
#: the rules of these levels that colours decide: all that another colour scheme can break
OF_COLOURS = ["color-contrast", "link-in-text-block"]
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
#: what cannot be mended here, as (rule, selector of the element) and why
KNOWN: dict[tuple[str, str], str] = {}

#: addresses that answer with a file or data, take what a form sends, or lead elsewhere
NO_PAGES = {
    "system-latest", "list-file", "special-csv", "list-changes-csv", "monitoring-csv", "complaint-correct",
    *(f"list-{ending}" for ending in files_of_lists), "calendar-ics", "calendar-system-ics",
    "feed", "feed-revisions", "feed-system", "robots", "sitemap", "sitemap-part", "api-openapi",
    "verify-manifest", "verify-signature", "verify-archive", "verify-key",
    "me-read", "arbiter-appeal", "arbiter-cancel", "arbiter-entry-add", "arbiter-entry-withdraw",
    "arbiter-choose", "arbiter-distinct", "arbiter-submit", "arbiter-resume", "arbiter-discard",
    "arbiter-choose-entries", "arbiter-enter-list", "arbiter-export", "arbiter-template", "arbiter-file",
}  # fmt: skip

LOOK = """async (only) => {
    const found = await axe.run(document, { runOnly: only, resultTypes: ["violations"], preload: false });
    return found.violations.flatMap((rule) => rule.nodes.map((node) => {
        const why = [...node.any, ...node.all, ...node.none].map((check) => check.message);
        return [rule.id, node.target.join(" "), node.html.slice(0, 160), why.join("; ")];
    }));
}"""
#: a colour that is on its way to another is nobody's fault
STILL = """addEventListener("DOMContentLoaded", () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { transition: none !important; animation: none !important; }");
    document.adoptedStyleSheets.push(sheet);
})"""
WIDE = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Inspector:
    """Looks at pages, for each account in a window of its own, and notes what is wrong."""

    def __init__(self, chromium: Browser, address: str) -> None:
        self.chromium, self.address = chromium, address
        self.windows: dict[str, tuple[BrowserContext, Page]] = {}
        self.seen: set[str] = set()
        self.faults: list[str] = []

    def page_of(self, account: str) -> Page:
        if account not in self.windows:
            context = self.chromium.new_context(base_url=self.address, reduced_motion="reduce")
            context.set_default_timeout(15_000)
            context.add_init_script(AXE)
            context.add_init_script(STILL)
            if account:
                context.add_cookies([self._signed_in(account)])
            self.windows[account] = (context, context.new_page())
        return self.windows[account][1]

    def _signed_in(self, account: str) -> dict:
        client = Client()
        assert client.login(username=account, password="secret")
        return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": self.address}

    def look(self, visit: Visit) -> None:
        page = self.page_of(visit.by)
        page.emulate_media(color_scheme="light")
        answer = page.goto(visit.path)
        if answer.status != visit.status:
            self.faults.append(f"{visit.path} ({visit.by or 'all'}) answers {answer.status}")
        if visit.status == 200:
            self.seen.add(resolve(visit.path.partition("?")[0]).view_name)
        if visit.file:
            page.locator("input[type=file]").set_input_files(
                {"name": "report.trf", "mimeType": "text/plain", "buffer": visit.file}
            )
        if visit.press:
            with page.expect_navigation():
                page.evaluate(
                    "() => document.querySelectorAll('form').forEach((form) => { form.noValidate = true })"
                )
                page.get_by_role("button", name=visit.press, exact=True).first.click()
        self.judge(page, visit)

    def judge(self, page: Page, visit: Visit) -> None:
        """What is open now, in both colours and widths."""
        page.set_viewport_size(DESK)
        self._check(page, visit, "desk, light", {"type": "tag", "values": LEVELS})
        page.emulate_media(color_scheme="dark")
        self._check(page, visit, "desk, dark", {"type": "rule", "values": OF_COLOURS})
        page.set_viewport_size(PHONE)
        self._check(page, visit, "phone, dark", {"type": "rule", "values": OF_COLOURS})
        page.emulate_media(color_scheme="light")
        self._check(page, visit, "phone, light", {"type": "tag", "values": LEVELS})
        if page.evaluate(WIDE):
            self.faults.append(f"{visit.path} ({visit.by}) scrolls sideways at 360 px")

    def _check(self, page: Page, visit: Visit, how: str, only: dict) -> None:
        for rule, where, html, message in page.evaluate(LOOK, only):
            if not any(rule == known and selector in where for known, selector in KNOWN):
                self.faults.append(
                    f"{visit.path} ({visit.by or 'all'}; {how}): {rule} {where}: {html}: {message}"
                )

    def close(self) -> None:
        for context, _ in self.windows.values():
            context.close()


@pytest.fixture
def inspector(chromium, live_server, quiet):
    made = Inspector(chromium, live_server.url)
    yield made
    made.close()


def pages() -> set[str]:
    """The names of all addresses that show a page."""
    known = {getattr(each, "name", None) for each in [*ratinglists.urlpatterns, *tournaments.urlpatterns]}
    known.discard(None)  # of the programs' door
    assert known > NO_PAGES
    return known - NO_PAGES


def test_every_page_can_be_used_by_everybody(inspector):
    for path in EMPTY:
        inspector.look(Visit(path))
    world = EveryPage()
    for visit in [*world.public(), *world.arbiters(), *world.staffs(), *world.models()]:
        inspector.look(visit)
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr("ratinglists.listing.archive", None)
        inspector.look(Visit("/lists/", status=500))
    assert not inspector.faults, "\n".join(["", *inspector.faults])
    assert pages() <= inspector.seen


def test_the_inspector_sees_what_is_wrong(inspector):
    """The control: a pale line, a field without a name and a wide box, on a page of the portal."""
    visit = Visit("/accounts/login/")
    inspector.look(visit)
    assert not inspector.faults
    page = inspector.page_of("")
    page.evaluate(
        """() => {
            document.querySelector("h1").style.color = "#ccc";
            document.querySelector("h1").style.width = "1500px";
            document.querySelectorAll("label").forEach((label) => label.remove());
        }"""
    )
    inspector.judge(page, visit)
    found = "\n".join(inspector.faults)
    for words in ("color-contrast", "label #id_login", "scrolls sideways"):
        assert words in found
