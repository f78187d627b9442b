"""A report so late that its text rejects it is refused by the first list that sees it."""

from datetime import UTC, date, datetime

import pytest

from ratinglists.computation import candidates_of
from tests.factories import (
    RAPID,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
)

pytestmark = pytest.mark.django_db
JULY, JANUARY, NEXT_JULY = date(1996, 7, 1), date(1997, 1, 1), date(1997, 7, 1)


def reported(system, received, *, end=date(1996, 3, 1), **fields):
    players = [make_player(), make_player()]
    event = make_tournament(system, start=end, end=end, minutes=120, increment=0, **fields)
    moment = datetime(received.year, received.month, received.day, 12, tzinfo=UTC)
    make_report(event, players, [(1, 1, 2, "1-0")], submitted_at=moment)
    return event


@pytest.fixture
def feda():
    system = make_system("feda", regulation="feda-1996", rate="standard", since=date(1996, 1, 1))
    make_list(system, date(1996, 1, 1), {make_player(): 2000})
    return system


def closing(day):
    return {JULY: date(1996, 5, 31), JANUARY: date(1996, 11, 30), NEXT_JULY: date(1997, 5, 31)}[day]


def outcome(system, day, closes_on=None):
    (candidate,) = candidates_of(make_period(system, day, closes_on or closing(day)))
    return candidate


@pytest.mark.parametrize("day", [JULY, JANUARY, NEXT_JULY])
def test_10_14_is_certain_before_the_list_that_the_report_missed(feda, day):
    """Due on 15 March 1996, for the list of July; one period late is January: December is too late."""
    reported(feda, date(1996, 12, 1))
    found = outcome(feda, day)
    assert found.outcome == "refused"
    assert found.reason == (
        "Not in by the list of 1997-01-01; due on 1996-03-15, more than 1 period late: rejected."
    )
    assert [(finding.article, finding.code) for finding in found.findings] == [("10.14", "report-too-late")]


def test_one_period_late_waits_and_counts(feda):
    reported(feda, date(1996, 11, 30))
    assert outcome(feda, JULY).outcome == "deferred"
    found = outcome(feda, JANUARY)
    assert found.outcome == "counted"
    assert [finding.code for finding in found.findings] == ["report-late"]


def test_accepted_too_late_is_refused_though_it_arrived_in_time(feda):
    reported(feda, date(1996, 3, 10))
    assert outcome(feda, NEXT_JULY).outcome == "refused"


def test_a_period_that_the_federation_keeps_open_longer_still_takes_it(feda):
    reported(feda, date(1996, 12, 1))
    make_period(feda, JANUARY, date(1996, 12, 15))
    assert outcome(feda, JULY).outcome == "deferred"
    assert outcome(feda, JANUARY).outcome == "counted"
    assert outcome(feda, NEXT_JULY).outcome == "refused"


def test_the_third_list_of_2022_is_the_last():
    """C 8.1: ended on 5 March; the list of June is the third."""
    system = make_system("rapid", regulation=RAPID)
    reported(system, date(2022, 6, 2), end=date(2022, 3, 5))
    april = outcome(system, date(2022, 4, 1), date(2022, 3, 29))
    assert april.outcome == "refused"
    assert "2022-06-01" in april.reason


def test_a_text_without_a_limit_lets_it_wait():
    """A 9.13: whatever is late comes into a later list."""
    system = make_system("standard", regulation="fide-standard-2004", rate="standard")
    reported(system, date(2005, 6, 2), end=date(2004, 5, 5))
    found = outcome(system, date(2004, 7, 1), date(2004, 6, 1))
    assert (found.outcome, "2005-06-02" in found.reason) == ("deferred", True)
