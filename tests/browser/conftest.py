import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

# Playwright's synchronous interface runs an event loop in this thread, which Django mistakes for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
QUIET = (
    "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update"
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        raise RuntimeError("Browser tests need Chromium; ./test installs it.")
    arguments = [*QUIET.split(), "--disable-sync", *(["--no-sandbox"] if os.getuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, live_server) -> Iterator[Page]:
    """A fresh window on the running site. The test fails when the page breaks its policy or its script."""
    context = chromium.new_context(base_url=live_server.url)
    context.set_default_timeout(15_000)
    page, troubles = context.new_page(), []
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    yield page
    context.close()
    assert not troubles


@pytest.fixture
def quiet(settings, tmp_path, monkeypatch) -> None:
    """Files in a folder of the test's own, no worker rung for, and short pages of lists."""
    settings.VAR_DIR = tmp_path
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    settings.PORTAL_ARCHIVE = str(tmp_path / "archive")
    settings.PORTAL_SIGNING_KEY = str(tmp_path / "signing-key.pem")
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)
    monkeypatch.setattr("ratinglists.views.LIST_PAGE", 20)
