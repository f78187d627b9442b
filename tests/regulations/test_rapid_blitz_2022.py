"""fide-rapid-blitz-2022, articles 0 to 5, 7 and 8.1: registration and events."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.exact import show
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022, lists
from regulations.fide_rapid_blitz_2022.rating import game_change, performance, period_k
from regulations.model import Entrant, EventPlayer, Registration, ScheduledRound, Stage
from tests.regulations.build import by_id, event, stages, value_of

RULES = FideRapidBlitz2022()


def announced(**changes):
    """A tournament against which the text has nothing."""
    standard = Registration(
        system="swiss",
        start=date(2022, 5, 7),
        end=date(2022, 5, 8),
        time_control=stages(15, increment=10),
        registered_on=date(2022, 5, 4),
        players=(Entrant("a", 2250), Entrant("b", None)),
    )
    return replace(standard, **changes)


def found(result):
    return [(each.severity, each.code, each.article) for each in result.findings]


def rate(system, ratings, text, **more):
    return RULES.rate(event(system, ratings, text, **more))


def test_an_ordinary_tournament_is_ratable():
    result = RULES.check(announced())
    assert (result.ratable, result.rate, result.minutes_for_60_moves, result.findings) == (
        True,
        "rapid",
        25,
        (),
    )


@pytest.mark.parametrize(
    ("control", "kind", "code"),
    [
        (stages(3), None, "time-control-too-fast"),  # must be more than 3
        (stages(2, increment=1), None, "time-control-too-fast"),
        (stages(3, increment=1), "blitz", None),
        ((Stage(None, Fraction("3.5")),), "blitz", None),
        (stages(10), "blitz", None),  # not more than 10
        (stages(10, increment=1), "rapid", None),
        (stages(59), "rapid", None),
        (stages(60), "standard", "time-control-too-slow"),  # less than 60
        (stages(40, increment=20), "standard", "time-control-too-slow"),
    ],
)
def test_the_time_makes_it_rapid_or_blitz(control, kind, code):
    """1.1.1, 1.1.2"""
    result = RULES.check(announced(time_control=control))
    assert (result.rate, [each.code for each in result.findings]) == (kind, [code] if code else [])


def test_announced_as_the_other_kind():
    assert found(RULES.check(announced(rate="blitz"))) == [("error", "other-rate", "1.1.1")]
    assert RULES.check(announced(rate="rapid")).ratable


def test_different_times_are_not_rated():
    """1.2"""
    assert found(RULES.check(announced(time_control_black=stages(10, increment=10)))) == [
        ("error", "different-times", "1.2")
    ]
    assert RULES.check(announced(time_control_black=stages(15, increment=10))).ratable


@pytest.mark.parametrize(
    ("minutes", "rounds", "articles"), [(15, 15, []), (15, 16, ["3.1.1"]), (5, 30, []), (5, 31, ["3.1.2"])]
)
def test_rounds_on_one_day(minutes, rounds, articles):
    """3.1"""
    schedule = tuple(ScheduledRound(number, date(2022, 5, 7)) for number in range(1, rounds + 1))
    result = RULES.check(announced(time_control=stages(minutes), rounds=schedule))
    assert [each.article for each in result.findings] == articles


@pytest.mark.parametrize(
    ("registered", "granted", "severity"),
    [
        (date(2022, 5, 4), (), None),  # three days before
        (date(2022, 5, 5), (), "error"),
        (date(2022, 5, 9), (), "error"),
        (date(2022, 5, 5), ("late-registration",), "warning"),
        (date(2022, 5, 5), ("longer-duration",), "error"),
    ],
)
def test_three_days_notice_or_the_chairmans_leave(registered, granted, severity):
    """0.2"""
    result = RULES.check(announced(registered_on=registered, authorizations=frozenset(granted)))
    assert [each.severity for each in result.findings] == ([severity] if severity else [])
    assert result.ratable is (severity != "error")
    assert all(each.authorization == "late-registration" for each in result.findings)


@pytest.mark.parametrize(("day", "text"), [(6, "1 day before"), (5, "2 days before"), (7, "not before")])
def test_the_notice_is_counted_in_words(day, text):
    """0.2"""
    (found,) = RULES.check(announced(registered_on=date(2022, 5, day))).findings
    assert found.message.startswith(f"Registered {text} the start;")


def test_an_unknown_day_of_registration_is_a_warning():
    result = RULES.check(announced(registered_on=None))
    assert result.ratable
    assert found(result) == [("warning", "registration-unknown", "0.2")]


def test_hybrid_events_need_approval_in_registration_and_report():
    """0.2"""
    hybrid = frozenset({"hybrid"})
    approved = frozenset({"hybrid-approval"})
    assert found(RULES.check(announced(flags=hybrid))) == [("error", "hybrid-approval", "0.2")]
    assert RULES.check(announced(flags=hybrid, authorizations=approved)).ratable
    assert not rate("swiss", {"a": 2000, "b": 2000}, "a b 1", flags=hybrid).rated
    assert rate("swiss", {"a": 2000, "b": 2000}, "a b 1", flags=hybrid, authorizations=approved).rated


def test_a_match_with_an_unrated_player_is_not_rated():
    """5.1, in the registration and in the report; 7.21 makes the second match ratable."""
    assert found(RULES.check(announced(system="match"))) == [("error", "unrated-in-match", "5.1")]
    refused = rate("match", {"a": 2300, "b": None}, "a b 1", scheduled_games=1)
    assert (refused.rated, by_id(refused)["a"].uncounted[0].article) == (False, "5.1")
    standard = EventPlayer("b", None, standard_rating=2250)
    assert rate("match", {"a": 2300, "b": standard}, "a b 1", scheduled_games=1).rated
    late = EventPlayer("b", 2250, rated_since_event=True)
    assert not rate("match", {"a": 2300, "b": late}, "a b 1", scheduled_games=1).rated


EIGHT = ", ".join(["a b 1"] * 5 + ["a b 0"] * 3)


@pytest.mark.parametrize(
    ("scheduled", "granted", "games", "change"),
    [(8, (), 5, 50), (8, ("decided-match-games",), 8, 20), (12, (), 8, 20)],
)
def test_games_after_a_match_was_decided(scheduled, granted, games, change):
    """5.2: 5 > 4 after game 5; 20 × 2.5 = 50; all eight: 20 × (5 - 4) = 20."""
    players = {"a": 2300, "b": 2300}
    result = rate("match", players, EIGHT, scheduled_games=scheduled, authorizations=frozenset(granted))
    assert (by_id(result)["a"].games, by_id(result)["a"].change) == (games, change)


@pytest.mark.parametrize(
    ("own", "opponent", "score", "delta"),
    [
        (2000, 1599, "1", "0.08"),  # 401 counts as 400 → .92
        (1599, 2000, "0", "-0.08"),
        (2000, 2000, "1/2", "0"),
        (2050, 2100, "1", "0.57"),
    ],
)
def test_one_game(own, opponent, score, delta):
    """7.31, 7.32"""
    assert game_change(RULES, own, opponent, Fraction(score))[2] == Fraction(delta)


def test_nine_games_of_one_player():
    """7.31, 7.32, 2212 against nine:
    .16 + .24 - .36 - .19 + .01 - .10 + .92 + .31 + .42 = 1.41; × 20 = 28.2."""
    opponents = (1926, 2011, 2318, 2067, 2219, 2585, 2659, 2464, 2652)
    ratings = {f"o{number}": each for number, each in enumerate(opponents)}
    text = ", ".join(f"p o{number} {mark}" for number, mark in enumerate("110==01=="))
    own = by_id(rate("swiss", {"p": 2212, **ratings}, text))["p"]
    assert (own.score - own.expected, own.change, own.k) == (Fraction("1.41"), Fraction("28.2"), 20)
    deltas = [Fraction(step.value) for step in own.steps if step.article == "7.32b"]
    assert sum(deltas) == Fraction(value_of(own.steps, "ΣΔR")) == Fraction("1.41")
    assert own.counted[5].difference == -373
    assert own.counted[6].opponent_rating == 2612


@pytest.mark.parametrize(
    ("games", "k"), [(0, 20), (35, 20), (36, 19), (37, 18), (70, 10), (71, 9), (700, 1), (701, 0)]
)
def test_k_of_a_period(games, k):
    """7.32: n × K does not pass 700."""
    assert period_k(RULES, games) == k


def test_rate_uses_the_games_of_the_period():
    players = {"a": EventPlayer("a", 2000, games_in_period=36), "b": 2000}
    own = by_id(rate("swiss", players, "a b 1"))["a"]
    assert (own.k, own.change) == (19, Fraction("9.5"))


@pytest.mark.parametrize(
    ("opponents", "score", "ru"),
    [
        ((1500, 1600, 1700, 1800), "2", 1650),  # 50 %
        ((1300, 2000, 2100, 2200, 2300), "5", 2080),  # 1980 + 5 × 20
        ((1500, 1600, 1700, 1800), "1", 1457),  # p .25: -193
        ((1500, 1600, 1700, 1800), "0", 850),  # p 0: -800
        ((1500, 1501), "1", 1501),  # 1500.5 → 1501
    ],
)
def test_performance(opponents, score, ru):
    """7.22, 7.23"""
    assert performance(RULES, opponents, Fraction(score))[0] == ru


def test_zero_in_the_first_event_is_disregarded():
    """7.22, first sentence; in a later event it counts."""
    players = {"u": EventPlayer("u", None), "b": 1500, "c": 1600}
    first = by_id(rate("swiss", players, "u b 0, u c 0"))["u"]
    assert (first.games, first.performance, first.pooled) == (0, None, False)
    assert {each.article for each in first.uncounted} == {"7.22"}
    players["u"] = EventPlayer("u", None, first_event=False)
    later = by_id(rate("swiss", players, "u b 0, u c 0"))["u"]
    assert (later.games, later.performance, later.pooled) == (2, 750, True)
    half = by_id(rate("swiss", {**players, "u": None}, "u b =, u c 0"))["u"]
    assert half.games == 2


def test_the_standard_rating_stands_in():
    """7.21: 2000 by the standard list; D 0: 20 × .5; the opponent's game counts too."""
    result = by_id(rate("swiss", {"s": EventPlayer("s", None, standard_rating=2000), "b": 2000}, "s b 1"))
    assert (result["s"].status, result["s"].change, result["b"].change) == ("rated", 10, -10)
    assert result["s"].steps[0].article == "7.21"


