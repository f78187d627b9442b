"""What programs write otherwise than the paper says, and what is no TRF at all."""

from datetime import date
from fractions import Fraction

import pytest

from tests.reports.trf_text import FIRST, HEAD, cell, player, report
from tournaments.reports import formats
from tournaments.reports.model import Birth

FIRST_LINE = player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0", fide_id="9000061")
SECOND_LINE = player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0")


def with_dates(start, end, *rounds):
    dates = "132".ljust(91) + "".join(f"{text:10}" for text in rounds)
    head = (*HEAD[:3], f"042 {start}", f"052 {end}", HEAD[5], dates)
    return formats.parse(report(FIRST_LINE, SECOND_LINE, head=head))


@pytest.mark.parametrize(
    ("start", "end", "rounds", "read"),
    [
        ("1998/12/30", "1999/01/02", ("98/12/30", "99/01/02"), (date(1998, 12, 30), date(1999, 1, 2))),
        ("1985/03/06", "1985/03/08", ("85/03/06", "85/03/07"), (date(1985, 3, 6), date(1985, 3, 7))),
        ("1999/12/31", "2000/01/01", ("99/12/31", "00/01/01"), (date(1999, 12, 31), date(2000, 1, 1))),
        ("1965/03/06", "1965/03/08", ("65/03/06", "65/03/07"), (date(1965, 3, 6), date(1965, 3, 7))),
        ("2075/03/06", "2075/03/08", ("75/03/06", "75/03/07"), (date(2075, 3, 6), date(2075, 3, 7))),
    ],
)
def test_round_dates_are_of_the_events_century(start, end, rounds, read):
    parsed = with_dates(start, end, *rounds)
    assert parsed.round_dates == dict(enumerate(read, start=1))
    assert {p.code for p in parsed.problems} == {"round-dates"}


def test_an_old_event_in_two_digits():
    parsed = with_dates("98/03/06", "98/03/08", "98/03/06")
    assert (parsed.start, parsed.end) == (date(1998, 3, 6), date(1998, 3, 8))
    assert parsed.round_dates == {1: date(1998, 3, 6)}


# --- tabs ---


@pytest.mark.parametrize("size", [4, 8])
def test_tabs_that_a_program_put_for_blanks(size):
    line = ""
    for at in range(0, len(FIRST_LINE), size):
        piece = FIRST_LINE[at : at + size]
        line += piece.rstrip(" ") + "\t" if piece.endswith("   ") and len(piece) == size else piece
    assert "\t" in line
    parsed = formats.parse(report(line, SECOND_LINE))
    assert ("warning", "tab", FIRST) in [(p.severity, p.code, p.line) for p in parsed.problems]
    assert (parsed.ok, parsed) == (True, formats.parse(report(FIRST_LINE, SECOND_LINE)))


def test_a_tab_in_the_place_of_one_blank():
    parsed = formats.parse(report(FIRST_LINE.replace("Alba, ", "Alba,\t"), SECOND_LINE, "XXR\t1"))
    assert (parsed.ok, parsed.players[0].name, parsed.rounds_announced) == (True, "Alba, Tomas", 1)
    assert [p.line for p in parsed.problems if p.code == "tab"] == [FIRST, FIRST + 2]


def test_tabs_that_part_fields_are_an_error_of_that_line():
    line = "\t".join(FIRST_LINE.split())
    parsed = formats.parse(report(line, SECOND_LINE))
    assert ("tab", FIRST) in [(p.code, p.line) for p in parsed.errors]
    assert parsed.games == ()


def test_tabs_at_the_end_of_a_line_are_blanks():
    assert not [p for p in formats.parse(report(FIRST_LINE + "\t", SECOND_LINE)).problems if p.code == "tab"]


# --- the rest ---


