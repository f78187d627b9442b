"""The staff form: a typed time control, and a schedule laid out with times."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from players.roles import CLERKS
from tests.factories import appoint, make_player, make_system, make_tournament, make_user
from tests.pages import read, text_of
from tests.tournaments.test_admin import ADD, form
from tournaments.models import Tournament
from tournaments.queries import clock
from tournaments.timecontrols import same_clock
from tournaments.typed import understand

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk() -> Client:
    user = make_user("clerk", is_staff=True)
    appoint(user, CLERKS)
    client = Client()
    client.force_login(user)
    return client


def blank(system, **fields) -> dict:
    """A new tournament whose stages are not entered as rows."""
    data = form(system, **fields)
    return data | {"stages-0-minutes": "", "stages-0-increment_seconds": "0"}


def stored(tournament: Tournament) -> list[tuple]:
    return [(s.colour, s.number, s.moves, s.minutes, s.increment_seconds) for s in tournament.stages.all()]


def page(tournament: Tournament) -> str:
    return reverse("admin:tournaments_tournament_change", args=[tournament.pk])


def test_typed_text_fills_the_stages_and_is_echoed(clerk):
    data = blank(make_system(), typed_control="40/90+30, 30+30", _continue="1")
    text = text_of(clerk.post(ADD, data, follow=True).content.decode())
    made = Tournament.objects.get()
    assert stored(made) == [("w", 1, 40, Decimal(90), 30), ("w", 2, None, Decimal(30), 30)]
    said = "40 moves in 90 minutes, then 30 minutes for the rest of the game, with 30 seconds added per move"
    assert f"Time control: {said} from move 1. 150 minutes for 60 moves." in text
    assert [(check.why, check.ratable) for check in made.checks.all()] == [("announced", False)]


def test_both_colours(clerk):
    data = blank(make_system(), typed_control="W: 5 B: 4.5+2", _continue="1")
    text = text_of(clerk.post(ADD, data, follow=True).content.decode())
    made = Tournament.objects.get()
    assert stored(made) == [("w", 1, None, Decimal(5), 0), ("b", 1, None, Decimal("4.5"), 2)]
    assert "White: 5 minutes; Black: 4.5 minutes with 2 seconds added per move from move 1." in text
    assert "5 and 6.5 minutes for 60 moves." in text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("G60 d5", "At character 5, “d”: expected no delay"),
        ("ninety minutes", "At character 1, “ninety”"),
        ("100 s", "100 seconds: times are kept in minutes and hundredths of them."),
        ("90\x00", "Null characters are not allowed."),
        ("9" * 3000, "at most 2000 characters"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_stored(clerk, typed, said):
    response = clerk.post(ADD, blank(make_system(), typed_control=typed, _save="1"))
    assert said in text_of(response.content.decode()).replace("&quot;", '"')
    assert not Tournament.objects.exists()


def test_text_and_rows_that_say_different_things(clerk):
    data = form(make_system(), typed_control="15+10", _save="1")  # the row says 10 + 5
    text = text_of(clerk.post(ADD, data).content.decode())
    assert "Typed is: 15 minutes with 10 seconds added per move from move 1." in text
    assert "These rows say: 10 minutes with 5 seconds added per move from move 1." in text
    assert not Tournament.objects.exists()
    clerk.post(ADD, data | {"typed_control": "10'+5\""})
    assert stored(Tournament.objects.get()) == [("w", 1, None, Decimal(10), 5)]


def test_text_replaces_the_rows_of_a_draft_that_were_left_alone(clerk):
    draft = make_tournament(make_system(), state="draft", rounds=0)
    stage = draft.stages.get()
    data = form(draft.rating_system, typed_control="15+10", _continue="1")
    data |= {"stages-INITIAL_FORMS": 1, "stages-0-id": stage.pk, "stages-0-tournament": draft.pk}
    text = text_of(clerk.post(page(draft), data, follow=True).content.decode())
    assert stored(draft) == [("w", 1, None, Decimal(15), 10)]
    assert "Time control: 15 minutes with 10 seconds added per move from move 1. 25 minutes" in text
    assert "time control: 15 minutes with 10 seconds" in draft.checks.first().why
    stage = draft.stages.get()
    data |= {"stages-0-id": stage.pk, "stages-0-minutes": "20", "stages-0-increment_seconds": "10"}
    assert "These rows say: 20 minutes" in text_of(clerk.post(page(draft), data).content.decode())
    assert stored(draft) == [("w", 1, None, Decimal(15), 10)]
    clerk.post(page(draft), data | {"typed_control": ""})
    assert stored(draft) == [("w", 1, None, Decimal(20), 10)]


def test_a_registered_tournament_takes_no_typed_text(clerk):
    event = make_tournament(make_system(), rounds=0)
    data = form(event.rating_system, typed_control="15+10", lay_rounds="3", _continue="1")
    clerk.post(page(event), data | {"stages-TOTAL_FORMS": 0})
    assert stored(event) == [("w", 1, None, Decimal(10), 5)]
    assert not event.rounds.exists()


def test_every_change_of_a_draft_is_kept_with_what_it_was(clerk):
    draft = make_tournament(make_system(), state="draft", rounds=0)
    stage = draft.stages.get()
    data = form(draft.rating_system, name="Renamed", lay_rounds="2", start="2022-03-05", _continue="1")
    data |= {"stages-INITIAL_FORMS": 1, "stages-0-id": stage.pk, "stages-0-tournament": draft.pk}
    clerk.post(page(draft), data)
    assert draft.checks.first().why.startswith("changed: name")
    assert draft.checks.first().why.endswith("; schedule changed")
    shown = read(clerk, page(draft))
    assert "Checks of the registration (1)" in shown
    assert "schedule changed clerk" in shown


def test_a_typed_crosstable_reports_the_registered_time_control():
    event = make_tournament(make_system(), minutes=15, increment=10)
    event.stages.create(colour="b", minutes=12)
    rows = [(make_player().fide_id, cells) for cells in (("", "1"), ("0", ""))]
    typed = understand(event, rows)
    row = next(line for line in typed.content.decode().splitlines() if line.startswith("122 "))
    assert same_clock(row[4:], clock(event)) is True


# --- the schedule ---


def laid(**fields) -> list[tuple]:
    return [(row.number, row.date.day, row.time) for row in Tournament.objects.get().rounds.all()]


def test_rounds_are_laid_out_with_times(clerk):
    fields = {"lay_rounds": "3", "lay_times": "10:00 and 16:00", "end": "2022-03-06"}
    clerk.post(ADD, form(make_system(), **fields, _save="1"))
    assert laid() == [(1, 5, time(10)), (2, 5, time(16)), (3, 6, time(10))]


def test_the_first_day_may_be_later_than_the_start(clerk):
    fields = {"lay_rounds": "2", "lay_from": "2022-03-06", "rounds_a_day": "1", "end": "2022-03-07"}
    clerk.post(ADD, form(make_system(), **fields, _save="1"))
    assert laid() == [(1, 6, None), (2, 7, None)]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"lay_times": "10:00"}, "Say how many rounds are to be laid out."),
        ({"rounds_a_day": "2"}, "Say how many rounds are to be laid out."),
        ({"lay_rounds": "2", "lay_times": "10:00, later"}, "“later” is no time of day"),
        ({"lay_rounds": "2", "lay_times": "16, 10"}, "10:00 is not later than 16:00"),
        (
            {"lay_rounds": "2", "lay_times": "10", "rounds_a_day": "2"},
            "2 rounds a day need 2 times; 1 given.",
        ),
        ({"lay_rounds": "2", "lay_times": "10"}, "2 rounds at 1 a day need 2 days; there are 1."),
        ({"lay_rounds": "2", "lay_from": "2022-03-04"}, "must be between start and end"),
    ],
)
def test_what_cannot_be_laid_out_is_said(clerk, fields, said):
    response = clerk.post(ADD, form(make_system(), **fields, _save="1"))
    assert said in text_of(response.content.decode())
    assert not Tournament.objects.exists()


def test_a_schedule_that_is_there_is_left_alone_and_this_is_said(clerk):
    draft = make_tournament(make_system(), state="draft", rounds=1, start=date(2022, 3, 5))
    rows = {"stages-INITIAL_FORMS": 1, "stages-0-id": draft.stages.get().pk, "stages-0-tournament": draft.pk}
    first = draft.rounds.get()
    rows |= {"rounds-TOTAL_FORMS": 1, "rounds-INITIAL_FORMS": 1, "rounds-0-id": first.pk}
    rows |= {"rounds-0-number": 1, "rounds-0-date": "2022-03-05", "rounds-0-phase": 1}
    rows |= {"rounds-0-tournament": draft.pk, "lay_rounds": "2", "_continue": "1"}
    data = form(draft.rating_system) | rows
    text = text_of(clerk.post(page(draft), data, follow=True).content.decode())
    assert "No rounds were laid out: the schedule has rounds." in text
    assert draft.rounds.count() == 1
    clerk.post(page(draft), data | {"rounds-0-DELETE": "on"})
    assert draft.rounds.count() == 2


# --- where it is shown ---


def test_words_and_minutes_on_the_pages(clerk, client):
    event = make_tournament(make_system(), minutes=15, increment=10)
    said = "15 minutes with 10 seconds added per move from move 1"
    for text in (
        read(clerk, page(event)),
        read(client, reverse("tournament", args=[event.pk])),
    ):
        assert said in text
        assert "25 minutes" in text
