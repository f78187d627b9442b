"""Takes the pictures of the documentation from a running demonstration, which it does not change.

.venv/bin/python docs/screenshots.py http://127.0.0.1:8000 FOLDER

FOLDER is where the demonstration wrote its report files, normally var/demo.
"""

import os
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).resolve().parent / "images"
QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
DESKTOP, PHONE = {"width": 1000, "height": 960}, {"width": 360, "height": 720}
COLOURS = 64  # enough for text and lines, and a third of the size


def sign_in(page: Page, name: str) -> None:
    page.goto("/accounts/login/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", f"{name}-demo")
    page.click("main button[type=submit]")


def shoot(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    path = IMAGES / f"{name}.png"
    page.screenshot(path=path)
    with Image.open(path) as taken:
        taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def public(page: Page, kind: str) -> None:
    page.goto("/lists/rapid/")
    shoot(page, f"list{kind}")
    page.goto("/tournaments/?system=rapid&state=counted")
    page.locator("main table a").first.click()
    if not kind:
        shoot(page, "tournament")
    page.locator("main table td a", has_text="+").first.click()
    shoot(page, f"calculation{kind}")
    page.locator("h1 + p a[href^='/players/']").click()
    page.locator("h1").scroll_into_view_if_needed()
    shoot(page, f"player{kind}")


def arbiter(page: Page, reports: Path) -> None:
    sign_in(page, "arbiter")
    page.goto("/arbiter/")
    page.get_by_role("link", name="Rapid to report").click()
    page.get_by_role("link", name="Upload a report file").click()
    page.set_input_files("[type=file]", reports / "rapid-to-report.trf")
    page.click("[name=check]")
    shoot(page, "upload")


def staff(page: Page) -> None:
    sign_in(page, "staff")
    page.goto("/queue/")
    shoot(page, "queue")
    page.goto("/admin/tournaments/tournament/")
    page.get_by_role("link", name="Registered too late").click()
    shoot(page, "registration")
    page.goto("/admin/ratinglists/period/?system__code__exact=rapid")
    page.locator("#result_list tbody th a").first.click()
    shoot(page, "period")


def window(browser: Browser, address: str, size: dict[str, int], scheme: str) -> Page:
    return browser.new_context(base_url=address, viewport=size, color_scheme=scheme).new_page()


def main(address: str, reports: Path) -> None:
    IMAGES.mkdir(exist_ok=True)
    arguments = [*QUIET, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        public(window(browser, address, DESKTOP, "light"), "")
        public(window(browser, address, PHONE, "dark"), "-phone")
        arbiter(window(browser, address, DESKTOP, "light"), reports)
        staff(window(browser, address, DESKTOP, "light"))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
