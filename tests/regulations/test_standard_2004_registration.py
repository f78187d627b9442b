"""fide-standard-2004, articles 1 to 7 and 9.1: registration and calendar."""

from dataclasses import replace
from datetime import date

import pytest

from regulations.fide_standard_2004 import FideStandard2004, registration
from regulations.model import Entrant, Registration, ScheduledRound
from tests.regulations.build import stages

RULES = FideStandard2004()


def announced(**changes):
    """A tournament against which the text has nothing."""
    standard = Registration(
        system="swiss",
        start=date(2004, 5, 1),
        end=date(2004, 5, 9),
        time_control=stages(90, 30),
        players=(Entrant("a", 2250), Entrant("b", None)),
    )
    return replace(standard, **changes)


def codes(result, severity="error"):
    return [(each.code, each.article) for each in result.findings if each.severity == severity]


def test_an_ordinary_tournament_is_ratable():
    result = RULES.check(announced())
    assert (result.ratable, result.rate, result.minutes_for_60_moves, result.findings) == (
        True,
        "standard",
        120,
        (),
    )


@pytest.mark.parametrize(
    ("highest", "minutes", "article"),
    [(2200, 120, "1.12"), (2199, 90, "1.13"), (1600, 90, "1.13"), (1599, 60, "1.14"), (0, 60, "1.14")],
)
def test_the_highest_rating_decides_how_much_time_is_needed(highest, minutes, article):
    """1.12-1.14: exactly enough is accepted, a minute less refused under the article of the row."""
    players = (Entrant("a", highest or None), Entrant("b", None))
    assert RULES.check(announced(time_control=stages(minutes), players=players)).ratable
    refused = RULES.check(announced(time_control=stages(minutes - 1), players=players))
    assert codes(refused) == [("time-control-too-fast", article)]
    assert refused.findings[0].subject == "time_control"
    assert not refused.findings[0].waivable


def test_both_colours_need_the_time():
    """1.1: each player."""
    result = RULES.check(announced(time_control_black=stages(119)))
    assert [(each.code, each.subject) for each in result.findings] == [
        ("time-control-too-fast", "time_control_black")
    ]


def test_forty_moves_are_only_recommended():
    """1.3"""
    result = RULES.check(announced(time_control=stages(90, 30, first=36)))
    assert result.ratable
    assert codes(result, "warning") == [("first-control", "1.3")]


def day_of(rounds):
    return tuple(ScheduledRound(number, date(2004, 5, 1)) for number in range(1, rounds + 1))


@pytest.mark.parametrize(
    ("rounds", "minutes", "found"),
    [
        (3, 120, []),  # 3 × 2 × 120 min = 12 h
        (3, 121, ["too-many-hours"]),  # 12.1 h
        (2, 180, []),
        (4, 90, ["too-many-rounds"]),  # 12 h, but four rounds
        (4, 120, ["too-many-rounds", "too-many-hours"]),
    ],
)
def test_three_rounds_and_twelve_hours_on_one_day(rounds, minutes, found):
    """3.1"""
    result = RULES.check(announced(time_control=stages(minutes), rounds=day_of(rounds), players=()))
    assert [code for code, _ in codes(result)] == found


def test_two_days_are_counted_apart():
    days = (*day_of(3), ScheduledRound(4, date(2004, 5, 2)))
    assert RULES.check(announced(rounds=days)).ratable


@pytest.mark.parametrize(
    ("end", "flags", "errors", "warnings"),
    [
        (date(2004, 3, 30), (), [], []),  # 31 + 29 + 30 = 90 days
        (date(2004, 3, 31), (), [("too-long", "4.1")], []),
        (date(2004, 3, 31), ("league",), [], [("long-league", "4.11")]),
        (date(2004, 3, 30), ("league",), [], []),
    ],
)
def test_ninety_days_unless_it_is_a_league(end, flags, errors, warnings):
    """4.1, 4.11; no authorization lifts it."""
    asked = announced(
        start=date(2004, 1, 1),
        end=end,
        flags=frozenset(flags),
        authorizations=frozenset({"longer-duration"}),
    )
    result = RULES.check(asked)
    assert (codes(result), codes(result, "warning")) == (errors, warnings)


