"""The calendar by itself: on the day, after days without a scheduler, with several, and with two persons."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from threading import Event, Thread
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone

from players.models import AuditEntry, OutboxMessage
from ratinglists import automation, services
from ratinglists.models import EventResult, Job, Publication, RatingList
from ratinglists.queries import latest_list
from tests.factories import (
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.tournaments.report_files import line, report
from tournaments.models import Report, SystemRegulation
from tournaments.services import accept_report, submit_report

RIGHTS = ("ratinglists.compute_period", "ratinglists.propose_list", "ratinglists.publish_list")
MARCH, APRIL = date(2022, 3, 1), date(2022, 4, 1)


class Clock:
    """What time it is, for everybody in this process."""

    def __init__(self, monkeypatch) -> None:
        monkeypatch.setattr(timezone, "now", lambda: self.now)
        self.now = datetime(2022, 3, 1, 12, tzinfo=UTC)

    def on(self, day: date, hour: int = 12) -> None:
        self.now = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    """No broker: what is queued waits in its row."""
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)
    monkeypatch.setattr("players.outbox.ring", lambda: None)


@pytest.fixture
def strict(settings):
    settings.PORTAL_ONE_PERSON = False


def monthly(events: int = 1):
    """A rapid system with a list of March 2022 and accepted events of that month."""
    system, players = make_system(), [make_player(), make_player()]
    make_list(system, MARCH, dict.fromkeys(players, 1800))
    for day in range(5, 5 + events):
        make_report(make_tournament(system, start=date(2022, 3, day)), players, [(1, 1, 2, "1-0")])
    return system, players


def look() -> list[str]:
    """A minute of the portal: the scheduler looks, workers do what is queued."""
    found = services.look_for_due_periods()
    for job in found:
        services.run_job(job.pk)
    return [f"{job.kind} {job.period.list_date}" for job in found]


def told(words: str) -> list[str]:
    return [f"{m.subject}\n{m.text}" for m in OutboxMessage.objects.order_by("pk") if words in m.subject]


# --- two persons ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_list_appears_on_its_day_once_two_persons_agreed(clock, strict):
    system, _ = monthly()
    first, second = make_user("first", *RIGHTS), make_user("second", *RIGHTS)
    clock.on(date(2022, 3, 30))
    assert look() == ["compute 2022-04-01"]
    (message,) = told("draft computed")
    assert "Tournaments: 1 counted, 0 deferred, 0 refused.\nPlayers: 2. Largest change: +" in message
    draft = RatingList.objects.get(state="draft")
    services.propose(draft, first)
    (message,) = told("waits for a second person")
    assert "first proposes the draft of Rapid 2022-04-01" in message
    services.approve(draft, second)
    assert look() == [], "not before its day"
    assert told("not published") == []
    clock.on(APRIL)
    assert look() == ["publish 2022-04-01"]
    assert look() == []
    listed = latest_list(system)
    assert (listed.list_date, listed.proposed_by, listed.approved_by) == (APRIL, first, second)
    assert (listed.published_by, listed.one_person) == (None, False)
    assert len(told("published")) == 1
    assert told("failed") == []


@pytest.mark.django_db
def test_staff_are_told_once_a_day_what_is_missing(clock, strict):
    system, _ = monthly()
    clock.on(date(2022, 3, 30))
    look()
    for day in (1, 2):
        for hour in (0, 6, 12, 23):
            clock.on(date(2022, 4, day), hour)
            assert look() == []
    assert len(told("not published")) == 2
    assert "Nobody has proposed the draft yet" in told("not published")[0]
    assert not Job.objects.filter(kind="publish").exists(), "nothing is asked for that must fail"
    draft = RatingList.objects.get(state="draft")
    services.propose(draft, make_user("first", *RIGHTS))
    clock.on(date(2022, 4, 3))
    assert look() == []
    assert "first has proposed the draft: another person has to approve it." in told("not published")[2]
    services.approve(draft, make_user("second", *RIGHTS))
    assert look() == ["publish 2022-04-01"]
    assert latest_list(system).list_date == APRIL


@pytest.mark.django_db
def test_a_report_accepted_after_the_approval_needs_a_new_one(clock, strict):
    system, players = monthly()
    first, second = make_user("first", *RIGHTS), make_user("second", *RIGHTS)
    clock.on(date(2022, 3, 30))
    look()
    draft = RatingList.objects.get(state="draft")
    services.propose(draft, first)
    services.approve(draft, second)
    make_report(make_tournament(system, start=date(2022, 3, 9)), players, [(1, 1, 2, "1-0")])
    assert look() == ["compute 2022-04-01"], "at once, as two persons had agreed to another list"
    (message,) = told("approval is needed again")
    assert "It replaces the draft that first proposed and second approved" in message
    assert "2 counted" in message
    clock.on(APRIL)
    assert look() == []
    assert latest_list(system).list_date == MARCH
    new = RatingList.objects.get(state="draft")
    services.propose(new, second)
    services.approve(new, first)
    assert look() == ["publish 2022-04-01"]
    assert EventResult.objects.filter(rating_list=latest_list(system)).count() == 2


@pytest.mark.django_db
def test_a_failed_publication_goes_on_when_what_it_failed_for_is_mended(clock, strict):
    """Staff press “publish” too early; the agreement that was missing comes later."""
    system, _ = monthly()
    officer = make_user("first", *RIGHTS)
    clock.on(date(2022, 3, 30))
    look()
    clock.on(APRIL)
    job = services.request_publish(system.periods.get(list_date=APRIL), officer)
    services.run_job(job.pk)
    assert len(told("“publish the list” failed")) == 1
    assert look() == []
    clock.on(APRIL, 13)
    draft = RatingList.objects.get(state="draft")
    services.propose(draft, officer)
    services.approve(draft, make_user("second", *RIGHTS))
    assert look() == ["publish 2022-04-01"]


@pytest.mark.django_db
def test_a_report_accepted_between_the_look_and_the_publication_does_not_stop_the_list(clock):
    system, players = monthly()
    clock.on(date(2022, 3, 30))
    look()
    clock.on(APRIL)
    (job,) = services.look_for_due_periods()
    make_report(make_tournament(system, start=date(2022, 3, 9)), players, [(1, 1, 2, "1-0")])
    services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "failed"
    assert look() == ["compute 2022-04-01"]
    assert look() == ["publish 2022-04-01"]
    assert EventResult.objects.filter(rating_list=latest_list(system)).count() == 2


# --- drafts -------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_draft_that_nobody_has_looked_at_is_computed_anew_at_night(clock):
    system, players = monthly()
    clock.on(date(2022, 3, 30))
    look()
    make_report(make_tournament(system, start=date(2022, 3, 9)), players, [(1, 1, 2, "1-0")])
    clock.on(date(2022, 3, 30), 23)
    assert look() == []
    clock.on(date(2022, 3, 31), 0)
    assert look() == ["compute 2022-04-01"]
    assert len(told("draft computed")) == 2


@pytest.mark.django_db
def test_the_same_draft_computed_again_is_told_once(clock):
    system, _ = monthly()
    clock.on(date(2022, 3, 30))
    look()
    services.run_job(services.request_compute(system.periods.get(list_date=APRIL)).pk)
    assert Job.objects.filter(state="done", kind="compute").count() == 2
    assert len(told("draft computed")) == 1


@pytest.mark.django_db
def test_a_computation_that_failed_is_told_and_named_on_the_day(clock, monkeypatch):
    monthly()
    clock.on(date(2022, 3, 30))

    def broken(inputs, progress):
        raise services.Refusal("The computed list does not add up.")

    monkeypatch.setattr("ratinglists.pipeline.compute", broken)
    assert look() == ["compute 2022-04-01"]
    (message,) = told("failed")
    assert "The computed list does not add up." in message
    clock.on(APRIL)
    assert look() == []
    assert look() == []
    (message,) = told("not published")
    assert "The computed list does not add up." in message


@pytest.mark.django_db
def test_a_calendar_without_regulation_is_told_once_a_day(clock):
    system, _ = monthly()
    SystemRegulation.objects.filter(system=system).update(effective_from=date(2090, 1, 1))
    for day in (30, 31):
        clock.on(date(2022, 3, day))
        look()
        look()
    assert len(told("no regulation")) == 2


# --- none for days, several at once ----------------------------------------------------------------------


def published_in_order(system) -> list[date]:
    """The dates of a system's lists in the order in which they were published; each period has one."""
    assert all(period.lists.count() == 1 for period in system.periods.filter(lists__state="published"))
    publications = Publication.objects.order_by("number").prefetch_related("lists__period")
    return [listed.list_date for publication in publications for listed in publication.lists.all()]


