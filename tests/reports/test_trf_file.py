"""Header, encodings, line ends, unknown lines and limits."""

from datetime import date

import pytest

from tests.reports.trf_text import FIRST, HEAD, cell, duel, player, report
from tournaments.reports.problems import LIMIT
from tournaments.reports.text import MAX_BYTES
from tournaments.reports.trf16 import parse

PLAYERS = (
    player(1, "Ibáñez, José", cell(2, "w", "1"), points="1.0"),
    player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
)


def with_header(*lines: str, without: tuple[str, ...] = ()) -> bytes:
    replaced = {line[:3] for line in lines} | set(without)
    return report(*PLAYERS, head=(*(line for line in HEAD if line[:3] not in replaced), *lines))


def test_header():
    parsed = parse(
        report(
            *PLAYERS, head=(*HEAD, "092 Individual: Swiss-System", "112 Uno, A", "112 Dos, B", "122 90+30")
        )
    )
    assert (parsed.name, parsed.city, parsed.federation) == ("Open de Valdeprueba", "Valdeprueba", "ESP")
    assert (parsed.start, parsed.end) == (date(2026, 3, 6), date(2026, 3, 8))
    assert parsed.chief_arbiter == "Arbitro, Inventado"
    assert parsed.deputies == ("Uno, A", "Dos, B")
    assert (parsed.type_text, parsed.time_control_text) == ("Individual: Swiss-System", "90+30")
    assert parsed.round_dates == {1: date(2026, 3, 6), 2: date(2026, 3, 7), 3: date(2026, 3, 8)}


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_line_ends_and_encodings(end, encoding):
    parsed = parse(report(*PLAYERS, end=end, encoding=encoding))
    assert parsed.ok
    assert parsed.players[0].name == "Ibáñez, José"
    assert [p.line for p in parsed.players] == [FIRST, FIRST + 1]
    assert ("encoding-guessed" in [p.code for p in parsed.problems]) == (encoding == "cp1252")


def test_a_dos_end_of_file_and_no_last_line_end():
    assert parse(report(*PLAYERS).rstrip(b"\r\n") + b"\r\n\x1a").ok


def test_other_unicode_line_breaks_do_not_split_a_line():
    parsed = parse(with_header("012 Open\x85de\u2028Prueba"))
    assert parsed.name == "Open de Prueba"
    assert [(p.code, p.line) for p in parsed.errors] == [("control-character", len(HEAD))]


@pytest.mark.parametrize(
    ("tag", "severity"),
    [
        ("012", "error"),
        ("022", "warning"),
        ("032", "error"),
        ("042", "error"),
        ("052", "error"),
        ("102", "warning"),
        ("132", "warning"),
    ],
)
def test_missing_and_empty_header_lines(tag, severity):
    for data in (with_header(without=(tag,)), with_header(tag + " ")):
        found = [p for p in parse(data).problems if p.code == "header-missing"]
        assert [(p.severity, p.field) for p in found if p.field != "132" or tag == "132"] == [(severity, tag)]


@pytest.mark.parametrize(
    "text",
    [
        "06/03/2026",
        "06.03.2026",
        "06. 03. 2026",
        "2026-03-06",
        "2026.03.06",
        "Mar 6, 2026",
        "March 6, 2026",
        "6 March 2026",
        "26.03.06",
        "26/03/06",
        "06/03/26",
    ],
)
def test_dates_in_forms_that_real_files_hold(text):
    parsed = parse(with_header(f"042 {text}"))
    assert parsed.start == date(2026, 3, 6)
    assert parsed.ok
    assert ("date-form", "042") in [(p.code, p.field) for p in parsed.warnings]


def test_two_digits_are_the_year_first_when_the_round_dates_agree():
    rounds = "132".ljust(91) + "26/09/11"
    parsed = parse(with_header("042 26/09/11", "052 26/09/13", rounds))
    assert (parsed.start, parsed.end) == (date(2026, 9, 11), date(2026, 9, 13))
    assert parsed.round_dates == {1: date(2026, 9, 11)}


def test_month_first_dates_make_the_shorter_event():
    parsed = parse(with_header("042 03/06/2026", "052 03/08/2026"))
    assert (parsed.start, parsed.end) == (date(2026, 3, 6), date(2026, 3, 8))


def test_dates_that_cannot_be():
    parsed = parse(with_header("042 2026/13/45", "052 soon"))
    assert [(p.code, p.field) for p in parsed.errors] == [
        ("date-unreadable", "042"),
        ("date-unreadable", "052"),
    ]
    parsed = parse(with_header("042 2026/03/08", "052 2026/03/06"))
    assert [(p.code, p.line) for p in parsed.errors] == [("date-order", len(HEAD))]
    parsed = parse(with_header("042 2026/02/08", "052 2026/09/02"))
    assert "dates-swapped" in [p.code for p in parsed.warnings]


@pytest.mark.parametrize(
    "lines",
    [
        ["132".ljust(91) + "26/03/06  26/03/07"],
        ["132".ljust(91) + "26.06.03  26.07.03"],
        ["132 2026/03/06", "132 2026/03/07"],
        ["132 26/03/06 26/03/07"],
        ["132".ljust(29) + "2026/03/06", "132".ljust(29) + "2026/03/07"],
        ["132".ljust(91) + "2026/03/062026/03/07"],
    ],
)
def test_round_dates(lines):
    parsed = parse(report(*PLAYERS, head=(*HEAD[:-1], *lines)))
    assert parsed.round_dates == {1: date(2026, 3, 6), 2: date(2026, 3, 7)}
    assert parsed.ok


