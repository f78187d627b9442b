"""Teams: 013 and 310."""

import pytest

from tests.reports.trf_text import FIRST, HEAD, player, report, team_013, team_310
from tournaments.reports.model import ReportedTeam
from tournaments.reports.trf16 import parse

PLAYERS = tuple(player(n, f"Nadie, {n}", points="0.0") for n in (*range(1, 60), 1024, 1200))
VALUES = " ABC     2587   15.0   28.0  11  "
LINE = FIRST + len(PLAYERS)


def read(*lines):
    parsed = parse(report(*PLAYERS, *lines, head=HEAD))
    found = [(p.severity, p.code, p.line) for p in parsed.problems if p.field not in ("132", "results")]
    return parsed.teams, found


@pytest.mark.parametrize("make", [lambda n, *rest: team_013(*rest), team_310])
def test_teams(make):
    teams, problems = read(make(1, "Club Uno", 1, 2, 1024, 1200), make(2, "Équipe Dos 1903", 3))
    assert problems == []
    assert teams == (
        ReportedTeam(1, "Club Uno", (1, 2, 1024, 1200)),
        ReportedTeam(2, "Équipe Dos 1903", (3,)),
    )
    assert [team.line for team in teams] == [LINE, LINE + 1]


def test_more_than_forty_members():
    (team,), problems = read(team_013("Club Grande", *range(1, 56)))
    assert problems == []
    assert team.members == tuple(range(1, 56))


def test_a_name_may_fill_its_field():
    (team,), problems = read(team_013("C" * 31 + "7", 5, 1024))
    assert (team.name, team.members, problems) == ("C" * 31 + "7", (5, 1024), [])


def test_310_wins_over_013_and_keeps_its_numbers():
    teams, problems = read(team_013("Club Uno", 1, 2), team_310(7, "Club Uno", 1, 2), team_310("3", "Dos", 3))
    assert [(team.number, team.name) for team in teams] == [(7, "Club Uno"), (3, "Dos")]
    assert problems == []


@pytest.mark.parametrize("number", ["1  ", " 1 ", "001"])
def test_numbers_of_teams_may_stand_anywhere_in_their_field(number):
    assert read(team_310(number, "Uno", 1))[0] == (ReportedTeam(1, "Uno", (1,)),)


@pytest.mark.parametrize("accents", range(1, 13))
@pytest.mark.parametrize("tag", ["013", "310"])
@pytest.mark.parametrize("members", [(1024, 5, 1200), (5,), (7, 12, 1), (1024,)])
def test_names_padded_by_bytes(accents, tag, members):
    name = "Ni" + "ñ" * accents
    line = team_013(name, *members) if tag == "013" else team_310(1, name, *members, values=VALUES)
    (team,), problems = read(line.replace(name + " " * accents, name))
    assert (team.name, team.members, problems) == (name, members, [])


def test_values_that_are_too_wide_move_the_members():
    values = VALUES.replace("2587", "2587.55")
    (team,), problems = read(team_310(1, "Uno", 1024, 5, values=values))
    assert (team.name, team.members, problems) == ("Uno", (1024, 5), [])


@pytest.mark.parametrize(
    ("lines", "members"),
    [
        ([team_013("Uno", 1, 77)], [(1,)]),
        ([team_013("Uno", 1, 2), team_013("Dos", 2, 3)], [(1, 2), (3,)]),
        ([team_013("Uno", 1, 2)[:-4] + "x  2"], [()]),
    ],
)
def test_members_that_cannot_be_are_left_out_and_named(lines, members):
    teams, problems = read(*lines)
    assert [team.members for team in teams] == members
    assert problems == [("warning", "team-members", LINE + len(lines) - 1)]


def test_numbers_twice_or_missing():
    teams, problems = read(team_310(1, "Uno", 1), team_310(1, "Dos", 2), team_310("", "Tres", 3))
    assert teams == (ReportedTeam(1, "Uno", (1,)),)
    assert problems == [("warning", "team-number", LINE + 1), ("warning", "team-number", LINE + 2)]


def test_too_many_teams_are_named_once():
    teams, problems = read(*[team_013(f"Club {n}") for n in range(1010)])
    assert len(teams) == 1000
    assert problems == [("warning", "team-number", LINE + 1000)]
