"""What TRF26 has beside TRF16: how it is known, its header, its coded time control, how it is written."""

from datetime import date
from fractions import Fraction

import pytest

from tests.reports.trf_text import FIRST, HEAD, cell, player, report
from tournaments.reports import formats, trf16, trf26
from tournaments.reports.model import ParsedReport, ReportedGame, ReportedPlayer, ReportedTeam

PLAYERS = (
    player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
    player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
)


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("line", ["142 1", "### SSSS", "162  W 1.0", "310   1 Uno", "802   1", "222 5400"])
def test_a_tag_that_only_trf26_has_makes_the_format(line, first, end):
    lines = (line, *PLAYERS) if first else (*PLAYERS, line)
    data = report(*lines, head=() if first else HEAD, end=end)
    assert formats.recognise(data).code == "trf26"
    assert formats.parse(data).format == formats.parse(b"\xef\xbb\xbf" + data).format == "trf26"
    assert trf16.parse(data).format == "trf26"


@pytest.mark.parametrize("line", ["XXR 1", "013 Uno", "ESP    1", "# 142 1", "142X", " 142 1", "012 142 1"])
def test_other_lines_leave_it_trf16(line):
    data = report(*PLAYERS, line)
    assert formats.recognise(data).code == "trf16"
    assert formats.parse(data).format == "trf16"


def test_a_tag_without_players_is_no_report():
    assert formats.recognise(b"142 1\n310 1 Uno\n").code == "trf16"


def test_a_file_that_nobody_knows_is_refused_as_a_report():
    assert [p.code for p in formats.parse(b"hello").errors] == ["not-trf"]


def test_coded_type_and_time_control_stand_in_for_the_free_ones():
    coded = ("192 FIDE_DUTCH_2026", "222 40/7200:3600")
    parsed = trf26.parse(report(*PLAYERS, *coded))
    assert (parsed.type_text, parsed.time_control_text) == (
        "FIDE_DUTCH_2026",
        "40 moves in 120 minutes, then 60 minutes for the rest of the game",
    )
    parsed = trf26.parse(report(*PLAYERS, *coded, "092 Swiss", "122 classical"))
    assert (parsed.type_text, parsed.time_control_text) == ("Swiss", "classical")


@pytest.mark.parametrize(
    ("coded", "text"),
    [
        ("5400+30", "90 minutes with 30 seconds added per move from move 1"),
        ("W300-B240", "White: 5 minutes; Black: 4 minutes"),
        ("90 minutes", "90 minutes"),
        ("W300-Bx", "W300-Bx"),
    ],
)
def test_coded_time_controls_in_words(coded, text):
    parsed = trf26.parse(report(*PLAYERS, f"222 {coded}"))
    assert parsed.time_control_text == text
    assert trf26.parse(trf26.write(parsed).encode()).time_control_text == text


@pytest.mark.parametrize(
    ("text", "coded"),
    [
        ("90+30", "222 5400+30"),
        ("90 min + 30 s/move", "222 5400+30"),
        ("40/100+30/15+30", "222 40/6000+30:900+30"),
        ("White: 5 minutes; Black: 4 minutes", "222 W300-B240"),
        ("classical", None),
        ("", None),
    ],
)
def test_a_time_control_that_is_understood_is_coded(text, coded):
    lines = trf26.write(ParsedReport("", time_control_text=text)).splitlines()
    assert next((line for line in lines if line[:3] == "222"), None) == coded


@pytest.mark.parametrize("tag", ["182 x", "152 B", "250      1.0   1   2    1    2"])
def test_skipped_tags_make_no_finding(tag):
    assert [p.code for p in trf26.parse(report(*PLAYERS, tag)).problems] == ["round-dates"]


