"""What the public, programs and lists are told of a tournament that is not played."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone
from django.utils.html import escape

from ratinglists import complaints
from ratinglists.computation import candidates_of
from ratinglists.presentation import standing_of
from tests import factories as make
from tests.pages import read as text
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
REASON = "<script>alert(1)</script> The hall burned down."


@pytest.fixture
def event() -> Tournament:
    """A tournament whose report was returned, and which is cancelled then."""
    system = make.make_system("rapid", name="Isles rapid")
    event, by = make.make_tournament(system, name="Harbour Open"), make.root()
    people = [make.make_player("One, Olga"), make.make_player("Two, Theo")]
    report = make.make_report(event, people, [(1, 1, 2, "1-0")], state="submitted", by=by)
    Tournament.objects.update(state="reported")
    services.return_report(report, by, "Was it played?")
    period = make.make_period(system, date(2022, 4, 1), date(2022, 3, 31))
    assert [each.tournament for each in candidates_of(period)] == [event]
    assert complaints.takes(event)
    services.cancel(event, by, REASON)
    assert not candidates_of(period)
    return Tournament.objects.get(pk=event.pk)


def test_its_page_says_so_with_the_day_and_the_reason(client, event):
    where = f"/tournaments/{event.pk}/"
    page = text(client, where)
    assert "cancelled: not played" in page
    assert f"Cancelled on {timezone.localdate():%-d %B %Y}: {escape(REASON)}" in page
    assert "<script>alert" not in client.get(where).content.decode()
    assert "One, Olga" in page
    assert "1-0" not in page
    assert "Something wrong?" not in page
    assert not complaints.takes(event)


def test_its_page_says_so_in_the_readers_language(client, event):
    for language, words in (("es", "cancelado: no disputado"), ("pt", "cancelado: não disputado")):
        assert words in text(client, f"/tournaments/{event.pk}/", language)


@pytest.mark.parametrize("where", ["/tournaments/", "/tournaments/?state=cancelled", "/federations/XAA/"])
def test_lists_of_tournaments_say_so(client, event, where):
    page = text(client, where)
    assert "Harbour Open" in page
    assert "cancelled: not played" in page
    assert "report awaited" not in page


def test_a_list_that_refused_it_before_does_not_hide_it(event):
    assert standing_of(event, timezone.localdate(), rated=False).label == "cancelled: not played"


def test_what_is_registered_again_shows_no_cancellation(client, event):
    services.register_again(event, make.root(), "There is a hall.")
    page = text(client, f"/tournaments/{event.pk}/")
    assert "report awaited" in page
    assert "burned" not in page


def test_programs_are_told(client, event):
    (told,) = client.get("/api/v1/tournaments?state=cancelled").json()["items"]
    assert (told["id"], told["state"], told["standing"]) == (event.pk, "cancelled", "cancelled: not played")
    assert client.get(f"/api/v1/tournaments/{event.pk}").json()["state"] == "cancelled"
    table = client.get(f"/api/v1/tournaments/{event.pk}/crosstable").json()
    assert (table["final"], len(table["rows"])) == (False, 2)
    assert not any(cell["text"] for row in table["rows"] for cell in row["cells"])
    shapes = client.get("/api/v1/openapi.json").json()["components"]["schemas"]
    assert "cancelled" in shapes["TournamentName"]["properties"]["state"]["description"]
