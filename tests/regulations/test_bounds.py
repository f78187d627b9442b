"""Parameters that no text can be read with are refused, all at once."""

from dataclasses import fields, replace
from fractions import Fraction

import pytest

from regulations import bounds, registry
from regulations.cli import answer
from regulations.fecap_postal import FecapPostal
from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.fide_rapid_2004 import FideRapid2004
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from regulations.parameters import BadParameters
from regulations.reading import BadInput
from tests.regulations.test_calculator import CHECK, RATE


def faults(regulation, **changes):
    with pytest.raises(BadParameters) as caught:
        replace(regulation, **changes)
    return caught.value.faults


@pytest.mark.parametrize(
    ("regulation", "name", "least", "most"),
    [
        (FideRapidBlitz2022, "floor", 0, 4000),
        (FideRapidBlitz2022, "difference_limit", 1, 4000),
        (FideRapidBlitz2022, "k", 1, 200),
        (FideRapidBlitz2022, "notice_days", 0, 366),
        (FideRapidBlitz2022, "rapid_rounds_per_day", 1, 100),
        (FideRapidBlitz2022, "half_point_bonus", 0, 100),
        (FideRapidBlitz2022, "first_rating_games", 1, 1000),
        (FideStandard2004, "maximum_days", 1, 3660),
        (FideStandard2004, "hours_per_day", 1, 24),
        (FideStandard2004, "recommended_first_moves", 1, 500),
        (FideStandard2004, "rated_share", 0, 1),
        (FideStandard2004, "rated_opponents", 0, 1000),
        (FideRapid2004, "printed_digits", 1, 4),
        (FideStandard2024, "k_junior_age", 0, 150),
        (FecapPostal, "a_divisor", 1, 10_000),
        (FecapPostal, "root_decimals", 0, 100),
        (FecapPostal, "c_cap", 0, 1_000_000),
    ],
)
def test_both_ends_are_taken_and_one_more_or_less_is_refused(regulation, name, least, most):
    for value in (least, most):
        assert getattr(replace(regulation(), **{name: value}), name) == value
    assert set(faults(regulation(), **{name: most + 1})) == {name}
    assert set(faults(regulation(), **{name: least - 1})) == {name}


def test_every_bound_is_of_a_parameter_and_holds_every_default():
    known = {each.name: each.default for rules in registry.all_regulations() for each in fields(rules)}
    assert set(bounds.BOUNDS) <= set(known)
    assert {name: bounds.fault(name, value) for name, value in known.items()} == dict.fromkeys(known)


def test_figures_that_contradict_each_other():
    rules = FideRapidBlitz2022()
    assert faults(rules, nk_limit=19) == {"k": "must not be more than nk_limit, 19; not 20"}
    assert faults(rules, rapid_above=3) == {"blitz_above": "must be less than rapid_above, 3; not 3"}
    assert set(faults(rules, rapid_below=10)) == {"rapid_above"}
    assert set(faults(FideRapid2004(), rapid_from=60)) == {"rapid_from"}
    assert set(faults(FideStandard2024(), nk_limit=15)) == {"k_new", "k_junior", "k_normal"}
    assert set(faults(FideRapidBlitz2024(), first_rating_maximum=1399)) == {"floor"}
    assert set(faults(FecapPostal(), f_from=2101, a_to=1599, b_from=81)) == {"f_from", "a_from", "b_from"}
    assert faults(rules, nk_limit=100_001) == {"nk_limit": "must be from 1 to 100000; not 100001"}
    assert replace(rules, nk_limit=20, rapid_above=4, rapid_below=5).nk_limit == 20


def test_minutes_by_rating_go_from_the_highest_down():
    rules = FideStandard2004()
    message = "must go from the highest rating to the lowest, each once"
    for ratings in ((0, 1600), (1600, 1600), (2200, 0, 1600)):
        rows = tuple((rating, 60) for rating in ratings)
        assert faults(rules, minimum_minutes=rows) == {"minimum_minutes": message}
    assert faults(rules, minimum_minutes=((0, 1441),)) == {
        "minimum_minutes": "must have at most 1440 minutes in a row"
    }
    assert replace(rules, minimum_minutes=((1600, 1440), (0, 0)))


def test_all_faults_at_once():
    found = faults(FideRapidBlitz2022(), k="x", nk_limit=0, change_rounding="up", floor=Fraction(1, 2))
    assert set(found) == {"k", "nk_limit", "change_rounding", "floor"}
    assert found["nk_limit"] == "must be from 1 to 100000; not 0"
    assert found["k"] == "must be like 20; not 'x'"


def errors(command, value, *settings):
    with pytest.raises(BadInput) as caught:
        answer(command, value, settings)
    return [(each.path, each.message) for each in caught.value.problems]


def test_the_command_line_names_every_bad_parameter_beside_the_errors_of_the_input():
    nk_limit = ("--parameter nk_limit", "must be from 1 to 100000; not 0")
    assert errors("check", CHECK, "nk_limit=0") == [nk_limit]
    found = errors("check", {**CHECK, "end": 5}, "nk_limit=0", "nope=1", "half_point_bonus=1/x", "k=201")
    assert [path for path, _ in found] == [
        "end",
        "--parameter nope",
        "--parameter half_point_bonus",
        "--parameter k",
        "--parameter nk_limit",
    ]
    twice = ("--parameter k", "is given twice: keep one")
    assert errors("check", CHECK, "k=20", "k=10") == [twice]
    assert [path for path, _ in errors("rate", {**RATE, "regulation": "x"}, "k=0")] == ["regulation"]
    assert errors("rate", [], "k=0") == [("", "must be an object")]
