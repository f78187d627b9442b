"""A postal event counted by several lists: a corrected report changes games where they were counted."""

from datetime import UTC, date, datetime

import pytest

from ratinglists import corrections
from ratinglists.models import RatingList
from tests.factories import make_user
from tests.ratinglists.corrected import computed, published
from tests.ratinglists.test_postal import (
    CHANGED,
    FIRST,
    JULY,
    NEXT,
    SECOND,
    event,
    publish,
    reported,
)
from tournaments.models import Report
from tournaments.services import ReportRefused, submit_report

__all__ = ["event"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def staff():
    return make_user("sara", "tournaments.accept_report", "ratinglists.correct_list")


def ratings(event, day) -> dict[str, int | None]:
    lists = RatingList.objects.filter(period__system=event.rating_system, period__list_date=day)
    listed = lists.filter(state="published").order_by("-revision").first()
    return dict(listed.rows.values_list("name", "rating"))


def send(event, staff, content, **more):
    return submit_report(
        event, staff, "right.trf", content, received_at=datetime(2000, 2, 1, 12, tzinfo=UTC), **more
    )


def test_a_corrected_game_counts_in_the_list_that_counted_it(event, staff):
    """July counted Tom - Lou 1-0, Pat - Jo drawn (2003, 1796, 1649, 1601, see test_postal). With 0-1 Tom has
    12 × (0 - .76) = -9.12 -> 1991, Lou a(1800) × .76 instead of × -.24: one whole a more."""
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, JULY)
    reported(event, staff, SECOND, date(1999, 9, 1))
    publish(event, NEXT)
    assert event.state == "registered", "two games go on"
    before = ratings(event, JULY)
    with pytest.raises(ReportRefused):
        send(event, staff, CHANGED)
    sent = send(event, staff, CHANGED, correcting=True)
    assert sent.state == Report.State.CORRECTION
    correction = corrections.open_correction(event.rating_system, staff, "Tom lost the first game")
    item = corrections.add_report(correction, sent, staff)
    assert item.list_date == JULY
    job = computed(correction)
    assert job.state == "done", job.message
    assert correction.lists.count() == 2
    job = published(correction)
    assert job.state == "done", job.message
    now = ratings(event, JULY)
    assert now["Alder, Tom"] == 1991
    assert now["Birch, Lou"] - before["Birch, Lou"] in (15, 16, 17)
    assert (now["Cedar, Pat"], now["Dogwood, Jo"]) == (before["Cedar, Pat"], before["Dogwood, Jo"])
    games = {(g.white.player.name, g.black.player.name): (g.result, g.counted_on) for g in event.games.all()}
    assert games["Alder, Tom", "Birch, Lou"] == ("0-1", JULY)
    assert games["Birch, Lou", "Dogwood, Jo"][1] == NEXT
    event.refresh_from_db()
    assert event.state == "registered"


def test_a_late_postal_report_counts_in_the_list_that_it_missed(event, staff):
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, JULY)
    reported(event, staff, SECOND, date(1999, 9, 1))
    correction = corrections.open_correction(event.rating_system, staff, "Mislaid since June")
    corrections.include(correction, event, JULY, staff)
    computed(correction)
    job = published(correction)
    assert job.state == "done", job.message
    event.refresh_from_db()
    assert event.state == "registered"
    assert set(event.games.values_list("counted_on", flat=True)) == {JULY}
    publish(event, NEXT)
    assert ratings(event, NEXT) == ratings(event, JULY), "nothing is left for the next list"
