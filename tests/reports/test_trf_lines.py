"""Player lines: columns, dialects and what cannot be read."""

import unicodedata
from fractions import Fraction

import pytest

from tests.reports.trf_text import FIRST, cell, duel, player, report
from tournaments.reports.model import Birth
from tournaments.reports.trf16 import parse


def first(**fields):
    parsed = parse(duel("1", "0", ("1.0", "0.0"), **fields))
    return parsed.players[0], [p.code for p in parsed.problems if p.line == FIRST], parsed


@pytest.mark.parametrize(
    ("sex", "title", "read"),
    [
        ("w", "wg ", ("f", "WGM")),
        ("m", "  m", ("m", "IM")),
        ("f", "WFM", ("f", "WFM")),
        ("M", "GM ", ("m", "GM")),
        ("F", " wm", ("f", "WIM")),
        ("W", "cf", ("f", "WCM")),
        ("w", "gf", ("f", "WGM")),
        ("w", "mf", ("f", "WIM")),
        ("w", "ff", ("f", "WFM")),
        ("m", "g", ("m", "GM")),
        ("m", "f", ("m", "FM")),
        ("m", "c", ("m", "CM")),
        ("u", "", ("", "")),
        (" ", "IM", ("", "IM")),
    ],
)
def test_sexes_and_titles_of_every_dialect(sex, title, read):
    found, problems, _ = first(sex=sex, title=title)
    assert (found.sex, found.title) == read
    assert problems == []


def test_unknown_sex_and_title_are_left_out_with_a_warning():
    found, problems, parsed = first(sex="x", title="1N")
    assert (found.sex, found.title) == ("", "")
    assert problems == ["sex-unknown", "title-unknown"]
    assert parsed.ok


@pytest.mark.parametrize(
    ("letters", "read"),
    [
        ("GM  ", ("", "GM")),
        ("IM  ", ("", "IM")),
        ("FM  ", ("", "")),
        ("WGM ", ("f", "GM")),
        ("f  m", ("f", "IM")),
    ],
)
def test_a_title_that_begins_in_the_column_of_the_sex(letters, read):
    line = player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0")
    parsed = parse(report(line[:9] + letters + line[13:], SECOND))
    found = parsed.players[0]
    assert (found.sex, found.title) == read
    assert parsed.ok
    assert ("title-unknown" in [p.code for p in parsed.warnings]) == (letters in ("GM  ", "IM  ", "FM  "))


@pytest.mark.parametrize(
    ("text", "birth", "clean"),
    [
        ("1990/05/17", Birth(1990, 5, 17), True),
        ("1966.02.06", Birth(1966, 2, 6), True),
        ("1993-12-20", Birth(1993, 12, 20), True),
        ("1978", Birth(1978), True),
        ("1978/00/00", Birth(1978), True),
        ("1975.  .", Birth(1975), True),
        ("1988/07/00", Birth(1988, 7), True),
        ("0000/00/00", Birth(), True),
        ("", Birth(), True),
        ("17/05/1990", Birth(1990, 5, 17), True),
        ("240660", Birth(1960, 6, 24), False),
        ("1990/17/05", Birth(1990), False),
        ("1990/02/30", Birth(1990, 2), False),
        ("abc", Birth(), False),
    ],
)
def test_birth_dates_keep_the_known_parts_only(text, birth, clean):
    found, problems, parsed = first(birth=text)
    assert found.birth == birth
    assert problems == ([] if clean else ["birth-unreadable"])
    assert parsed.ok


@pytest.mark.parametrize(
    ("text", "read", "code"),
    [
        ("9000061", "9000061", None),
        ("9000061    ", "9000061", None),
        ("'9000061'", "9000061", "fide-id-cleaned"),
        ("09000061", "9000061", "fide-id-cleaned"),
        ("0", "", None),
        ("", "", None),
        ("Z56538", "", "fide-id-not-fide"),
        ("11/01/1987", "", "fide-id-not-fide"),
        ("4711", "", "fide-id-not-fide"),
        ("12345678901", "", "fide-id-not-fide"),
        ("9 000 061", "", "fide-id-not-fide"),
    ],
)
def test_fide_numbers_are_cleaned_but_never_guessed(text, read, code):
    found, problems, parsed = first(fide_id=text)
    assert found.fide_id == read
    assert problems == ([code] if code else [])
    assert parsed.ok


def test_a_fide_number_twice_names_both_lines_but_zero_is_none():
    lines = [
        player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0", fide_id="9000061"),
        player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0", fide_id="9000061"),
        player(3, "Ciro, Pablo", points="0.0", fide_id="0"),
        player(4, "Duran, Jose", points="0.0", fide_id="0"),
    ]
    (error,) = parse(report(*lines)).errors
    assert (error.code, error.line, error.column) == ("duplicate-fide-id", FIRST + 1, 58)
    assert f"line {FIRST} (1 Alba, Tomas)" in error.message


@pytest.mark.parametrize(
    ("text", "rating"), [("2143", 2143), ("950", 950), ("0000", None), ("0", None), ("", None)]
)
def test_ratings(text, rating):
    assert first(rating=text)[0].rating == rating


def test_club_codes_are_no_federation():
    found, problems, _ = first(federation="C.C")
    assert found.federation == ""
    assert problems == ["player-federation"]