def test_rated_since_the_event():
    """7.24: L 2050 v 2100 won, v 2000 drawn: .57 - .07 = .50 × 20; A only has B: .36 × 20."""
    late = EventPlayer("l", 2050, rated_since_event=True)
    players = by_id(rate("swiss", {"l": late, "a": 2100, "b": 2000}, "l a 1, l b =, a b 1"))
    assert (players["l"].change, players["l"].games) == (10, 2)
    assert (players["a"].change, players["a"].games) == (Fraction("7.2"), 1)
    assert players["a"].uncounted[0].reason == "unrated opponent"


def test_unplayed_games_do_not_count():
    """4.1"""
    own = by_id(rate("swiss", {"a": 1800, "b": 1790}, "a b +, a b -/-, a b =/="))["a"]
    assert (own.games, own.change) == (0, 0)
    assert {each.article for each in own.uncounted} == {"4.1"}


def test_every_kind_of_event_is_rated_game_by_game():
    """There is no article on round robins (decision 39)."""
    ratings, text = {"a": 2000, "b": 2100, "u": None}, "a b =, a u 0, b u ="
    results = {system: rate(system, ratings, text).players for system in ("swiss", "round-robin", "team")}
    assert results["swiss"] == results["round-robin"] == results["team"]


@pytest.mark.parametrize(
    ("end", "aim", "last"),
    [
        (date(2022, 4, 24), date(2022, 5, 1), date(2022, 7, 1)),  # six days left
        (date(2022, 4, 25), date(2022, 6, 1), date(2022, 7, 1)),  # five
        (date(2022, 4, 30), date(2022, 6, 1), date(2022, 7, 1)),
        (date(2022, 12, 1), date(2023, 1, 1), date(2023, 3, 1)),
    ],
)
def test_the_list_to_aim_at_and_the_last_one(end, aim, last):
    """8.1"""
    assert (lists.aimed_list(RULES, end), lists.last_possible_list(RULES, end)) == (aim, last)


