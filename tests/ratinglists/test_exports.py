"""No export holds a cell that a spreadsheet would run, whoever is called what; numbers stay numbers.

The exports are found by asking for every address: one that is new is tried without being named here.
"""

from __future__ import annotations

import csv
import io
import itertools
import re

import openpyxl
import pytest

from players.listformats.spreadsheets import Figure, bare, lines, protect
from ratinglists import opening
from tests.factories import make_user
from tests.ratinglists.canary_urls import addresses
from tests.ratinglists.canary_world import World

PAYLOADS = ["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(1)", "＝1+1", "'=1", "＠x", "|=1", "＋1", "－1"]
#: what is safe although it begins so: a number, and a result of a game alone in its cell
HARMLESS = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?|[-+=]")
RUNS = re.compile(r"[\t\r\n]|[\s\u200b\ufeff]*[=+@＝＋－＠-]")
TABLES = ("text/csv", "spreadsheetml")


@pytest.mark.parametrize(
    "text",
    ["=1", "+1x", "-1x", "@x", "\tx", "\rx", "\nx", " =1", "\xa0=1", "\u3000＝1", "＋1", "－1", "＠x",
     "'=1", "''+a", "\ufeff=1", "\u200b=1", "=", "-12", "+12"],
)  # fmt: skip
def test_what_a_spreadsheet_would_run_has_an_apostrophe(text):
    assert protect(text) == "'" + text
    assert bare(protect(text)) == text
    assert b"".join(lines([[text]])).lstrip(b'"').startswith(b"'")


@pytest.mark.parametrize("text", ["", "Alba", "O'Neil", "'", "1-0", "3+2", "ñ=1", "'x", "#=1"])
def test_other_texts_stay_as_they_are(text):
    assert protect(text) == bare(text) == text


def test_numbers_stay_numbers():
    assert (
        b"".join(lines([[-12, 0, None, Figure("+12"), Figure("-0.5"), Figure("")]]))
        == b"-12,0,,+12,-0.5,\r\n"
    )
    for text in ("=1", "-", "1e9", "1+1", "+-1", "１"):
        with pytest.raises(ValueError, match="no number"):
            Figure(text)


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


@pytest.mark.django_db
@pytest.mark.once
def test_every_export(client, monkeypatch):
    names, add = itertools.cycle(PAYLOADS), opening.add_player
    monkeypatch.setattr(opening, "add_player", lambda name, **more: add(name=f"{next(names)} {name}", **more))
    World()
    client.force_login(make_user("chief", is_staff=True, is_superuser=True))
    exports, with_names = {}, set()
    for name, path in addresses():
        answer = client.get(path)
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code != 200 or not any(each in kind for each in TABLES):
            continue
        assert answer.headers["Content-Disposition"].startswith("attachment"), path
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        exports[name] = exports.get(name, 0) + 1
        for value, runs in cells_of(kind, content):
            assert not runs, (path, value)
            if any(payload in str(value) for payload in PAYLOADS):
                with_names.add(name)
            if isinstance(value, str) and "spreadsheetml" in kind and re.fullmatch("[12][0-9]{3}", value):
                assert name in ("arbiter-export", "list-xlsx"), (
                    path,
                    value,
                )  # a year alone is told as text there
    print(exports)
    assert {"list-csv", "list-xlsx", "list-file", "special-csv", "list-changes-csv", "monitoring-csv"} <= set(
        exports
    )
    assert {
        "register-export",
        "arbiter-export",
        "arbiter-template",
        "admin:players_playerimport_faults",
    } <= set(exports)
    assert {
        "list-csv",
        "list-xlsx",
        "list-file",
        "special-csv",
        "register-export",
        "arbiter-export",
    } <= with_names
