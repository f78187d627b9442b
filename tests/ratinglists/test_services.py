"""A period from reports to a published list, through the same services as real use."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from ratinglists import services
from ratinglists.models import Job, ListRow, Period, PlayerResult, RatingList
from ratinglists.queries import facts_in_force, latest_list
from tests.factories import (
    STANDARD,
    make_federation,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.ratinglists.conftest import brought_in
from tournaments.models import RatingSystem, Report, SystemRegulation, Tournament

pytestmark = pytest.mark.django_db
OPENED, NEXT = date(2004, 4, 1), date(2004, 7, 1)


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    rung = []
    monkeypatch.setattr("ratinglists.jobs.ring", rung.append)
    return rung


@pytest.fixture
def standard():
    """Four players, one unrated, and a Swiss of two rounds as in issue 3's first report."""
    system = make_system("standard", regulation=STANDARD)
    players = [make_player(f"Invented, {name}") for name in ("Anna", "Bert", "Carl", "Dora")]
    ratings = dict(zip(players, (2143, 2010, None, 1905), strict=True))
    make_list(system, OPENED, ratings, rows={p: {"career_games": 60} for p in players[:2] + players[3:]})
    return system, players


def swiss(system, players, **fields) -> Tournament:
    tournament = make_tournament(system, start=date(2004, 5, 1), end=date(2004, 5, 2), minutes=120, **fields)
    games = [(1, 2, 4, "0-1"), (1, 1, 3, "1-0"), (2, 2, 1, "0-1"), (2, 3, 4, "1-0")]
    make_report(tournament, players, games)
    return tournament


def run(kind: str, period: Period, by=None) -> Job:
    job = getattr(services, f"request_{kind}")(period, by)
    services.run_job(job.pk)
    job.refresh_from_db()
    return job


def rating(system, player) -> int | None:
    return ListRow.objects.get(rating_list=latest_list(system), player=player).rating


def test_a_report_becomes_a_published_list(standard):
    """A 10.51-10.56, games with unrated Carl do not count (6.4). Dora: D 1905 - 2010 = -105, PD .36,
    15 × (1 - .36) = +9.6 -> 1914.6 -> 1915. Bert lost to Dora and to Anna: Rc = (1905 + 2143)/2 = 2024,
    D = -14, PD .48, We = .96, change 15 × (0 - .96) = -14.4: 2010 -> 1995.6 -> 1996.
    Anna: Rc 2010, D 133, PD .68, 15 × (1 - .68) = +4.8 -> 2148."""
    system, players = standard
    tournament = swiss(system, players)
    period = make_period(system, NEXT, date(2004, 6, 1))
    assert run("compute", period).state == "done"
    assert rating(system, players[0]) == 2143, "a draft changes nothing in public"
    staff = make_user("staff", "ratinglists.publish_list")
    job = run("publish", period, staff)
    assert job.state == "done", job.message
    assert [rating(system, player) for player in players] == [2148, 1996, None, 1915]
    published = latest_list(system)
    assert (published.published_by, published.list_date) == (staff, NEXT)
    tournament.refresh_from_db()
    assert tournament.state == "counted"
    anna = PlayerResult.objects.get(event__rating_list=published, player=players[0])
    assert (anna.change, anna.list_change, anna.k, anna.games) == (Decimal("4.8"), Decimal("4.8"), 15, 1)
    assert [game["article"] for game in anna.detail["uncounted"]] == ["6.4"]
    assert "10.51" in {step["article"] for step in anna.detail["steps"]}


def test_computing_again_replaces_the_draft(standard):
    system, players = standard
    swiss(system, players)
    period = make_period(system, NEXT, date(2004, 6, 1))
    run("compute", period)
    first = period.lists.get()
    run("compute", period)
    second = period.lists.get()
    assert first.pk != second.pk
    assert (first.sha256, first.input_sha256) == (second.sha256, second.input_sha256)


def test_a_published_list_is_not_computed_again(standard):
    period = make_period(standard[0], NEXT, date(2004, 6, 1))
    run("compute", period)
    run("publish", period)
    job = run("compute", period)
    assert job.state == "failed"
    assert "published already" in job.message
    assert run("publish", period).state == "failed"
    assert period.lists.count() == 1


