"""The calendar of closing dates: days, articles and states by the regulation, as a page and as a file."""

import re
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone
from django.utils.translation import override

from players.languages.texts import said
from ratinglists import closing_dates
from ratinglists.icalendar import DayEvent, written
from ratinglists.models import Period
from regulations import registry
from regulations.fide_standard_2004 import FideStandard2004
from tests import factories as make
from tests.pages import read

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)


def terms(code: str):
    ((_, _, found),) = closing_dates.calendar(code)
    return found


def days(found):
    return [(term.list_date, term.closes_on, term.received_until, term.state) for term in found]


def unfolded(content: bytes) -> list[str]:
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    assert content.count(b"\n") == content.count(b"\r\n")
    return content.decode().replace("\r\n ", "").split("\r\n")


def components(content: bytes) -> list[dict[str, str]]:
    """The events of a calendar file, each as its properties without their parameters."""
    lines = unfolded(content)
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert "VERSION:2.0" in lines
    assert any(line.startswith("PRODID:") for line in lines)
    events, event = [], None
    for line in lines[1:-2]:
        name, value = re.split(r"(?:;[^:]*)?:", line, maxsplit=1)
        if line == "BEGIN:VEVENT":
            event = {}
        elif line == "END:VEVENT":
            events.append(event)
            event = None
        elif event is not None:
            assert name not in event
            event[name] = value
    for event in events:
        assert {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY"} <= event.keys()
    assert len({event["UID"] for event in events}) == len(events)
    return events


def test_a_year_of_monthly_lists_by_the_text_of_2022():
    """6.13: three days before the list (4 June: official events); 6.1, 8.1: reports until its eve."""
    system = make.make_system("rapid")
    make.make_list(system, date(2026, 3, 1))
    found = terms("rapid")
    assert days(found)[:3] == [
        (date(2026, 3, 1), date(2026, 3, 1), date(2026, 3, 1), "published"),
        (date(2026, 4, 1), date(2026, 3, 29), date(2026, 3, 31), "open"),
        (date(2026, 5, 1), date(2026, 4, 28), date(2026, 4, 30), "later"),
    ]
    assert found[1].articles == ("6.13", "8.1")
    assert found[1].official_until == date(2026, 3, 31)
    assert found[-1].list_date == date(2027, 3, 1)
    assert len(found) == 13


def test_reading_stores_nothing(client):
    make.make_list(make.make_system("rapid"), date(2026, 3, 1))
    client.get("/calendar/")
    client.get("/calendar/rapid.ics")
    assert Period.objects.count() == 1


def test_quarterly_lists_of_2004_close_a_month_before():
    """9.13: games and reports until the first of the month before; one day, so one article."""
    system = make.make_system("standard", regulation=make.STANDARD)
    make.make_list(system, date(2026, 1, 1))
    following = terms("standard")[1]
    assert (following.list_date, following.closes_on, following.received_until) == (
        date(2026, 4, 1), date(2026, 3, 1), date(2026, 3, 1),
    )  # fmt: skip
    assert following.articles == ("9.13",)
    assert following.state == "closed"
    assert following.official_until is None


def test_the_states_on_the_way_to_the_list(monkeypatch):
    system = make.make_system("rapid")
    make.make_list(system, date(2026, 3, 1))
    seen = {}
    for day in (22, 23, 29, 30):
        monkeypatch.setattr(timezone, "now", lambda day=day: datetime(2026, 3, day, 12, tzinfo=UTC))
        seen[day] = [term.state for term in terms("rapid")[1:3]]
    assert seen == {
        22: ["open", "later"],
        23: ["closing", "later"],
        29: ["closing", "later"],
        30: ["closed", "open"],
    }
    make.make_list(system, date(2026, 4, 1), published=False)
    Period.objects.filter(list_date=date(2026, 4, 1)).update(closes_on=date(2026, 3, 29))
    assert terms("rapid")[1].state == "draft"


def test_a_day_begins_where_the_federation_is(monkeypatch):
    system = make.make_system("rapid", time_zone="Pacific/Auckland")
    make.make_list(system, date(2026, 3, 1))
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 29, 12, tzinfo=UTC))
    ((_, today, found),) = closing_dates.calendar("rapid")
    assert today == date(2026, 3, 30)
    assert found[1].state == "closed"