def test_fields_that_are_no_numbers_are_errors_with_their_columns():
    broken = player(1, "Alba, Tomas", cell(2, "w", "1"), points="x.y", rating="abcd", rank="??")
    parsed = parse(report(broken, player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0")))
    found = {(p.severity, p.code, p.column) for p in parsed.problems if p.line == FIRST}
    assert ("error", "rating-unreadable", 49) in found
    assert ("error", "points-unreadable", 81) in found
    assert ("warning", "rank-unreadable", 86) in found


def shifted(name: str, padding: int, *, number: int = 1, tail: str | None = None) -> str:
    """A player line whose name takes ``padding`` characters instead of 33."""
    straight = player(number, "N", cell(2, "w", "1"), points="1.0", rank="1", fide_id="9000061")
    return straight[:14] + name.ljust(padding) + (tail or straight[47:])


def check_first(parsed, name: str, code: str) -> None:
    found = parsed.players[0]
    assert parsed.ok
    assert (found.name, found.rating, found.federation, found.fide_id) == (name, 1800, "ESP", "9000061")
    assert (found.birth, found.points, found.rank) == (Birth(1990, 5, 17), Fraction(1), 1)
    assert [(g.white, g.black, g.result) for g in parsed.games] == [(1, 2, "1-0")]
    assert code in [p.code for p in parsed.problems if p.line == FIRST]


SECOND = player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0")


@pytest.mark.parametrize("name", ["Ibáñez Muñoz, José", "Ñuño, Íñigo", "Żółć, Łucja"])
def test_names_padded_by_bytes(name):
    """A program that pads UTF-8 by bytes puts the fields one column left per accented letter."""
    missing = len(name.encode()) - len(name)
    check_first(parse(report(shifted(name, 33 - missing), SECOND)), name, "columns-shifted")


def test_names_with_separate_accents():
    name = unicodedata.normalize("NFD", "Ibáñez, José")
    line = shifted(name, 33 + len(name) - len("Ibáñez, José"))
    check_first(parse(report(line, SECOND)), "Ibáñez, José", "columns-shifted")


def test_a_name_that_is_too_long_and_moves_its_line():
    name = "Fernández de la Prueba y Villainvento, María del Ejemplo"
    check_first(parse(report(shifted(name, len(name)), SECOND)), name, "name-too-long")


def test_a_name_that_runs_into_the_rating_is_refused_and_nothing_is_taken_from_it():
    name = "Fernandez de la Prueba y Villainv, Ma"
    straight = player(1, "N", cell(2, "w", "1"), points="1.0")
    line = straight[:14] + name + straight[14 + len(name) :]
    parsed = parse(report(line, SECOND))
    (error,) = parsed.errors
    assert (error.code, error.line, error.column) == ("columns-broken", FIRST, 48)
    assert parsed.players[0].rating is None


def test_four_digit_ranks_fill_the_cell():
    parsed = parse(
        report(
            player(1024, "Alba, Tomas", cell(1200, "w", "1"), points="1.0"),
            player(1200, "Bruno, Luis", cell(1024, "b", "0"), points="0.0"),
        )
    )
    assert parsed.ok
    assert [(g.white, g.black) for g in parsed.games] == [(1024, 1200)]


def test_lines_in_any_order_refer_to_starting_ranks():
    parsed = parse(
        report(
            player(3, "Ciro, Pablo", cell("0001", "b", "0"), cell(2, "w", "0"), points="0.0"),
            player(1, "Alba, Tomas", cell("0003", "w", "1"), cell("0000", "-", "U"), points="2.0"),
            player(2, "Bruno, Luis", cell("0000", "-", "H"), cell(3, "b", "1"), points="1.5"),
        )
    )
    assert parsed.ok
    pairings = [(g.round, g.white, g.black, g.result) for g in parsed.games if g.black]
    assert pairings == [(1, 1, 3, "1-0"), (2, 3, 2, "0-1")]
    assert [p.start_number for p in parsed.players] == [1, 2, 3]
    assert [p.line for p in parsed.players] == [FIRST + 1, FIRST + 2, FIRST]


def test_blank_cells_do_not_move_later_rounds():
    late = player(3, "Ciro, Pablo", " " * 8, cell(1, "w", "0"), points="0.0")
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "1"), cell(3, "b", "1"), points="2.0"),
            player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
            late,
        )
    )
    assert parsed.ok
    assert [(g.round, g.white, g.black) for g in parsed.games] == [(1, 1, 2), (2, 3, 1)]


def test_start_numbers_twice_or_unreadable():
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
            player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
            player(2, "Ciro, Pablo", points="0.0"),
            player("x", "Duran, Jose", points="0.0"),
        )
    )
    assert [(p.code, p.line, p.column) for p in parsed.errors] == [
        ("duplicate-start-number", FIRST + 2, 5),
        ("start-number", FIRST + 3, 5),
    ]
    assert f"line {FIRST} " not in parsed.errors[0].message
    assert f"line {FIRST + 1} and on line {FIRST + 2}" in parsed.errors[0].message


@pytest.mark.parametrize(
    ("character", "code"),
    [
        ("\0", "control-character"),
        ("\x1b", "control-character"),
        ("\u202e", "control-character"),
    ],
)
def test_characters_without_a_place_in_a_line(character, code):
    line = player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0").replace("Alba, ", f"Alba,{character}")
    parsed = parse(report(line, SECOND))
    (error,) = parsed.errors
    assert (error.code, error.line, error.column) == (code, FIRST, 20)
    assert character not in parsed.players[0].name


def test_name_missing():
    _, problems, parsed = first()
    assert problems == []
    parsed = parse(report(player(1, "", cell(2, "w", "1"), points="1.0"), SECOND))
    assert [(p.code, p.line, p.column) for p in parsed.errors] == [("name-missing", FIRST, 15)]
