"""What an export writes into its cells. That no export holds a cell that a spreadsheet would run is looked at
where every address is asked for, in ``tests.ratinglists.test_canary``."""

from __future__ import annotations

import pytest

from players.listformats.spreadsheets import Figure, bare, lines, protect


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
