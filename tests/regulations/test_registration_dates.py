"""What every text finds in the days of a registration, and the standard rating that stands in."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from regulations import registry
from regulations.calendar import not_in_force
from regulations.cli import answer
from regulations.fide_rapid_blitz_2018 import FideRapidBlitz2018
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import Registration, ScheduledRound
from tests.regulations.build import stages

ARTICLES = {
    "feda-1996": "10.2",
    "fecap-postal": "",
    "fide-standard-2004": "11.21",
    "fide-rapid-2004": "11.21",
    "fide-rapid-blitz-2018": "0.2",
    "fide-rapid-blitz-2022": "0.2",
    "fide-standard-2024": "0.2",
    "fide-rapid-blitz-2024": "0.2",
}


@pytest.mark.parametrize("code", ARTICLES)
def test_a_round_outside_the_days_of_the_event(code):
    regulation = registry.get(code)
    first = regulation.effective_from + timedelta(days=40)
    last = first + timedelta(days=1)
    minutes = 120 if "standard" in regulation.rates else 25
    asked = Registration("team", first, last, stages(minutes), registered_on=first - timedelta(days=30))
    days = [first - timedelta(days=1), first, last, last + timedelta(days=1)]
    rounds = tuple(ScheduledRound(number, day) for number, day in enumerate(days, 1))
    within = regulation.check(replace(asked, rounds=rounds[1:3]))
    assert "round-outside-event" not in {each.code for each in within.findings}
    found = regulation.check(replace(asked, rounds=rounds))
    (finding,) = (each for each in found.findings if each.code == "round-outside-event")
    assert (finding.severity, finding.article, finding.subject) == ("error", ARTICLES[code], "rounds")
    assert finding.message == (
        f"Outside the days of the event, {first} to {last}: round 1 on {days[0]}, round 4 on {days[3]}. "
        "Correct the rounds or the event."
    )
    assert not found.ratable
    assert found.rate == within.rate


@pytest.mark.parametrize(
    ("regulation", "start", "inside"),
    [
        (FideRapidBlitz2022(), date(2021, 12, 31), False),
        (FideRapidBlitz2022(), date(2022, 1, 1), True),
        (FideRapidBlitz2022(), date(2024, 2, 29), True),
        (FideRapidBlitz2022(), date(2024, 3, 1), False),
        (FideStandard2004(), FideStandard2004.effective_from, True),
        (FideStandard2004(), FideStandard2004.effective_from - timedelta(days=1), False),
        (FideStandard2004(), date(2030, 1, 1), True),
    ],
)
def test_a_start_on_which_the_text_is_not_in_force(regulation, start, inside):
    found = not_in_force(regulation, start)
    assert [finding.subject for finding in found] == ([] if inside else ["start"])


CHECK = {
    "regulation": "fide-rapid-blitz-2022",
    "system": "match",
    "registered_on": "2022-05-01",
    "start": "2022-05-07",
    "end": "2022-05-07",
    "time_control": [{"minutes": 25}],
    "players": [{"id": "a", "rating": 2000}, {"id": "b", "rating": None}],
}


def codes(**changes):
    said = answer("check", {**CHECK, **changes})
    return [(each["severity"], each["code"]) for each in said["findings"]]


def test_the_calculator_warns_of_a_text_that_is_not_in_force():
    later = {"start": "2024-03-01", "end": "2024-03-01", "registered_on": "2024-02-01", "players": []}
    said = answer("check", {**CHECK, **later})
    assert said["ratable"]
    assert said["findings"] == [
        {
            "severity": "warning",
            "code": "not-in-force",
            "article": "",
            "message": "FIDE Rapid and Blitz Rating Regulations (2022): for events that start "
            "from 2022-01-01 to 2024-02-29; this one starts on 2024-03-01.",
            "waivable": False,
        }
    ]
    early = {"start": "2003-01-01", "end": "2003-01-01", "time_control": [{"minutes": 120}], "players": []}
    said = answer("check", {**CHECK, **early, "regulation": "fide-standard-2004", "system": "swiss"})
    assert said["findings"][-1]["message"].endswith(
        f"from {FideStandard2004.effective_from} on; this one starts on 2003-01-01."
    )


@pytest.mark.parametrize("code", ["fide-rapid-blitz-2018", "fide-rapid-blitz-2022", "fide-rapid-blitz-2024"])
def test_a_standard_rating_stands_in_for_a_missing_one(code):
    """B 8.22, C 7.21, E 7.2.1: a match with such a player is one of rated players."""
    standing_in = [CHECK["players"][0], {**CHECK["players"][1], "standard_rating": 1900}]
    assert ("error", "unrated-in-match") in codes(regulation=code)
    assert ("error", "unrated-in-match") not in codes(regulation=code, players=standing_in)


def test_a_standard_rating_counts_in_the_composition():
    """B 6.21: four rated of fewer than ten; three and one with a standard rating are enough."""
    players = [{"id": str(n), "rating": 1900} for n in range(3)]
    players += [{"id": "x", "rating": None}, {"id": "y", "rating": None}]
    own = {"regulation": FideRapidBlitz2018.code, "system": "round-robin"}
    assert ("error", "too-few-rated") in codes(**own, players=players)
    players[-1]["standard_rating"] = 1800
    assert ("error", "too-few-rated") not in codes(**own, players=players)


def test_the_standard_text_of_today_has_ratings_of_its_own():
    players = [CHECK["players"][0], {**CHECK["players"][1], "standard_rating": 1900}]
    own = {"regulation": "fide-standard-2024", "time_control": [{"minutes": 120}]}
    assert ("error", "unrated-in-match") in codes(**own, players=players)
