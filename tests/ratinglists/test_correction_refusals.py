"""What a correction refuses, and that one that was overtaken is not published."""

from datetime import date

import pytest
from django.core.exceptions import PermissionDenied

from players.models import AuditEntry
from ratinglists import corrections, services
from ratinglists.computation import is_stale
from ratinglists.models import Correction, Job, RatingList
from tests.factories import make_list, make_period, make_player, make_system, make_tournament, make_user
from tests.ratinglists.corrected import (
    JANUARY,
    JULY,
    OCTOBER,
    World,
    computed,
    finished,
    published,
    snapshot,
)
from tests.ratinglists.test_corrections import AUGUST, GAMES, LATER, MAY, RIGHT
from tournaments.services import NotAllowedNow, ReportRefused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


def make_world():
    made = World()
    made.event = made.play(MAY, GAMES)
    made.publish(JULY)
    return made


@pytest.fixture
def ready(world):
    """A correction by a corrected report, computed."""
    world.sent = world.report(world.event, RIGHT)
    world.open = world.correction()
    corrections.add_report(world.open, world.sent, world.staff)
    assert computed(world.open).state == "done"
    return world


def test_a_corrected_report_changes_nothing_by_itself(world):
    before = snapshot(world.listed(JULY))
    entries = list(world.event.entries.order_by("pk").values())
    games = list(world.event.games.order_by("pk").values())
    sent = world.report(world.event, RIGHT)
    assert list(world.event.entries.order_by("pk").values()) == entries
    assert list(world.event.games.order_by("pk").values()) == games
    assert snapshot(world.listed(JULY)) == before
    assert sent.changes["corrected"][0]["now"].endswith("Dogwood, Jo")
    world.event.refresh_from_db()
    assert world.event.state == "counted"


def test_the_same_report_or_the_same_games_correct_nothing(world):
    world.report(world.event, RIGHT)
    with pytest.raises(ReportRefused) as refusal:
        world.report(world.event, RIGHT)
    assert [issue.code for issue in refusal.value.reading.errors] == ["file-known"]
    with pytest.raises(ReportRefused) as refusal:
        world.report(world.event, GAMES)
    assert "file-known" in [issue.code for issue in refusal.value.reading.errors]


def test_one_open_correction_a_system(world):
    world.correction()
    with pytest.raises(NotAllowedNow, match="is being prepared"):
        world.correction()


def test_what_has_no_list_cannot_be_corrected(world):
    system = make_system("blitz")
    with pytest.raises(NotAllowedNow, match="no computed list"):
        corrections.open_correction(system, world.staff, "A wrong result")
    make_list(system, JULY, {make_player(): 1500})
    with pytest.raises(NotAllowedNow, match="Say why"):
        corrections.open_correction(system, world.staff, "  ")


def test_rights(world):
    nobody = make_user()
    with pytest.raises(PermissionDenied):
        corrections.open_correction(world.system, nobody, "A wrong result")
    correction = world.correction()
    for act in (
        lambda: corrections.exclude(correction, world.event, nobody),
        lambda: corrections.recount_persons(correction, JULY, nobody),
        lambda: corrections.request_correct(correction, nobody),
        lambda: corrections.request_publish(correction, world.staff),
        lambda: corrections.propose(correction, world.staff),
        lambda: corrections.approve(correction, world.staff),
        lambda: corrections.drop(correction, nobody),
    ):
        with pytest.raises(PermissionDenied):
            act()


def test_items_that_make_no_sense(world):
    correction = world.correction()
    early = world.play(date(2004, 8, 1), LATER, name="After the closing day")
    with pytest.raises(NotAllowedNow, match="Choose a later list"):
        corrections.include(correction, early, JULY, world.staff)
    with pytest.raises(NotAllowedNow, match="no computed list of 2004-10-01"):
        corrections.include(correction, early, OCTOBER, world.staff)
    with pytest.raises(NotAllowedNow, match="counted Isles Open already"):
        corrections.include(correction, world.event, JULY, world.staff)
    with pytest.raises(NotAllowedNow, match="No published list counts"):
        corrections.exclude(correction, early, world.staff)
    other = make_tournament(make_system("rapid"), start=MAY)
    with pytest.raises(NotAllowedNow):
        corrections.exclude(correction, other, world.staff)
    with pytest.raises(NotAllowedNow, match="corrects nothing"):
        corrections.add_report(correction, world.event.reports.get(), world.staff)
    corrections.exclude(correction, world.event, world.staff)
    with pytest.raises(NotAllowedNow, match="remove that first"):
        corrections.exclude(correction, world.event, world.staff)


def test_an_empty_correction_is_not_computed(world):
    job = computed(world.correction())
    assert (job.state, "holds nothing yet" in job.message) == ("failed", True)