@pytest.mark.parametrize(
    ("end", "official", "list_date"),
    [
        (date(2022, 4, 28), False, date(2022, 5, 1)),
        (date(2022, 4, 29), False, date(2022, 6, 1)),
        (date(2022, 4, 30), True, date(2022, 5, 1)),
        (date(2022, 4, 30), False, date(2022, 6, 1)),
    ],
)
def test_the_first_list_that_an_event_can_come_into(end, official, list_date):
    """6.13"""
    assert RULES.list_for_end(end, official=official) == list_date
    assert RULES.closing_date(date(2022, 5, 1)) == date(2022, 4, 28)
    assert RULES.next_list_date(date(2022, 4, 30)) == date(2022, 5, 1)
    assert RULES.list_in_force(date(2022, 4, 30)) == date(2022, 4, 1)


@pytest.mark.parametrize(
    ("received", "list_date", "codes"),
    [
        (date(2022, 4, 26), date(2022, 5, 1), []),
        (date(2022, 5, 2), date(2022, 6, 1), ["report-late"]),
        (date(2022, 7, 1), date(2022, 7, 1), ["report-late"]),  # the third list is still in time
        (date(2022, 7, 2), date(2022, 8, 1), ["report-too-late"]),
        (date(2022, 4, 26), date(2022, 8, 1), ["report-too-late"]),
        (date(2022, 4, 26), date(2022, 4, 1), ["ends-after-closing"]),
    ],
)
def test_reports_in_time_late_and_too_late(received, list_date, codes):
    """6.13, 8.1, for an event that ended on 24 April."""
    findings = RULES.report_findings(end=date(2022, 4, 24), received=received, list_date=list_date)
    assert [each.code for each in findings] == codes


def test_the_numbers_are_shown_exactly():
    assert show(by_id(rate("swiss", {"a": 1800, "b": 1790}, "a b ="))["a"].change) == "-0.2"