def test_a_closing_date_of_the_federation_s_own_has_no_article():
    system = make.make_system("rapid")
    make.make_period(system, date(2026, 4, 1), date(2026, 3, 20))
    make.make_period(system, date(2026, 4, 15), date(2026, 4, 15))
    own, between = terms("rapid")[:2]
    assert own.by_federation
    assert own.articles == ("8.1",)
    assert (between.list_date, between.received_until) == (date(2026, 4, 15), date(2026, 4, 15))
    assert between.articles == ()


def test_without_a_regulation_nothing_can_be_foreseen(client):
    make.make_system("rapid", since=date(2040, 1, 1))
    assert terms("rapid") == []
    assert "No regulation is in effect" in read(client, "/calendar/")


ARTICLES = {
    "fecap-postal": ("General 8", "General 8"),
    "feda-1996": ("8.13", "8.13"),
    "fide-rapid-2004": ("9.13", "9.13"),
    "fide-rapid-blitz-2018": ("7.13", "7.13"),
    "fide-rapid-blitz-2022": ("6.13", "8.1"),
    "fide-rapid-blitz-2024": ("6.1.3", "8.1"),
    "fide-standard-2004": ("9.13", "9.13"),
    "fide-standard-2024": ("7.1.3", "9.1"),
}


@pytest.mark.parametrize("code", ARTICLES)
def test_each_text_numbers_both_days_its_own_way(code):
    assert registry.get(code).calendar_articles == ARTICLES[code]


def test_monthly_lists_of_2004_close_by_another_article():
    assert FideStandard2004(calendar="monthly").calendar_articles == ("9.43", "9.43")


def test_the_page_names_days_articles_and_zone(client):
    system = make.make_system("rapid", name="Isles rapid", time_zone="America/Havana")
    make.make_list(system, date(2026, 3, 1))
    page = read(client, "/calendar/")
    for words in (
        "Isles rapid",
        "America/Havana",
        "10 March 2026",
        "29 March 2026",
        "6.13",
        "closing-dates.ics",
    ):
        assert words in page
    assert 'href="/lists/rapid/2026-03-01/"' in client.get("/calendar/").content.decode()


def test_the_calendar_file_can_be_subscribed_to(client):
    system = make.make_system("rapid", name="Isles; rapid, blitz")
    make.make_list(system, date(2026, 3, 1))
    answer = client.get("/calendar/rapid.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    events = {event["UID"]: event for event in components(answer.content)}
    closing = events["rapid-2026-04-01-closing@testserver"]
    assert (closing["DTSTART"], closing["DTEND"]) == ("20260329", "20260330")
    assert closing["SUMMARY"] == r"Isles\; rapid\, blitz: last day of play\, list of 1 April 2026"
    assert "article 6.13" in closing["DESCRIPTION"]
    assert events["rapid-2026-04-01-reports@testserver"]["DTSTART"] == "20260331"
    assert events["rapid-2026-03-01-list@testserver"]["URL"] == "http://testserver/lists/rapid/2026-03-01/"
    again = client.get("/calendar/rapid.ics", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert client.get("/calendar/blitz.ics").status_code == 404


def test_all_systems_in_one_file(client):
    for code in ("rapid", "standard"):
        make.make_list(make.make_system(code), date(2026, 3, 1))
    uids = {
        event["UID"].split("-")[0] for event in components(client.get("/calendar/closing-dates.ics").content)
    }
    assert uids == {"rapid", "standard"}


def test_a_long_line_is_folded_between_letters():
    event = DayEvent("a@b", date(2026, 1, 1), "é" * 80 + "\r\nBEGIN:VEVENT\x07")
    lines = unfolded(written("Days", [event], NOON))
    assert f"SUMMARY:{'é' * 80}\\nBEGIN:VEVENT " in lines
    assert lines.count("BEGIN:VEVENT") == 1
    assert "DTSTAMP:20260310T120000Z" in lines


def test_what_some_program_takes_for_the_end_of_a_line_is_none():
    event = DayEvent("a@b", date(2026, 1, 1), "One\x85BEGIN:VEVENT\u2028BEGIN:VEVENT\u2029BEGIN:VEVENT")
    whole = written("Days", [event], NOON).decode().replace("\r\n ", "")
    assert [line for line in whole.splitlines() if line].count("BEGIN:VEVENT") == 1


@pytest.mark.parametrize("language", ["es", "pt"])
def test_every_state_is_said_in_the_readers_language(language):
    with override(language):
        assert not [words for words, _ in closing_dates.STATES.values() if said(words) == words]
