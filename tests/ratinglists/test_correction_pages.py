"""Corrections in the admin, and what the public sees of a revision."""

from datetime import date
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from players.models import OutboxMessage
from ratinglists import corrections, services
from ratinglists.models import Correction, Job
from tests.factories import make_user
from tests.ratinglists.corrected import JULY, OCTOBER, World, computed, published, trf
from tests.ratinglists.test_corrections import AUGUST, GAMES, LATER, MAY, RIGHT

pytestmark = pytest.mark.django_db
RIGHTS = (
    "ratinglists.correct_list",
    "ratinglists.view_correction",
    "ratinglists.propose_list",
    "ratinglists.publish_list",
    "tournaments.accept_report",
    "tournaments.view_tournament",
    "tournaments.view_report",
)


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


def make_world():
    made = World()
    made.event = made.play(MAY, GAMES)
    made.publish(JULY)
    made.later = made.play(AUGUST, LATER, name="Harbour Cup")
    made.publish(OCTOBER)
    return made


@pytest.fixture
def staff(client):
    user = make_user("otto", *RIGHTS, is_staff=True)
    client.force_login(user)
    return user


def text(response) -> str:
    assert response.status_code == 200
    body = b"".join(response) if response.streaming else response.content
    return unescape(body.decode())


def do(client, correction, what, **given):
    return client.post(
        reverse("admin:ratinglists_correction_do", args=[correction.pk, what]), given, follow=True
    )


def work() -> None:
    for job in Job.objects.filter(state="queued"):
        services.run_job(job.pk)


def test_from_the_uploaded_report_to_the_revision_and_what_the_public_sees(world, staff, client, settings):
    """A corrected report is sent, lists are corrected by it, two persons publish it, everybody reads it."""
    settings.PORTAL_ONE_PERSON = False
    upload = reverse("arbiter-upload", args=[world.event.pk])
    body = trf(world.event.name, MAY, MAY, world.people(), RIGHT)
    page = client.post(upload, {"file": SimpleUploadedFile("right.txt", body)})
    assert "A correction." in text(page)
    assert "not changed" not in text(page)
    assert "Type the crosstable" not in text(page)
    sent = client.post(
        reverse("arbiter-submit", args=[world.event.pk]), {"token": page.context["token"]}, follow=True
    )
    assert "Correct the lists" in text(sent)
    report = world.event.reports.get(state="correction")
    assert "Correct…" in text(
        client.get(reverse("admin:tournaments_tournament_change", args=[world.event.pk]))
    )
    chosen = reverse("admin:ratinglists_correction_event", args=[world.event.pk])
    assert "right.txt" in text(client.get(chosen))
    client.post(chosen, {"what": f"report-{report.pk}", "reason": "Round 1 was entered the wrong way round"})
    correction = Correction.objects.get()
    do(client, correction, "compute")
    work()
    page = text(client.get(reverse("admin:ratinglists_correction_change", args=[correction.pk])))
    assert "2 players, 2 lists, largest +15" in page
    assert "Birch, Lou 0-1 Dogwood, Jo → Birch, Lou 1-0 Dogwood, Jo" in page
    assert "Nobody has proposed the draft yet" in page
    assert "Publish all revisions" not in page
    do(client, correction, "publish")
    work()
    assert "One person proposes" in correction.jobs.first().message
    assert "Proposed." in text(do(client, correction, "propose"))
    told = OutboxMessage.objects.get(subject__contains="waits for a second person")
    assert told.right == "ratinglists.publish_list"
    assert "2 players, 2 lists, largest +15" in told.text
    assert "another person" in text(do(client, correction, "approve"))
    client.force_login(make_user("olga", *RIGHTS, is_staff=True))
    assert "Publish all revisions" in text(do(client, correction, "approve"))
    do(client, correction, "publish")
    work()
    correction.refresh_from_db()
    assert correction.state == "published", correction.jobs.first().message
    client.logout()
    lou = world.players[1]
    shown = text(client.get(reverse("list", args=["standard", JULY])))
    assert "Round 1 was entered the wrong way round" in shown
    assert "Revision 1" in shown
    old = text(client.get(reverse("list", args=["standard", JULY]) + "?revision=1"))
    assert "1996" in old
    assert "Replaced." in old
    assert "1996" in text(client.get(reverse("list-csv", args=["standard", JULY]) + "?revision=1"))
    assert "2011" in text(client.get(reverse("list-csv", args=["standard", JULY])))
    changes = text(client.get(reverse("list-changes", args=["standard", JULY])))
    assert "+15" in changes
    assert "Isles Open" in changes
    rows = text(client.get(reverse("list-changes-csv", args=["standard", JULY]))).splitlines()
    assert [row.split(",")[-6:-3] for row in rows[1:]] == [["1996", "2011", "+15"], ["1915", "1900", "-15"]]
    profile = text(client.get(reverse("player", args=[lou.pk])))
    assert "corrected, was 1996" in profile
    assert "corrected, was 1994" in profile
    event = reverse("calculation", args=[lou.pk, world.event.pk])
    assert "+0.6" in text(client.get(event))
    before = text(client.get(event + "?revision=1"))
    assert "−14.4" in before
    assert "As it was." in before