def test_a_round_date_outside_the_event():
    parsed = parse(with_header("132".ljust(91) + "25/03/06"))
    assert ("round-date-outside", len(HEAD), 92) in [(p.code, p.line, p.column) for p in parsed.warnings]


def test_header_fields_that_hold_something_else():
    parsed = parse(with_header("022 https://example.org/x", "032 Example", "102 https://example.org"))
    found = {(p.severity, p.code, p.field) for p in parsed.problems}
    assert ("error", "federation-code", "032") in found
    assert ("warning", "header-meaning", "022") in found
    assert ("warning", "header-meaning", "102") in found
    assert parsed.federation == ""


def test_numbers_of_the_header_never_decide():
    parsed = parse(with_header("062 15 (12)", "XXR 3"))
    assert parsed.ok
    assert {"player-count", "unfinished"} <= {p.code for p in parsed.warnings}
    parsed = parse(with_header("142 5", "XXR 1", "062 028"))
    assert parsed.rounds_announced == 5
    assert parsed.format == "trf26"
    assert parsed.rounds == 1


def test_more_rounds_than_announced():
    lines = (
        player(1, "Alba, Tomas", cell(2, "w", "1"), cell(2, "b", "1"), points="2.0"),
        player(2, "Bruno, Luis", cell(1, "b", "0"), cell(1, "w", "0"), points="0.0"),
        "XXR 1",
    )
    parsed = parse(report(*lines))
    assert parsed.rounds == 2
    assert ("warning", "round-count", FIRST + 2) in [(p.severity, p.code, p.line) for p in parsed.problems]


def test_an_empty_cell_after_the_last_round_makes_no_round():
    lines = (
        player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
        player(2, "Bruno, Luis", cell(1, "b", "0"), "0000   -", points="0.0"),
        "XXR 1",
    )
    parsed = parse(report(*lines))
    assert parsed.ok
    assert parsed.rounds == 1
    assert len(parsed.games) == 1
    assert ("unpaired-round", FIRST + 1) in [(p.code, p.line) for p in parsed.warnings]


def test_comments_and_rulers_are_passed_over():
    noise = (
        "### SSSS sTTT",
        "# a remark",
        "",
        "0123456789012345678901234567890",
        "         1         2         3",
        "DDD SSSS sTTT NNNNN",
        "XXC white1",
        "182 Some Program",
    )
    parsed = parse(report(*noise, *PLAYERS))
    assert [p.code for p in parsed.problems] == ["round-dates"]


def test_unknown_tags_are_named_once():
    parsed = parse(report("QQ1 x", "QQ1 y", "012X", *PLAYERS))
    assert parsed.ok
    found = {p.code: p.message for p in parsed.warnings}
    assert "QQ1" in found["unknown-tag"]
    assert "1 more" in found["unknown-tag"]
    assert found["tag-without-blank"]


def test_a_player_line_under_another_tag_is_not_lost_silently():
    parsed = parse(report(*PLAYERS, player(3, "Ciro, Pablo", points="0.0", tag="101")))
    assert [(p.code, p.line) for p in parsed.errors] == [("unknown-tag-player", FIRST + 2)]


def test_no_players_and_no_games():
    assert [p.code for p in parse(report()).errors] == ["no-players"]
    assert [p.code for p in parse(report(player(1, "Alba, Tomas"))).errors] == ["no-games"]
    colour_only = player(1, "Alba, Tomas", "0000 w", points="0.0", birth="0000/00/00", fide_id="0")
    assert [p.code for p in parse(report(colour_only)).errors] == ["no-games"]


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"\n" * 1000, b"<html>", b"PK\x03\x04zip", b"%PDF-1.7", b"\0" * 99]
)
def test_files_that_are_no_report(data):
    assert [p.code for p in parse(data).errors] == ["not-trf"]


def test_utf16_and_vega_are_named():
    assert [p.code for p in parse("012 Open".encode("utf-16")).errors] == ["encoding"]
    vega = "012 Open\n001 |1|m||Alba, Tomas|1800|ESP|9000061||\n"
    assert [p.code for p in parse(vega.encode()).errors] == ["vega-tdf"]


def test_limits():
    assert [p.code for p in parse(b"0" * (MAX_BYTES + 1)).errors] == ["too-big"]
    crowd = [player(number, f"Nadie, {number}", points="0.0") for number in range(1, 2010)]
    codes = [p.code for p in parse(report(*crowd)).errors]
    assert codes.count("too-many-players") == 1
    long = player(1, "Alba, Tomas", *[cell(2, "w", "1")] * 101)
    assert "too-many-rounds" in [p.code for p in parse(report(long)).errors]


def test_problems_are_capped():
    many = [player(number, f"Nadie, {number}", cell(number, "w", "1")) for number in range(1, 1500)]
    parsed = parse(report(*many))
    assert len(parsed.errors) == LIMIT + 1
    assert parsed.errors[-1].code == "too-many-problems"


def test_repeated_header_line():
    parsed = parse(report("012 Another name", *PLAYERS))
    assert parsed.name == "Open de Valdeprueba"
    assert ("header-repeated", FIRST) in [(p.code, p.line) for p in parsed.warnings]


def test_every_problem_says_what_to_do():
    parsed = parse(duel("1", "1", ("x", "")) + b"QQ1 z\r\n")
    assert parsed.problems
    assert all(p.remedy and p.message and p.field for p in parsed.problems)
