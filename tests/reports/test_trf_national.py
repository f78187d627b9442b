"""National lines: rating and number of a player under his federation's code."""

import pytest

from tests.reports.trf_text import FIRST, HEAD, cell, national, player, report
from tournaments.reports import trf16, trf26
from tournaments.reports.model import Birth

PLAYERS = (
    player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0", birth="1990/05/17"),
    player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0", federation="", sex="", birth=""),
)
LINE = FIRST + len(PLAYERS)


def read(*lines, parse=trf16.parse, head=HEAD):
    parsed = parse(report(*PLAYERS, *lines, head=head))
    return parsed, [(p.severity, p.code, p.line) for p in parsed.problems if p.code != "round-dates"]


@pytest.mark.parametrize("parse", [trf16.parse, trf26.parse])
def test_number_and_rating_go_to_the_player(parse):
    parsed, problems = read(
        national("ESP", 1, "Alba, Tomas", rating="1755", id="D50113"),
        national("ESP", 2, rating="1500", id="28-1234", birth="1985/02/03", region="AND"),
        parse=parse,
    )
    first, second = parsed.players
    assert problems == []
    assert (first.national_id, first.national_rating, first.rating) == ("D50113", 1755, 1800)
    assert (first.federation, first.national_federation) == ("ESP", "")
    assert (second.national_id, second.national_rating) == ("28-1234", 1500)
    assert (first.region, second.region) == ("", "AND")
    assert (second.federation, second.sex, second.birth) == ("ESP", "m", Birth(1985, 2, 3))


def test_a_line_of_another_federation_than_the_events_keeps_its_tag():
    parsed, problems = read(national("FRA", 1, rating="1755", id="K1"), national("FRA", 2, id="K2"))
    assert [(p.federation, p.national_federation) for p in parsed.players] == [("ESP", "FRA"), ("FRA", "FRA")]
    assert problems == []


def test_a_foreign_player_may_have_a_number_of_the_events_federation():
    guest = player(3, "Ciro, Pablo", points="0.0", federation="ITA")
    parsed, problems = read(guest, national("ESP", 3, id="D9"))
    found = parsed.players[2]
    assert (found.federation, found.national_id, found.national_federation) == ("ITA", "D9", "")
    assert problems == []


@pytest.mark.parametrize(("head", "counts"), [((), "E1"), (("172 FRA NIDOF",), "F1"), (("172 ITA",), "E1")])
def test_of_several_lines_the_one_of_the_rating_federation_counts(head, counts):
    lines = (national("FRA", 1, id="F1"), national("ESP", 1, id="E1"))
    parsed, problems = read(*lines, head=(*HEAD, *head))
    assert parsed.players[0].national_id == counts
    assert ("warning", "national-repeated") in [p[:2] for p in problems]


def test_zero_means_none():
    parsed, problems = read(national("ESP", 1, rating="0", id="0"))
    assert (parsed.players[0].national_id, parsed.players[0].national_rating) == ("", None)
    assert problems == []


def test_a_number_for_two_players_is_an_error_naming_both():
    parsed, problems = read(national("ESP", 1, id="D7"), national("ESP", 2, id="d7"))
    assert problems == [("error", "duplicate-national-id", LINE + 1)]
    assert f"line {LINE} (player 1)" in parsed.errors[0].message
    _, problems = read(national("ESP", 1, id="D7"), national("FRA", 2, id="D7"))
    assert problems == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (national("ESP", 77, rating="1700"), "national-player"),
        (national("ESP", 1, "Fabra, Iu", rating="1700"), "national-differs"),
        (national("ESP", 1, rating="1700", birth="1985/01/01"), "national-differs"),
        (national("ESP", 1, rating="17x0"), "national-unreadable"),
    ],
)
def test_lines_that_may_belong_to_somebody_else_are_named(line, code):
    _, problems = read(line)
    assert problems == [("warning", code, LINE)]


@pytest.mark.parametrize("name", ["Alba", "ALBA T.", "Альба, Томас", "A", "Tomás Alba"])
def test_the_name_may_be_written_another_way(name):
    assert read(national("ESP", 1, name, rating="1700"))[1] == []


def test_a_name_padded_by_bytes_moves_the_line():
    line = national("ESP", 1, "Álbá, Tómas", rating="1755", id="D50113")
    parsed, problems = read(line.replace("Tómas   ", "Tómas"))
    assert (parsed.players[0].national_id, parsed.players[0].national_rating) == ("D50113", 1755)
    assert problems == []


@pytest.mark.parametrize("line", ["DAT 0001 KEY value", "XXA    1  1.0", "XXP    1    2"])
def test_other_tags_of_three_letters_are_no_federations(line):
    parsed, problems = read(line)
    assert problems == []
    assert parsed.players[0].national_id == ""


def test_a_broken_national_line_is_an_unknown_tag():
    assert read("ESP 1 2  m")[1] == [("warning", "unknown-tag", LINE)]
