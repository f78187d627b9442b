"""Entries before round 1: each change checked anew, kept with its cause, and shown until it is mended."""

from __future__ import annotations

import re
from datetime import time, timedelta
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Title
from players.roles import CLERKS
from regulations.model import Stage
from tests.factories import (
    STANDARD,
    appoint,
    make_arbiter,
    make_list,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import read, text_of
from tournaments import queue, rechecks
from tournaments.entries import add_entry, withdraw_entry
from tournaments.models import Entry, RegistrationCheck, Round, Tournament
from tournaments.queries import check_registration
from tournaments.remedies import remedies
from tournaments.services import NotAllowedNow, announce, grant_waiver, register
from tournaments.tasks import recheck_upcoming

pytestmark = pytest.mark.django_db

SOON = timezone.localdate() + timedelta(days=30)


class World:
    """A draft of 60 minutes and 30 seconds under the standard text of 2004, and its arbiter."""

    def __init__(self) -> None:
        self.system = make_system("standard", regulation=STANDARD)
        self.weak = make_player("Alder, Tom", fide_id="7000011")
        self.strong = make_player("Elm, Sam", fide_id="7000022")
        make_list(self.system, SOON - timedelta(60), {self.weak: 2150, self.strong: 2205})
        self.user = make_user("ana")
        self.staff = make_user("clerk", is_staff=True)
        appoint(self.staff, CLERKS)
        self.event = make_tournament(
            self.system,
            name="Spring Open",
            start=SOON,
            minutes=60,
            increment=30,
            state="draft",
            arbiter=make_arbiter("Arbiter, Ana", user=self.user),
        )
        Entry.objects.create(tournament=self.event, player=self.weak)
        self.client, self.admin = Client(), Client()
        self.client.force_login(self.user)
        self.admin.force_login(self.staff)

    def registered(self) -> World:
        register(self.event, self.staff)
        return self

    @property
    def page(self) -> str:
        return reverse("arbiter-tournament", args=[self.event.pk])

    @property
    def admin_page(self) -> str:
        return reverse("admin:tournaments_tournament_change", args=[self.event.pk])

    def checks(self) -> list[tuple[str, bool]]:
        return [(check.why, check.ratable) for check in self.event.checks.order_by("pk")]


@pytest.fixture
def world() -> World:
    return World()


# --- the example ---


def test_a_late_entry_of_2205_makes_60_and_30_unratable_before_round_1(world):
    world.registered()
    assert world.checks() == [("registered", True)]
    assert "longer ratable" not in read(world.client, world.page)

    response = world.client.post(
        reverse("arbiter-entry-add", args=[world.event.pk]), {"number": "7000022"}, follow=True
    )
    told = text_of(response.content.decode())
    assert (
        "Elm, Sam is entered. As the entry list is now, the tournament is not ratable by article 1.12."
        in told
    )
    assert "Article 1.12 90 minutes for 60 moves; at least 120 are needed, as a player is rated 2205." in told

    assert world.checks() == [("registered", True), ("entry added: Elm, Sam", False)]
    kept = world.event.checks.first()
    assert kept.by == world.user
    assert [(f["article"], f["severity"]) for f in kept.findings] == [("1.12", "error")]
    arbiters, staff = read(world.client, world.page), read(world.admin, world.admin_page)
    for page in (arbiters, staff):
        assert "Registered, but no longer ratable" in page
        assert "entry added: Elm, Sam, by ana" in page
        assert "Article 1.12 90 minutes for 60 moves" in page
        assert "What can be done before round 1:" in page
        assert "Withdraw Elm, Sam (2205) from the entry list." in page
        assert "Change the time control: 90 minutes for the game instead of 60" in page
        assert "there are 120 for 60 moves" in page
    assert "no longer ratable" in read(world.client, reverse("arbiter"))
    changelist = reverse("admin:tournaments_tournament_changelist")
    assert "no longer" in read(world.admin, changelist)

    entry = Entry.objects.get(player=world.strong)
    url = reverse("arbiter-entry-withdraw", args=[world.event.pk, entry.pk])
    told = text_of(world.client.post(url, follow=True).content.decode())
    assert "The entry is withdrawn." in told
    assert world.checks()[-1] == ("entry withdrawn: Elm, Sam", True)
    for page in (read(world.client, world.page), read(world.admin, world.admin_page)):
        assert "no longer ratable" not in page
        assert "Ratable again since" in page
    assert "no longer" not in read(world.client, reverse("arbiter"))
    assert "no longer" not in read(world.admin, changelist)


def test_the_queue_shows_what_is_no_longer_ratable_until_round_1(world):
    world.registered()
    assert queue.counts(world.staff)["lapsed"] == 0
    add_entry(world.event, world.user, "7000022")
    assert queue.counts(world.staff)["lapsed"] == 1
    (row,) = [queue.shown(each) for each in queue.waiting(world.staff, "lapsed")]
    assert (row.tournament, row.due) == (world.event, SOON)
    assert "Spring Open" in read(world.admin, reverse("queue") + "?kind=lapsed")
    assert "As it stands it cannot be rated" in read(world.client, reverse("arbiter"))


def test_faults_of_the_draft_are_past_once_it_is_registered(world):
    world.event.stages.update(minutes=1)
    rechecks.recheck(world.event, "announced", world.staff)
    world.event.stages.update(minutes=60)
    register(world.event, world.staff)
    assert [ratable for _, ratable in world.checks()] == [False, True]
    assert "Ratable again" not in read(world.client, world.page)


def test_the_cause_stays_the_first_of_the_changes_since(world):
    world.registered()
    add_entry(world.event, world.user, "7000022")
    add_entry(world.event, world.staff, make_player("Fir, Max").fide_id)
    assert rechecks.turn(world.event).why == "entry added: Elm, Sam"


def test_staff_change_entries_of_a_registered_tournament_in_the_admin(world):
    world.registered()
    html = world.admin.get(world.admin_page).content.decode()
    data = dict(re.findall(r'name="(\w+-(?:TOTAL|INITIAL)_FORMS)" value="(\d+)"', html))
    entered = Entry.objects.get()
    data |= {
        "entries-0-id": entered.pk,
        "entries-0-player": world.weak.pk,
        "entries-0-tournament": world.event.pk,
    }
    data |= {"entries-TOTAL_FORMS": 2, "entries-1-player": world.strong.pk, "_continue": "1"}
    text = text_of(world.admin.post(world.admin_page, data, follow=True).content.decode())
    assert world.checks()[-1] == ("entry added: Elm, Sam", False)
    assert "entry added: Elm, Sam, by clerk" in text
    strong = Entry.objects.get(player=world.strong)
    data |= {"entries-INITIAL_FORMS": 2, "entries-1-id": strong.pk, "entries-1-tournament": world.event.pk}
    data |= {"entries-1-DELETE": "on"}
    world.admin.post(world.admin_page, data)
    assert world.checks()[-1] == ("entry withdrawn: Elm, Sam", True)


# --- who may enter whom, and when ---


def test_what_is_wrong_with_an_entry_is_said(world):
    world.registered()
    twin = make_player("Elm, Sam", fide_id="7000033")
    wrong = {
        "": "number is missing",
        " \x00": "number is missing",
        "7000099": "Number 7000099 is not on the register. Correct it",
        "elm sam": f"{twin.fide_id} Elm, Sam (1990)",
        "nobody": "“nobody” is not a number",
        "7000011": "Alder, Tom (7000011) is on the entry list already.",
        "9" * 300: "is not on the register",
    }
    for number, said in wrong.items():
        with pytest.raises(NotAllowedNow, match=re.escape(said)):
            add_entry(world.event, world.user, number)
    assert world.checks() == [("registered", True)]
    with pytest.raises(NotAllowedNow, match="not on the list any more"):
        withdraw_entry(world.event, world.user, 10**12)


def test_leading_zeros_of_a_number_do_not_matter(world):
    world.registered()
    entry, _ = add_entry(world.event, world.user, " 007000022 ")
    assert entry.player == world.strong


def test_when_round_1_has_begun_only_the_federation_corrects_the_list(world):
    world.registered()
    now = timezone.localtime()
    first = world.event.rounds.get(number=1)
    Round.objects.filter(pk=first.pk).update(date=now.date(), time=None)
    assert not rechecks.begun(world.event)  # a day without a time is open to its end
    Round.objects.filter(pk=first.pk).update(date=now.date() - timedelta(1), time=time(23, 59))
    world.event.refresh_from_db()
    assert rechecks.begun(Tournament.objects.get())
    with pytest.raises(NotAllowedNow, match=r"Round 1 was on .* the entry list is closed"):
        add_entry(world.event, world.user, "7000022")
    with pytest.raises(NotAllowedNow, match="closed"):
        withdraw_entry(world.event, world.user, Entry.objects.get().pk)
    assert "Enter a player" not in read(world.client, world.page)
    add_entry(world.event, world.staff, "7000022")
    page = read(world.client, world.page)
    assert "Registered, but not ratable" in page
    assert "Round 1 has begun." in page


def test_the_first_round_is_at_its_time(world):
    Round.objects.filter(tournament=world.event, number=1).update(time=time(10))
    at = timezone.localtime(rechecks.first_round(Tournament.objects.get()))
    assert (at.date(), at.hour) == (SOON, 10)
    world.event.rounds.all().delete()
    assert timezone.localtime(rechecks.first_round(Tournament.objects.get())).date() == SOON


@pytest.mark.parametrize("state", ["refused", "reported", "returned", "accepted", "counted"])
def test_elsewhere_the_list_is_closed(world, state):
    Tournament.objects.update(state=state)
    with pytest.raises(NotAllowedNow, match="its entry list is closed"):
        add_entry(world.event, world.staff, "7000022")
    assert rechecks.recheck(world.event, "nothing") is None
    assert not RegistrationCheck.objects.exists()


def test_a_player_with_games_stays(world):
    event = make_tournament(world.system, start=SOON)
    make_report(event, [world.weak, world.strong], [(1, 1, 2, "1-0")])
    Tournament.objects.filter(pk=event.pk).update(state="registered")
    with pytest.raises(NotAllowedNow, match="Alder, Tom has games in a report"):
        withdraw_entry(event, world.staff, event.entries.get(player=world.weak).pk)


def test_strangers_and_wrong_methods(world):
    world.registered()
    add, withdraw = (
        reverse("arbiter-entry-add", args=[world.event.pk]),
        reverse("arbiter-entry-withdraw", args=[world.event.pk, Entry.objects.get().pk]),
    )
    make_arbiter("Arbiter, Bob", user=make_user("bob"))
    stranger = Client()
    stranger.force_login(make_user("carl"))
    for url in (add, withdraw):
        assert stranger.post(url, {"number": "7000022"}).status_code == 404
        assert world.client.get(url).status_code == 405
        assert Client().post(url).url.startswith(reverse("account_login"))
    assert Entry.objects.count() == 1
    told = world.client.post(add, {"number": "12"}, follow=True).content.decode()
    assert "Number 12 is not on the register." in told
    assert (
        "not on the list any more" in world.client.post(withdraw[:-2] + "999/", follow=True).content.decode()
    )


# --- other causes ---


def test_a_new_list_before_the_start_is_found_by_the_task(world):
    world.registered()
    recheck_upcoming()
    assert len(world.checks()) == 1
    make_list(world.system, SOON - timedelta(10), {world.weak: 2210})
    recheck_upcoming()
    recheck_upcoming()
    assert world.checks()[1:] == [
        (f"looked through again: the list of {SOON - timedelta(10)} is in force", False)
    ]
    page = read(world.client, world.page)
    assert "Registered, but no longer ratable" in page
    assert "Withdraw Alder, Tom (2210) from the entry list." in page
    Title.objects.create(player=world.weak, code="FM")
    recheck_upcoming()
    assert len(world.checks()) == 2


def test_the_task_leaves_alone_what_has_begun_or_is_no_registration(world):
    others = [
        make_tournament(world.system, state="draft", start=SOON, minutes=5),
        make_tournament(world.system, start=timezone.localdate() - timedelta(3), minutes=5),
        make_tournament(world.system, state="reported", start=SOON, minutes=5),
    ]
    Round.objects.filter(tournament=others[1]).delete()
    assert rechecks.recheck_upcoming() == 0
    late = make_tournament(world.system, start=SOON, minutes=5)
    assert rechecks.recheck_upcoming() == 1
    assert RegistrationCheck.objects.get().tournament == late


def test_an_announced_draft_has_its_first_check(world):
    event = Tournament(
        name="Slow Open",
        rating_system=world.system,
        federation=world.system.federation,
        organiser="Club",
        start=SOON,
        end=SOON,
    )
    announce(event, world.staff, time_control=[Stage(None, Fraction(60), 30)], players=[world.strong.pk])
    assert [(c.why, c.ratable, c.by) for c in event.checks.all()] == [("announced", False, world.staff)]


def test_a_waiver_is_a_change_too():
    officer = make_user("officer", "tournaments.grant_waiver", "tournaments.register_tournament")
    event = make_tournament(make_system(), state="draft", start=SOON, registered_on=SOON)
    grant_waiver(event, officer, "late-registration", "Storm.")
    assert [(c.why, c.ratable, c.by) for c in event.checks.all()] == [
        ("waiver granted: late-registration", True, officer)
    ]


def test_an_arbiter_edited_by_staff_is_a_change_of_his_tournaments(admin_client):
    system = make_system("blitz", regulation="fide-rapid-blitz-2018")
    arbiter = make_arbiter("Arbiter, Cy", title="NA")
    event = make_tournament(system, start=SOON, registered_on=SOON - timedelta(20), arbiter=arbiter)
    rechecks.recheck(event, "registered")
    before = check_registration(event)
    url = reverse("admin:tournaments_arbiter_change", args=[arbiter.pk])
    admin_client.post(url, {"name": arbiter.name, "title": "NA"})  # no longer licensed
    after = check_registration(Tournament.objects.get(pk=event.pk))
    assert before.findings != after.findings
    assert event.checks.first().why == "arbiter NA Arbiter, Cy: licensed changed"


# --- remedies ---


def said(event) -> list[str]:
    event = Tournament.objects.get(pk=event.pk)
    return list(remedies(event, check_registration(event)))


def test_several_strong_players_are_withdrawn_together(world):
    second = make_player("Fir, Max")
    make_list(world.system, SOON - timedelta(20), {world.weak: 2150, world.strong: 2205, second: 2300})
    for player in (world.strong, second):
        Entry.objects.create(tournament=world.event, player=player)
    assert said(world.event)[0] == "Withdraw Fir, Max (2300), Elm, Sam (2205) from the entry list."


def test_homonyms_are_told_apart(world):
    twin = make_player("Elm, Sam")
    make_list(world.system, SOON - timedelta(20), {world.strong: 2205, twin: 2100})
    for player in (world.strong, twin):
        Entry.objects.create(tournament=world.event, player=player)
    assert said(world.event)[0] == f"Withdraw Elm, Sam [{world.strong.pk}] (2205) from the entry list."


def test_a_time_for_both_colours_and_stages(world):
    Entry.objects.create(tournament=world.event, player=world.strong)
    world.event.stages.update(moves=40)
    world.event.stages.create(number=2, minutes=5, increment_seconds=30)
    assert said(world.event)[1] == (
        "Change the time control: 85 minutes for the first stage instead of 60, so that there are 120 for "
        "60 moves. The federation reopens the registration for that."
    )


def test_where_trying_does_not_help_or_nothing_is_wrong(world):
    assert said(world.event) == []
    Tournament.objects.update(end=SOON + timedelta(200))
    assert said(world.event)[0].startswith("Have the federation reopen the registration")
    world.event.stages.all().delete()
    assert len(said(world.event)) == 1
    late = make_tournament(make_system(), start=SOON, registered_on=SOON)
    assert said(late)[0] == "The federation can grant a waiver “late-registration” (article 0.2)."


def test_a_nul_in_the_number_is_no_crash(world):
    world.registered()
    url = reverse("arbiter-entry-add", args=[world.event.pk])
    told = world.client.post(url, {"number": "70\x0000022"}, follow=True)
    assert "number is missing" in told.content.decode()