@pytest.mark.parametrize(
    ("players", "rated", "double", "championship", "women", "articles"),
    [
        (12, 4, False, False, False, []),  # exactly a third
        (13, 4, False, False, False, ["6.3"]),  # 4 < 13/3
        (9, 3, False, False, False, ["6.31"]),
        (10, 4, False, False, False, []),
        (10, 3, False, False, False, ["6.3"]),  # ten are not fewer than ten
        (9, 4, False, False, False, []),
        (6, 1, False, False, False, ["6.3", "6.31"]),
        (5, 4, True, False, False, ["6.32"]),
        (6, 4, True, False, False, []),
        (5, 5, True, False, False, []),  # no unrated player: 6.32 does not speak of it
        (10, 3, True, True, False, ["6.32"]),  # 6.33 stands for 6.3 and 6.31 only
        (12, 3, False, True, False, []),
        (12, 2, False, True, False, ["6.33"]),
        (12, 2, False, True, True, []),
        (12, 1, False, True, True, ["6.33"]),
        (12, 2, False, False, True, ["6.3"]),
    ],
)
def test_composition_of_round_robins(players, rated, double, championship, women, articles):
    """6.3-6.33"""
    found = registration.round_robin_composition(
        RULES, players, rated, double=double, championship=championship, women=women
    )
    assert [each.article for each in found] == articles


@pytest.mark.parametrize("system", ["match", "scheveningen"])
def test_one_unrated_player_at_most_in_matches_and_scheveningen_tournaments(system):
    """6.4"""
    one = (Entrant("a", 2250), Entrant("b", None))
    two = (*one, Entrant("c", None))
    assert RULES.check(announced(system=system, players=one)).ratable
    refused = RULES.check(announced(system=system, players=two))
    assert codes(refused) == [("too-many-unrated", "6.4")]
    assert RULES.check(announced(system="team", players=two)).ratable


def test_flags_reach_the_composition():
    players = tuple(Entrant(str(number), 2000 if number < 2 else None) for number in range(12))
    champions = frozenset({"national-championship", "women"})
    assert not RULES.check(announced(system="round-robin", players=players)).ratable
    assert RULES.check(announced(system="round-robin", players=players, flags=champions)).ratable


def test_other_kinds_of_chess_are_not_rated_here():
    assert codes(RULES.check(announced(rate="rapid"))) == [("other-rate", "1.1")]


def test_all_findings_come_at_once():
    asked = announced(time_control=stages(30, first=20), end=date(2004, 12, 1), rounds=day_of(4))
    assert {code for code, _ in codes(RULES.check(asked))} == {
        "time-control-too-fast",
        "too-many-rounds",
        "too-long",
    }


MONTHLY = FideStandard2004(calendar="monthly")


@pytest.mark.parametrize(
    ("rules", "day", "current", "following"),
    [
        (RULES, date(2004, 3, 31), date(2004, 1, 1), date(2004, 4, 1)),  # 9.11
        (RULES, date(2004, 10, 1), date(2004, 10, 1), date(2005, 1, 1)),
        (MONTHLY, date(2004, 5, 31), date(2004, 5, 1), date(2004, 6, 1)),  # 9.41
    ],
)
def test_the_list_in_force_and_the_next(rules, day, current, following):
    assert (rules.list_in_force(day), rules.next_list_date(day)) == (current, following)


@pytest.mark.parametrize(
    ("rules", "closing", "list_date"),
    [
        (RULES, date(2004, 6, 1), date(2004, 7, 1)),  # 9.13: a month before
        (RULES, date(2004, 12, 1), date(2005, 1, 1)),
        (MONTHLY, date(2004, 6, 1), date(2004, 7, 1)),  # 9.43: 30 days
        (MONTHLY, date(2004, 7, 2), date(2004, 8, 1)),
    ],
)
def test_closing_dates(rules, closing, list_date):
    assert rules.closing_date(list_date) == closing
    assert rules.list_for_end(closing) == list_date
    assert rules.list_for_end(date.fromordinal(closing.toordinal() + 1)) > list_date


def test_what_comes_after_the_closing_date_is_for_a_later_list():
    """9.13: completed or received after 1 June: the October list."""
    july = date(2004, 7, 1)
    assert RULES.report_findings(end=date(2004, 5, 30), received=date(2004, 6, 1), list_date=july) == ()
    late = RULES.report_findings(end=date(2004, 6, 1), received=date(2004, 6, 2), list_date=july)
    assert [each.code for each in late] == ["received-after-closing"]
    assert "2004-10-01" in late[0].message
    both = RULES.report_findings(end=date(2004, 6, 2), received=date(2004, 6, 2), list_date=july)
    assert [each.code for each in both] == ["completed-after-closing", "received-after-closing"]
