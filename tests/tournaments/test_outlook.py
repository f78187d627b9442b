"""Which list a report comes into by the day of its receipt, in the words of each text."""

from datetime import date

import pytest

from tests.factories import make_list, make_period, make_system, make_tournament
from tournaments.outlook import first_list, of_receipt

pytestmark = pytest.mark.django_db


def event(regulation, end, **fields):
    system = make_system("list", regulation=regulation, since=date(1996, 1, 1))
    start = date(1998, 3, 1) if regulation == "fecap-postal" else end
    return make_tournament(system, start=start, end=end, rounds=0, **fields)


MISSED = ["received-after-closing", "report-late"]
CASES = [
    # FEDA 8.13, 10.11, 10.14: closing 31 May; two weeks; one period late is the last
    ("feda-1996", "1996-03-01", "1996-03-15", "1996-07-01", []),
    ("feda-1996", "1996-03-01", "1996-03-16", "1996-07-01", ["report-late"]),
    ("feda-1996", "1996-03-01", "1996-06-01", "1997-01-01", MISSED),
    ("feda-1996", "1996-03-01", "1996-12-01", None, ["report-too-late"]),
    # A 9.13: a month before the list
    ("fide-standard-2004", "2004-05-02", "2004-06-01", "2004-07-01", []),
    ("fide-standard-2004", "2004-05-02", "2004-06-02", "2004-10-01", ["received-after-closing"]),
    ("fide-standard-2004", "2004-05-02", "2014-06-02", "2014-10-01", ["received-after-closing"]),
    # B 7.13 and 9.1: the arbiter reports within 7 days
    ("fide-rapid-blitz-2018", "2018-09-10", "2018-09-12", "2018-10-01", []),
    ("fide-rapid-blitz-2018", "2018-09-10", "2018-09-25", "2018-10-01", ["report-late"]),
    ("fide-rapid-blitz-2018", "2018-09-10", "2018-10-05", "2018-11-01", MISSED),
    # C 8.1: the list after next at the latest for the aim, the third for good
    ("fide-rapid-blitz-2022", "2022-05-10", "2022-05-12", "2022-06-01", []),
    ("fide-rapid-blitz-2022", "2022-05-10", "2022-06-03", "2022-07-01", ["report-late"]),
    ("fide-rapid-blitz-2022", "2022-05-10", "2022-08-01", None, ["report-too-late"]),
    # 9.1 of 2024
    ("fide-standard-2024", "2024-05-10", "2024-05-12", "2024-06-01", []),
    ("fide-standard-2024", "2024-05-10", "2024-08-02", None, ["report-too-late"]),
    # FECAP, General 8: whatever has arrived by the eve of the list
    ("fecap-postal", "2030-12-31", "1999-06-30", "1999-07-01", []),
    ("fecap-postal", "2030-12-31", "1999-07-01", "2000-01-01", []),
]  # fmt: skip


@pytest.mark.parametrize(("regulation", "end", "received", "reached", "codes"), CASES)
def test_the_list_that_a_report_reaches(regulation, end, received, reached, codes):
    made = event(regulation, date.fromisoformat(end))
    found = of_receipt(made, date.fromisoformat(received))
    assert found.list_date == (reached and date.fromisoformat(reached))
    assert sorted(finding.code for finding in found.findings) == codes
    assert all(finding.article for finding in found.findings)


def test_the_end_of_the_event_is_no_matter_of_its_receipt():
    """A 9.13: it ended after the closing date for July, so that October is no delay of the report."""
    found = of_receipt(event("fide-standard-2004", date(2004, 6, 20)), date(2004, 6, 21))
    assert (found.list_date, found.findings) == (date(2004, 10, 1), ())


def test_the_official_events_have_another_closing_day():
    """B 7.13: FIDE's own events until the eve of the list."""
    made = event("fide-rapid-blitz-2022", date(2022, 5, 30), fide_official=True)
    assert first_list(made, date(2022, 5, 31)) == date(2022, 6, 1)
    made.fide_official = False
    assert first_list(made, date(2022, 5, 31)) == date(2022, 7, 1)


def test_what_the_federation_keeps_open_longer():
    made = event("feda-1996", date(1996, 5, 1))
    july = date(1996, 7, 1)
    assert first_list(made, date(1996, 6, 10)) == date(1997, 1, 1)
    assert first_list(made, date(1996, 6, 10), {july: date(1996, 6, 15)}) == july


def test_a_period_that_the_calendar_does_not_know():
    """Staff opened one that closes today: the report comes into it, until its list is published."""
    made = event("fide-standard-2004", date(2004, 5, 2))
    day = date(2026, 11, 28)
    assert of_receipt(made, day).list_date == date(2027, 1, 1)
    period = make_period(made.rating_system, day, day)
    assert of_receipt(made, day).list_date == day
    assert of_receipt(made, date(2026, 11, 29)).list_date == date(2027, 1, 1)
    make_list(made.rating_system, period.list_date)
    assert of_receipt(made, day).list_date == date(2027, 1, 1)


def test_without_a_regulation_there_is_none():
    made = event("feda-1996", date(1995, 5, 1))
    assert of_receipt(made, date(1995, 5, 2)) is None
    assert first_list(made, date(1995, 5, 2)) is None
