"""What a file is, its content tells: no name changes it, and what is no report says so."""

import pytest

from tests.trust import samples
from tournaments.reports import formats

FILES = [file for files in samples.reports().values() for file in files]
NAMES = [
    "",
    "report.csv",
    "report.xlsx",
    "report.trf",
    "report.exe",
    "report.png",
    "../../x.html",
    "x.trf.xlsx",
]
OTHERS = {
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
    "program": b"\x7fELF" + bytes(range(256)) * 20,
    "Windows program": b"MZ\x90\x00" + bytes(range(256)) * 20,
    "page": b"<!doctype html><html><body><script>alert(1)</script></body></html>",
    "document": b"%PDF-1.7\n1 0 obj\n",
    "old workbook": b"\xd0\xcf\x11\xe0" + bytes(600),
    "archive": b"\x1f\x8b\x08" + bytes(100),
    "rtf": rb"{\rtf1\ansi report}",
    "JSON": b'{"players": []}',
    "XML": b"<?xml version='1.0'?><report/>",
    "nothing": b"",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_changes_nothing(name):
    for given, content in FILES:
        assert formats.recognise(content, name) is formats.recognise(content, given), (given, name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", OTHERS)
def test_what_is_no_report_is_refused_under_every_name(what, name):
    report = formats.parse(OTHERS[what], name)
    assert report.errors
    assert all(problem.remedy for problem in report.errors)
    assert report.games == ()
