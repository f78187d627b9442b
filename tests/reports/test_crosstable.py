"""Crosstables typed in a form."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.reports.crosstable import Entry, Header, Row, berger, build, build_round_robin, parse_cell
from tournaments.reports.trf16 import parse, write

HEADER = Header(
    name="Torneo de Valdeprueba",
    city="Valdeprueba",
    federation="esp",
    start=date(2026, 3, 6),
    end=date(2026, 3, 8),
    chief_arbiter="Arbitro, Inventado",
    round_dates={1: date(2026, 3, 6), 2: date(2026, 3, 7)},
)


def rows(*cells: tuple[str, ...], **fields: str) -> list[Row]:
    names = ("Alba, Tomas", "Bruno, Luis", "Ciro, Pablo", "Duran, Jose", "Eneas, Jon", "Fabra, Iu")
    return [
        Row(number, name, cells=given, **fields)
        for number, (name, given) in enumerate(zip(names, cells, strict=False), start=1)
    ]


def lossless(report) -> bool:
    return parse(write(report).encode()) == report


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("12w1", Entry(12, "w", "1")),
        (" 12 W ½ ", Entry(12, "w", "=")),
        ("12b0.5", Entry(12, "b", "=")),
        ("12b 0,5", Entry(12, "b", "=")),
        ("3w1/2", Entry(3, "w", "=")),
        ("w12 1", Entry(12, "w", "1")),
        ("b3=", Entry(3, "b", "=")),
        ("12 0", Entry(12, "", "0")),
        ("12=", Entry(12, "", "=")),
        ("12w+", Entry(12, "w", "+")),
        ("12b-", Entry(12, "b", "-")),
        ("12-", Entry(12, "", "-")),
        ("12wW", Entry(12, "w", "W")),
        ("12bl", Entry(12, "b", "L")),
        ("12w", Entry(12, "w", "")),
        ("12", Entry(12, "", "")),
        ("", Entry()),
        ("  ", Entry()),
        ("+", Entry(None, "", "+")),
        ("-", Entry(None, "", "-")),
        ("h", Entry(None, "", "H")),
        ("U", Entry(None, "", "U")),
        ("f", Entry(None, "", "F")),
        ("Z", Entry(None, "", "Z")),
        ("½", Entry(None, "", "=")),
        ("0000 - H", Entry(None, "", "H")),
        ("0001w1", Entry(1, "w", "1")),
    ],
)
def test_cells(text, entry):
    assert parse_cell(text) == entry


@pytest.mark.parametrize(
    "text", ["0", "x", "12x1", "12345w1", "12w2", "w", "1 - 0", "12w1 13b0", "²w1", "1٣w1"]
)
def test_cells_that_mean_nothing(text):
    with pytest.raises(ValueError, match="is not opponent, colour and result"):
        parse_cell(text)


@given(st.text(max_size=12))
def test_any_cell_is_read_or_refused(text):
    try:
        entry = parse_cell(text)
    except ValueError:
        return
    assert entry.opponent is None or 1 <= entry.opponent <= 9999


def test_a_game_typed_once_fills_the_other_side():
    report = build(HEADER, rows(("2w1", "3b½"), ("", "U"), ("H", "")))
    assert report.ok
    assert [(g.round, g.white, g.black, g.result) for g in report.games] == [
        (1, 1, 2, "1-0"),
        (1, 3, None, "bye-1/2"),
        (2, 2, None, "bye-1"),
        (2, 3, 1, "1/2-1/2"),
    ]
    assert [p.points for p in report.players] == [Fraction(3, 2), Fraction(1), Fraction(1)]
    assert report.federation == "ESP"
    assert lossless(report)


def test_every_letter_reads_back():
    report = build(
        HEADER,
        rows(("2w+", "3bW", "4w0"), ("1b-", "F", "3w-"), ("4b0", "", "2b-"), ("", "Z", "1b=")),
    )
    assert report.ok
    assert {g.codes for g in report.games} >= {"+-", "LW", "0=", "--", "10", "F", "Z"}
    assert lossless(report)
    assert parse(write(report).encode()).ok


def test_two_sides_that_do_not_mirror_name_both_rows_and_the_round():
    report = build(HEADER, rows(("2w1",), ("1b1",)))
    assert [(p.code, p.line, p.column) for p in report.errors] == [
        ("result-mismatch", 1, 1),
        ("result-mismatch", 2, 1),
    ]
    assert "row 1 (1 Alba, Tomas)" in report.errors[0].message
    assert "row 2 (2 Bruno, Luis)" in report.errors[0].message
    assert "Round 1" in report.errors[0].message


def test_every_fault_of_the_form_at_once():
    table = [
        Row(1, "Alba, Tomas", rating="x", cells=("9w1",)),
        Row(1, "Bruno, Luis", cells=("",)),
        Row(0, "", fide_id="Z5", cells=("??",)),
    ]
    report = build(Header(name=" ", federation="Spain", start=date(2026, 3, 8), end=date(2026, 3, 6)), table)
    assert {p.code for p in report.errors} == {
        "header-missing",
        "federation-code",
        "date-order",
        "rating-unreadable",
        "duplicate-start-number",
        "start-number",
        "name-missing",
        "cell-text",
    }
    assert [p.code for p in report.warnings] == ["fide-id-not-fide"]
    assert all("column" not in p.remedy for p in report.problems)


def test_an_opponent_without_a_row():
    report = build(HEADER, rows(("9w1",), ("",)))
    assert [(p.code, p.line, p.column) for p in report.errors] == [("unknown-opponent", 1, 1)]


def test_two_rows_that_name_the_same_opponent():
    report = build(HEADER, rows(("3w1",), ("3w1",), ("",)))
    assert [(p.code, p.line) for p in report.errors] == [("opponent-mismatch", 2)]


def test_empty_forms():
    assert [p.code for p in build(HEADER, []).errors] == ["no-players"]
    assert [p.code for p in build(HEADER, rows(("",), ("H",))).errors] == ["no-games"]


def test_identity_fields_are_cleaned_and_long_names_cut():
    row = Row(
        1,
        "Fernández de la Prueba y Villainvento, María",
        sex="W",
        title="wg",
        rating="2100",
        federation="esp",
        fide_id="'09000061'",
        birth="1990",
        cells=("2w1",),
    )
    report = build(HEADER, [row, Row(2, "Bruno,\tLuis\r\n", cells=("",))])
    first = report.players[0]
    assert len(first.name) <= 33
    assert (first.sex, first.title, first.rating, first.fide_id) == ("f", "WGM", 2100, "9000061")
    assert report.players[1].name == "Bruno, Luis"
    assert report.ok
    assert lossless(report)


# Berger table for six players as printed in the FIDE Handbook (C.05 annex): white first.
BERGER_6 = {
    1: {(1, 6), (2, 5), (3, 4)},
    2: {(6, 4), (5, 3), (1, 2)},
    3: {(2, 6), (3, 1), (4, 5)},
    4: {(6, 5), (1, 4), (2, 3)},
    5: {(3, 6), (4, 2), (5, 1)},
}


def test_the_berger_table_for_six():
    made: dict[int, set[tuple[int, int]]] = {}
    for a in range(1, 7):
        for b in range(a + 1, 7):
            round_, a_white = berger(a, b, 6)
            assert berger(b, a, 6) == (round_, not a_white)
            made.setdefault(round_, set()).add((a, b) if a_white else (b, a))
    assert made == BERGER_6


@given(st.integers(1, 20))
def test_berger_gives_everybody_one_game_a_round(half):
    seats = 2 * half
    met = [
        (number, berger(number, other, seats)[0])
        for number in range(1, seats + 1)
        for other in range(1, seats + 1)
        if other != number
    ]
    assert len(set(met)) == len(met)
    assert {round_ for _, round_ in met} == set(range(1, seats))


def test_round_robin_of_four():
    table = rows(("x", "1", "½", "0"), ("0", "", "1", "+"), ("", "", "", "="), ("1", "-", "0.5", ""))
    report = build_round_robin(HEADER, table)
    assert report.ok
    # Berger for four: 1-4 2-3; 4-3 1-2; 2-4 3-1
    assert [(g.round, g.white, g.black, g.result) for g in report.games] == [
        (1, 1, 4, "0-1"),
        (1, 2, 3, "1-0"),
        (2, 1, 2, "1-0"),
        (2, 4, 3, "1/2-1/2"),
        (3, 2, 4, "+/-"),
        (3, 3, 1, "1/2-1/2"),
    ]
    assert "berger-colours" in [p.code for p in report.warnings]
    assert lossless(report)


def test_double_round_robin_turns_the_colours():
    report = build_round_robin(HEADER, rows(("", "1 0"), ("", "")))
    assert [(g.round, g.white, g.black, g.result) for g in report.games] == [
        (1, 1, 2, "1-0"),
        (2, 2, 1, "1-0"),
    ]


def test_round_robin_with_given_rounds():
    report = build_round_robin(HEADER, rows(("", "1"), ("", "")), rounds={(2, 1): [4]})
    assert [(g.round, g.white) for g in report.games] == [(4, 1)]


def test_round_robin_faults():
    report = build_round_robin(HEADER, rows(("", "1", "?"), ("1", "", ""), ("", "")))
    assert {(p.code, p.line) for p in report.errors} >= {("cell-text", 1), ("cell-text", 3)}
    report = build_round_robin(HEADER, rows(("", "1"), ("1", "")))
    assert [p.code for p in report.errors] == ["result-mismatch", "result-mismatch"]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["", "1", "0", "½", "+", "-", "D"]), min_size=5, max_size=5),
        min_size=5,
        max_size=5,
    )
)
def test_any_grid_that_passes_reads_back_from_its_file(grid):
    upper = [["" if j <= i else text for j, text in enumerate(line)] for i, line in enumerate(grid)]
    report = build_round_robin(HEADER, rows(*map(tuple, upper)))
    if report.ok:
        assert lossless(report)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.text("123wb10=+-HUZ ½", max_size=5), max_size=3), max_size=4))
def test_any_text_in_the_grid_never_raises(grid):
    report = build(HEADER, rows(*map(tuple, grid)))
    if report.ok:
        assert lossless(report)