def test_publishing_without_a_draft(standard):
    period = make_period(standard[0], NEXT, date(2004, 6, 1))
    job = run("publish", period)
    assert (job.state, job.message) == ("failed", f"{period} has no draft: compute it first.")


def test_publishing_before_the_closing_date(standard):
    period = make_period(standard[0], date(2100, 1, 1), date(2099, 12, 1))
    run("compute", period)
    assert "closes on 2099-12-01" in run("publish", period).message


@pytest.mark.parametrize(("schedule", "state"), [("publish", "failed"), ("manual", "done")])
def test_publishing_on_the_closing_date(standard, schedule, state):
    """On schedule the day's reports still count; by hand a federation may end its period that day."""
    type(standard[0]).objects.update(schedule=schedule)
    period = make_period(standard[0], timezone.localdate(), timezone.localdate())
    run("compute", period)
    assert run("publish", period).state == state


def test_publishing_out_of_turn(standard):
    system, _ = standard
    make_period(system, NEXT, date(2004, 6, 1))
    later = make_period(system, date(2004, 10, 1), date(2004, 9, 1))
    run("compute", later)
    assert "2004-07-01 comes first" in run("publish", later).message


def test_a_report_accepted_meanwhile_makes_the_draft_stale(standard):
    system, players = standard
    period = make_period(system, NEXT, date(2004, 6, 1))
    run("compute", period)
    swiss(system, players)
    job = run("publish", period)
    assert job.state == "failed"
    assert "Compute the period again" in job.message
    assert period.lists.get().state == "draft"
    run("compute", period)
    assert run("publish", period).state == "done"


def test_late_and_unaccepted_reports_wait_with_a_reason(standard):
    system, players = standard
    period = make_period(system, NEXT, date(2004, 6, 1))
    late = swiss(system, players, name="Late report")
    Report.objects.filter(tournament=late).update(received_on=date(2004, 6, 2))
    ends_late = make_tournament(system, name="Ends late", start=date(2004, 6, 10), minutes=120)
    make_report(ends_late, players, [(1, 1, 2, "1-0")])
    waiting = make_tournament(system, name="Waiting", start=date(2004, 5, 10), minutes=120)
    make_report(waiting, players, [(1, 1, 2, "1-0")], state="submitted")
    run("compute", period)
    events = {e["name"]: e for e in period.lists.get().report["events"]}
    assert {name: e["outcome"] for name, e in events.items()} == dict.fromkeys(
        ("Late report", "Ends late", "Waiting"), "deferred"
    )
    assert "2004-06-02" in events["Late report"]["reason"]
    assert "2004-06-10" in events["Ends late"]["reason"]
    assert "not accepted" in events["Waiting"]["reason"]


def test_a_rapid_report_after_the_third_list_is_refused_for_good():
    """C 8.1: ended in March 2022: lists of April, May, June; the July list may not count it."""
    system = make_system()
    players = [make_player(), make_player()]
    make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    tournament = make_tournament(system, start=date(2022, 3, 5))
    make_report(tournament, players, [(1, 1, 2, "1-0")], submitted_at=datetime(2022, 6, 20, tzinfo=UTC))
    period = make_period(system, date(2022, 7, 1), date(2022, 6, 28))
    run("compute", period)
    assert period.lists.get().report["events"][0]["outcome"] == "refused"
    assert run("publish", period).state == "done"
    event = latest_list(system).events.get()
    assert (event.rated, event.findings[0]["article"]) == (False, "8.1")
    assert rating(system, players[0]) == 1800


def test_the_change_comes_on_top_of_the_newest_list(standard):
    """decisions.md: rated with the ratings in force at the start, added to the newest list."""
    system, players = standard
    make_list(system, NEXT, dict(zip(players, (2200, 2010, None, 1905), strict=True)))
    tournament = swiss(system, players)
    Report.objects.filter(tournament=tournament).update(received_on=date(2004, 8, 1))
    period = make_period(system, date(2004, 10, 1), date(2004, 9, 1))
    run("compute", period)
    anna = period.lists.get().rows.get(player=players[0])
    assert (anna.rating, anna.change) == (2205, Decimal("4.8"))


