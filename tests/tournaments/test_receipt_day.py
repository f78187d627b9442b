"""The day on which a report reached the federation: entered by staff, kept from preview to receipt."""

import re
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_arbiter, make_list, make_player, make_system, make_tournament, make_user
from tests.pages import text_of
from tests.tournaments.report_files import line, report
from tournaments.models import Report

pytestmark = pytest.mark.django_db
NAMES = ("Alder, Tom", "Birch, Lou")
FILE = report(
    "Postal Cup",
    "1998/03/01",
    "2090/12/31",
    [
        line(1, NAMES[0], None, "7000011", "1.0", 1, "   2 w 1"),
        line(2, NAMES[1], None, "7000012", "0.0", 2, "   1 b 0"),
    ],
)


class World:
    """A postal cup with an arbiter, and staff who accept reports. Tom has 2000, then 2100; Lou is new."""

    def __init__(self) -> None:
        self.system = make_system("postal", regulation="fecap-postal", rate="postal", since=date(1998, 1, 1))
        self.players = [make_player(name, fide_id=f"700001{at}") for at, name in enumerate(NAMES, start=1)]
        tom = self.players[0]
        make_list(self.system, date(1999, 1, 1), rows={tom: {"rating": 2000, "career_games": 50}})
        make_list(self.system, date(2000, 1, 1), rows={tom: {"rating": 2100, "career_games": 60}})
        self.cup = make_tournament(
            self.system,
            name="Postal Cup",
            start=date(1998, 3, 1),
            end=date(2090, 12, 31),
            rounds=0,
            arbiter=make_arbiter(user=make_user("ana")),
        )
        self.staff = make_user("sara", "tournaments.accept_report")

    def client(self, name):
        client = Client()
        client.force_login({"sara": self.staff, "ana": self.cup.arbiters.get().user}[name])
        return client

    def url(self, name, *args):
        return reverse(name, args=[self.cup.pk, *args])

    def upload(self, client, **fields):
        return client.post(
            self.url("arbiter-upload"), {"file": SimpleUploadedFile("cup.trf", FILE), **fields}
        )

    def confirm(self, client, page, **fields):
        token = re.search(r'name="token" value="([^"]+)"', page)[1]
        return client.post(self.url("arbiter-submit"), {"token": token, **fields})


@pytest.fixture
def world():
    return World()


def test_staff_enter_the_day_and_it_is_kept(world):
    client = world.client("sara")
    assert 'name="received_on"' in client.get(world.url("arbiter-upload")).content.decode()
    page = world.upload(client, received_on="1999-03-15").content.decode()
    text = text_of(page)
    assert "Received on 1999-03-15, the games that it brings count in the list of 1999-07-01" in text
    assert "Received by the federation on 1999-03-15." in text
    # rated with the list of that half-year
    assert "ratings of the list of 1999-01-01" in text
    assert "rated 2000" in text
    assert "rated 2100" not in text
    receipt = world.confirm(client, page)
    sent = Report.objects.get()
    assert receipt.url == world.url("arbiter-report", sent.pk)
    assert timezone.localdate(sent.submitted_at) == date(1999, 3, 15)
    assert set(world.cup.games.values_list("finished_on", flat=True)) == {date(1999, 3, 15)}
    assert "list of 1999-07-01" in text_of(client.get(receipt.url).content.decode())


def test_without_a_day_it_is_today(world):
    client = world.client("sara")
    page = world.upload(client).content.decode()
    assert "rated 2100" in text_of(page)
    assert "Received by the federation" not in page
    world.confirm(client, page)
    assert timezone.localdate(Report.objects.get().submitted_at) == timezone.localdate()


def test_today_entered_is_now_and_not_noon(world):
    client = world.client("sara")
    page = world.upload(client, received_on=timezone.localdate().isoformat()).content.decode()
    world.confirm(client, page)
    assert timezone.now() - Report.objects.get().submitted_at < timedelta(hours=1)


