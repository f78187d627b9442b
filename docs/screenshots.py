"""Takes the pictures of the documentation from a running demonstration.

.venv/bin/python docs/screenshots.py http://127.0.0.1:8000
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parent / "images"
QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def sign_in(page: Page, name: str) -> None:
    page.goto("/accounts/login/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", f"{name}-demo")
    page.click("main button[type=submit]")


def shoot(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png", clip={"x": 0, "y": 0, "width": 1200, "height": 850})


def public(page: Page) -> None:
    page.goto("/lists/rapid/")
    shoot(page, "list")
    page.goto("/tournaments/?system=rapid&state=counted")
    page.locator("main table a").first.click()
    page.locator("main table td a", has_text="+").first.click()
    shoot(page, "calculation")
    page.locator("h1 + p a[href^='/players/']").click()
    page.locator("h1").scroll_into_view_if_needed()
    shoot(page, "player")


def staff(page: Page) -> None:
    sign_in(page, "staff")
    page.goto("/admin/tournaments/tournament/")
    page.get_by_role("link", name="Registered too late").click()
    shoot(page, "registration")


def main(address: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    arguments = [*QUIET, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        for take in (public, staff):
            context = browser.new_context(base_url=address, viewport={"width": 1200, "height": 850})
            take(context.new_page())
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