@pytest.mark.django_db
def test_three_days_without_a_scheduler(clock):
    system, _ = monthly()
    clock.on(date(2022, 3, 30))
    look()
    clock.on(date(2022, 4, 4))
    assert look() == ["publish 2022-04-01"]
    assert look() == []
    assert published_in_order(system) == [MARCH, APRIL]


@pytest.mark.django_db
def test_two_whole_periods_without_a_scheduler_and_with_two_persons(clock, strict):
    system, players = monthly()
    make_report(make_tournament(system, start=date(2022, 4, 9)), players, [(1, 1, 2, "1-0")])
    first, second = make_user("first", *RIGHTS), make_user("second", *RIGHTS)
    clock.on(date(2022, 5, 20))
    done = []
    for _ in range(6):
        done += look()
        if draft := RatingList.objects.filter(state="draft").first():
            services.propose(draft, first)
            services.approve(draft, second)
    months = [APRIL, date(2022, 5, 1)]
    assert done == [f"{kind} {month}" for month in months for kind in ("compute", "publish")]
    assert published_in_order(system) == [MARCH, *months]
    assert {e.rating_list.list_date: e.tournament.start.month for e in EventResult.objects.all()} == {
        APRIL: 3,
        date(2022, 5, 1): 4,
    }


def run_aside(act) -> Thread:
    def whole() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = Thread(target=whole)
    thread.start()
    return thread


