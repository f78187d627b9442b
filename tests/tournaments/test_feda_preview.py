"""A FEDA report on its way: a waiver that is granted already, and a receipt far too late."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import make_list, make_player, make_system, make_tournament, make_user
from tests.pages import text_of
from tests.tournaments.report_files import line, report

pytestmark = pytest.mark.django_db
FILE = report(
    "League",
    "1996/01/10",
    "1996/04/20",
    [
        line(1, "Alder, Tom", None, "7000011", "1.0", 1, "   2 w 1"),
        line(2, "Birch, Lou", None, "7000012", "0.0", 2, "   1 b 0"),
    ],
)


@pytest.fixture
def event():
    """102 days, which 5.11 lets pass with the federation's leave."""
    system = make_system("feda", regulation="feda-1996", rate="standard", since=date(1996, 1, 1))
    players = [
        make_player(name, fide_id=f"700001{at}") for at, name in enumerate(("Alder, Tom", "Birch, Lou"), 1)
    ]
    make_list(system, date(1996, 1, 1), rows={p: {"rating": 2000, "career_games": 50} for p in players})
    return make_tournament(
        system,
        name="League",
        start=date(1996, 1, 10),
        end=date(1996, 4, 20),
        rounds=0,
        minutes=120,
        increment=0,
    )


@pytest.fixture
def staff():
    return make_user("sara", "tournaments.accept_report")


def upload(event, user, **fields):
    client = Client()
    client.force_login(user)
    file = SimpleUploadedFile("league.trf", FILE)
    page = client.post(reverse("arbiter-upload", args=[event.pk]), {"file": file, **fields})
    return text_of(page.content.decode())


def test_a_waiver_that_can_be_granted_is_offered(event, staff):
    text = upload(event, staff)
    assert "The event lasts 102 days; at most 89." in text
    assert "The federation can grant the waiver “longer-duration”." in text
    assert "Lifted by a waiver." not in text


def test_a_waiver_that_is_granted_is_said(event, staff):
    event.waivers.create(
        authorization="longer-duration", article="5.11", reason="A league of the province", granted_by=staff
    )
    text = upload(event, staff)
    assert "Nothing: the federation has granted the waiver “longer-duration”." in text
    assert "can grant the waiver" not in text
    assert "Authorized. Lifted by a waiver." in text


def test_a_report_of_today_is_years_too_late(event, staff):
    text = upload(event, staff)
    assert "it comes into no list any more" in text
    assert "Article 10.14 Not in by the list of 1997-01-01; due on 1996-05-04" in text


def test_the_day_of_receipt_decides(event, staff):
    text = upload(event, staff, received_on="1996-05-04")
    assert "it counts in the list of 1996-07-01 at the earliest" in text
    assert "10.1" not in text.split("When it counts")[1].split("What the report changes")[0]
    text = upload(event, staff, received_on="1996-06-15")
    assert "it counts in the list of 1997-01-01 at the earliest" in text
    assert "Article 10.11 Received on 1996-06-15; it was due on 1996-05-04" in text
    assert "Article 8.13.a Received on 1996-06-15, after the closing date 1996-05-31" in text