def test_birth_without_day_points_with_comma_and_a_double_forfeit():
    lines = (
        player(1, "Alba, Tomas", cell(2, "w", "1"), cell(3, "b", "-"), points="1,0", birth="1990/00/00"),
        player(2, "Bruno, Luis", cell(1, "b", "0"), cell("0000", "-", "H"), points="0,5"),
        player(3, "Ciro, Pablo", cell("0000", "-", "U"), cell(1, "w", "-"), points="1,0"),
    )
    parsed = formats.parse(report(*lines))
    assert parsed.ok
    assert parsed.players[0].birth == Birth(1990)
    assert [p.points for p in parsed.players] == [Fraction(1), Fraction(1, 2), Fraction(1)]
    assert [(g.white, g.black, g.result) for g in parsed.games if g.round == 2 and g.black] == [(3, 1, "-/-")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_cut_lines_in_every_encoding(encoding, end):
    lines = (FIRST_LINE.replace("Tomas", "Tomás"), SECOND_LINE, player(3, "Ciro, Pablo", points="0.0"))
    parsed = formats.parse(report(*(line.rstrip() for line in lines), encoding=encoding, end=end))
    assert (parsed.ok, parsed.players[0].name, len(parsed.games)) == (True, "Alba, Tomás", 1)


def test_a_name_that_was_cut_within_a_letter_spoils_no_other_name():
    lines = (FIRST_LINE.replace("Tomas", "Tomás"), SECOND_LINE.replace("Luis", "Lluís"))
    third = player(3, "Ciro, Pablo", points="0.0").encode().replace(b"Pablo", b"Pabl\xc3")
    parsed = formats.parse(report(*lines) + third)
    assert [p.name for p in parsed.players] == ["Alba, Tomás", "Bruno, Lluís", "Ciro, Pabl\ufffd"]
    assert [(p.severity, p.line) for p in parsed.problems if p.code == "encoding-guessed"] == [
        ("warning", FIRST + 2)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "----+----1----+----2----+----3",
        "....5....0....5....0",
        "0123456789012345678901234567890",
        "012345678",
        "# DDD SSSS",
        "###",
        "SSS SSSS sTTT",
        "=====================",
    ],
)
def test_rulers_and_comments(line):
    parsed = formats.parse(report(line, FIRST_LINE, SECOND_LINE))
    assert [p.code for p in parsed.problems] == ["round-dates"]
    assert parsed.name == "Open de Valdeprueba"


def test_a_vega_file_is_known_by_its_bars_whatever_its_tags_say():
    lines = (
        "012 Torneo de Valdeprueba",
        "142 1.0 0.5",
        "152 4",
        "162 9",
        "001 1|m||Alba Tomas|1800|ESP|9000061|1750|D1|1990/05/17|1.0|1|2w1|",
        "001 2|m||Bruno Luis|1800|ESP||1700|D2|1991/05/17|0.0|2|1b0|",
    )
    parsed = formats.parse(report(*lines, head=()), "torneo.tdf")
    assert [(p.severity, p.code) for p in parsed.problems] == [("error", "vega-tdf")]
    assert parsed.players == ()


def test_a_bar_in_a_name_is_no_vega_file():
    parsed = formats.parse(report(FIRST_LINE.replace("Tomas", "T|m|s"), SECOND_LINE))
    assert parsed.ok


@pytest.mark.parametrize("tag", ["022", "122", "102", "112"])
def test_a_value_without_end_is_cut(tag):
    accents = "a" + "\u0323\u0301" * 20_000
    parsed = formats.parse(report(f"{tag} {accents}", FIRST_LINE, SECOND_LINE, head=HEAD[:1] + HEAD[2:]))
    assert "header-too-long" in [p.code for p in parsed.warnings]
    assert len(parsed.city + parsed.time_control_text + "".join(parsed.deputies)) <= 500


def test_scoring_in_every_dialect_is_the_same():
    lines = (FIRST_LINE.replace(" 1.0", " 3.0"), SECOND_LINE)
    scorings = (
        ("162  W 3.0    D 1.0",),
        ("162  W  3     D  1",),
        ("162  w 3,0    d 1,0",),
        ("162  W 3.0", "162  D 1.0"),
        ("XXS W=3 D=1 PAB=3",),
        ("XXS W=3.0", "XXS D = 1.0  PAB = 3.0"),
        ("BBW  3.0", "BBD  1.0"),
    )
    found = [formats.parse(report(*lines, *scoring)) for scoring in scorings]
    assert all(parsed.ok for parsed in found)
    values = [dict(parsed.scoring)["WW"] for parsed in found]
    assert values == [Fraction(3)] * len(scorings)