@pytest.mark.usefixtures("transactional_db")
def test_schedulers_and_workers_at_once_give_one_list_a_period_in_order(clock):
    """After two months without anybody, three schedulers who each also work."""
    system, players = monthly(2)
    for month in (4, 5):
        make_report(make_tournament(system, start=date(2022, month, 9)), players, [(1, 1, 2, "1-0")])
    clock.on(date(2022, 6, 2))
    wanted, errors = [date(2022, month, 1) for month in (3, 4, 5, 6)], []

    def scheduler() -> None:
        try:
            for _ in range(60):
                services.look_for_due_periods()
                for pk in Job.objects.filter(state="queued").values_list("pk", flat=True):
                    services.run_job(pk)
                if latest_list(system).list_date == wanted[-1]:
                    return
        except Exception as error:
            errors.append(error)

    for thread in [run_aside(scheduler) for _ in range(3)]:
        thread.join(240)
    assert errors == []
    assert published_in_order(system) == wanted
    assert EventResult.objects.count() == 4, "each tournament is counted once"
    # Live ratings may be asked for again by whatever came last.
    assert not Job.objects.filter(state__in=["queued", "running"]).exclude(kind="live").exists()
    assert len(told(": published")) == 3
    assert AuditEntry.objects.filter(act="list.published").count() == 3
    assert AuditEntry.objects.filter(act="period.opened").count() == 4  # July's is open


def second_scheduler_meanwhile(clock, monkeypatch, patience: int = 2) -> bool:
    """Does a second scheduler decide what is due while the first is about to ask for it?"""
    system, _ = monthly()
    make_period(system, APRIL, date(2022, 3, 29))  # whoever opens it first would hold the other up as well
    clock.on(date(2022, 3, 30))
    inside, both, go_on, deciding = Event(), Event(), Event(), []

    def here(name: str) -> None:
        if name == "calendar: before a request":
            deciding.append(name)
            inside.set()
            if len(deciding) == 2:
                both.set()
            go_on.wait(60)

    monkeypatch.setattr(automation.crashpoints, "here", here)
    first = run_aside(services.look_for_due_periods)
    assert inside.wait(30)
    second = run_aside(services.look_for_due_periods)
    meanwhile = both.wait(patience)
    go_on.set()
    for thread in (first, second):
        thread.join(30)
    assert Job.objects.count() == 1
    return meanwhile


@pytest.mark.usefixtures("transactional_db")
def test_a_second_scheduler_waits_for_the_first(clock, monkeypatch):
    assert not second_scheduler_meanwhile(clock, monkeypatch)


@pytest.mark.usefixtures("transactional_db")
def test_without_the_lock_it_would_not_wait(clock, monkeypatch):
    """The control; on SQLite BEGIN IMMEDIATE is the lock and stays."""
    unlocked = type(automation.RatingSystem.objects.all())
    monkeypatch.setattr(unlocked, "select_for_update", lambda rows, **_: rows.all())
    locked_all_the_same = connection.vendor == "sqlite"
    patience = 2 if locked_all_the_same else 30
    assert second_scheduler_meanwhile(clock, monkeypatch, patience) != locked_all_the_same


# --- half-open periods in the federation's time zone --------------------------------------------------


HAVANA, AUCKLAND = "America/Havana", "Pacific/Auckland"
JULY, JANUARY = date(2023, 7, 1), date(2024, 1, 1)
CUP = report(
    "Malecon Cup",
    "2023/06/20",
    "2023/06/30",
    [
        line(1, "Alder, Tom", None, "7000011", "1.0", 1, "   2 w 1"),
        line(2, "Birch, Lou", None, "7000012", "0.0", 2, "   1 b 0"),
    ],
)


