"""Every address asked for by one role, each answer given to all who look for something: headers, formulas in
exports, birth dates. Asking is what costs."""

from __future__ import annotations

import csv
import io
import logging
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from unittest.mock import patch

import openpyxl

from ratingsite.middleware import HEADERS
from tests.ratinglists.canary_urls import addresses
from tests.ratinglists.spelled_dates import Watch, texts_of


@dataclass(frozen=True)
class Answer:
    name: str
    where: str
    response: object
    content: bytes

    @property
    def kind(self) -> str:
        return self.response.headers.get("Content-Type", "")


@contextmanager
def unnoted() -> Iterator[None]:
    """Nobody here looks at the log, nor at the contexts of templates, which a client would copy."""
    logging.disable()
    try:
        with patch("django.test.client.store_rendered_templates", lambda *args, **kwargs: None):
            yield
    finally:
        logging.disable(logging.NOTSET)


def walk(client, asked: Iterable[tuple[str, str]]) -> Iterator[Answer]:
    client.raise_request_exception = True
    for name, where in asked:
        if "logout" in name or name in ("admin:password_change_done", "language"):
            continue
        with unnoted():
            response = client.get(where)
        yield Answer(name, where, response, b"".join(response) if response.streaming else response.content)


class Dates:
    """Birth dates in what is answered, and the statuses, by the name of the address."""

    def __init__(self, days: Collection[date]) -> None:
        self.watch = Watch(days)
        self.leaks: dict[str, set[date]] = {}
        self.statuses: dict[str, set[int]] = {}

    def see(self, answer: Answer) -> None:
        self.statuses.setdefault(answer.name, set()).add(answer.response.status_code)
        for text in (*texts_of(answer.content), "\n".join(map(str, answer.response.headers.items()))):
            if found := self.watch.found(text):
                self.leaks.setdefault(answer.name, set()).update(found)

    def faults(self) -> dict[str, set[int]]:
        """Where the portal failed; that nobody works or sweeps here may be said."""
        return {
            name: own
            for name, own in self.statuses.items()
            if max(own) >= 500 and name not in ("healthz-queue", "healthz-sweep", "readyz")
        }


# --- headers ---------------------------------------------------------------------------------------

SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL)
DATA = 'type="application/json"'
#: what some answers say instead: files for everybody, and a case whose address is its key
OTHERWISE = {"Cross-Origin-Resource-Policy": "cross-origin", "Referrer-Policy": "no-referrer"}


def check_headers(answer, where: str) -> str:
    """Every header that every answer has; the policy."""
    for name, value in HEADERS.items():
        assert answer.headers.get(name) in {value, OTHERWISE.get(name)}, (where, name)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy, where
    assert "frame-ancestors 'none'" in policy, where
    assert "unsafe" not in policy, where
    assert "script-src 'self'" not in policy, where
    if answer.headers.get("Content-Disposition", "").startswith("attachment"):
        assert "sandbox" in policy, where
    return policy


class Headers:
    """The policy, its nonces and privacy, of each answer to somebody signed in or not."""

    def __init__(self, signed_in: bool) -> None:
        self.signed_in = signed_in
        self.seen: set[str] = set()
        self.pages = self.with_scripts = 0

    def see(self, answer: Answer) -> None:
        where, response = answer.where, answer.response
        policy = check_headers(response, where)
        if "text/html" not in answer.kind or response.streaming:
            return
        if where.startswith("/api/v1/"):  # redirects of the programs' door, which knows no session
            return
        self.pages += 1
        html, caching = answer.content.decode(), response.headers.get("Cache-Control", "")
        if self.signed_in or "csrfmiddlewaretoken" in html or response.cookies:
            assert caching == "private, no-store", (where, caching)
            assert "Cookie" in response.headers.get("Vary", ""), where
        allowed = re.search(r"script-src 'nonce-([\w-]{24})'", policy)
        for attributes, inside in SCRIPT.findall(html):
            if DATA in attributes:
                continue
            assert allowed, (where, attributes)
            assert f'nonce="{allowed[1]}"' in attributes, (where, attributes)
            assert not inside.strip(), where
        if allowed:
            assert allowed[1] not in self.seen, where
            assert caching == "private, no-store", where
            self.seen.add(allowed[1])
            self.with_scripts += 1
        else:
            assert "script-src 'none'" in policy, where
        assert not re.search(r"<[^>]+\s(on\w+|style)=", html), where
        if not where.startswith("/admin/"):
            assert "require-trusted-types-for 'script'; trusted-types portal" in policy, where


# --- exports ---------------------------------------------------------------------------------------

PAYLOADS = ["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(1)", "＝1+1", "'=1", "＠x", "|=1", "＋1", "－1"]
#: what is safe although it begins so: a number, and a result of a game alone in its cell
HARMLESS = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?|[-+=]")
RUNS = re.compile(r"[\t\r\n]|[\s\u200b\ufeff]*[=+@＝＋－＠-]")
TABLES = ("text/csv", "spreadsheetml")


def cells_of(kind: str, content: bytes):
    """Every cell of a table: its value, and whether it is a formula."""
    if "spreadsheetml" in kind:
        for sheet in openpyxl.load_workbook(io.BytesIO(content)):
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.value is not None:
                        yield cell.value, cell.data_type == "f"
    else:
        for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")):
            for cell in row:
                yield cell, bool(RUNS.match(cell)) and not HARMLESS.fullmatch(cell)


class Tables:
    """No export holds a cell that a spreadsheet would run, whoever is called what; numbers stay numbers."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.with_payloads: set[str] = set()

    def see(self, answer: Answer) -> None:
        name, where, response = answer.name, answer.where, answer.response
        if response.status_code != 200 or not any(each in answer.kind for each in TABLES):
            return
        assert response.headers["Content-Disposition"].startswith("attachment"), where
        self.names.add(name)
        for value, runs in cells_of(answer.kind, answer.content):
            assert not runs, (where, value)
            if any(payload in str(value) for payload in PAYLOADS):
                self.with_payloads.add(name)
            in_sheet = isinstance(value, str) and "spreadsheetml" in answer.kind
            if in_sheet and re.fullmatch("[12][0-9]{3}", value):
                # a year alone is told as text there
                assert name in ("arbiter-export", "list-xlsx"), (where, value)


class Walked:
    """What was found on the way."""

    def __init__(self, client, days: Collection[date], *, signed_in: bool) -> None:
        self.dates, self.headers, self.tables = Dates(days), Headers(signed_in), Tables()
        for answer in walk(client, addresses()):
            for check in (self.dates, self.headers, self.tables):
                check.see(answer)
