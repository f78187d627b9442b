"""FECAP postal: what the regulation says of itself, its calendar, registrations and reports."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fecap_postal import FecapPostal
from regulations.model import Registration
from tests.regulations.build import stages

P = FecapPostal()


def test_what_the_regulation_says_of_itself():
    assert (P.code, P.title) == ("fecap-postal", "FECAP postal rating")
    assert (P.effective_from, P.effective_until) == (date(1998, 1, 1), None)
    assert (P.rates, P.pools_opponents, P.counts_finished_games, P.list_step) == (("postal",), False, True, 1)
    assert P.printed == ("id", "name", "title", "federation", "rating", "games", "status")
    assert P.printed_rating(2048) == "2048"
    assert not P.splits_by_list(start=date(1999, 1, 1), end=date(2001, 1, 1), flags=frozenset({"league"}))
    assert P.last_list_for(date(1999, 1, 1)) is None


@pytest.mark.parametrize(
    ("name", "value", "article"),
    [
        ("start", 1600, "General 2"),
        ("floor", 1500, "General 3, Fase 2"),
        ("first_provisional", 1600, "General 2, General 4"),
        ("definitive_games", 30, "General 6"),
        ("batch_share", Fraction(1, 2), "General 9"),
        ("dp_certain", 677, "Tabla 1"),
        ("root_decimals", 6, "Fase 2"),
        ("b", "one", "Fase 2"),
        ("c", "one", "Fase 2"),
        ("c_cap", 2, "Fase 2"),
        ("f_from", 1650, "Fase 1"),
        ("f_to", 2100, "Fase 1"),
        ("a_from", 1600, "Fase 2"),
        ("a_to", 2100, "Fase 2"),
    ],
)
def test_parameters_carry_their_articles(name, value, article):
    assert (P.parameters[name].value, P.parameters[name].article) == (value, article)
    assert P.parameters[name].meaning


@pytest.mark.parametrize(
    ("day", "in_force", "following"),
    [
        ("1999-01-01", "1999-01-01", "1999-07-01"),
        ("1999-06-30", "1999-01-01", "1999-07-01"),
        ("1999-07-01", "1999-07-01", "2000-01-01"),
        ("1999-12-31", "1999-07-01", "2000-01-01"),
    ],
)
def test_two_lists_a_year(day, in_force, following):
    """General 7 and 8."""
    day = date.fromisoformat(day)
    assert P.list_in_force(day) == date.fromisoformat(in_force)
    assert P.next_list_date(day) == date.fromisoformat(following)
    assert P.list_for_end(day) == date.fromisoformat(following)


@pytest.mark.parametrize(("list_date", "eve"), [("1999-07-01", "1999-06-30"), ("2000-01-01", "1999-12-31")])
def test_the_eve_of_the_list_is_the_last_day(list_date, eve):
    listed, eve = date.fromisoformat(list_date), date.fromisoformat(eve)
    assert P.closing_date(listed) == P.closing_date(listed, official=True) == eve
    assert P.last_receipt(listed) == eve


def test_reports():
    """General 8: the day of the report decides, not the end of the event."""
    july = date(1999, 7, 1)
    assert P.report_findings(end=date(2001, 1, 1), received=date(1999, 6, 30), list_date=july) == ()
    (finding,) = P.report_findings(end=date(1999, 1, 1), received=july, list_date=july)
    assert (finding.severity, finding.code, finding.article, finding.subject, finding.authorization) == (
        "error", "received-after-closing", "General 8", "received", None,
    )  # fmt: skip
    assert finding.message == (
        "Received on 1999-07-01, after the closing date 1999-06-30 of the list of 1999-07-01: "
        "for the list of 2000-01-01."
    )


REGISTRATION = Registration("round-robin", date(1999, 1, 1), date(2001, 1, 1), ())


@pytest.mark.parametrize("rate", ["postal", None])
def test_postal_chess_is_ratable(rate):
    result = P.check(replace(REGISTRATION, rate=rate, time_control=stages(30)))
    assert (result.ratable, result.rate, result.minutes_for_60_moves, result.findings) == (
        True,
        "postal",
        None,
        (),
    )


@pytest.mark.parametrize("rate", ["standard", "rapid", "blitz"])
def test_nothing_else_is(rate):
    result = P.check(replace(REGISTRATION, rate=rate))
    assert (result.ratable, result.rate, result.minutes_for_60_moves) == (False, None, None)
    (finding,) = result.findings
    assert (finding.severity, finding.code, finding.article, finding.subject) == (
        "error", "other-rate", "Objetivos", "rate",
    )  # fmt: skip
    assert finding.message == f"This text rates postal chess, not {rate}."


@pytest.mark.parametrize(
    ("rating", "k"), [(1500, 20), (1612, 20), (2024, 12), (2025, 12), (2026, 11), (2050, 11), (2400, 10)]
)
def test_k_is_a_to_a_whole_number(rating, k):
    """a of 2025 is 11.5: half up."""
    assert P.k_of(rating=rating, career_games=3, reached_k10=None) == k