def test_a_zero_in_the_first_event_is_dropped_and_the_second_event_is_not_the_first():
    """C 7.22: zero in the first event is disregarded; a later one stays (average 1850, p 0: -800)."""
    system = make_system()
    players = [make_player() for _ in range(3)]
    make_list(system, date(2022, 3, 1), dict(zip(players, (1800, 1900, None), strict=True)))
    games = [(1, 1, 3, "1-0"), (2, 3, 2, "0-1")]
    for month, pooled in ((3, []), (4, ["1050"])):
        make_report(make_tournament(system, start=date(2022, month, 5)), players, games)
        period = make_period(system, date(2022, month + 1, 1), date(2022, month, 28))
        run("compute", period)
        assert [s.performance for s in period.lists.get().samples.all()] == pooled
        assert run("publish", period).state == "done"


def test_a_second_zero_in_the_same_period_is_not_the_first_event():
    """C 7.22 as above, both events in one period: the list pools the second, and its result says so."""
    system = make_system()
    players = [make_player() for _ in range(3)]
    make_list(system, date(2022, 3, 1), dict(zip(players, (1800, 1900, None), strict=True)))
    for day in (5, 12):
        tournament = make_tournament(system, start=date(2022, 3, day))
        make_report(tournament, players, [(1, 1, 3, "1-0"), (2, 3, 2, "0-1")])
    period = make_period(system, date(2022, 4, 1), date(2022, 3, 29))
    run("compute", period)
    assert [s.performance for s in period.lists.get().samples.all()] == ["1050"]
    results = PlayerResult.objects.filter(player=players[2]).order_by("event__tournament__start")
    assert [(result.pooled, result.games) for result in results] == [(False, 0), (True, 2)]


def test_k_of_a_long_period_is_one_for_all_its_events():
    """C 7.32: 36 games in the period: the greatest K with 36 K <= 700 is 19, in each event."""
    system = make_system()
    players = [make_player() for _ in range(3)]
    make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    for day in (5, 6):
        tournament = make_tournament(system, start=date(2022, 3, day), rounds=18)
        make_report(tournament, players[:2], [(n, 1, 2, "1-0") for n in range(1, 19)])
    period = make_period(system, date(2022, 4, 1), date(2022, 3, 29))
    run("compute", period)
    results = PlayerResult.objects.filter(event__rating_list=period.lists.get(), player=players[0])
    assert {(r.k, r.change, r.list_change) for r in results} == {(19, Decimal(171), Decimal(171))}
    assert period.lists.get().rows.get(player=players[0]).rating == 1800 + 2 * 171


def test_rights_are_required(standard):
    period = make_period(standard[0], NEXT, date(2004, 6, 1))
    nobody = make_user("nobody")
    for ask in (services.request_compute, services.request_publish):
        with pytest.raises(PermissionDenied):
            ask(period, nobody)
    assert not Job.objects.exists()


# --- opening lists ------------------------------------------------------------------------------

HEADER = "fide_id,name,sex,birth,federation,title,rating,career_games,k10,games_last_year\n"


def test_an_opening_list_brings_players_and_ratings():
    make_federation()
    known = make_player("Known, Kim", fide_id="9000500")
    system = make_system("standard", regulation=STANDARD)
    text = HEADER + '9000500,"Known, Kim",m,1990,XAA,,2300,400,yes,8\n,"New, Nora",f,2001-05,XAA,WFM,,,,\n'
    made = brought_in(system, OPENED, text)
    kim = made.rows.get(player=known)
    assert (kim.rating, kim.k_next, kim.reached_k10, kim.games_by_period) == (2300, 10, True, [8])
    nora = made.rows.get(name="New, Nora")
    assert (nora.rating, nora.status, nora.title, nora.player.birth_precision) == (
        None,
        "unrated",
        "WFM",
        "month",
    )
    facts = facts_in_force(system, [known.pk, nora.player_id], date(2004, 5, 1))
    assert (facts[known.pk].rating, facts[known.pk].reached_k10) == (2300, True)
    assert facts[nora.player_id].rating is None