def test_what_is_written_column_by_column():
    event = ParsedReport(
        format="",
        name="Open",
        city="Valdeprueba",
        federation="ESP",
        start=date(1998, 3, 6),
        end=date(1998, 3, 7),
        chief_arbiter="Arbitro, Inventado",
        time_control_text="90+30",
        round_dates={1: date(1998, 3, 6)},
        players=(
            ReportedPlayer(1, "Alba, Tomas", "m", points=Fraction(3), federation="ESP", national_id="D1"),
            ReportedPlayer(2, "Bruno, Luis", points=Fraction(0), federation="ESP"),
            ReportedPlayer(3, "Ciro, Pablo", points=Fraction(1), federation="ESP"),
        ),
        games=(ReportedGame(1, 1, 2, "1-0", "10"), ReportedGame(1, 3, None, "bye-1/2", "H")),
        rounds=1,
        rounds_announced=1,
        scoring=(("WW", Fraction(3)), ("BW", Fraction(3)), ("FPB", Fraction(2)), ("FW", Fraction(3))),
    )
    lines = trf26.write(event).split("\r\n")
    assert lines == [
        "012 Open",
        "022 Valdeprueba",
        "032 ESP",
        "042 1998/03/06",
        "052 1998/03/07",
        "062 3",
        "102 Arbitro, Inventado",
        "122 90+30",
        "132".ljust(91) + "98/03/06",
        "142 1",
        "162  W 3.0    D 0.5    L 0.0    A 0.0    P 1.0",
        "XXS FPB=2.0",
        "172 ESP OTHER",
        "222 5400+30",
        "### SSSS sTTT " + "N" * 33 + " RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1",
        player(1, "Alba, Tomas", cell(2, "w", "1"), points="3.0", rating="", birth=""),
        player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0", rating="", birth="", sex=""),
        player(3, "Ciro, Pablo", cell("0000", "-", "H"), points="1.0", rating="", birth="", sex=""),
        "ESP    1 m    Alba, Tomas".ljust(66) + "D1",
        "240 H   1    3",
        "299".ljust(14) + "0.5" + " " * 9 + "3",
        "",
    ]
    again = trf26.parse(trf26.write(event).encode())
    assert (again, again.problems) == (event, ())


def test_teams_are_written_in_both_formats():
    numbers = tuple(range(1, 5))
    event = ParsedReport(
        "",
        players=tuple(ReportedPlayer(n, f"Nadie, {n}", points=Fraction(0)) for n in numbers),
        teams=(ReportedTeam(1, "Club Uno", (1, 3)), ReportedTeam(2, "C" * 40, (2, 4))),
    )
    lines = trf26.write(event).splitlines()
    assert lines[-2:] == [
        "310   1 Club Uno" + " " * 57 + "   1    3",
        "310   2 " + "C" * 32 + " " * 33 + "   2    4",
    ]
    lines = trf16.write(event).splitlines()
    assert "082 2" in lines
    assert lines[-2:] == ["013 Club Uno" + " " * 24 + "   1    3", "013 " + "C" * 32 + "   2    4"]


def test_a_bye_of_the_round_to_come_stays_a_bye():
    unpaired = report(
        *PLAYERS,
        player(3, "Ciro, Pablo", cell("0000", "-", "U"), cell("0000", "-", "H"), points="1.5"),
        "XXR 5",
    )
    for each in (formats.by_code("trf16"), formats.by_code("trf26")):
        event = each.parse(unpaired, None)
        again = each.parse(each.write(event), None)
        assert again == event
        assert {p.code for p in again.problems} == {p.code for p in event.problems}


def test_a_national_number_that_does_not_fit_is_left_out_rather_than_cut():
    people = (ReportedPlayer(1, "Alba", federation="ESP", national_id="D-1234567890"),)
    for each in (trf16, trf26):
        assert "D-1234" not in each.write(ParsedReport("", players=people))


def test_lines_count_in_the_file():
    parsed = trf26.parse(report("### one", *PLAYERS))
    assert [p.line for p in parsed.players] == [FIRST + 1, FIRST + 2]
