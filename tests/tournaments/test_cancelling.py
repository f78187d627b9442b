"""A tournament that is not played: who says so and when, what it does, and how it is taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import AuditEntry
from tests.factories import (
    RAPID,
    fresh,
    make_arbiter,
    make_federation,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import read as read_page
from tests.tournaments.report_files import line, report
from tournaments import drafting, entries, queue, rechecks, services
from tournaments.models import Game, RatingSystem, ReportDraft, Tournament
from tournaments.services import CANCELLABLE, NotAllowedNow, RegistrationRefused, ReportRefused
from tournaments.states import State, StateChange

pytestmark = pytest.mark.django_db
XSS = "<script>alert(1)</script> No hall."


@pytest.fixture
def ana():
    return make_user("ana")


@pytest.fixture
def arbiter(ana):
    return make_arbiter("Arbiter, Ana", user=ana)


def make(state="registered", **fields) -> Tournament:
    system = RatingSystem.objects.first() or make_system(regulation=RAPID)
    return make_tournament(system, state=state, **fields)


def coming(arbiter, state="registered") -> Tournament:
    return make(state, arbiter=arbiter, start=timezone.localdate() + timedelta(days=1))


def signed(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def file_of(tournament: Tournament) -> bytes:
    people = [make_player("Alder, Tom", fide_id="7000011"), make_player("Birch, Lou", fide_id="7000012")]
    players = [
        line(1, people[0].name, None, "7000011", "1.0", 1, "   2 w 1"),
        line(2, people[1].name, None, "7000012", "0.0", 2, "   1 b 0"),
    ]
    day = f"{tournament.start:%Y/%m/%d}"
    return report("Open", day, day, players)


# --- who, and from where ----------------------------------------------------------------------------------


@pytest.mark.parametrize("state", CANCELLABLE)
def test_staff_cancel_with_a_reason(officer, state):
    tournament = make(state)
    Tournament.objects.update(due_on=timezone.localdate())
    with pytest.raises(NotAllowedNow, match="Say why it is not played"):
        services.cancel(tournament, officer, " \0 ")
    assert fresh(tournament).state == state
    services.cancel(tournament, officer, " The hall burned down. ")
    now = fresh(tournament)
    assert (now.state, now.due_on, now.standing) == (
        "cancelled",
        None,
        ("cancelled", "cancelled: not played"),
    )
    step = now.changes.get()
    assert (step.state, step.by, step.reason) == ("cancelled", officer, "The hall burned down.")
    noted = AuditEntry.objects.get(act="tournament.cancelled")
    assert (noted.actor, noted.data) == (officer, {"step": step.pk})
    assert "burned" not in noted.text


@pytest.mark.parametrize("state", sorted(set(State) - set(CANCELLABLE)))
def test_other_states_are_not_cancelled(officer, state):
    tournament = make(state)
    with pytest.raises(NotAllowedNow, match="needs it to be registered"):
        services.cancel(tournament, officer, "No hall.")
    assert (fresh(tournament).state, StateChange.objects.count()) == (state, 0)


@pytest.mark.parametrize("state", ["registered", "reported", "accepted", "counted"])
def test_a_report_that_counts_is_returned_first(officer, state):
    """Registered with an accepted report is a postal event that goes on: lists have counted games of it."""
    tournament = make(state)
    of = "submitted" if state == "reported" else "accepted"
    make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state=of)
    Tournament.objects.update(state=state)
    with pytest.raises(NotAllowedNow, match="Have it returned first"):
        services.cancel(tournament, officer, "No hall.")
    assert (fresh(tournament).state, Game.objects.count()) == (state, 1)


def test_its_arbiter_cancels_until_the_day_before_it_begins(ana, arbiter):
    tournament = coming(arbiter)
    Tournament.objects.update(start=timezone.localdate(), end=timezone.localdate())
    with pytest.raises(NotAllowedNow, match="Ask the federation to cancel it"):
        services.cancel(tournament, ana, "No hall.")
    Tournament.objects.update(start=tournament.start, end=tournament.end)
    with pytest.raises(NotAllowedNow, match="Only its arbiters"):
        services.cancel(tournament, make_user("bob"), "No hall.")
    arbiter.licensed_until = timezone.localdate() - timedelta(days=1)
    arbiter.save()
    with pytest.raises(NotAllowedNow, match="Ask your federation to renew it"):
        services.cancel(tournament, ana, "No hall.")
    arbiter.licensed_until = None
    arbiter.save()
    services.cancel(tournament, ana, "No hall.")
    assert fresh(tournament).changes.get().by == ana


def test_staff_of_another_federation_do_not():
    make_federation("XBB", "Bay of Bellows")
    tournament = make()
    clerk = make_user("clerk", "tournaments.register_tournament", federation="XBB")
    with pytest.raises(NotAllowedNow, match="Only its arbiters"):
        services.cancel(tournament, clerk, "No hall.")
    Tournament.objects.update(state="cancelled")
    with pytest.raises(PermissionDenied):
        services.register_again(tournament, clerk, "There is a hall.")


def test_a_cancellation_without_a_reason_is_no_row():
    tournament = make()
    with pytest.raises(IntegrityError), transaction.atomic():
        tournament.changes.create(state="cancelled")
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.update(state="postponed")
    tournament.changes.create(state="registered")


# --- what it does ------------------------------------------------------------------------------------------


def test_entries_stay_and_what_a_returned_report_said_goes(officer):
    tournament = make()
    sent = services.submit_report(tournament, officer, "a.trf", file_of(tournament))
    services.return_report(sent, officer, "Was it played at all?")
    assert tournament.games.count() == 1
    services.cancel(tournament, officer, "It was not.")
    assert not Game.objects.exists()
    assert [(each.points, each.rank) for each in tournament.entries.all()] == [(None, None)] * 2
    assert tournament.reports.get().state == "returned"
    other = make_tournament(tournament.rating_system, name="The same, later", start=tournament.start)
    later = services.submit_report(other, officer, "b.trf", bytes(sent.content) + b"\n")
    assert later.state == "submitted"  # the games stand nowhere else


@pytest.mark.parametrize("state", ["refused", "appealed"])
def test_what_is_not_public_becomes_so_by_staff_only(officer, ana, arbiter, state):
    tournament = coming(arbiter, state)
    with pytest.raises(NotAllowedNow):
        services.cancel(tournament, ana, "No hall.")
    assert fresh(tournament).state == state
    services.cancel(tournament, officer, "No hall.")
    assert fresh(tournament).state == "cancelled"


def test_no_report_is_taken(officer, ana, arbiter):
    tournament = make(arbiter=arbiter)
    content = file_of(tournament)
    typed = drafting.autosave(tournament, ana, "players", [["1", "7000011", ""], ["2", "7000012", ""]], "")
    drafting.autosave(tournament, ana, "1", [["1", "1", "2"]], typed.token)
    services.cancel(tournament, officer, "No hall.")
    with pytest.raises(ReportRefused) as refusal:
        services.submit_report(fresh(tournament), officer, "a.trf", content)
    (found,) = refusal.value.reading.errors
    assert (found.code, found.message) == ("state", "The tournament is cancelled.")
    assert found.remedy == "If it was played, ask the federation to register it again."
    with pytest.raises(drafting.Changed):
        drafting.send(fresh(tournament), ana, content)
    client = signed(ana)
    file = SimpleUploadedFile("a.trf", content)
    page = read_page(client, reverse("arbiter-check", args=[tournament.pk]))
    assert "The tournament is cancelled. If it was played, ask" in page
    answer = client.post(reverse("arbiter-upload", args=[tournament.pk]), {"file": file}).content.decode()
    assert "The tournament is cancelled." in answer
    assert "Send the report" not in answer
    assert ReportDraft.objects.exists()
    assert not tournament.reports.exists()
    with pytest.raises(NotAllowedNow, match="its entry list is closed"):
        entries.add_entry(fresh(tournament), officer, "7000011")


def test_nothing_waits_for_it(officer):
    tournament = make(start=timezone.localdate() - timedelta(days=9))
    rechecks.recheck(tournament, "announced")
    assert queue.counts(officer)["due"] == 1
    services.cancel(tournament, officer, "No hall.")
    assert not any(queue.counts(officer).values())
    assert not any(queue.waiting(officer, kind.code).exists() for kind in queue.KINDS)
    assert not queue.received().exists()


# --- taken back --------------------------------------------------------------------------------------------


def test_staff_register_it_again(officer, ana, arbiter):
    tournament = coming(arbiter)
    services.cancel(tournament, officer, "No hall.")
    with pytest.raises(NotAllowedNow, match="Say why it is registered again"):
        services.register_again(tournament, officer, "")
    with pytest.raises(PermissionDenied):
        services.register_again(tournament, ana, "There is a hall.")
    services.register_again(tournament, officer, "There is a hall.")
    now = fresh(tournament)
    assert now.state == "registered"
    assert [(step.state, step.reason) for step in now.changes.all()] == [
        ("cancelled", "No hall."), ("registered", "There is a hall."),
    ]  # fmt: skip
    assert now.checks.first().why == "registered again"
    assert AuditEntry.objects.filter(act="tournament.registered").count() == 1
    with pytest.raises(NotAllowedNow, match="needs it to be cancelled"):
        services.register_again(tournament, officer, "Once more.")


def test_the_report_is_due_again_and_taken(officer):
    tournament = make()
    content = file_of(tournament)
    services.cancel(tournament, officer, "No hall.")
    services.register_again(tournament, officer, "It was played in another one.")
    assert fresh(tournament).due_on is not None
    assert services.submit_report(fresh(tournament), officer, "a.trf", content).state == "submitted"


def test_what_was_refused_is_not_registered_by_the_way_round(officer):
    """One minute a game is nothing that the text rates."""
    refused, lapsed = make("draft", minutes=1, increment=0), make("registered", minutes=1, increment=0)
    services.refuse(refused, officer, "Too fast.")
    for each in (refused, lapsed):
        services.cancel(each, officer, "No hall.")
    with pytest.raises(RegistrationRefused):
        services.register_again(refused, officer, "There is a hall.")
    assert fresh(refused).state == "cancelled"
    services.register_again(lapsed, officer, "There is a hall.")  # cancelled by mistake, it is what it was
    assert fresh(lapsed).state == "registered"


# --- pages -------------------------------------------------------------------------------------------------


def test_the_arbiters_page(ana, arbiter):
    tournament, client = coming(arbiter), signed(ana)
    page, act = (reverse(name, args=[tournament.pk]) for name in ("arbiter-tournament", "arbiter-cancel"))
    assert "Why is it not played? Everybody can read this." in read_page(client, page)
    assert "Say why it is not played." in client.post(act, follow=True).content.decode()
    assert signed(make_user("bob")).post(act, {"reason": XSS}).status_code == 404
    assert client.get(act).status_code == 405
    answer = client.post(act, {"reason": XSS}, follow=True).content.decode()
    assert fresh(tournament).state == "cancelled"
    assert "<script>alert" not in answer
    told = read_page(client, page)
    assert "Nothing: it is cancelled." in told
    assert (
        f"Cancelled on {timezone.localdate():%-d %B %Y}: &lt;script&gt;alert(1)&lt;/script&gt; No hall."
        in told
    )
    assert "Why is it not played?" not in told
    assert "Upload a report file" not in told
    assert "cancelled: not played" in read_page(client, reverse("arbiter"))


def test_who_can_only_wait_is_not_asked(ana, arbiter):
    for state, days in (("registered", 0), ("draft", 1), ("cancelled", 1)):
        tournament = make(state, arbiter=arbiter, start=timezone.localdate() + timedelta(days=days))
        page = read_page(signed(ana), reverse("arbiter-tournament", args=[tournament.pk]))
        assert "Why is it not played?" not in page, state


def test_the_staffs_page(officer):
    tournament, client = make(), signed(officer)
    page = reverse("admin:tournaments_tournament_change", args=[tournament.pk])

    def decide(what: str, reason: str = "") -> str:
        where = reverse("admin:tournaments_tournament_decide", args=[tournament.pk, what])
        return client.post(where, {"reason": reason}, follow=True).content.decode()

    assert "Cancel: not played" in read_page(client, page)
    assert "Say why it is not played." in decide("cancel")
    assert "<script>alert" not in decide("cancel", XSS)
    told = read_page(client, page)
    assert "Cancelled, and everybody can read why" in told
    assert "Register again" in told
    assert "Cancel: not played" not in told
    assert "Registered again." in decide("register-again", "There is a hall.")
    assert fresh(tournament).state == "registered"
    make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state="submitted")
    Tournament.objects.update(state="reported")
    assert "Cancel: not played" not in read_page(client, page)


def test_arbiters_do_not_decide_on_the_staffs_page(ana, arbiter):
    """Nor does who may look at the staff's page and is its arbiter."""
    looks = make_user("looks", "tournaments.view_tournament", is_staff=True)
    tournament = coming(make_arbiter("Arbiter, Lea", user=looks))
    where = reverse("admin:tournaments_tournament_decide", args=[tournament.pk, "cancel"])
    assert signed(looks).post(where, {"reason": "No hall."}).status_code == 403
    assert fresh(tournament).state == "registered"


@pytest.mark.parametrize(
    "act",
    [
        lambda event, by: services.cancel(event, by, "No hall."),
        lambda event, by: services.submit_report(event, by, "r.trf", b"012 x"),
    ],
    ids=["cancel", "submit"],
)
def test_an_arbiter_who_goes_while_his_request_waits_does_nothing(arbiter, ana, monkeypatch, act):
    event = make(arbiter=arbiter, start=timezone.localdate() + timedelta(days=9))
    real = type(Tournament.objects).select_for_update

    def late(self, *args, **kwargs):
        event.appointments.all().delete()
        return real(self, *args, **kwargs)

    monkeypatch.setattr(type(Tournament.objects), "select_for_update", late)
    with pytest.raises(NotAllowedNow, match="Only its arbiters"):
        act(event, ana)
    assert fresh(event).state == "registered"
