"""FEDA's evaluation file: what is read, each fault by its name, and back again."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.reports import formats
from tournaments.reports.feda_file import RATED_HEADING, UNRATED_HEADING, parse, recognises
from tournaments.reports.feda_writer import totals_of, write
from tournaments.reports.model import Birth, ParsedReport, ReportedGame, ReportedPlayer, ReportedTotals
from tournaments.reports.text import clean_text

ON = date(1997, 3, 1)
TITLES = " Codigo   Apellidos y Nombre   Sx Fed FechaNac Pto Jg Rival"
RULER = "-------- -------------------- -- --- -------- --- -- -----"
GOOD = "101     ,ALBA INVENTADA Ana  ,f,AND,06-03-59,7.0, 9,2347"
UNRATED = "00000000,CIRO INVENTADO Luis ,m,CAT,22-08-64,4.5, 6,2089"


def text(*rated, unrated=(UNRATED,), end="\r\n"):
    lines = [RATED_HEADING, "", TITLES, "", RULER, "", *rated]
    lines += [UNRATED_HEADING, "", TITLES, "", RULER, "", *unrated]
    return "".join(line + end for line in lines)


def read(*rated, **more):
    return parse(text(*rated, **more).encode(), ON)


#: the line of the first row of ``text``
FIRST = 7


def test_both_blocks():
    report = parse(text(GOOD).encode() + b"\x1a", ON)
    assert report.problems == ()
    assert report.players == (
        ReportedPlayer(
            1, "ALBA INVENTADA Ana", sex="f", birth=Birth(1959, 3, 6), national_id="101", region="AND"
        ),
        ReportedPlayer(2, "CIRO INVENTADO Luis", sex="m", birth=Birth(1964, 8, 22), region="CAT"),
    )
    assert report.totals == (
        ReportedTotals(1, Fraction(7), 9, 2347, True),
        ReportedTotals(2, Fraction(9, 2), 6, 2089, False),
    )
    assert [player.line for player in report.players] == [FIRST, FIRST + 7]
    assert (report.games, report.rounds, report.entry_list) == ((), 0, False)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_any_width_and_line_end(end):
    loose = "00101,ALBA  INVENTADA Ana,F, and ,6-3-59,7,9, 2347"
    report = parse(text(loose, end=end).encode(), ON)
    assert report.problems == ()
    assert report == read(GOOD)


@pytest.mark.parametrize(
    ("row", "code", "field", "column"),
    [
        ("600     ,DOS Ana             ,f,AND,01-01-60,4.0, 7.1988", "feda-dot", "Rival", 51),
        ("601     ,DOS Bea             ,f,AND,01-01-60,4,5, 7,1988", "feda-points-comma", "Pto", 46),
        ("6X2     ,DOS Cid             ,m,AND,01-01-60,4.0, 7,1988", "feda-code", "Codigo", 1),
        ("        ,DOS Cid             ,m,AND,01-01-60,4.0, 7,1988", "feda-code", "Codigo", 1),
        ("00000000,DOS Dan             ,m,AND,01-01-60,4.0, 7,1988", "feda-code-none", "Codigo", 1),
        ("604     ,DOS Eva             ,x,AND,01-01-60,4.0, 7,1988", "feda-sex", "Sx", 31),
        ("605     ,DOS Fco             ,m,AN,01-01-60,4.0, 7,1988", "feda-region", "Fed", 33),
        ("606     ,DOS Gil             ,m,AND,31-02-60,4.0, 7,1988", "feda-date", "FechaNac", 37),
        ("607     ,DOS Hug             ,m,AND,1960-01-01,4.0, 7,1988", "feda-date", "FechaNac", 37),
        ("607     ,DOS Hug             ,m,AND,01-01-95,4.0, 7,1988", "feda-date", "FechaNac", 37),
        ("608     ,DOS Ian             ,m,AND,01-01-60,4.3, 7,1988", "feda-points", "Pto", 46),
        ("608     ,DOS Ian             ,m,AND,01-01-60,   , 7,1988", "feda-points", "Pto", 46),
        ("609     ,DOS Jon             ,m,AND,01-01-60,8.0, 7,1988", "feda-points-games", "Pto", 46),
        ("610     ,DOS Kim             ,m,AND,01-01-60,0.0, 0,1988", "feda-games", "Jg", 51),
        ("611     ,DOS Leo             ,m,AND,01-01-60,4.0,-7,1988", "feda-games", "Jg", 50),
        ("612     ,DOS Max             ,m,AND,01-01-60,4.0, 7,abcd", "feda-average", "Rival", 53),
        ("613     ,DOS Noe             ,m,AND,01-01-60,4.0, 7,0988", "feda-average", "Rival", 53),
        ("615     ,                    ,m,AND,01-01-60,4.0, 7,1988", "name-missing", "name", 10),
        ("616     ,DOS, Pio            ,m,AND,01-01-60,4.0, 7,1988", "feda-name-comma", "name", 13),
        ("617     ,DOS Quim            ,m,AND,01-01-60,4.0", "feda-fields", "line", 1),
        ("618     ;DOS Rut             ;m;AND;01-01-60;4.0; 7;1988", "feda-line", "line", 1),
        ("619     ,DOS\0Sol             ,m,AND,01-01-60,4.0, 7,1988", "control-character", "line", 13),
        (
            "620     ,DOS Teo             ,m,AND,01-01-60,4.0, 7,1988" + " " * 500 + ".",
            "feda-line",
            "line",
            500,
        ),
    ],
)
def test_each_fault_is_one_error_with_its_place_and_remedy(row, code, field, column):
    report = read(GOOD, row)
    assert [(p.code, p.severity, p.line, p.field, p.column) for p in report.problems] == [
        (code, "error", FIRST + 1, field, column)
    ]
    assert report.problems[0].remedy
    assert report.totals[0].start_number == 1


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("600,DOS Ana,f,AND,01-01-60,4.0, 7.1988", "7 games against 1988"),
        ("600,DOS Ana,f,AND,01-01-60,4,5, 7,1988", "points 4.5"),
        ("600,DOS, Ana,f,AND,01-01-60,4.5, 7,1988", "name 'DOS Ana'"),
        ("600,DOS, Ana, x,f,AND,01-01-60,4.5, 7,1988", "name 'DOS Ana x'"),
    ],
)
def test_a_slip_shows_the_likely_reading_and_the_rest_is_checked_by_it(row, shown):
    report = read(row)
    assert shown in report.problems[0].message
    assert report.totals[0].average == 1988


def test_every_fault_of_a_row_at_once():
    report = read("6X2,,x,A,1,4.3,0,9")
    assert [p.code for p in report.errors] == [
        "feda-code",
        "name-missing",
        "feda-sex",
        "feda-region",
        "feda-date",
        "feda-points",
        "feda-games",
        "feda-average",
    ]
    assert len(report.totals) == 1  # that of the unrated player


def test_a_row_twice_whose_name_is_a_word_of_the_portal():
    named = UNRATED.replace("CIRO INVENTADO Luis ", "opening-practice.csv")
    report = read(GOOD, unrated=(named, named))
    assert [p.message for p in report.problems] == [
        "“opening-practice.csv” without a code stands in line 14 and in line 15."
    ]


def test_a_row_without_a_heading():
    report = parse((GOOD + "\r\n" + text(GOOD.replace("101", "102"))).encode(), ON)
    assert [(p.code, p.line) for p in report.problems] == [("feda-heading", 1)]
    assert len(report.players) == 2


def test_a_row_twice():
    report = read(GOOD, GOOD, unrated=(UNRATED, UNRATED, UNRATED.replace("64", "65"), GOOD))
    assert [(p.code, p.line) for p in report.problems] == [("feda-duplicate", line) for line in (8, 16, 18)]
    assert "line 7 and in line 8" in report.problems[0].message


def test_zero_points_without_a_rating():
    zero = UNRATED.replace("4.5", "0.0")
    assert [p.code for p in read(GOOD, unrated=(zero,)).problems] == ["feda-zero"]
    assert read(GOOD.replace("7.0", "0.0")).problems == ()


def test_an_unrated_player_may_have_a_code():
    report = read(unrated=(UNRATED.replace("00000000", "00000617"),))
    assert report.problems == ()
    assert report.players[0].national_id == "617"


@pytest.mark.parametrize("content", [b"", b"\x1a", text(unrated=()).encode(), b" \r\n\r\n"])
def test_no_players(content):
    assert [p.code for p in parse(content, ON).problems] == ["no-players"]


def test_other_text_is_named():
    report = parse(("Torneo inventado\r\n" + text(GOOD)).encode(), ON)
    assert [(p.code, p.severity) for p in report.problems] == [("feda-text", "warning")]


@pytest.mark.parametrize(("on", "year"), [(date(1997, 3, 1), 1959), (date(2097, 3, 1), 2059)])
def test_the_century_follows_from_the_day_of_the_event(on, year):
    assert parse(text(GOOD).encode(), on).players[0].birth.year == year


def test_without_a_day_no_century_is_guessed():
    report = parse(text(GOOD, GOOD.replace("101", "102")).encode())
    assert {player.birth for player in report.players} == {Birth()}
    assert [(p.code, p.severity) for p in report.problems] == [("feda-century", "warning")]


@pytest.mark.parametrize("blank", ["        ", "00-00-00", "  -  -  "])
def test_a_blank_birth_is_unknown(blank):
    report = read(GOOD.replace("06-03-59", blank))
    assert report.problems == ()
    assert report.players[0].birth == Birth()


@pytest.mark.parametrize("name", ["IBÁÑEZ GÜEL José", "MUÑOZ PEÑA Íñigo", "Núñez Ávila Óscar", "ROCA Anaïs"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "cp850"])
def test_accents_in_three_encodings(name, encoding):
    report = parse(text(f"101     ,{name:20},m,AND,06-03-59,7.0, 9,2347").encode(encoding), ON)
    assert report.players[0].name == name
    guessed = ["encoding-guessed"] if encoding.startswith("cp") else []
    assert [p.code for p in report.problems] == guessed


def test_too_much():
    rows = [f"{number},DOS Ana,f,AND,01-01-60,4.0, 7,1988" for number in range(1, 2100)]
    assert [p.code for p in read(*rows).errors] == ["too-many-players"]
    assert [p.code for p in parse(b"x\n" * 11_000, ON).errors] == ["no-players", "too-many-players"]
    assert [p.code for p in parse(b"x" * (1 << 20) + b"x", ON).errors] == ["too-big"]
    assert [p.code for p in parse(b"\xff\xfex\0", ON).errors] == ["encoding"]


def test_it_is_recognised_by_its_headings():
    assert recognises(text(GOOD).encode("cp850"))
    assert formats.recognise(text(GOOD).lower().encode(), "x.csv").code == "feda1031"
    assert not recognises(b"012 Torneo para jugadores\r\n")


def test_totals_of_single_games():
    players = (
        ReportedPlayer(1, "Alba", rating=2000, national_rating=2010),
        ReportedPlayer(2, "Bruno", rating=1901),
        ReportedPlayer(3, "Ciro"),
        ReportedPlayer(4, "Duran"),
    )
    games = (
        ReportedGame(1, 1, 2, "1-0"),
        ReportedGame(1, 3, 4, "1-0"),
        ReportedGame(2, 3, 1, "1/2-1/2"),
        ReportedGame(2, 2, 4, "1-0"),
        ReportedGame(3, 2, 3, "0-1"),
        ReportedGame(3, 1, 4, "+/-"),
        ReportedGame(4, 1, None, "bye-1"),
    )
    report = ParsedReport("x", players=players, games=games)
    # 3: a half against 2010 and a win against 1901, 1955.5 upwards; 4 lost to the rated 2 and has no point
    assert totals_of(report) == (
        ReportedTotals(1, Fraction(1), 1, 1901, True),
        ReportedTotals(2, Fraction(0), 1, 2010, True),
        ReportedTotals(3, Fraction(3, 2), 2, 1956, False),
    )
    again = parse(write(report), ON)
    assert [t.average for t in again.totals] == [1901, 2010, 1956]


def test_names_that_do_not_fit_are_cut_and_lose_their_comma():
    player = ReportedPlayer(1, "Fernández, de la Prueba y Villa", national_id="5", region="AND", sex="f")
    report = ParsedReport("x", players=(player,), totals=(ReportedTotals(1, Fraction(1), 2, 2000, True),))
    assert parse(write(report), ON).players[0].name == "Fernández de la Prue"


def test_names_in_ascii_make_an_ascii_file_in_the_layout_of_the_regulation():
    assert write(read(GOOD)) == text(GOOD).encode("ascii")


names = (
    st.text(min_size=1, max_size=30)
    .map(lambda name: clean_text(clean_text(name.replace(",", ""))[:20]))
    .filter(bool)
)


@st.composite
def files(draw):
    size = draw(st.integers(1, 8))
    rated = draw(st.integers(0, size))
    codes = draw(st.lists(st.integers(1, 99_999_999), min_size=size, max_size=size, unique=True))
    players, totals = [], []
    for number in range(1, size + 1):
        known = number <= rated or draw(st.booleans())
        born = draw(st.dates(date(1900, 1, 1), date(1990, 12, 31)))
        players.append(
            ReportedPlayer(
                number,
                draw(names),
                sex=draw(st.sampled_from("mf")),
                birth=Birth(born.year, born.month, born.day),
                national_id=str(codes[number - 1]) if known else "",
                region=draw(st.sampled_from(["AND", "CAT", "RIO"])),
            )
        )
        games = draw(st.integers(1, 99))
        halves = draw(st.integers(0 if number <= rated else 1, 2 * games))
        average = draw(st.integers(1000, 3000))
        totals.append(ReportedTotals(number, Fraction(halves, 2), games, average, number <= rated))
    return ParsedReport("feda1031", players=tuple(players), totals=tuple(totals))


@settings(max_examples=150, deadline=None)
@given(files())
def test_a_written_file_reads_back_equal(report):
    again = parse(write(report), ON)
    assert again == report
    assert {p.code for p in again.errors} <= {"feda-duplicate"}  # two without a code and of one name


SAMPLE = text(GOOD, GOOD.replace("101", "102"), unrated=(UNRATED,)).encode()


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=300)
    | st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 20), st.binary(max_size=8)).map(
        lambda cut: SAMPLE[: cut[0]] + cut[2] + SAMPLE[cut[0] + cut[1] :]
    )
    | st.lists(st.text("0123456789,.-mfAND x\0é", max_size=70), max_size=6).map(
        lambda lines: text(*lines).encode()
    )
)
def test_no_bytes_make_the_reader_fail(data):
    report = parse(data, ON)
    numbers = {player.start_number for player in report.players}
    assert {row.start_number for row in report.totals} <= numbers
    assert all(problem.message and problem.remedy for problem in report.problems)
    if report.ok:
        again = parse(write(report), ON)
        assert [t.points for t in again.totals] == [t.points for t in report.totals]