@pytest.mark.parametrize(
    ("day", "why"),
    [
        (lambda: (timezone.localdate() + timedelta(days=1)).isoformat(), "is in the future"),
        (lambda: "1998-02-28", "is before the start on 1998-03-01"),
        (lambda: "yesterday", "Enter a valid date"),
    ],
)
def test_a_day_that_cannot_be_is_named(world, day, why):
    client = world.client("sara")
    response = world.upload(client, received_on=day())
    assert why in text_of(response.content.decode())
    assert "reading" not in response.context
    assert "Send this report" not in response.content.decode()
    assert not Report.objects.exists()


def test_an_arbiter_cannot_choose_the_day(world):
    client = world.client("ana")
    assert 'name="received_on"' not in client.get(world.url("arbiter-upload")).content.decode()
    page = world.upload(client, received_on="1999-03-15").content.decode()
    assert "rated 2100" in text_of(page)
    world.confirm(client, page, received_on="1999-03-15")
    assert timezone.localdate(Report.objects.get().submitted_at) == timezone.localdate()


def test_only_the_previewed_day_counts(world):
    client = world.client("sara")
    page = world.upload(client, received_on="1999-03-15").content.decode()
    world.confirm(client, page, received_on="1999-04-20")
    assert timezone.localdate(Report.objects.get().submitted_at) == date(1999, 3, 15)


def test_who_lost_the_right_meanwhile_cannot_send_it(world):
    client = world.client("sara")
    page = world.upload(client, received_on="1999-03-15").content.decode()
    world.staff.user_permissions.clear()
    world.cup.arbiters.update(user=world.staff)
    assert world.confirm(client, page).status_code == 403
    assert not Report.objects.exists()


# --- what the arbiter's pages say of a postal event ----------------------------------------------


def test_the_preview_explains_with_what_a_newcomer_begins(world):
    text = text_of(world.upload(world.client("ana")).content.decode())
    assert "no rating yet: begins with 1600 (General 2)" in text
    # a(2100) 10, D 500 .96
    assert "10 +0.4" in text


def test_a_provisional_player_is_called_so(world):
    lou = world.players[1]
    lou.otb_category = "Experto Provincial"
    lou.save()
    text = text_of(world.upload(world.client("ana")).content.decode())
    assert "Birch, Lou provisional" in text
    assert "provisional rating" in text
    assert "kept for a first rating" not in text


def test_the_arbiter_s_page_says_that_the_event_goes_on(world):
    client = world.client("ana")
    for player in world.players:
        world.cup.entries.create(player=player)
    text = text_of(client.get(world.url("arbiter-tournament")).content.decode())
    assert "Report finished games at any time" in text
    assert "when the tournament is over" not in text
    assert "Rating in force now" in text
    assert "2100" in text
    assert "unrated, begins with 1600" in text
    assert "Report finished games at any time" in text_of(client.get(reverse("arbiter")).content.decode())


def test_the_page_counts_what_lists_have_counted(world):
    client = world.client("sara")
    world.confirm(client, world.upload(client, received_on="1999-03-15").content.decode())
    world.cup.games.update(counted_on=date(1999, 7, 1))
    world.cup.games_in_event = 3
    world.cup.save()
    text = text_of(client.get(world.url("arbiter-tournament")).content.decode())
    assert "Lists have counted 1 of 3 games so far." in text


def test_a_clock_and_an_unknown_number_of_games_are_remarked(world):
    client = world.client("ana")
    text = text_of(client.get(world.url("arbiter-tournament")).content.decode())
    assert "A time control is entered: postal chess has none" in text
    assert "it goes on until its end date, 2090-12-31" in text
    world.cup.stages.all().delete()
    world.cup.games_in_event = 3
    world.cup.save()
    text = text_of(client.get(world.url("arbiter-tournament")).content.decode())
    assert "Nothing against it: the tournament can be rated." in text
