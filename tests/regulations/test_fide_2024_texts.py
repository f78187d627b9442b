"""fide-standard-2024 and fide-rapid-blitz-2024: numbers, figures, calendar and reports."""

from dataclasses import replace
from datetime import date

import pytest

from regulations.base import PRINTED, Parameter
from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024, articles
from regulations.model import Finding

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()


# --- what the classes say -----------------------------------------------------------------------


def test_what_the_regulations_say_of_themselves():
    assert (STANDARD.code, STANDARD.rates) == ("fide-standard-2024", ("standard",))
    assert STANDARD.title == "FIDE Rating Regulations, standard chess (2024)"
    assert (RAPID.code, RAPID.rates) == ("fide-rapid-blitz-2024", ("rapid", "blitz"))
    assert RAPID.title == "FIDE Rapid and Blitz Rating Regulations (2024)"
    for rules in (STANDARD, RAPID):
        assert (rules.effective_from, rules.effective_until) == (date(2024, 3, 1), None)
        assert (rules.pools_opponents, rules.counts_finished_games) == (True, False)
        assert rules.printed_rating(2143) == "2143"
        assert not rules.splits_by_list(
            start=date(2024, 1, 1), end=date(2024, 12, 1), flags=frozenset({"league"})
        )


def test_what_the_list_prints():
    """7.1.2 (6.1.2): the year of birth only, and K."""
    expected = ("id", "name", "title", "federation", "rating", "games", "birth_year", "sex", "k")
    assert STANDARD.printed == RAPID.printed == expected
    assert set(expected) <= set(PRINTED)


def test_each_text_has_its_own_numbers():
    """The rapid and blitz text has no chapter 4 and one article more in 7.2."""
    assert all(STANDARD.article(number) == number for number in articles.RAPID_BLITZ)
    told = {number: RAPID.article(number) for number in articles.RAPID_BLITZ}
    assert told.pop("0.2.2") == "0.2"
    assert told.pop("0.4") == "0.4"
    later = {"8.2.1": "7.2.2", "8.2.2": "7.2.3", "8.2.3": "7.2.4", "8.2.4": "7.2.5"}
    for number, other in told.items():
        chapter, rest = number.split(".", 1)
        assert other == later.get(number, f"{int(chapter) - 1}.{rest}")


def test_parameters_carry_the_numbers_of_their_text():
    assert STANDARD.parameters["floor"] == Parameter(1400, "7.1.2, 7.1.4, 7.2.1", "lowest rating on the list")
    assert RAPID.parameters["floor"].article == "6.1.2, 6.1.4, 6.2.1"
    assert (STANDARD.parameters["k_new"].article, RAPID.parameters["k_new"].article) == ("8.3.3", "7.3.3")
    assert (STANDARD.parameters["notice_days"].article, RAPID.parameters["notice_days"].article) == (
        "0.2.2",
        "0.2",
    )
    assert RAPID.parameters["excluded_above"].article == "7.3.1"
    assert RAPID.parameters["k_new"].value == 40
    assert "minimum_minutes" not in RAPID.parameters
    assert "rapid_above" not in STANDARD.parameters


FIGURES = {
    "appeal_days": 7,
    "notice_days": 3, "cut_decided_match": True, "closing_days": 3, "closing_days_official": 1,
    "first_rating_games": 5, "first_rating_months": 26, "floor": 1400, "active_games": 1, "dp_certain": 800,
    "hypothetical_opponents": 2, "hypothetical_rating": 1800, "first_rating_maximum": 2200,
    "difference_limit": 400, "k_new": 40, "k_new_games": 30, "k_junior": 40, "k_junior_age": 18,
    "k_junior_below": 2300, "k_normal": 20, "k_strong": 10, "k_strong_rating": 2400, "nk_limit": 700,
    "change_rounding": "half-away", "aim_days": 5, "last_list": 3,
}  # fmt: skip


def test_the_figures_of_both_texts():
    values = {name: one.value for name, one in STANDARD.parameters.items()}
    assert values == FIGURES | {
        "early_notice_days": 30,
        "early_notice_above": 2700,
        "early_notice_above_women": 2500,
        "minimum_minutes": ((2400, 120), (1800, 90), (0, 60)),
        "first_control_moves": 30,
        "hours_per_day": 12,
        "interim_days": 30,
        "full_difference_from": 2650,
        "full_difference_start": (2025, 10, 1),
    }
    values = {name: one.value for name, one in RAPID.parameters.items()}
    assert values == FIGURES | {
        "rapid_above": 10,
        "rapid_below": 60,
        "blitz_above": 3,
        "rapid_rounds_per_day": 15,
        "blitz_rounds_per_day": 30,
        "excluded_difference": 600,
        "excluded_above": 2600,
        "excluded_start": (2024, 12, 1),
    }


