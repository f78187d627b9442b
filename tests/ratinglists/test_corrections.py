"""Corrections of published lists: by hand computed cases, through the same services as real use."""

from datetime import date

import pytest

from ratinglists import corrections
from ratinglists.models import ListRow, RatingList
from tests.ratinglists.corrected import JANUARY, JULY, OCTOBER, World, computed, published, snapshot
from tournaments.models import Report

pytestmark = pytest.mark.django_db
MAY, AUGUST = date(2004, 5, 1), date(2004, 8, 1)
#: rounds 1 and 2: Lou against Jo, Tom against Pat; Lou against Tom, Pat against Jo
GAMES = [(1, 2, 4, "0"), (1, 1, 3, "1"), (2, 2, 1, "0"), (2, 3, 4, "1")]
#: Lou beat Jo after all
RIGHT = [(1, 2, 4, "1"), *GAMES[1:]]
LATER = [(1, 2, 4, "=")]


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def two_lists(world):
    """July counts the Open, October a game between Lou and Jo that started under July's list."""
    world.event = world.play(MAY, GAMES)
    world.publish(JULY)
    world.later = world.play(AUGUST, LATER, name="Harbour Cup")
    world.publish(OCTOBER)
    return world


def test_a_corrected_result_changes_two_lists(two_lists):
    """July before: test_services has the sums (2148, 1996, -, 1915). Lou - Jo now 1-0: the expected scores
    stand (Lou .96 of two, Jo .36), so Lou has 15 × (1 - .96) = +0.6 -> 2010.6 -> 2011, Jo 15 × (0 - .36) =
    -5.4 -> 1899.6 -> 1900. October before: 1996 against 1915, D 81, PD .61: Lou 15 × (.5 - .61) = -1.65 ->
    1994, Jo +1.65 -> 1917. Now 2011 against 1900, D 111, PD .65: -2.25 -> 2008.75 -> 2009, and 1902.25 ->
    1902."""
    world = two_lists
    assert world.ratings(JULY) == [2148, 1996, None, 1915]
    assert world.ratings(OCTOBER) == [2148, 1994, None, 1917]
    sent = world.report(world.event, RIGHT)
    assert sent.state == Report.State.CORRECTION
    correction = world.correction()
    corrections.add_report(correction, sent, world.staff)
    job = computed(correction)
    assert (job.state, job.message) == ("done", "2 players, 2 lists, largest +15")
    assert world.ratings(OCTOBER) == [2148, 1994, None, 1917], "drafts change nothing in public"
    assert world.event.games.get(round=1, white__player=world.players[1]).result == "0-1"
    job = published(correction)
    assert job.state == "done", job.message
    assert world.ratings(JULY) == [2148, 2011, None, 1900]
    assert world.ratings(OCTOBER) == [2148, 2009, None, 1902]
    july, october = world.listed(JULY), world.listed(OCTOBER)
    assert (july.revision, october.revision, october.previous) == (2, 2, july)
    assert july.publication == october.publication
    assert july.correction.reason == "A wrong result"
    old = RatingList.objects.get(period=july.period, revision=1)
    assert list(old.rows.order_by("player_id").values_list("rating", flat=True)) == [2148, 1996, None, 1915]
    sent.refresh_from_db()
    assert sent.state == Report.State.ACCEPTED
    assert world.event.reports.exclude(pk=sent.pk).get().state == Report.State.REPLACED
    assert world.event.games.get(round=1, white__player=world.players[1]).result == "1-0"
    world.event.refresh_from_db()
    assert world.event.state == "counted"


def test_the_next_list_goes_on_from_the_revision(two_lists):
    world = two_lists
    correction = world.correction()
    corrections.add_report(correction, world.report(world.event, RIGHT), world.staff)
    computed(correction)
    assert published(correction).state == "done"
    world.publish(JANUARY)
    assert world.ratings(JANUARY) == world.ratings(OCTOBER)
    jo = ListRow.objects.get(rating_list=world.listed(JANUARY), player=world.players[3])
    assert jo.career_games == 62


def test_nothing_corrected_changes_nothing(two_lists):
    """An item without effect: persons looked at anew where nobody was merged."""
    world = two_lists
    correction = world.correction()
    corrections.recount_persons(correction, JULY, world.staff)
    job = computed(correction)
    assert (job.state, job.message) == ("done", "No list changes.")
    assert not correction.lists.exists()
    assert "no list changes" in published(correction).message


def test_a_late_event_counts_in_the_list_that_it_missed(world):
    """Published at once with it, or added by a correction: the same lists."""
    world.play(MAY, GAMES)
    world.publish(JULY)
    late = world.play(date(2004, 5, 20), LATER, name="Late Cup", accept=True)
    correction = world.correction("A report that the federation had mislaid")
    corrections.include(correction, late, JULY, world.staff)
    assert computed(correction).message == "2 players, 1 list, largest \N{MINUS SIGN}2"
    assert published(correction).state == "done"
    # Lou: D 105, PD .64: 15 × (.5 - .64) = -2.1; -14.4 - 2.1 = -16.5 -> 1993.5 -> 1994.
    # Jo +9.6 + 2.1 -> 1916.7
    assert world.ratings(JULY) == [2148, 1994, None, 1917]
    late.refresh_from_db()
    assert late.state == "counted"
    world.publish(OCTOBER)
    assert world.ratings(OCTOBER) == world.ratings(JULY)


def test_an_event_is_taken_out(two_lists):
    """Without the Open July is the opening list, and October computes from that: 2010 against 1905, D 105, PD
    .64: Lou 15 × -.14 = -2.1 -> 2007.9, Jo 1907.1."""
    world = two_lists
    correction = world.correction("The arbiter was not licensed")
    corrections.exclude(correction, world.event, world.staff)
    assert computed(correction).state == "done"
    assert published(correction).state == "done"
    assert world.ratings(JULY) == [2143, 2010, None, 1905]
    assert world.ratings(OCTOBER) == [2143, 2008, None, 1907]
    result = world.listed(JULY).events.get(tournament=world.event)
    assert not result.rated
    assert "not licensed" in result.findings[0]["message"]
    world.publish(JANUARY)
    assert world.ratings(JANUARY) == world.ratings(OCTOBER), "it does not come back"


def test_the_same_lists_as_if_it_had_been_right_from_the_start(two_lists):
    world = two_lists
    correction = world.correction()
    corrections.add_report(correction, world.report(world.event, RIGHT), world.staff)
    computed(correction)
    published(correction)
    told = [snapshot(world.listed(day)) for day in (JULY, OCTOBER)]
    again = world.correction("Once more, for nothing")
    corrections.recount_persons(again, JULY, world.staff)
    assert computed(again).message == "No list changes."
    assert [snapshot(world.listed(day)) for day in (JULY, OCTOBER)] == told