def half_yearly(zone: str):
    """FEDA's half-year lists, kept open until the eve of the list as the federation of the example does."""
    system = make_system("feda", regulation="feda-1996", rate="standard", time_zone=zone)
    players = [make_player(n, fide_id=f"700001{k}") for k, n in ((1, "Alder, Tom"), (2, "Birch, Lou"))]
    make_list(system, date(2023, 1, 1), dict.fromkeys(players, 1900))
    make_period(system, JULY, date(2023, 6, 30))
    cup = make_tournament(system, start=date(2023, 6, 20), end=date(2023, 6, 30), rounds=0, minutes=120)
    return system, cup


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "local", "utc", "in_time"),
    [
        # Havana is four hours behind UTC in summer: its 30 June lasts until 04:00 UTC on 1 July.
        (HAVANA, "2023-06-30T21:30:00", "2023-07-01T01:30:00", True),
        (HAVANA, "2023-06-30T23:59:30", "2023-07-01T03:59:30", True),
        (HAVANA, "2023-06-30T23:59:59.999999", "2023-07-01T03:59:59.999999", True),
        (HAVANA, "2023-07-01T00:00:00", "2023-07-01T04:00:00", False),
        # Auckland is twelve hours ahead in winter: its 30 June ends at noon UTC on 30 June.
        (AUCKLAND, "2023-06-30T23:59:30", "2023-06-30T11:59:30", True),
        (AUCKLAND, "2023-07-01T00:00:00", "2023-06-30T12:00:00", False),
        ("", "2023-06-30T23:59:30", "2023-06-30T23:59:30", True),
        ("", "2023-07-01T00:00:00", "2023-07-01T00:00:00", False),
    ],
)
def test_the_deadline_ends_with_the_day_of_the_federation(clock, settings, zone, local, utc, in_time):
    assert settings.TIME_ZONE == "UTC"
    moment = datetime.fromisoformat(utc).replace(tzinfo=UTC)
    assert moment == datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone or "UTC"))
    system, cup = half_yearly(zone)
    staff = make_user("staff", is_superuser=True)
    clock.now = moment
    sent = submit_report(cup, staff, "cup.trf", CUP)
    assert sent.received_on == moment.astimezone(ZoneInfo(zone or "UTC")).date()
    accept_report(sent, staff)
    # What it was received on is fixed: neither the portal's zone nor a later one of the system moves it.
    system.time_zone = "Pacific/Kiritimati"
    system.save()
    clock.now = datetime(2023, 7, 3, 12, tzinfo=UTC)
    assert look() == ["compute 2023-07-01"]
    (event,) = RatingList.objects.get(state="draft").report["events"]
    assert event["outcome"] == ("counted" if in_time else "deferred"), event["reason"]
    if not in_time:
        assert "arrived on 2023-07-01; the last day was 2023-06-30" in event["reason"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "last_moment"),
    [(HAVANA, "2023-07-01T03:59:59"), (AUCKLAND, "2023-06-30T11:59:59"), ("", "2023-06-30T23:59:59")],
)
def test_a_period_closes_and_its_list_appears_by_the_day_of_the_federation(clock, zone, last_moment):
    """Closing on 30 June and listed on 1 July: both happen at midnight there, not a second before."""
    system, _ = half_yearly(zone)
    clock.now = datetime.fromisoformat(last_moment).replace(tzinfo=UTC)
    assert look() == []
    assert latest_list(system).list_date == date(2023, 1, 1)
    clock.now += timedelta(seconds=1)
    assert look() == ["compute 2023-07-01"]
    assert look() == ["publish 2023-07-01"]
    assert latest_list(system).list_date == JULY


@pytest.mark.django_db
@pytest.mark.parametrize(("zone", "hours"), [(HAVANA, 4), (AUCKLAND, -12)])
@pytest.mark.parametrize(("late", "in_list"), [(-30, JULY), (0, JANUARY)])
def test_a_postal_game_counts_in_the_half_year_in_which_it_was_reported_there(
    clock, zone, hours, late, in_list
):
    """FECAP General 8: what is reported up to the eve of the list counts for it; seconds from midnight."""
    system = make_system("postal", regulation="fecap-postal", rate="postal", time_zone=zone)
    players = [make_player(n, fide_id=f"700001{k}") for k, n in ((1, "Alder, Tom"), (2, "Birch, Lou"))]
    make_list(system, date(2023, 1, 1), rows={each: {"rating": 1900, "career_games": 50} for each in players})
    cup = make_tournament(system, start=date(2023, 1, 20), end=date(2024, 12, 31), rounds=0)
    cup.stages.all().delete()
    data = CUP.replace(b"2023/06/20", b"2023/01/20").replace(b"2023/06/30", b"2024/12/31")
    staff = make_user("staff", is_superuser=True)
    clock.now = datetime(2023, 7, 1, tzinfo=UTC) + timedelta(hours=hours, seconds=late)
    accept_report(submit_report(cup, staff, "cup.trf", data), staff)
    assert Report.objects.get().received_on == (date(2023, 6, 30) if late else JULY)
    clock.now = datetime(2024, 1, 2, 12, tzinfo=UTC)
    for _ in range(4):
        look()
    assert published_in_order(system) == [date(2023, 1, 1), JULY, JANUARY]
    assert EventResult.objects.order_by("pk").first().rating_list.list_date == in_list
    counted = cup.games.values_list("counted_on", flat=True)
    assert set(counted) == {in_list}
