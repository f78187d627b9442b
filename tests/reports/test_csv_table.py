"""CSV tables: columns under many names, cells, the event above the table, faults with their places."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reports.table_events import events
from tournaments.reports import formats, trf16
from tournaments.reports.csv_table import parse, recognises, template, write
from tournaments.reports.model import Birth

HEAD = "start_no,name,fide_id,national_id,sex,title,federation,birth,rating,points,rank,r1,r2\n"
TABLE = (
    "# name: Open de Valdeprueba\n"
    "# start: 2026-03-06\n"
    "# end: 2026-03-08\n"
    "# round 1: 2026-03-06\n" + HEAD + '1,"Alba, Tomas",9000061,A-1,m,FM,ESP,1990,1810,1.5,1,2w1,H\n'
    '2,"Bruno, Luis",9000079,,m,,ESP,1991-05-17,1790,1.0,2,1b0,3w+\n'
    '3,"Ciro, Pablo",,,w,,,,,0.0,3,Z,2b-\n'
)


def codes(report):
    return [(p.severity, p.code, p.line, p.column) for p in report.problems]


def test_a_table():
    report = parse(TABLE.encode())
    assert report.problems == ()
    assert (report.name, report.start, report.end) == (
        "Open de Valdeprueba",
        date(2026, 3, 6),
        date(2026, 3, 8),
    )
    assert report.round_dates == {1: date(2026, 3, 6)}
    first, second, third = report.players
    assert (first.name, first.fide_id, first.national_id, first.sex, first.title) == (
        "Alba, Tomas",
        "9000061",
        "A-1",
        "m",
        "FM",
    )
    assert (first.rating, first.points, first.rank) == (1810, Fraction(3, 2), 1)
    assert (second.birth, third.sex, third.fide_id) == (Birth(1991, 5, 17), "f", "")
    assert [(g.round, g.white, g.black, g.result, g.codes) for g in report.games] == [
        (1, 1, 2, "1-0", "10"),
        (1, 3, None, "bye-0", "Z"),
        (2, 1, None, "bye-1/2", "H"),
        (2, 2, 3, "+/-", "+-"),
    ]
    assert (report.rounds, report.entry_list) == (2, False)
    assert [player.line for player in report.players] == [6, 7, 8]


def test_a_rank_that_no_event_has_is_left_out():
    report = parse(TABLE.replace(",1.5,1,", ",1.5,40000,").encode())
    assert report.players[0].rank is None
    assert codes(report) == [("warning", "rank-unreadable", 6, 11)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_marks(end, mark):
    assert parse(mark + TABLE.replace("\n", end).encode()) == parse(TABLE.encode())


def test_other_delimiters_titles_and_a_decimal_comma():
    text = (
        "Nº;Apellidos y nombre;Elo;Ptos.;Año;Federación;1ª;Ronda 2\n"
        "1;Núñez, Ana;1810;1,5;1990;ESP;H;2w1\n"
        "2;Roca;;0;;;;\n"
    )
    for encoded, found in ((text.encode(), []), (text.encode("cp1252"), ["encoding-guessed"])):
        report = parse(encoded)
        assert [p.code for p in report.problems] == found
        assert [p.name for p in report.players] == ["Núñez, Ana", "Roca"]
        assert report.players[0].points == Fraction(3, 2)
        assert (report.players[0].birth.year, report.players[0].federation) == (1990, "ESP")
        assert [(g.round, g.white, g.result) for g in report.games] == [(1, 1, "bye-1/2"), (2, 1, "1-0")]
    tabs = text.replace(";", "\t")
    assert parse(tabs.encode()) == parse(text.encode())
    assert parse(("sep=;\n" + text).encode()) == parse(text.encode())


@pytest.mark.parametrize(
    ("titles", "fields"),
    [
        ("#,Player,FED,Rtg,Id,Rd.1", "start_number name federation rating fide_id"),
        ("SNo,Name,Fed,Elo,FIDE ID,1.Rd", "start_number name federation rating fide_id"),
        (
            "Starting number,NAME,Country,rating,ID FIDE,round 01",
            "start_number name federation rating fide_id",
        ),
        ("Dorsal,Jugador,País,Elo FIDE,Código FIDE,R1", "start_number name federation rating fide_id"),
    ],
)
def test_titles_of_columns(titles, fields):
    report = parse(f"{titles}\n7,Alba,ESP,1800,9000061,8w1\n8,Bruno,,,,\n".encode())
    assert report.problems == ()
    said = {field: getattr(report.players[0], field) for field in fields.split()}
    assert list(said.values()) == [7, "Alba", "ESP", 1800, "9000061"]
    assert [(g.white, g.black, g.result) for g in report.games] == [(7, 8, "1-0")]


def test_a_list_of_entries_with_numbers_that_are_none():
    text = (
        "start_no,name,fide_id,federation,birth,rating\n"
        "1,\"Uno, Ana\",'9000061',ESP,1990,1700\n"
        '2,"Dos, Eva",009000079,ESP,2001-05-06,1650\n'
        '3,"Tres, Joan",Z56538,ESP,2009,1399\n'
        '4,"Cuatro, Iu",11/01/1987,ESP,1987-01-11,1810\n'
        '5,"Cinco, Pau",CM1,ESP,2005,2010\n'
        '6,"Seis, Mar",,ESP,,\n'
        '7,"Dos, Eva",9000079,ESP,2001-05-06,1650\n'
    )
    report = parse(text.encode())
    assert report.entry_list
    assert codes(report) == [
        ("warning", "fide-id-cleaned", 2, 3),
        ("warning", "fide-id-cleaned", 3, 3),
        ("error", "fide-id-not-fide", 4, 3),
        ("error", "fide-id-not-fide", 5, 3),
        ("error", "fide-id-not-fide", 6, 3),
        ("error", "number-missing", 7, 3),
        ("error", "duplicate-fide-id", 8, 3),
    ]
    assert all("Column fide_id" in p.message for p in report.problems)
    assert [p.fide_id for p in report.players] == ["9000061", "9000079", "", "", "", "", "9000079"]
    assert {p.points for p in report.players} == {None}


def test_a_national_number_is_enough_and_no_column_of_numbers_is_a_notice():
    assert codes(parse(b"name,codigo FEDA\nAlba,123\n")) == []
    assert codes(parse(b"name,rating\nAlba,1800\n")) == [("warning", "entries-by-name", None, None)]
    assert codes(parse(b"name,national_id\nAlba,\nBruno,1 2 3\n")) == [
        ("error", "number-missing", 2, None),
        ("error", "national-id", 3, 2),
    ]
    assert codes(parse(b"name,national_id\nAlba,7\nBruno,7\n")) == [("error", "national-id-twice", 3, 2)]


def test_the_checks_of_results_are_those_of_every_format():
    text = "no,name,points,r1,r2,r3\n1,Alba,1.0,2w1,9w1,3w1\n2,Bruno,1.0,1b1,,3w1\n3,Ciro,0,,x,\n"
    report = parse(text.encode())
    assert codes(report) == [
        ("warning", "points-total", 2, 3),
        ("error", "result-mismatch", 2, 4),
        ("error", "unknown-opponent", 2, 5),
        ("warning", "points-total", 3, 3),
        ("error", "result-mismatch", 3, 4),
        ("error", "cell-text", 4, 5),
    ]
    assert all("column" not in p.remedy.lower() or "Add" in p.remedy for p in report.errors)
    report = parse(b"no,name,pts,r1\n1,Alba,2,2w1\n2,Bruno,0,\n")
    assert codes(report) == [("error", "points-total", 2, 3)]
    assert "Column pts" in report.errors[0].message


def test_points_are_added_up_where_no_column_states_them():
    report = parse(b"no,name,r1\n1,Alba,2w=\n2,Bruno,\n")
    assert [p.points for p in report.players] == [Fraction(1, 2)] * 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("error", "no-players", None, None)]),
        ("\n\n,,\n", [("error", "no-players", None, None)]),
        ("a,b\nc,d\n", [("error", "table-columns", 1, None)]),
        (HEAD, [("error", "no-players", None, None)]),
        ("no,name,r1\n1,Alba,\n", [("error", "no-games", None, None)]),
        ("name,r1\nAlba,2w1\nBruno,\n", [("warning", "table-counted", None, None)]),
        ("no,name,r1,TB1\n1,A,2w1,5\n2,B,,\n", [("warning", "column-unknown", 1, 4)]),
        ("no,name,r1,\n1,A,2w1,5\n2,B,,\n", [("warning", "column-unknown", None, 4)]),
        ("no,name,r1,rd 1\n1,A,2w1,\n2,B,,\n", [("error", "column-twice", 1, 4)]),
        ("no,name,nombre,r1\n1,A,,2w1\n2,B,,\n", [("error", "column-twice", 1, 3)]),
        ("no,name,r1,r3\n1,A,2w1,\n2,B,,\n", [("error", "round-missing", 1, None)]),
        ("no,name,points,r1\n1,A,1,0,2w1\n2,B,0,\n", None),
        ("no,name,r1\n1,A,2w1\n2,B,\n1,C,\n", [("error", "duplicate-start-number", 4, 1)]),
        ("no,name,r1\n1,A,2w1\n2,B,\nx,C,\n", [("error", "start-number", 4, 1)]),
        ("no,name,r1\n1,A,2w1\n2,B,\n3,,H\n", [("error", "name-missing", 4, 2)]),
        ("no,name,r1\n1,A\0,2w1\n2,B,\n", [("error", "control-character", 2, 2)]),
        (
            'no,name,r1\n1,A,2w1\n2,"B,\n3,C,\n',
            [("error", "csv-quotes", 3, None), ("error", "unknown-opponent", 2, 3)],
        ),
        ("# lugar de juego: x\n# fin\nno,name,r1\n1,A,2w1\n2,B,\n", [("warning", "head-unknown", 1, None)]),
        ("# name: x\n# nombre: y\nno,name,r1\n1,A,2w1\n2,B,\n", [("warning", "head-twice", 2, None)]),
        ("Open\nno,name,r1\n1,A,2w1\n2,B,\n", [("warning", "head-text", 1, None)]),
        ("# start: soon\nno,name,r1\n1,A,2w1\n2,B,\n", [("error", "date-unreadable", 1, None)]),
        ("# start: 6/3/2026\nno,name,r1\n1,A,2w1\n2,B,\n", [("warning", "date-form", 1, None)]),
        ("# rounds: 0\nno,name,r1\n1,A,2w1\n2,B,\n", [("error", "head-rounds", 1, None)]),
        ("# round 101: 2026-03-06\nno,name,r1\n1,A,2w1\n2,B,\n", [("error", "head-rounds", 1, None)]),
        ("# rounds: 5\nno,name,r1\n1,A,2w1\n2,B,\n", [("warning", "unfinished", None, None)]),
        ("# rounds: 1\nno,name,r1,r2\n1,A,2w1,2w1\n2,B,,\n", [("warning", "round-count", None, None)]),
        ("# federation: Spain\nno,name,r1\n1,A,2w1\n2,B,\n", [("error", "federation-code", None, None)]),
        ("# scoring: W=x\nno,name,r1\n1,A,2w1\n2,B,\n", [("warning", "scoring-unreadable", 1, None)]),
        (
            "# start: 2026-03-08\n# end: 2026-03-06\nno,name,r1\n1,A,2w1\n2,B,\n",
            [("error", "date-order", None, None)],
        ),
    ],
)  # fmt: skip
def test_faults_have_their_places(text, found):
    report = parse(text.encode())
    if found is None:
        assert ("error", "row-cells", 2, 5) in codes(report)
        assert "needs quotes" in "".join(p.message for p in report.errors)
    else:
        assert sorted(codes(report), key=str) == sorted(found, key=str)
    assert all(p.message and p.remedy for p in report.problems)


def test_the_event_in_two_cells_or_with_the_delimiter_in_it():
    table = "no,name,r1\n1,A,2w1\n2,B,\n"
    for line in (
        "# name: Open, otra vez",
        '"# name: Open, otra vez"',
        "# name,Open, otra vez,,",
        "#name,Open, otra vez",
    ):
        assert parse(f"{line}\n{table}".encode()).name == "Open, otra vez"
    assert parse(f"# nombre,Elo\n{table}".encode()).name == "Elo"
    report = parse(
        f"# Árbitro principal: Uno\n# adjunto: Dos\n# adjunto: Tres\n# Ritmo: 90+30\n{table}".encode()
    )
    assert (report.chief_arbiter, report.deputies, report.time_control_text) == (
        "Uno",
        ("Dos", "Tres"),
        "90+30",
    )


def test_declared_scoring_holds_for_the_points():
    report = parse(b"# scoring: W=3 D=1\nno,name,points,r1\n1,A,3,2w1\n2,B,0,\n")
    assert report.ok
    assert dict(report.scoring)["WW"] == 3


def test_a_grid_of_players():
    text = "no,name,1,2,3\n1,Alba,x,1,0.5\n2,Bruno,0,x,\n3,Ciro,½,+,x\n"
    report = parse(text.encode())
    assert [p.code for p in report.problems] == ["berger-colours"]
    assert len(report.games) == 3
    assert [p.points for p in report.players] == [Fraction(3, 2), Fraction(0), Fraction(3, 2)]
    wrong = parse(text.replace("2,Bruno,0", "2,Bruno,?").encode())
    assert ("error", "cell-text", 3, 3) in codes(wrong)


def test_more_than_is_read():
    rows = "".join(f"{number},A,\n" for number in range(1, 2100))
    assert "too-many-players" in [p.code for p in parse(f"no,name,r1\n{rows}".encode()).errors]
    titles = ",".join(f"r{number}" for number in range(1, 103))
    report = parse(f"no,name,{titles}\n1,A,2w1\n2,B\n".encode())
    assert [p.code for p in report.errors] == ["too-many-rounds"]
    assert [p.code for p in parse(f"no,name,r1{',x' * 200}\n1,A,2w1\n2,B\n".encode()).errors] == [
        "too-many-columns"
    ]
    full = ",".join(["H"] * 100)
    many = "".join(f"{number},A,{full}\n" for number in range(1, 500))
    titles = ",".join(f"r{number}" for number in range(1, 101))
    assert "too-many-cells" in [p.code for p in parse(f"no,name,{titles}\n{many}".encode()).errors]
    assert [p.code for p in parse(b"x" * (1 << 20) + b"x").errors] == ["too-big"]


def test_what_is_recognised():
    assert recognises(TABLE.encode())
    assert recognises(b"Nombre;Elo\n")
    assert recognises(b"anything", "entries.CSV")
    assert not recognises(b"012 Open\r\n001    1", "report.csv")
    assert not recognises(b"anything", "entries.txt")
    assert not recognises(b"PK\x03\x04", "x.csv")
    assert formats.recognise(TABLE.encode()).code == "csv"
    assert formats.recognise(b"012 Open\r\n").code == "trf16"
    assert formats.recognise(b"").code == "trf16"


def test_nothing_written_begins_a_formula():
    report = parse(b"no,name,r1,r2\n1,\"'=HYPERLINK(1)\",2w1,0000 - -\n2,'@x,,0000 - =\n")
    assert [p.name for p in report.players] == ["=HYPERLINK(1)", "@x"]
    text = write(report).decode("utf-8-sig")
    cells = [cell.strip('"') for line in text.splitlines() for cell in line.split(",")]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert "'=HYPERLINK(1)" in cells
    assert parse(write(report)) == report


def test_a_table_becomes_a_trf_and_comes_back():
    report = parse(TABLE.encode())
    again = trf16.parse(trf16.write(report).encode())
    assert (again.games, again.round_dates) == (report.games, report.round_dates)
    assert parse(write(again)) == again


def test_empty_tables():
    made = template(3, 2)
    assert [p.code for p in parse(made).errors] == ["no-players"]
    filled = (
        made.decode("utf-8-sig")
        .replace("# name:", "# name: Open")
        .replace("1,,,,,,,,,,,,", "1,Alba,,,,,,,,,,H,2w1")
    )
    report = parse(filled.replace("2,,,,,,,,,,,,", "2,Bruno,,,,,,,,,,,").encode())
    assert (report.name, report.errors, len(report.games), len(report.players)) == ("Open", (), 2, 2)
    entries = parse(template(2, 0).decode("utf-8-sig").replace("1,,", "1,Alba,9000061").encode())
    assert (entries.entry_list, entries.problems) == (True, ())
    for players, rounds in ((0, 1), (2001, 1), (1, 101), (1, -1), (2000, 100)):
        with pytest.raises(ValueError, match=str(players)):
            template(players, rounds)


@settings(max_examples=150, deadline=None)
@given(events() | events(entry_list=True))
def test_a_written_table_reads_back_equal_and_without_errors(event):
    again = parse(write(event))
    assert again.errors == ()
    assert again == event
    assert recognises(write(event))


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=300)
    | st.tuples(st.integers(0, len(TABLE)), st.integers(0, 20), st.binary(max_size=8)).map(
        lambda cut: TABLE.encode()[: cut[0]] + cut[2] + TABLE.encode()[cut[0] + cut[1] :]
    )
    | st.lists(st.text('12,;wb=+-HUZx"\0é ', max_size=30), max_size=5).map(
        lambda lines: ("no,name,r1,r2\n" + "\n".join(lines)).encode()
    )
)
def test_no_bytes_make_the_reader_fail(data):
    report = parse(data)
    recognises(data, "x.csv")
    known = {player.start_number for player in report.players}
    assert all({game.white, game.black} <= known | {None} for game in report.games)
    assert all(problem.message and problem.remedy for problem in report.problems)
    if report.ok:
        assert parse(write(report)) == report