@pytest.mark.parametrize(
    ("rules", "name"), [(STANDARD, "full_difference_start"), (RAPID, "excluded_start")], ids=["std", "rapid"]
)
def test_a_day_must_be_a_day(rules, name):
    assert getattr(replace(rules, **{name: (2026, 2, 28)}), name) == (2026, 2, 28)
    with pytest.raises(ValueError):
        replace(rules, **{name: (2026, 2, 30)})
    with pytest.raises(ValueError, match=name):
        replace(rules, **{name: 20260228})
    with pytest.raises(ValueError, match="floor"):
        replace(rules, floor="1400")


# --- 7.1 and 9.1: the calendar ---------------------------------------------------------------------


@pytest.mark.parametrize("rules", [STANDARD, RAPID], ids=["std", "rapid"])
def test_the_calendar_of_2024(rules):
    """7.1, 7.1.1, 7.1.3, 9.1"""
    assert rules.list_in_force(date(2024, 4, 30)) == date(2024, 4, 1)
    assert rules.list_in_force(date(2024, 5, 1)) == date(2024, 5, 1)
    assert rules.next_list_date(date(2024, 4, 30)) == date(2024, 5, 1)
    assert rules.next_list_date(date(2024, 5, 1)) == date(2024, 6, 1)
    assert rules.closing_date(date(2024, 5, 1)) == date(2024, 4, 28)
    assert rules.closing_date(date(2024, 5, 1), official=True) == date(2024, 4, 30)
    assert rules.last_receipt(date(2024, 5, 1)) == date(2024, 4, 30)
    assert rules.list_for_end(date(2024, 4, 28)) == date(2024, 5, 1)
    assert rules.list_for_end(date(2024, 4, 29)) == date(2024, 6, 1)
    assert rules.list_for_end(date(2024, 4, 30), official=True) == date(2024, 5, 1)
    assert rules.last_list_for(date(2024, 4, 24)) == date(2024, 7, 1)
    assert rules.last_list_for(date(2024, 12, 1)) == date(2025, 3, 1)


LAST = "Not in by the list of 2024-07-01, the third after the end on 2024-04-24: not rated."
DUE = "Received on {}; it was due for the list of 2024-05-01."


@pytest.mark.parametrize(
    ("received", "list_date", "severity", "code", "text"),
    [
        (date(2024, 5, 1), date(2024, 5, 1), None, None, None),
        (date(2024, 5, 2), date(2024, 6, 1), "warning", "report-late", DUE.format("2024-05-02")),
        (date(2024, 7, 1), date(2024, 7, 1), "warning", "report-late", DUE.format("2024-07-01")),
        (date(2024, 7, 2), date(2024, 7, 1), "error", "report-too-late", LAST),
        (date(2024, 4, 26), date(2024, 8, 1), "error", "report-too-late", LAST),
    ],
)
@pytest.mark.parametrize(("rules", "article"), [(STANDARD, "9.1"), (RAPID, "8.1")], ids=["std", "rapid"])
def test_reports_of_2024_in_time_late_and_too_late(rules, article, received, list_date, severity, code, text):
    """9.1 (8.1), for an event that ended on 24 April, six days before the end of the month."""
    found = rules.report_findings(end=date(2024, 4, 24), received=received, list_date=list_date)
    expected = Finding(severity, code, article, text, None, "received")
    assert list(found) == ([expected] if severity else [])


def test_five_days_left_aim_at_the_following_list():
    """9.1: an event that ends on 25 April may come into the June list without being late."""
    assert (
        STANDARD.report_findings(end=date(2024, 4, 25), received=date(2024, 6, 1), list_date=date(2024, 6, 1))
        == ()
    )
    late = STANDARD.report_findings(
        end=date(2024, 4, 25), received=date(2024, 6, 2), list_date=date(2024, 7, 1)
    )
    assert [each.code for each in late] == ["report-late"]


@pytest.mark.parametrize(("rules", "article"), [(STANDARD, "7.1.3"), (RAPID, "6.1.3")], ids=["std", "rapid"])
def test_an_event_that_ends_after_closing(rules, article):
    """7.1.3 (6.1.3)"""
    given = {"end": date(2024, 4, 30), "received": date(2024, 4, 30), "list_date": date(2024, 5, 1)}
    text = "The event ends on 2024-04-30, after 2024-04-28: for the list of 2024-06-01."
    assert rules.report_findings(**given) == (
        Finding("error", "ends-after-closing", article, text, None, "end"),
    )
    assert rules.report_findings(**given, official=True) == ()
    early = rules.report_findings(**{**given, "list_date": date(2024, 4, 1)}, official=True)
    text = "The event ends on 2024-04-30, after 2024-03-31: for the list of 2024-05-01."
    assert [each.message for each in early] == [text]
