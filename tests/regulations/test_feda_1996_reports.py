"""feda-1996, articles 8.11, 8.13 and 10: the calendar, late reports, the evaluation file; the parameters."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regulations.feda_1996 import Feda1996, periods, report_file
from regulations.lists import met_rated
from regulations.model import Event, EventPlayer, EventTotals, ListInput, ListPlayer, RatedEvent
from tests.regulations.feda import RULES, F

JAN96, JUL96, JAN97, JUL97 = date(1996, 1, 1), date(1996, 7, 1), date(1997, 1, 1), date(1997, 7, 1)


@pytest.mark.parametrize(
    ("day", "in_force", "following"),
    [
        (date(1996, 1, 1), JAN96, JUL96),
        (date(1996, 6, 30), JAN96, JUL96),
        (date(1996, 7, 1), JUL96, JAN97),
        (date(1996, 12, 31), JUL96, JAN97),
    ],
)
def test_two_lists_a_year(day, in_force, following):
    """8.11"""
    assert (RULES.list_in_force(day), RULES.next_list_date(day)) == (in_force, following)


@pytest.mark.parametrize(
    ("day", "found"),
    [
        (date(1996, 5, 31), JUL96),
        (date(1996, 6, 1), JAN97),
        (date(1996, 7, 1), JAN97),
        (date(1996, 11, 30), JAN97),
        (date(1996, 12, 1), JUL97),
        (date(1995, 12, 31), JUL96),
    ],
)
def test_closing_dates(day, found):
    """8.13: 31 May and 30 November."""
    assert RULES.list_for_end(day) == found
    assert RULES.closing_date(JUL96) == RULES.last_receipt(JUL96) == date(1996, 5, 31)
    assert RULES.closing_date(JAN97) == RULES.last_receipt(JAN97) == date(1996, 11, 30)
    assert RULES.closing_date(JAN97, official=True) == date(1996, 11, 30)


@pytest.mark.parametrize(
    ("end", "posted", "status"),
    [
        (date(1996, 3, 1), date(1996, 3, 1), "in-time"),
        (date(1996, 3, 1), date(1996, 3, 15), "in-time"),  # two weeks
        (date(1996, 3, 1), date(1996, 3, 16), "late"),
        (date(1996, 3, 1), date(1996, 11, 30), "late"),  # one period late
        (date(1996, 3, 1), date(1996, 12, 1), "rejected"),  # two
        (date(1996, 5, 17), date(1996, 12, 1), "rejected"),  # due on 31 May
        (date(1996, 5, 18), date(1996, 12, 1), "late"),  # due on 1 June, for January 1997
        (date(1996, 5, 18), date(1997, 6, 1), "rejected"),
    ],
)
def test_two_weeks_for_the_report(end, posted, status):
    """10.11, 10.12, 10.14"""
    assert periods.report_status(RULES, end, posted) == status


@pytest.mark.parametrize(
    ("end", "last"),
    [
        (date(1996, 3, 1), JAN97),
        (date(1996, 5, 17), JAN97),
        (date(1996, 5, 18), JUL97),
        (date(1996, 12, 20), date(1998, 1, 1)),
    ],
)
def test_the_last_list_for_an_event(end, last):
    """10.14: one period after the one in which the report was due."""
    assert RULES.last_list_for(end) == last


def test_four_weeks_for_a_corrected_report():
    """10.13"""
    end, posted, returned = date(1996, 3, 1), date(1996, 3, 10), date(1996, 4, 1)
    assert periods.is_corrected_in_time(RULES, returned, date(1996, 4, 29))
    assert not periods.is_corrected_in_time(RULES, returned, date(1996, 4, 30))
    for day, status in ((date(1996, 4, 29), "in-time"), (date(1996, 4, 30), "not-reported")):
        assert periods.corrected_status(RULES, end, posted, returned, day) == status
    late = date(1996, 12, 1)
    assert periods.corrected_status(RULES, end, late, late, late + timedelta(40)) == "rejected"


def told(end, received, list_date):
    found = RULES.report_findings(end=end, received=received, list_date=list_date)
    assert not any(each.waivable for each in found)
    return [(each.severity, each.code, each.article, each.subject) for each in found]


COMPLETED = ("error", "completed-after-closing", "8.13.a", "end")
RECEIVED = ("error", "received-after-closing", "8.13.a", "received")
LATE = ("warning", "report-late", "10.11", "received")
REJECTED = ("error", "report-too-late", "10.14", "received")


@pytest.mark.parametrize(
    ("end", "received", "list_date", "found"),
    [
        (date(1996, 3, 1), date(1996, 3, 15), JUL96, []),
        (date(1996, 5, 31), date(1996, 5, 31), JUL96, []),
        (date(1996, 5, 20), date(1996, 6, 2), JUL96, [RECEIVED]),
        (date(1996, 6, 1), date(1996, 6, 2), JUL96, [COMPLETED, RECEIVED]),
        (date(1996, 3, 1), date(1996, 3, 16), JUL96, [LATE]),
        (date(1996, 3, 1), date(1996, 11, 30), JAN97, [LATE]),
        (date(1996, 3, 1), date(1996, 12, 1), JUL97, [REJECTED]),
        (date(1996, 3, 1), date(1996, 12, 1), JAN97, [RECEIVED, REJECTED]),
        (date(1996, 3, 1), date(1996, 3, 15), JUL97, [REJECTED]),
        (date(1996, 3, 1), date(1996, 3, 15), JAN97, []),
    ],
)
def test_what_the_text_says_of_a_report(end, received, list_date, found):
    """8.13.a, 10.11, 10.14"""
    assert told(end, received, list_date) == found


def test_the_words_about_a_report():
    """8.13.a, 10.11, 10.14"""

    def words(end, received, list_date):
        return [
            each.message for each in RULES.report_findings(end=end, received=received, list_date=list_date)
        ]

    later = "after the closing date 1996-05-31 of the list of 1996-07-01: for the list of 1997-07-01."
    assert words(date(1996, 6, 1), date(1996, 12, 3), JUL96)[:2] == [
        f"Completed on 1996-06-01, {later}",
        f"Received on 1996-12-03, {later}",
    ]
    assert words(date(1996, 3, 1), date(1996, 3, 16), JUL96) == [
        "Received on 1996-03-16; it was due on 1996-03-15, 14 days after the end."
    ]
    assert words(date(1996, 3, 1), date(1996, 12, 1), JUL97) == [
        "Not in by the list of 1997-01-01; due on 1996-03-15, more than 1 period late: rejected."
    ]


# --- 10.31: the evaluation file ---------------------------------------------------------------


def test_more_than_forty_players_need_the_file():
    """10.31"""
    assert [report_file.needs_file(RULES, players) for players in (39, 40, 41)] == [False, False, True]


@pytest.mark.parametrize(
    ("day", "month", "figures", "on", "born"),
    [
        (6, 3, 59, date(1996, 5, 1), date(1959, 3, 6)),
        (1, 5, 91, date(1996, 5, 1), date(1991, 5, 1)),  # five today
        (2, 5, 91, date(1996, 5, 1), None),  # four; 1891 would be 104
        (1, 5, 96, date(1996, 5, 1), date(1896, 5, 1)),  # a hundred
        (1, 5, 95, date(1996, 5, 1), None),  # one, or 101
        (2, 5, 95, date(1996, 5, 1), date(1895, 5, 2)),  # a hundred still
        (10, 10, 98, date(2026, 1, 1), date(1998, 10, 10)),
        (10, 10, 10, date(2026, 1, 1), date(2010, 10, 10)),
        (31, 12, 99, date(2000, 6, 1), date(1899, 12, 31)),
        (29, 2, 0, date(2010, 6, 1), date(2000, 2, 29)),
        (29, 2, 1, date(2010, 6, 1), None),  # no such day
        (31, 4, 70, date(1996, 5, 1), None),
        (1, 13, 70, date(1996, 5, 1), None),
    ],
)
def test_the_century_of_a_birth_date(day, month, figures, on, born):
    """10.31: five to a hundred years old."""
    assert report_file.birth_date(RULES, day, month, figures, on) == born


@given(st.dates(date(1900, 1, 1), date(2020, 12, 31)), st.integers(5, 99))
def test_a_birth_date_is_found_again(born, years):
    if (born.month, born.day) == (2, 29):
        born = born.replace(day=28)
    on = born.replace(year=born.year + years)
    assert report_file.birth_date(RULES, born.day, born.month, born.year % 100, on) == born


def test_what_a_row_of_a_rated_player_means():
    """10.31, 9.5: D -47 → .43 × 9 = 3.87; 10 × 3.13."""
    found = report_file.effect(RULES, F(7), 9, 2347, rating=2300, career_games=60)
    assert (found.games, found.score, found.expected, found.k) == (9, 7, F("3.87"), 10)
    assert (found.change, found.performance) == (F("31.3"), None)
    assert [(step.article, step.label, step.value, step.text) for step in found.steps] == [
        ("10.31", "Ra", "2347", "the column of the average opponent"),
        ("9.52", "D", "-47", "2300 - 2347, to a whole number"),
        ("9.1.c", "PD", "0.43", "D -47"),
        ("9.53", "We", "3.87", "0.43 × 9"),
        ("9.53", "W", "7", "9 games"),
        ("9.53.a", "K", "10", "published rating has reached 2200"),
        ("9.53", "change", "31.3", "10 × (7 - 3.87)"),
    ]
    assert report_file.effect(RULES, F(7), 9, 2347, rating=2100, reached_k10=True).k == 10
    assert report_file.effect(RULES, F(7), 9, 2347, rating=2100, career_games=29).k == 25
    far = report_file.effect(RULES, F(9), 9, 1800, rating=2300)
    assert far.expected == F("0.89") * 9  # 9.51: 500 counts as 350
    assert [step.value for step in far.steps if step.label == "D"] == ["500", "350"]


def test_what_a_row_of_an_unrated_player_means():
    """10.31, 9.23: 5.5 of 9 is two half points over 4.5: 2125 + 25."""
    found = report_file.effect(RULES, F("5.5"), 9, 2125, rating=None)
    assert (found.games, found.score, found.performance, found.change, found.expected, found.k) == (
        9, F("5.5"), 2150, None, None, None,
    )  # fmt: skip
    assert [(step.article, step.label, step.value) for step in found.steps] == [
        ("10.31", "Ra", "2125"), ("9.23", "Ru", "2150"),
    ]  # fmt: skip
    zero = report_file.effect(RULES, F(0), 9, 2125, rating=None)
    assert (zero.games, zero.score, zero.performance) == (9, 0, None)
    assert [(step.article, step.label, step.value, step.text) for step in zero.steps] == [
        ("7.1", "Ru", "none", "zero in the event")
    ]


# --- the class --------------------------------------------------------------------------------

PARAMETERS = {
    "national_arbiter": ("NA", "1.1, 1.11"),
    "autonomic_arbiter": ("RA", "1.1, 1.12"),
    "provincial_arbiter": ("PA", "1.1, 1.13"),
    "title_order": ("GM IM WGM FM WIM CM WFM WCM", "1.21, 1.22"),
    "moves_per_hour": (23, "2.1, 2.23"),
    "guillotine_minutes": (240, "2.21"),
    "guillotine_both": (True, "2.21"),
    "first_control_minutes": (60, "2.22"),
    "finish_minutes": (60, "2.24"),
    "electronic_minutes": (60, "2.3"),
    "electronic_increment": (10, "2.3"),
    "rounds_per_day": (2, "4.1, 4.2"),
    "maximum_days": (89, "5.1"),
    "phases": ("weighted", "7.2"),
    "rated_share": (F(1, 3), "7.3"),
    "small_event": (10, "7.31"),
    "small_event_rated": (4, "7.31"),
    "small_event_all_rated": (True, "7.31"),
    "double_players": (6, "7.32"),
    "double_rated": (4, "7.32"),
    "championship_rated": (3, "7.33"),
    "championship_overrides_double": (True, "7.33"),
    "scheveningen_unrated": ("ru", "7.4"),
    "rated_opponents": (4, "7.42"),
    "first_rating_games": (9, "8.14"),
    "first_rating_lists": (4, "8.14.c"),
    "floor": (1805, "8.12, 8.21, 9.31, 9.32"),
    "active_games": (4, "8.22"),
    "inactive_lists_shown": (3, "8.22.b"),
    "half_point_bonus": (F(25, 2), "9.23"),
    "rounding_step": (5, "9.32, 9.55"),
    "championship_share": (F(1, 2), "9.4"),
    "championship_unrated": (1800, "9.4"),
    "difference_limit": (350, "9.51"),
    "rated_since_event": (True, "9.5"),
    "k_new": (25, "9.53.a"),
    "k_new_games": (30, "9.53.a"),
    "k_normal": (15, "9.53.a"),
    "k_strong": (10, "9.53.a"),
    "k_strong_rating": (2200, "9.53.a"),
    "foreigners_are_rated": (True, "9.56, 7.3, 7.42"),
    "report_days": (14, "10.11"),
    "corrected_days": (28, "10.13"),
    "periods_late": (1, "10.14"),
    "file_above": (40, "10.31"),
    "least_age": (5, "10.31"),
    "most_age": (100, "10.31"),
}


def test_the_figures_and_their_articles():
    assert {name: (one.value, one.article) for name, one in RULES.parameters.items()} == PARAMETERS
    assert all(one.meaning for one in RULES.parameters.values())


@pytest.mark.parametrize(
    ("name", "value"),
    [("phases", "x"), ("scheveningen_unrated", "x"), ("national_arbiter", ""), ("title_order", "GM")],
)
def test_other_words_are_no_readings(name, value):
    with pytest.raises(ValueError, match=name):
        Feda1996(**{name: value})


def test_what_the_regulation_says_of_itself():
    """8.12.a and the introduction"""
    assert (RULES.code, RULES.title) == ("feda-1996", "FEDA national Elo (1996)")
    assert (RULES.effective_from, RULES.effective_until, RULES.rates) == (JAN96, None, ("standard",))
    assert RULES.printed == ("id", "name", "title", "federation", "rating", "birth_date", "status", "games")
    assert (RULES.pools_opponents, RULES.counts_finished_games) == (False, False)
    assert RULES.printed_rating(1805) == "1805"
    assert RULES.splits_by_list(start=JAN96, end=JAN97, flags=frozenset({"league"})) is False


def totals_event(*rows, flags=()) -> Event:
    """Players with ratings, each with the row that the file has of him."""
    players = tuple(
        EventPlayer(name, rating, career_games=60, affiliated=affiliated, first_event=first)
        for name, rating, affiliated, first, _ in rows
    )
    totals = tuple(EventTotals(name, *row) for name, _, _, _, row in rows if row)
    return Event("swiss", players, (), scope="national", flags=frozenset(flags), totals=totals)


def test_an_event_reported_by_its_totals():
    """10.31 with 9.53: Ana 2100, 4.5 of 7 against 2000 on average: D 100 gives 0.64, We 4.48, K 15,
    change 0.3. 9.2: Bea, unrated, 3 of 6 against 1985: Ru 1985. Cid has no row, Dan scored nothing."""
    event = totals_event(
        ("Ana", 2100, True, False, (F(9, 2), 7, 2000)),
        ("Bea", None, True, True, (F(3), 6, 1985)),
        ("Cid", 2200, True, False, None),
        ("Dan", None, True, True, (F(0), 5, 1900)),
        ("Eva", None, True, True, (F(1), 6, 1850)),
    )
    result = RULES.rate(event)
    ana, bea, cid, dan, eva = result.players
    assert (ana.games, ana.score, ana.expected, ana.k, ana.change) == (7, F(9, 2), F(448, 100), 15, F(3, 10))
    assert (bea.performance, bea.pooled) == (1985, True)
    assert (cid.games, cid.change) == (0, 0)
    assert (dan.performance, dan.pooled) == (None, False)
    assert eva.pooled is False  # 9.31: a first performance under 1805
    assert eva.steps[-1].article == "9.31"
    assert (result.rated, result.findings) == (True, ())


def test_totals_of_a_foreigner_of_no_club_count_for_nobody():
    """9.56"""
    (guest,) = RULES.rate(totals_event(("Guy", None, False, True, (F(3), 6, 1985)))).players
    assert (guest.status, guest.games, guest.performance) == ("unrated", 0, None)


def test_a_championship_by_totals_says_that_9_4_is_not_applied():
    event = totals_event(("Bea", None, True, True, (F(3), 6, 1985)), flags=("national-championship",))
    assert [finding.article for finding in RULES.rate(event).findings] == ["9.4"]


def test_a_row_is_a_meeting_with_somebody_rated():
    event = totals_event(("Bea", None, True, True, (F(3), 6, 1985)), ("Cid", 2200, True, False, None))
    assert met_rated(event) == {"Bea"}


def test_totals_count_in_the_list():
    """Ana's 0.3 leaves her 2100, a multiple of 5."""
    event = totals_event(("Ana", 2100, True, False, (F(9, 2), 7, 2000)))
    event = replace(event, id="1", start=date(1996, 3, 1), end=date(1996, 3, 9))
    previous = (ListPlayer("Ana", 2100, career_games=60),)
    given = ListInput(JUL96, previous=previous, events=(RatedEvent(event, RULES.rate(event)),))
    (row,) = RULES.next_list(given).players
    assert (row.rating, row.games, row.change) == (2100, 7, F(3, 10))
