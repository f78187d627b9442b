"""Pages opened in Chromium by several accounts, and what ran, loaded, evaluated or became markup there."""

from __future__ import annotations

from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Error, Page

from tests.trust.payloads import EVALUATED

#: no page of the portal has handlers, inline scripts or styles, frames, or addresses that run
FOREIGN = """(evaluated) => {
    const found = [], runs = /^[\\s\\u0000-\\u001f]*(javascript|vbscript|data:text|blob)/i;
    const never = new RegExp("^(q|s|iframe|object|embed|marquee|math|xmp|base|listing|plaintext|noembed"
        + "|foreignobject|animate|set)$", "i");
    const addresses = /^(href|src|action|formaction|data|xlink:href|srcdoc|background|poster)$/i;
    const canary = /^\\s*([a-z]+:)?[\\/\\\\]{2}canary/i;
    for (const one of document.querySelectorAll("*")) {
        const told = () => one.outerHTML.slice(0, 150);
        if (never.test(one.localName)) found.push(told());
        if (one.localName === "style" && one.sheet && !one.dataset.own) found.push(told());
        if (one.localName === "script" && !one.src && /^$|script|module/.test(one.type)) found.push(told());
        for (const own of one.attributes) {
            if (/^on/i.test(own.name)) found.push(told());
            const leads = runs.test(own.value) || canary.test(own.value);
            if (addresses.test(own.name) && leads) found.push(told());
        }
    }
    if (document.documentElement.textContent.includes(evaluated)) found.push("a template evaluated");
    return found.concat(window.violations || []);
}"""
VIOLATIONS = """window.violations = [];
document.addEventListener("securitypolicyviolation", (told) => window.violations.push(
    `policy: ${told.violatedDirective} ${told.blockedURI} ${told.sourceFile}:${told.lineNumber}`));"""


class Looker:
    """A window for each account; ``faults`` names page and what happened on it."""

    def __init__(self, chromium: Browser, address: str, users: dict, *, policy: bool) -> None:
        self.chromium, self.address, self.users, self.policy = chromium, address, users, policy
        self.windows: dict[str, Page] = {}
        self.faults: list[str] = []
        self.ran: set[int] = set()
        self.opened = 0

    def window(self, account: str) -> Page:
        if account not in self.windows:
            context = self.chromium.new_context(base_url=self.address, bypass_csp=not self.policy)
            context.set_default_timeout(15_000)
            context.add_init_script(VIOLATIONS)
            context.expose_binding("z", lambda source, number=0: self._ran(source["page"], number))
            if account:
                client = Client()
                client.force_login(self.users[account])  # by its key: its name may be a payload by now
                name = settings.SESSION_COOKIE_NAME
                context.add_cookies(
                    [{"name": name, "value": client.cookies[name].value, "url": self.address}]
                )
            self.windows[account] = self.anew(context)
        return self.windows[account]

    def anew(self, window: BrowserContext | Page) -> Page:
        """Another page of an account's window, watched."""
        page = (window if isinstance(window, BrowserContext) else window.context).new_page()
        page.on("dialog", self._dialog)
        page.on("request", lambda asked: self._asked(page, asked.url))
        return page

    def _ran(self, page: Page, number) -> None:
        self.ran.add(int(str(number if not isinstance(number, list) else number[0]) or 0))
        self.faults.append(f"{page.url}: payload {number} ran")

    def _dialog(self, dialog) -> None:
        self.faults.append(f"{dialog.page.url}: it says {dialog.message}")
        dialog.dismiss()

    def _asked(self, page: Page, url: str) -> None:
        if not url.startswith((self.address, "data:", "about:")):
            self.faults.append(f"{page.url} asks for {url}")

    def look(self, account: str, path: str) -> None:
        page = self.window(account)
        self.opened += 1
        try:
            page.goto(path, wait_until="load")
            self.judge(page, f"{path} ({account or 'public'})")
        except Error as error:
            self.faults.append(f"{path} ({account or 'public'}): {error.message[:200]}")

    def judge(self, page: Page, what: str) -> None:
        """What is on the page that is open now."""
        self.faults += [f"{what}: {each}" for each in page.evaluate(FOREIGN, EVALUATED)]

    def close(self) -> None:
        for page in self.windows.values():
            page.context.close()