def test_an_opening_list_with_faults_stores_nothing():
    make_federation()
    system = make_system("standard", regulation=STANDARD)
    text = HEADER + '1,"Abel, A",m,1990,QQQ,,23oo,,,\n2,,m,1990,XAA,,1900,,,\n'
    with pytest.raises(services.OpeningRefused) as caught:
        services.open_system(system, OPENED, text.encode())
    faults = [str(problem) for problem in caught.value.problems]
    assert any("rating" in fault for fault in faults)
    assert any("name" in fault for fault in faults)
    assert not RatingList.objects.exists()
    assert not Period.objects.exists()


# --- the calendar -------------------------------------------------------------------------------


def due(day: date) -> list[tuple[str, date]]:
    made = services.look_for_due_periods(day)
    for job in made:
        services.run_job(job.pk)
    return [(job.kind, job.period.list_date) for job in made]


def test_the_scheduler_computes_after_closing_and_publishes_on_the_date(monkeypatch):
    system = make_system(schedule="publish")
    make_list(system, date(2022, 3, 1), {make_player(): 1800})
    assert due(date(2022, 3, 29)) == []  # the closing day is not over
    assert system.periods.get(list_date=date(2022, 4, 1)).closes_on == date(2022, 3, 29)
    assert due(date(2022, 3, 30)) == [("compute", date(2022, 4, 1))]
    assert due(date(2022, 3, 31)) == []
    assert due(date(2022, 4, 1)) == [("publish", date(2022, 4, 1))]
    assert due(date(2022, 4, 1)) == []
    assert latest_list(system).list_date == date(2022, 4, 1)


def test_a_scheduler_that_slept_makes_up_for_every_period_once():
    system = make_system(schedule="publish")
    make_list(system, date(2022, 3, 1), {make_player(): 1800})
    done = []
    while step := due(date(2022, 6, 2)):
        done += step
    months = [date(2022, month, 1) for month in (4, 5, 6)]
    assert done == [(kind, month) for month in months for kind in ("compute", "publish")]
    assert RatingList.objects.count() == 4


def test_two_schedulers_make_one_job():
    system = make_system(schedule="publish")
    make_list(system, date(2022, 3, 1), {make_player(): 1800})
    assert len(services.look_for_due_periods(date(2022, 3, 30))) == 1
    assert services.look_for_due_periods(date(2022, 3, 30)) == []
    assert Job.objects.count() == 1


def test_schedules_that_stop_short():
    manual = make_system("manual", schedule="manual")
    half = make_system("half", schedule="compute")
    for system in (manual, half):
        make_list(system, date(2022, 3, 1), {make_player(): 1800})
    assert due(date(2022, 4, 1)) == [("compute", date(2022, 4, 1))]
    assert due(date(2022, 4, 1)) == []
    assert not manual.periods.filter(list_date__gt=date(2022, 3, 1)).exists()
    assert half.periods.get(list_date=date(2022, 4, 1)).lists.get().state == "draft"


def test_a_failed_job_waits_for_staff():
    system = make_system(schedule="publish")
    make_list(system, date(2022, 3, 1), {make_player(): 1800})
    services.look_for_due_periods(date(2022, 3, 30))
    Job.objects.update(state="failed")
    assert services.look_for_due_periods(date(2022, 3, 31)) == []


def test_a_system_without_regulation_does_not_stop_the_others():
    for code in ("alpha", "beta", "gamma"):
        make_list(make_system(code), date(2022, 3, 1), {make_player(): 1800})
    SystemRegulation.objects.filter(system="alpha").update(effective_from=date(2090, 1, 1))
    lost = make_period(RatingSystem.objects.get(pk="beta"), date(2022, 4, 1), closes_on=date(2022, 3, 29))
    make_draft = make_list(lost.system, date(2022, 4, 1), {make_player(): 1800}, published=False)
    SystemRegulation.objects.filter(system="beta").update(effective_from=date(2090, 1, 1))
    assert make_draft.period == lost
    assert [job.period.system_id for job in services.look_for_due_periods(date(2022, 4, 1))] == ["gamma"]
