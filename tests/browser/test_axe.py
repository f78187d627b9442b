"""WCAG 2.2 AA by axe-core on every page, light and dark, on a telephone and on a desk; nothing scrolls sideways."""

from __future__ import annotations
import time, collections

from importlib.resources import files

import pytest
from django.test import Client
from django.urls import resolve
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.every_page import EMPTY, EveryPage, Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
#: the rules of these levels that colours decide: all that another colour scheme can break
OF_COLOURS = ["color-contrast", "link-in-text-block"]
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
#: what cannot be mended here, as (rule, selector of the element) and why
KNOWN: dict[tuple[str, str], str] = {}

LOOK = """async (only) => {
    const found = await axe.run(document, { runOnly: only, resultTypes: ["violations"], preload: false });
    return found.violations.flatMap((rule) => rule.nodes.map((node) =>
        [rule.id, node.target.join(" "), node.html.slice(0, 160), (node.any[0] || node.all[0] || node.none[0] || {}).message]));
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
        self.times = collections.Counter()

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
        page.set_viewport_size(DESK)
        t0 = time.time()
        answer = page.goto(visit.path)
        self.times["goto"] += time.time() - t0
        if answer.status != visit.status:
            self.faults.append(f"{visit.path} ({visit.by or 'all'}) answers {answer.status}")
        if visit.status == 200:
            self.seen.add(resolve(visit.path.partition("?")[0]).view_name)
        if visit.press:
            with page.expect_navigation():
                page.evaluate(
                    "() => document.querySelectorAll('form').forEach((form) => { form.noValidate = true })"
                )
                page.get_by_role("button", name=visit.press, exact=True).first.click()
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
        t0 = time.time()
        found = page.evaluate(LOOK, only)
        self.times[how] += time.time() - t0
        for rule, where, html, message in found:
            if not any(rule == known and selector in where for known, selector in KNOWN):
                self.faults.append(
                    f"{visit.path} ({visit.by or 'all'}; {how}): {rule} {where}: {html}: {message}"
                )

    def close(self) -> None:
        for context, _ in self.windows.values():
            context.close()


@pytest.fixture
def quiet(settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    settings.PORTAL_ARCHIVE = str(tmp_path / "archive")
    settings.PORTAL_SIGNING_KEY = str(tmp_path / "signing-key.pem")
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)
    monkeypatch.setattr("ratinglists.views.LIST_PAGE", 20)


@pytest.fixture
def inspector(chromium, live_server, quiet):
    made = Inspector(chromium, live_server.url)
    yield made
    made.close()


def test_every_page_can_be_used_by_everybody(inspector):
    for path in EMPTY:
        inspector.look(Visit(path))
    world = EveryPage()
    for visit in [*world.public(), *world.arbiters(), *world.staffs(), *world.models()]:
        inspector.look(visit)
    print(inspector.times)
    assert not inspector.faults, "\n".join(["", *inspector.faults])
