"""A postal event goes on for years: each list counts what was reported finished in its half-year."""

from datetime import UTC, date, datetime, timedelta

import pytest

from ratinglists import services
from ratinglists.models import ListRow, PlayerResult
from tests.factories import make_list, make_period, make_player, make_system, make_tournament, make_user
from tests.tournaments.report_files import line, report
from tournaments.intake import read
from tournaments.models import Game, Report, Tournament
from tournaments.services import NotAllowedNow, ReportRefused, accept_report, reopen, submit_report

pytestmark = pytest.mark.django_db
JANUARY, JULY, NEXT = date(1999, 1, 1), date(1999, 7, 1), date(2000, 1, 1)
NAMES = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo")
OPEN = "        "


def crosstable(*rows):
    """A report whose lines are (points, cells); an open game is left blank."""
    lines = [
        line(n, name, None, str(7000010 + n), points, n, *cells)
        for n, (name, (points, cells)) in enumerate(zip(NAMES, rows, strict=True), start=1)
    ]
    return report("Postal Cup", "1998/03/01", "2001/12/31", lines)


#: Tom beat Lou, Pat and Jo drew; the four other games go on
FIRST = crosstable(
    ("1.0", ("   2 w 1",)), ("0.0", ("   1 b 0",)), ("0.5", ("   4 w =",)), ("0.5", ("   3 b =",))
)
#: later Tom beat Pat, and Lou lost to Jo
SECOND = crosstable(
    ("2.0", ("   2 w 1", "   3 b 1")),
    ("0.0", ("   1 b 0", "   4 w 0")),
    ("0.5", ("   4 w =", "   1 w 0")),
    ("1.5", ("   3 b =", "   2 b 1")),
)
#: the same with the first game turned round
CHANGED = crosstable(
    ("1.0", ("   2 w 0", "   3 b 1")),
    ("1.0", ("   1 b 1", "   4 w 0")),
    ("0.5", ("   4 w =", "   1 w 0")),
    ("1.5", ("   3 b =", "   2 b 1")),
)


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def staff():
    return make_user("sara", "tournaments.accept_report")


@pytest.fixture
def event():
    system = make_system(
        "postal", regulation="fecap-postal", rate="postal", schedule="manual", since=date(1998, 1, 1)
    )
    players = [make_player(name, fide_id=str(7000011 + n), born=1980) for n, name in enumerate(NAMES)]
    ratings = (2000, 1800, 1650, None)
    rows = {
        p: {"rating": r, "career_games": 50} for p, r in zip(players, ratings, strict=True) if r is not None
    }
    make_list(system, JANUARY, rows=rows)
    return make_tournament(
        system,
        name="Postal Cup",
        start=date(1998, 3, 1),
        end=date(2001, 12, 31),
        rounds=0,
        games_in_event=6,
    )


def reported(event, staff, content, day):
    sent = submit_report(
        event, staff, "cup.trf", content, received_at=datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    )
    accept_report(sent, staff)
    event.refresh_from_db()
    return sent


def publish(event, day):
    period = make_period(event.rating_system, day, day - timedelta(days=1))
    for request in (services.request_compute, services.request_publish):
        job = request(period)
        services.run_job(job.pk)
        job.refresh_from_db()
        assert job.state == "done", job.message
    event.refresh_from_db()
    return {row.name: row for row in ListRow.objects.filter(rating_list=period.lists.get(state="published"))}


def test_an_event_that_goes_on_is_not_reopened(event, staff):
    """Lists have counted games of it: another system, start or time control would change these."""
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, JULY)
    assert event.state == "registered"
    clerk = make_user("clara", "tournaments.register_tournament")
    with pytest.raises(NotAllowedNow, match="has reports"):
        reopen(event, clerk)


def test_each_list_counts_what_was_finished_in_its_half_year(event, staff):
    reported(event, staff, FIRST, date(1999, 3, 1))
    rows = publish(event, JULY)
    # Tom: a(2000) = 12, PD(200) .76: 12 × .24 = 2.88. Pat against the newcomer's 1600: a(1650) = 19,
    # D 50 .57: 19 × -.07 = -1.33. Jo starts with 1600: a 20 × .07 = 1.4
    assert {name: row.rating for name, row in rows.items()} == {
        "Alder, Tom": 2003,
        "Birch, Lou": 1796,
        "Cedar, Pat": 1649,
        "Dogwood, Jo": 1601,
    }
    assert event.state == Tournament.State.REGISTERED  # four games are left: the next report is awaited
    assert set(event.games.values_list("counted_on", flat=True)) == {JULY}

    reported(event, staff, SECOND, date(1999, 10, 1))
    rows = publish(event, NEXT)
    # Tom 2003 beat Pat 1649: D 354 .89, a = 52 - 2003/50 = 11.94: + 1.31; only this game counts now
    assert rows["Alder, Tom"].rating == 2004
    assert rows["Alder, Tom"].games == 1
    assert Game.objects.filter(tournament=event).count() == 4
    assert set(event.games.values_list("counted_on", flat=True)) == {JULY, NEXT}
    # each list has its own part of the event
    results = PlayerResult.objects.filter(event__tournament=event, player__name="Alder, Tom")
    assert [result.games for result in results.order_by("event__rating_list__period__list_date")] == [1, 1]


def test_a_later_report_repeats_what_is_counted(event, staff):
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, JULY)
    with pytest.raises(ReportRefused) as refused:
        submit_report(event, staff, "cup.trf", CHANGED)
    (issue,) = refused.value.reading.errors
    assert issue.code == "counted-game-changed"
    assert "Alder, Tom 1-0 Birch, Lou: the list of 1999-07-01 has counted this game" in issue.message
    assert issue.remedy
    with pytest.raises(ReportRefused) as again:
        submit_report(event, staff, "cup.trf", FIRST)
    assert "file-known" in [each.code for each in again.value.reading.errors]
    assert event.games.count() == 2
    assert Report.objects.get().state == "accepted"


def test_a_report_that_comes_after_the_half_year_waits_for_the_next_list(event, staff):
    reported(event, staff, FIRST, date(1999, 7, 1))
    rows = publish(event, JULY)
    assert rows["Alder, Tom"].rating == 2000
    assert event.state == Tournament.State.ACCEPTED
    assert publish(event, NEXT)["Alder, Tom"].rating == 2003


def test_the_last_games_close_the_event(event, staff):
    event.games_in_event = 2
    event.save()
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, JULY)
    assert event.state == Tournament.State.COUNTED


def test_without_a_number_of_games_it_goes_on_until_its_end(event, staff):
    event.games_in_event = None
    event.save()
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, JULY)
    assert event.state == Tournament.State.REGISTERED


def test_a_counted_game_that_comes_again_in_another_round_is_warned_of(event, staff):
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, JULY)
    again = crosstable(
        ("2.0", ("   2 w 1", "   2 w 1")),
        ("0.0", ("   1 b 0", "   1 b 0")),
        ("0.5", ("   4 w =", "")),
        ("0.5", ("   3 b =", "")),
    )
    reading = read(Tournament.objects.get(pk=event.pk), "cup.trf", again)
    (doubt,) = [issue for issue in reading.warnings if issue.code == "counted-game-repeated"]
    assert "the list of 1999-07-01 has counted the same as round 1" in doubt.message
