"""The way of a tournament: who may do what, until when, and the row that each step leaves."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    RAPID,
    STANDARD,
    fresh,
    make_arbiter,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import read as read_page
from tests.tournaments.report_files import line, report
from tournaments import deadlines, queue, services
from tournaments.arbiter_pages import next_step
from tournaments.intake import read
from tournaments.models import Tournament
from tournaments.services import NotAllowedNow
from tournaments.states import standing

pytestmark = pytest.mark.django_db
FEDA = "feda-1996"


def make(state="draft", regulation=RAPID, **fields) -> Tournament:
    return make_tournament(make_system(regulation=regulation), state=state, **fields)


def test_under_way_and_report_due_follow_from_the_dates():
    start, end = date(2022, 3, 5), date(2022, 3, 6)
    told = [standing("registered", start, end, date(2022, 3, day))[0] for day in (4, 5, 6, 7)]
    assert told == ["registered", "under-way", "under-way", "report-due"]
    assert standing("accepted", start, end, date(2022, 3, 5))[0] == "accepted"


def test_a_refusal_may_be_appealed_within_the_days_of_the_regulation(officer):
    tournament = make()
    services.refuse(tournament, officer, "No licensed arbiter.")
    until = fresh(tournament).due_on
    assert until == timezone.localdate() + timedelta(days=7)  # C 0.4
    ana = make_user("ana")
    with pytest.raises(NotAllowedNow, match="Only its arbiters"):
        services.appeal(tournament, ana, "The licence came on Monday.")
    tournament.appointments.create(arbiter=make_arbiter(user=ana))
    services.appeal(tournament, ana, "The licence came on Monday.")
    assert fresh(tournament).state == "appealed"
    services.refuse(tournament, officer, "It is of another federation.")
    again = fresh(tournament)
    assert (again.state, again.due_on) == ("refused", None)
    with pytest.raises(NotAllowedNow, match="cannot be appealed"):
        services.appeal(tournament, officer, "Once more.")
    assert [step.state for step in again.changes.all()] == ["refused", "appealed", "refused"]
    assert again.changes.first().reason == "No licensed arbiter."
    assert again.changes.first().by == officer


def test_an_appeal_out_of_time_is_refused(officer):
    tournament = make(state="refused")
    Tournament.objects.update(due_on=timezone.localdate() - timedelta(days=1))
    with pytest.raises(NotAllowedNow, match="was possible until"):
        services.appeal(tournament, officer, "Late.")
    Tournament.objects.update(due_on=timezone.localdate())
    with pytest.raises(NotAllowedNow, match="Say why"):
        services.appeal(tournament, officer, " \0 ")


def test_texts_without_an_appeal_give_none(officer):
    tournament = make(regulation=STANDARD, minutes=120)
    services.refuse(tournament, officer, "Too late.")
    assert fresh(tournament).due_on is None
    assert "knows no appeal" in next_step(fresh(tournament))


def test_a_refusal_says_what_can_still_be_done(officer):
    tournament = make()
    services.refuse(tournament, officer, "No licensed arbiter.")
    refused = fresh(tournament)
    assert f"You can appeal until {refused.due_on}." in next_step(refused)
    refused.due_on = timezone.localdate() - timedelta(days=1)
    assert "was possible until" in next_step(refused)
    services.appeal(tournament, officer, "The licence came on Monday.")
    services.refuse(tournament, officer, "It is of another federation.")
    assert "refused the appeal, too" in next_step(fresh(tournament))


@pytest.mark.parametrize(
    ("regulation", "due", "article"),
    [
        ("fide-rapid-blitz-2018", date(2022, 3, 12), "9.1"),
        (FEDA, date(2022, 3, 19), "10.11"),
        (RAPID, date(2022, 3, 31), ""),  # in time for the list of April
    ],
)
def test_when_the_report_is_due(regulation, due, article):
    found = deadlines.report_due(make(regulation=regulation, start=date(2022, 3, 5)))
    assert (found.day, found.article) == (due, article)


def returned(officer, regulation=FEDA, due_on=None):
    people = [make_player("Alder, Tom", fide_id="7000011"), make_player("Birch, Lou", fide_id="7000012")]
    tournament = make("registered", regulation, start=date(2004, 5, 1), end=date(2004, 5, 2), rounds=0)
    players = [
        line(1, people[0].name, None, "7000011", "1.0", 1, "   2 w 1"),
        line(2, people[1].name, None, "7000012", "0.0", 2, "   1 b 0"),
    ]
    content = report("Open", "2004/05/01", "2004/05/02", players)
    sent = services.submit_report(tournament, officer, "a.trf", content)
    services.return_report(sent, officer, "Colours?", due_on)
    return fresh(tournament), content


def test_a_returned_report_has_four_weeks(officer):
    """D 10.13; a correction after them is no report any more."""
    tournament, content = returned(officer)
    today = timezone.localdate()
    assert tournament.due_on == today + timedelta(days=28)
    better = content.replace(b"022 Port", b"022 Porto")
    in_time = read(tournament, "b.trf", better, received=tournament.due_on)
    assert "correction-late" not in {issue.code for issue in in_time.issues}
    late = read(tournament, "b.trf", better, received=tournament.due_on + timedelta(days=1))
    (error,) = late.errors
    assert (error.code, error.article) == ("correction-late", "10.13")


def test_staff_set_a_day_where_the_text_has_none(officer):
    day = timezone.localdate() + timedelta(days=10)
    tournament, content = returned(officer, STANDARD, day)
    assert tournament.due_on == day
    again = services.submit_report(tournament, officer, "b.trf", content.replace(b"022 Port", b"022 Porto"))
    with pytest.raises(NotAllowedNow, match="which is past"):
        services.return_report(again, officer, "Colours?", date(2004, 1, 1))


def test_a_report_cannot_come_before_the_start(officer):
    tournament = make("registered", start=timezone.localdate() + timedelta(days=3))
    assert "not-started" in {issue.code for issue in read(tournament, "a.trf", b"").errors}


def test_the_queue_tells_ages_and_deadlines(officer):
    today = timezone.localdate()
    system = make_system()
    make_tournament(system, name="Draft", state="draft", start=today + timedelta(days=5))
    make_tournament(system, name="Running", start=today - timedelta(days=1), end=today + timedelta(days=1))
    over = make_tournament(system, name="Over", start=today - timedelta(days=80))
    make_tournament(system, name="Planned", start=today + timedelta(days=20))
    appealed = make_tournament(system, name="Appealed", state="appealed")
    Tournament.objects.filter(pk=appealed.pk).update(state_since=timezone.now() - timedelta(days=4))
    counts = queue.counts(officer)
    assert {code: number for code, number in counts.items() if number} == {
        "drafts": 1, "under-way": 1, "due": 1, "appeals": 1,
    }  # fmt: skip
    (row,) = [queue.shown(each) for each in queue.waiting(officer, "due")]
    assert (row.tournament, row.age, row.overdue) == (over, 80, True)
    assert queue.shown(queue.waiting(officer, "appeals")[0]).age == 4
    assert queue.shown(queue.waiting(officer, "drafts")[0]).left == 5
    client = Client()
    client.force_login(officer)
    page = client.get(reverse("queue"), {"kind": "due"}).content.decode()
    assert "overdue" in page
    assert "Over" in page
    assert "Planned" not in page
    assert client.get(reverse("queue")).context["kind"].code == "appeals"


def test_the_queue_is_for_staff(officer):
    client = Client()
    assert client.get(reverse("queue")).status_code == 302
    client.force_login(make_user("ana"))
    assert client.get(reverse("queue")).status_code == 403


def test_everybody_sees_which_reports_came(officer):
    tournament, _ = returned(officer)
    make_tournament(tournament.rating_system, name="Without a report")
    page = Client().get(reverse("received")).content.decode()
    assert tournament.name in page
    assert "returned for correction" in page
    assert "Without a report" not in page
    assert "Colours?" not in page  # the remark is between the federation and its arbiter
    tournament.changes.create(state="counted", reason="list of 2026-01-01")
    Tournament.objects.filter(pk=tournament.pk).update(state="counted")
    assert "counted in the list of 2026-01-01" in read_page(Client(), reverse("received"))
    other = make_system("other")
    empty = Client().get(reverse("received"), {"system": other.code}).content.decode()
    assert tournament.name not in empty


def test_an_arbiter_appeals_on_the_page_of_the_tournament(officer):
    user = make_user("ana")
    tournament = make(arbiter=make_arbiter("Arbiter, Ana", user=user))
    services.refuse(tournament, officer, "No licensed arbiter.")
    client = Client()
    client.force_login(user)
    page = client.get(reverse("arbiter-tournament", args=[tournament.pk])).content.decode()
    assert "No licensed arbiter." in page
    answer = client.post(reverse("arbiter-appeal", args=[tournament.pk]), {"reason": "It came on Monday."})
    assert answer.status_code == 302
    assert fresh(tournament).state == "appealed"
    stranger = Client()
    stranger.force_login(make_user("bob"))
    assert stranger.post(reverse("arbiter-appeal", args=[tournament.pk])).status_code == 404


def test_rights(officer):
    tournament = make()
    nobody = make_user("nobody")
    for act in (
        lambda: services.register(tournament, nobody),
        lambda: services.refuse(tournament, nobody, "No."),
        lambda: services.rule_distinct(tournament, tournament, nobody, "No."),
    ):
        with pytest.raises(PermissionDenied):
            act()
