"""The queue of lists: what waits for whom, and what the pages around it say."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from players.roles import APPROVERS, RATING_OFFICERS, ensure_roles
from ratinglists import approving, corrections, live, services, waiting
from ratinglists.models import Job
from tests import factories as make
from tests.pages import read
from tests.ratinglists.corrected import JULY, OCTOBER, World, computed

pytestmark = pytest.mark.django_db
GAMES = [(1, 2, 4, "0"), (1, 1, 3, "1")]


@pytest.fixture(autouse=True)
def strict(settings, monkeypatch):
    settings.PORTAL_ONE_PERSON = False
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def people():
    roles = ensure_roles()
    officer, approver = (make.make_user(name, is_staff=True) for name in ("officer", "approver"))
    officer.groups.add(roles[RATING_OFFICERS])
    approver.groups.add(roles[APPROVERS])
    return officer, approver


@pytest.fixture
def drafted(people):
    """A period of the standard system, closed, its draft computed."""
    world = World()
    world.play(date(2004, 5, 1), GAMES)
    period = make.make_period(world.system, JULY, date(2004, 6, 1))
    services.run_job(services.request_compute(period).pk)
    return world, period, period.lists.get()


def steps(user) -> list[tuple[str, bool]]:
    return [(step.what, step.own) for step in waiting.for_user(user)]


def test_a_draft_waits_for_who_proposes_then_for_another_who_approves(drafted, people):
    officer, approver = people
    _, _, draft = drafted
    assert steps(officer) == [("Look at the draft and propose it", False)]
    assert steps(approver) == []
    approving.propose(draft, officer)
    assert steps(officer) == []
    assert steps(approver) == [("Proposed by officer: another person approves it", False)]
    draft.refresh_from_db()
    approving.approve(draft, approver)
    assert steps(approver) == []


def test_nobody_approves_what_he_proposed(drafted, people):
    officer, _ = people
    officer.groups.add(ensure_roles()[APPROVERS])
    officer = type(officer).objects.get(pk=officer.pk)
    approving.propose(drafted[2], officer)
    assert steps(officer) == [("Proposed by officer: another person approves it", True)]


def test_what_cannot_be_approved_yet_does_not_wait(drafted, people):
    _, period, draft = drafted
    approving.propose(draft, people[0])
    today = timezone.localdate()
    type(period).objects.filter(pk=period.pk).update(
        closes_on=today + timedelta(3), list_date=today + timedelta(5)
    )
    assert steps(people[1]) == []


def test_the_drafts_of_a_correction_wait_together(people, settings):
    settings.PORTAL_ONE_PERSON = True
    world = World()
    event = world.play(date(2004, 5, 1), GAMES)
    world.publish(JULY)
    world.publish(OCTOBER)
    settings.PORTAL_ONE_PERSON = False
    correction = world.correction()
    corrections.exclude(correction, event, world.staff, "reported twice")
    assert computed(correction).state == "done"
    (step,) = waiting.for_user(people[0])
    assert step.name == str(correction)
    assert step.page == f"/admin/ratinglists/correction/{correction.pk}/change/"


def test_the_queue_names_the_list_for_the_approver(client, drafted, people):
    officer, approver = people
    _, period, draft = drafted
    approving.propose(draft, officer)
    client.force_login(approver)
    page = client.get("/queue/").content.decode()
    assert f'<a href="/admin/ratinglists/period/{period.pk}/change/">{draft}</a>' in page
    assert "waits for you" in page
    client.force_login(
        make.make_user("clerk", "tournaments.register_tournament", "tournaments.view_tournament")
    )
    assert "waits for you" not in client.get("/queue/").content.decode()


def test_who_proposed_is_told_one_thing(client, drafted, people):
    _, period, draft = drafted
    approving.propose(draft, people[0])
    client.force_login(people[0])
    page = read(client, f"/admin/ratinglists/period/{period.pk}/change/")
    assert "You proposed it: somebody else with the right to publish approves it." in page
    assert "another person has to approve it" not in page
    client.force_login(people[1])
    assert "another person has to approve it" in read(
        client, f"/admin/ratinglists/period/{period.pk}/change/"
    )


def test_an_opening_list_counted_nothing_and_says_nothing_of_it(client, people):
    system = make.make_system("rapid")
    header = "fide_id,name,sex,birth,federation,title,rating,career_games\n"
    rows = "".join(f"910000{n},Invented{chr(96 + n)},m,1990,XAA,,{1800 + n},60\n" for n in (1, 2))
    opening = services.open_system(system, date(2022, 3, 1), (header + rows).encode(), people[0])
    client.force_login(people[0])
    page = read(client, f"/admin/ratinglists/period/{opening.period_id}/change/")
    assert "Brought in" in page
    assert "Counted: 0" not in page


def test_the_live_page_tells_that_a_computation_is_on_its_way(client):
    world = World()
    assert "No accepted report waits" in read(client, "/lists/standard/live/")
    world.play(date(2004, 5, 1), GAMES)
    assert "are being computed" in read(client, "/lists/standard/live/")
    services.run_job(Job.objects.get(kind=Job.Kind.LIVE).pk)
    assert live.shown(world.system).exists()
    assert "are being computed" not in read(client, "/lists/standard/live/")


@pytest.mark.parametrize("page", ["period/open/", "apikey/add/", "correction/open/"])
def test_breadcrumbs_lead_by_the_application(admin_client, page):
    html = admin_client.get(f"/admin/ratinglists/{page}").content.decode()
    assert '<a href="/admin/ratinglists/">Rating lists</a> &rsaquo;' in html
