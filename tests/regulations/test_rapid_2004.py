"""fide-rapid-2004: article 15 of A, on top of the rules of standard chess."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_rapid_2004 import FideRapid2004
from regulations.fide_rapid_2004.registration import rounds_of_a_day
from regulations.model import Entrant, Finding, ListInput, ListPlayer, Registration, ScheduledRound
from tests.regulations.build import by_id, event, given_changes, only_row, stages, value_of

RAPID = FideRapid2004()
DAY = date(2004, 5, 1)


def registration(minutes, **more):
    return Registration("swiss", DAY, DAY, stages(minutes), **more)


def codes(found):
    return [finding.code for finding in found.findings]


@pytest.mark.parametrize(
    ("minutes", "rate", "code"),
    [
        (14, None, "time-control-too-fast"),
        (15, "rapid", None),
        (59, "rapid", None),
        (60, None, "time-control-too-slow"),
    ],
)
def test_the_time_of_rapid_chess(minutes, rate, code):
    found = RAPID.check(registration(minutes))
    assert (found.rate, found.ratable, codes(found)) == (rate, code is None, [code] if code else [])
    assert found.minutes_for_60_moves == minutes
    assert all((each.article, each.subject) == ("15", "time_control") for each in found.findings)
    assert all(f"{minutes} minutes for 60 moves" in each.message for each in found.findings)


def test_black_needs_rapid_time_as_well():
    found = RAPID.check(registration(20, time_control_black=stages(90)))
    assert [(each.code, each.subject) for each in found.findings] == [
        ("time-control-too-slow", "time_control_black")
    ]
    assert not found.ratable


def test_a_strong_player_asks_for_no_more_time_than_others():
    # 1.12 would ask for 120 minutes; it speaks of standard chess
    assert RAPID.check(registration(20, players=(Entrant("a", 2600), Entrant("b", 2500)))).ratable


@pytest.mark.parametrize(("rate", "ratable"), [(None, True), ("rapid", True), ("standard", False)])
def test_article_15_is_about_rapid_chess(rate, ratable):
    found = RAPID.check(registration(20, rate=rate))
    assert found.ratable is ratable
    text = "Article 15 rates rapid chess, not standard."
    said = Finding("error", "other-rate", "15", text, None, "time_control")
    assert found.findings == (() if ratable else (said,))


def test_twelve_hours_a_day_and_rounds_only_where_so_read():
    # 25 minutes each: 50 minutes a game, 14 rounds are 11 h 40, 15 rounds 12 h 30
    def day(rounds):
        return registration(25, rounds=tuple(ScheduledRound(n, DAY) for n in range(1, rounds + 1)))

    assert RAPID.check(day(14)).ratable
    assert codes(RAPID.check(day(15))) == ["too-many-hours"]
    assert RAPID.check(day(15)).findings[0].message.startswith("2004-05-01: 12.5 hours")
    strict = replace(RAPID, limit_rounds=True)
    assert codes(strict.check(day(4))) == ["too-many-rounds"]
    assert strict.check(day(3)).ratable


def test_all_findings_at_once():
    players = tuple(Entrant(str(n), None) for n in range(4))
    rounds = tuple(ScheduledRound(n, DAY) for n in range(1, 30))
    given = Registration(
        "round-robin", DAY, date(2004, 9, 1), stages(5), stages(90), "blitz", rounds=rounds, players=players
    )
    assert codes(RAPID.check(given)) == [
        "time-control-too-fast",
        "time-control-too-slow",
        "other-rate",
        "too-many-hours",
        "too-long",
        "too-few-rated",
        "too-few-rated",
    ]
    (finding,) = rounds_of_a_day(RAPID, 15, Fraction(50))
    assert finding.message == "12.5 hours of play; at most 12 on one day."


def test_length_and_composition_as_in_standard_chess():
    long = Registration("swiss", DAY, date(2004, 9, 1), stages(20))
    assert codes(RAPID.check(long)) == ["too-long"]
    players = tuple(Entrant(str(n), 2000 if n < 3 else None) for n in range(12))
    few = Registration("round-robin", DAY, DAY, stages(20), players=players)
    assert [(each.code, each.article) for each in RAPID.check(few).findings] == [("too-few-rated", "6.3")]


@pytest.mark.parametrize(("change", "rating"), [("-5", 1600), ("-6", None)])
def test_the_list_goes_down_to_1600(change, rating):
    given = ListInput(date(2004, 7, 1), (ListPlayer("p", 1605),), events=given_changes(1605, change))
    row = only_row(RAPID, given)
    assert (row.rating, row.status) == (rating, "active" if rating else "delisted")


def test_a_first_performance_of_1600_is_kept():
    ratings = {"u": None, "a": 1600, "b": 1600, "c": 1600}
    kept = by_id(RAPID.rate(event("swiss", ratings, "u a 1, u b 0, u c =")))["u"]
    assert (kept.performance, kept.pooled) == (1600, True)
    low = {"u": None, "a": 1598, "b": 1599, "c": 1600}
    dropped = by_id(RAPID.rate(event("swiss", low, "u a 1, u b 0, u c =")))["u"]
    assert (dropped.performance, dropped.pooled) == (1599, False)


def test_the_administrator_decides_k():
    played = event("swiss", {"a": 2000, "b": 2000}, "a b 1")
    assert by_id(RAPID.rate(played))["a"].change == Fraction(15, 2)
    twenty = replace(RAPID, k_new=20, k_normal=20, k_strong=20)
    result = by_id(twenty.rate(played))["a"]
    assert (result.change, value_of(result.steps, "K")) == (10, "20")


def test_three_digits_are_published():
    assert [RAPID.printed_rating(rating) for rating in (2143, 2149, 1600)] == ["214", "214", "160"]


def test_what_it_is():
    assert (RAPID.code, RAPID.rates) == ("fide-rapid-2004", ("rapid",))
    assert RAPID.parameters["floor"].article == "15a"
    assert "article 15" in RAPID.title