def test_a_dropped_correction_leaves_no_draft_and_stays_on_record(ready):
    corrections.drop(ready.open, ready.staff, "Not needed")
    assert not RatingList.objects.filter(state="draft").exists()
    ready.open.refresh_from_db()
    assert ready.open.state == Correction.State.DROPPED
    assert published(ready.open).state == "failed"
    assert ready.ratings(JULY)[1] == 1996
    assert {"correction.opened", "correction.dropped"} <= set(
        AuditEntry.objects.values_list("act", flat=True)
    )
    again = ready.correction()
    corrections.add_report(again, ready.sent, ready.staff)


def overtaken_by_an_item(world):
    late = world.play(date(2004, 5, 20), LATER, name="Late Cup")
    corrections.include(world.open, late, JULY, world.staff)


def overtaken_by_a_list(world):
    world.publish(OCTOBER)


def overtaken_by_a_merge(world):
    from players.services import merge

    twin = make_player("Birch, Louis", born=1980)
    twin.identifiers.all().delete()
    merge(twin, world.players[1], make_user("officer", is_superuser=True), "One person")


@pytest.mark.parametrize("overtake", [overtaken_by_an_item, overtaken_by_a_list, overtaken_by_a_merge])
def test_a_correction_that_was_overtaken_is_computed_again(ready, overtake):
    overtake(ready)
    job = published(ready.open)
    assert job.state == "failed"
    assert "Compute it again" in job.message
    assert ready.listed(JULY).revision == 1
    ready.sent.refresh_from_db()
    assert ready.sent.state == "correction"
    assert computed(ready.open).state == "done"
    assert published(ready.open).state == "done"
    assert ready.listed(JULY).revision == 2


def test_a_late_event_returned_meanwhile_is_not_counted(world):
    from tournaments.services import return_report

    late = world.play(date(2004, 5, 20), LATER, name="Late Cup")
    correction = world.correction()
    corrections.include(correction, late, JULY, world.staff)
    computed(correction)
    return_report(late.reports.get(), world.staff, "Who played whom?")
    assert "Compute it again" in published(correction).message
    assert world.listed(JULY).revision == 1


def test_the_open_draft_is_stale_once_the_list_before_it_is_revised(ready):
    ready.play(AUGUST, LATER, name="Harbour Cup")
    period = make_period(ready.system, OCTOBER, date(2004, 9, 1))
    assert finished(services.request_compute(period)).state == "done"
    draft = period.lists.get()
    assert not is_stale(draft)
    assert published(ready.open).state == "done"
    assert is_stale(draft)
    job = finished(services.request_publish(period))
    assert (job.state, "Compute the period again" in job.message) == ("failed", True)
    finished(services.request_compute(period))
    assert finished(services.request_publish(period)).state == "done"
    assert ready.ratings(OCTOBER) == [2148, 2009, None, 1902]


def test_the_period_of_a_corrected_list_is_not_published_by_itself(ready):
    """Its draft belongs to the correction."""
    job = finished(services.request_publish(ready.listed(JULY).period))
    assert (job.state, "published already" in job.message) == ("failed", True)
    with pytest.raises(NotAllowedNow, match="together"):
        services.propose(ready.open.lists.get(), make_user("p", "ratinglists.propose_list"))


def test_two_persons_publish_a_correction(ready, settings):
    settings.PORTAL_ONE_PERSON = False
    rights = ("ratinglists.propose_list", "ratinglists.publish_list")
    one, other = make_user("one", *rights), make_user("other", *rights)
    assert "One person proposes" in published(ready.open).message
    with pytest.raises(NotAllowedNow, match="Nobody has proposed"):
        corrections.approve(ready.open, other)
    corrections.propose(ready.open, one)
    with pytest.raises(NotAllowedNow, match="another person"):
        corrections.approve(ready.open, one)
    assert "One person proposes" in published(ready.open).message
    corrections.approve(ready.open, other)
    assert published(ready.open).state == "done"
    revised = ready.listed(JULY)
    assert (revised.proposed_by, revised.approved_by, revised.one_person) == (one, other, False)


def test_a_second_correction_goes_on_from_the_first(ready):
    published(ready.open)
    wrong_again = [RIGHT[0], (1, 1, 3, "="), *RIGHT[2:]]
    again = ready.correction("Pat drew with Tom")
    corrections.add_report(again, ready.report(ready.event, wrong_again), ready.staff)
    assert computed(again).state == "done"
    assert published(again).state == "done"
    assert ready.listed(JULY).revision == 3
    assert ready.event.reports.filter(state="accepted").count() == 1
    ready.publish(OCTOBER)
    ready.publish(JANUARY)
    assert ready.ratings(JANUARY) == ready.ratings(JULY)
    assert Job.objects.filter(state="failed").count() == 0