def test_a_calculation_keeps_its_address_when_the_event_counts_no_more(world, client):
    event = reverse("calculation", args=[world.players[1].pk, world.event.pk])
    assert "It counts no more." not in text(client.get(event))
    correction = world.correction()
    corrections.exclude(correction, world.event, world.staff, "It was not played")
    computed(correction)
    published(correction)
    answer = client.get(event)
    assert answer.status_code == 200
    assert "It counts no more." in text(answer)
    assert "−14.4" in text(answer)
    assert f'href="{event}?revision=1#list-' in answer.content.decode()
    assert client.get(event + "?revision=2").status_code == 404


def test_a_draft_is_shown_to_staff_only(world, staff, client):
    correction = world.correction()
    corrections.exclude(correction, world.event, world.staff)
    computed(correction)
    for name in ("list", "list-changes", "list-changes-csv"):
        address = reverse(name, args=["standard", JULY]) + "?draft=1"
        assert "Birch" in text(client.get(address))
    client.logout()
    for name in ("list", "list-changes", "list-changes-csv"):
        assert client.get(reverse(name, args=["standard", JULY]) + "?draft=1").status_code == 404
    assert client.get(reverse("list-changes", args=["standard", JULY])).status_code == 404


def test_who_may_not_correct_cannot(world, client):
    client.force_login(make_user("clara", "ratinglists.view_correction", is_staff=True))
    correction = world.correction()
    page = text(client.get(reverse("admin:ratinglists_correction_change", args=[correction.pk])))
    assert "Compute" not in page
    assert client.get(reverse("admin:ratinglists_correction_open")).status_code == 403
    address = reverse("admin:ratinglists_correction_event", args=[world.event.pk])
    assert client.get(address).status_code == 403
    for what in ("compute", "drop", "persons", "publish", "propose", "approve"):
        address = reverse("admin:ratinglists_correction_do", args=[correction.pk, what])
        given = {"list_date": "2004-07-01"}
        assert client.post(address, given).status_code == 403, what
    correction.refresh_from_db()
    assert correction.state == "open"


@pytest.mark.parametrize("given", [{}, {"item": "x"}, {"item": "9" * 30}])
def test_an_item_that_is_none_is_not_found(world, staff, client, given):
    assert do(client, world.correction(), "remove", **given).status_code == 404


def test_a_correction_is_opened_filled_and_dropped_by_hand(world, staff, client):
    address = reverse("admin:ratinglists_correction_open")
    assert "Open a correction" in text(client.get(address))
    client.post(address, {"system": "standard", "reason": "Two records of one person"})
    correction = Correction.objects.get()
    assert "Added" in text(do(client, correction, "persons", list_date="2004-07-01"))
    assert "is not a date" in text(do(client, correction, "persons", list_date="soon"))
    do(client, correction, "remove", item=correction.items.get().pk)
    late = world.play(date(2004, 5, 20), LATER, name="Late Cup")
    page = text(client.get(reverse("admin:ratinglists_correction_change", args=[correction.pk])))
    assert "Late Cup, which came late" in page
    do(client, correction, "include", tournament=late.pk, list_date="2004-07-01", reason="Mislaid")
    assert correction.items.get().reason == "Mislaid"
    do(client, correction, "compute")
    work()
    assert correction.lists.count() == 2
    do(client, correction, "drop", reason="Not needed")
    correction.refresh_from_db()
    assert correction.state == "dropped"
    assert not correction.lists.exists()
    assert client.get(reverse("admin:ratinglists_correction_changelist")).status_code == 200


def test_the_preview_names_lists_of_other_systems(world, staff, client):
    """Rapid events take the standard rating of whoever has none of their own."""
    from tests.factories import make_list, make_system, make_tournament

    rapid = make_system("rapid", reference=world.system)
    cup = make_tournament(rapid, start=date(2004, 8, 10))
    lou = world.players[1]
    make_list(rapid, OCTOBER, {lou: None}, events={cup: {lou: {"status": "unrated", "rating": None}}})
    correction = world.correction()
    corrections.add_report(correction, world.report(world.event, RIGHT), world.staff)
    computed(correction)
    page = text(client.get(reverse("admin:ratinglists_correction_change", args=[correction.pk])))
    assert "Rapid 2004-10-01: 1 player" in " ".join(page.replace("</a>", "").split())
    published(correction)


def test_a_difference_over_several_revisions_gives_the_reason_of_each(world, client):
    first = world.correction()
    corrections.add_report(first, world.report(world.event, RIGHT), world.staff)
    computed(first)
    published(first)
    second = corrections.open_correction(world.system, world.staff, "Played at another rate")
    corrections.exclude(second, world.event, world.staff)
    computed(second)
    published(second)
    address = reverse("list-changes", args=["standard", JULY])
    whole, last = text(client.get(address + "?from=1&to=3")), text(client.get(address))
    assert "Reason of revision 2" in whole
    assert "Reason of revision 3" in whole
    assert first.reason in whole
    assert "Played at another rate" in last
    assert first.reason not in last
