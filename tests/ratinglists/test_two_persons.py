"""One person proposes a list, another approves it: by service, by page, by the database."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import AuditEntry, OutboxMessage
from players.roles import APPROVERS, CLERKS, RATING_OFFICERS
from ratinglists import archive, services
from ratinglists.models import Job, Period, RatingList
from tests.factories import (
    appoint,
    make_list,
    make_period,
    make_player,
    make_publication,
    make_report,
    make_system,
    make_tournament,
    make_user,
    rate_and_list,
)
from tests.pages import text_of
from tournaments.services import NotAllowedNow

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def strict(settings, monkeypatch):
    settings.PORTAL_ONE_PERSON = False
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)


@pytest.fixture
def period() -> Period:
    """A rapid month with one event, published by staff on request."""
    system = make_system(schedule="compute")
    players = [make_player("Alder, Tom"), make_player("Birch, Lou")]
    make_list(system, date(2022, 3, 1), rows={p: {"rating": 1800, "career_games": 50} for p in players})
    make_report(make_tournament(system, name="Harbour Rapid"), players, [(1, 1, 2, "1-0")])
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29))


@pytest.fixture
def draft(period) -> RatingList:
    return rate_and_list(period, published=False)


def member(*groups: str):
    user = make_user(is_staff=True)
    for group in groups:
        appoint(user, group)
    return user


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def ask(client: Client, period: Period, what: str) -> str:
    answer = client.post(reverse("admin:ratinglists_period_ask", args=[period.pk, what]), follow=True)
    return text_of(answer.content.decode())


def page(client: Client, period: Period) -> str:
    return client.get(reverse("admin:ratinglists_period_change", args=[period.pk])).content.decode()


def run_jobs() -> None:
    for job in Job.objects.filter(state="queued"):
        services.run_job(job.pk)


def test_the_whole_way_on_the_pages(period):
    officer, approver = member(RATING_OFFICERS), member(APPROVERS)
    first, second = browser(officer), browser(approver)
    ask(first, period, "compute")
    run_jobs()
    shown = text_of(page(first, period))
    assert "Not proposed" in shown
    assert "Nobody has proposed the draft yet" in shown
    assert "/ask/approve/" not in page(second, period)
    shown = ask(first, period, "propose")
    assert f"by {officer}" in shown
    assert "You proposed it: somebody else" in shown
    assert "/ask/approve/" not in page(first, period)
    assert "/ask/propose/" not in page(first, period)
    assert "Approve and publish" in page(second, period)
    shown = ask(second, period, "approve")
    run_jobs()
    listed = period.lists.get()
    assert (listed.state, listed.one_person) == ("published", False)
    assert (listed.proposed_by, listed.approved_by, listed.published_by) == (officer, approver, approver)
    shown = text_of(page(second, period))
    for who in (f"by {officer}", f"by {approver}"):
        assert who in shown
    public = text_of(Client().get("/lists/rapid/2022-04-01/").content.decode())
    assert "Proposed and approved by two persons." in public
    assert officer.username not in public
    assert approver.username not in public
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))
    assert [act for act in acts if act.startswith("list.")] == [
        "list.proposed", "list.approved", "list.published",
    ]  # fmt: skip
    assert OutboxMessage.objects.get(right="ratinglists.publish_list").key.startswith("second:")


def test_one_person_with_both_roles_cannot_do_both(period, draft):
    both = member(RATING_OFFICERS, APPROVERS)
    client = browser(both)
    services.propose(draft, both)
    with pytest.raises(NotAllowedNow, match="another person"):
        services.approve(draft, both)
    assert "another person has to approve it" in ask(client, period, "approve")
    assert "One person" not in ask(client, period, "publish")
    run_jobs()
    job = Job.objects.get(kind="publish")
    assert (job.state, job.message) == (
        "failed",
        f"{both} has proposed the draft: another person has to approve it.",
    )
    draft.refresh_from_db()
    assert (draft.state, draft.approved_by) == ("draft", None)


@pytest.mark.parametrize("same", [True, False])
def test_the_database_refuses_one_person(draft, same):
    """The control: with another person the same row is taken."""
    one = make_user()
    now = timezone.now()
    values = {
        "state": "published", "published_at": now, "publication": make_publication(now),
        "proposed_by": one, "proposed_at": now, "approved_by": one if same else make_user(),
        "approved_at": now,
    }  # fmt: skip
    rows = RatingList.objects.filter(pk=draft.pk)
    if same:
        with pytest.raises(IntegrityError, match="list_two_persons"), transaction.atomic():
            rows.update(**values)
    else:
        assert rows.update(**values) == 1


def test_the_database_refuses_an_approval_without_a_proposal(draft):
    with pytest.raises(IntegrityError, match="list_approved_after_proposed"), transaction.atomic():
        RatingList.objects.filter(pk=draft.pk).update(approved_by=make_user(), approved_at=timezone.now())


def test_who_may_do_which_step(period, draft):
    officer, approver, clerk = member(RATING_OFFICERS), member(APPROVERS), member(CLERKS)
    for user in (approver, clerk):
        with pytest.raises(PermissionDenied):
            services.propose(draft, user)
    services.propose(draft, officer)
    for user in (member(RATING_OFFICERS), clerk):
        with pytest.raises(PermissionDenied):
            services.approve(draft, user)
    with pytest.raises(PermissionDenied):
        services.request_publish(period, officer)
    for user, status in ((officer, 200), (approver, 200), (clerk, 404)):
        assert browser(user).get("/lists/rapid/2022-04-01/?draft=1").status_code == status


def test_an_approval_needs_a_proposal(draft):
    with pytest.raises(NotAllowedNow, match="Nobody has proposed"):
        services.approve(draft, member(APPROVERS))


def test_proposed_again_it_waits_for_a_new_approval(draft):
    services.propose(draft, member(RATING_OFFICERS))
    services.approve(draft, member(APPROVERS))
    services.propose(draft, member(RATING_OFFICERS))
    draft.refresh_from_db()
    assert (draft.approved_by, draft.approved_at) == (None, None)


def test_computing_again_clears_both(period, draft):
    services.propose(draft, member(RATING_OFFICERS))
    services.approve(draft, member(APPROVERS))
    services.request_compute(period)
    run_jobs()
    again = period.lists.get()
    assert again.sha256 == draft.sha256
    assert (again.proposed_by, again.approved_by) == (None, None)
    with pytest.raises(NotAllowedNow, match="computed again"):
        services.approve(draft, member(APPROVERS))


def test_a_stale_draft_is_neither_proposed_nor_approved(period, draft):
    officer = member(RATING_OFFICERS)
    services.propose(draft, officer)
    late = make_tournament(period.system, name="Island Rapid", start=date(2022, 3, 6))
    make_report(late, [make_player(), make_player()], [(1, 1, 2, "1-0")])
    for step, user in ((services.propose, officer), (services.approve, member(APPROVERS))):
        with pytest.raises(NotAllowedNow, match="Compute the period again"):
            step(draft, user)
    assert "/ask/approve/" not in page(browser(member(APPROVERS)), period)


def test_approved_before_its_day_it_appears_on_its_day():
    """On a schedule that publishes, the approval comes first and the calendar does the rest."""
    system = make_system(schedule="publish")
    today = system.today()
    make_list(system, today - timedelta(20), {make_player(): 1800})
    period = make_period(system, today + timedelta(2), today - timedelta(1))
    draft = rate_and_list(period, published=False)
    services.propose(draft, member(RATING_OFFICERS))
    approver = browser(member(APPROVERS))
    assert f"Approve for {period.list_date}" in page(approver, period)
    assert f"Will appear on {period.list_date}" in ask(approver, period, "approve")
    publish = reverse("admin:ratinglists_period_ask", args=[period.pk, "publish"])
    assert publish not in page(approver, period), "a click would have it out before its day"
    assert not Job.objects.exists()
    assert services.look_for_due_periods(today) == []
    assert [job.kind for job in services.look_for_due_periods(period.list_date)] == ["publish"]


def test_the_calendar_waits_for_two_persons_and_tells_staff_once():
    system = make_system(schedule="publish")
    make_list(system, date(2022, 3, 1), {make_player(): 1800})
    services.look_for_due_periods(date(2022, 4, 1))
    run_jobs()
    assert services.look_for_due_periods(date(2022, 4, 1)) == [], "nobody has approved it"
    message = OutboxMessage.objects.get(right="ratinglists.propose_list")
    assert message.link == reverse(
        "admin:ratinglists_period_change", args=[system.periods.get(list_date=date(2022, 4, 1)).pk]
    )
    draft = RatingList.objects.get(state="draft")
    services.propose(draft, make_user("one", "ratinglists.propose_list"))
    assert services.look_for_due_periods(date(2022, 4, 1)) == []
    services.approve(draft, make_user("two", "ratinglists.publish_list"))
    assert [job.kind for job in services.look_for_due_periods(date(2022, 4, 1))] == ["publish"]
    run_jobs()
    draft.refresh_from_db()
    assert (draft.state, draft.published_by) == ("published", None)


def test_before_the_closing_day_nothing_is_approved(period, draft):
    Period.objects.filter(pk=period.pk).update(list_date=date(2100, 1, 1), closes_on=date(2099, 12, 1))
    draft = rate_and_list(Period.objects.get(pk=period.pk), published=False)
    services.propose(draft, member(RATING_OFFICERS))
    approver = browser(member(APPROVERS))
    assert "closes on 2099-12-01" in page(approver, period)
    assert "/ask/approve/" not in page(approver, period)
    assert "closes on 2099-12-01" in ask(approver, period, "approve")
    draft.refresh_from_db()
    assert draft.approved_by is None


def test_a_federation_of_one_person_and_what_its_lists_say(period, draft, settings):
    settings.PORTAL_ONE_PERSON = True
    alone = member(RATING_OFFICERS, APPROVERS)
    client = browser(alone)
    assert "PORTAL_ONE_PERSON is set" in page(client, period)
    ask(client, period, "publish")
    run_jobs()
    listed = period.lists.get()
    assert (listed.state, listed.one_person) == ("published", True)
    for shown in (
        page(client, period),
        Client().get("/lists/rapid/2022-04-01/").content.decode(),
        client.get(reverse("admin:ratinglists_ratinglist_changelist")).content.decode(),
    ):
        assert "one person" in shown.lower()
    assert "two persons." not in Client().get("/lists/rapid/2022-04-01/").content.decode()
    manifest = json.loads(archive.open_file(listed.publication.manifest_sha256).read())
    assert manifest["lists"][0]["persons"] == 1


def test_two_persons_are_two_under_either_setting(period, draft, settings):
    settings.PORTAL_ONE_PERSON = True
    services.propose(draft, member(RATING_OFFICERS))
    services.approve_and_publish(draft, member(APPROVERS))
    run_jobs()
    listed = period.lists.get()
    assert (listed.state, listed.one_person) == ("published", False)
    manifest = json.loads(archive.open_file(listed.publication.manifest_sha256).read())
    assert manifest["lists"][0]["persons"] == 2
