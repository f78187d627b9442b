"""Staff see a tournament under two regulations side by side."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    STANDARD,
    make_list,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import text_of

pytestmark = pytest.mark.django_db
GAMES = [(1, 3, 1, "0-1"), (2, 1, 2, "1-0"), (3, 3, 2, "1-0")]


@pytest.fixture
def tournament():
    system = make_system("standard", regulation=STANDARD)
    alba, bruno, ciro = (
        make_player(name, fide_id=str(7000011 + at))
        for at, name in enumerate(("Abril, Alba", "Brun, Bruno", "Cano, Ciro"))
    )
    rows = {p: {"rating": r, "career_games": 100} for p, r in ((alba, 2143), (bruno, 2010))}
    make_list(system, date(2004, 4, 1), rows=rows)
    made = make_tournament(system, name="Spring Open", start=date(2004, 5, 1), end=date(2004, 5, 2))
    make_report(made, [alba, bruno, ciro], GAMES)
    return made


def staff(*permissions):
    client = Client()
    client.force_login(make_user("sara", *permissions))
    return client


def page(tournament, client, **query):
    return client.get(reverse("compare", args=[tournament.pk]), query)


def test_both_regulations_beside_each_other(tournament):
    said = page(
        tournament,
        staff("tournaments.accept_report"),
        first="fide-standard-2004",
        second="fide-rapid-blitz-2022",
    )
    text = text_of(said.content.decode())
    # D 133, PD .68: K 15 gives 4.8, K 20 gives 6.4; Ciro's two games are pooled by C only: (2143 + 2010)/2
    assert "Abril, Alba 2143 1/1 0.68 15 +4.8" in text
    assert "1/1 0.68 20 +6.4" in text
    assert "+1.6" in text
    assert "2077" in text
    assert "6.42" in text
    assert "3 of 3 players differ" in text


def test_it_starts_with_the_own_regulation_and_another_of_the_same_kind(tournament):
    form = page(tournament, staff("tournaments.accept_report")).context["form"]
    assert form.cleaned_data["first"] == "fide-standard-2004"
    assert form.cleaned_data["second"] != "fide-standard-2004"


def test_two_different_ones_are_asked_for(tournament):
    client = staff("tournaments.accept_report")
    said = page(tournament, client, **dict.fromkeys(("first", "second"), "fide-standard-2004"))
    assert "Choose two different regulations." in text_of(said.content.decode())
    assert said.context["parts"] == []
    unknown = page(tournament, client, first="nix", second="fide-standard-2004")
    assert unknown.context["form"].errors.keys() == {"first"}


def test_without_a_report_there_is_nothing_to_compare(tournament):
    tournament.games.all().delete()
    assert "no games to compare" in text_of(
        page(tournament, staff("tournaments.accept_report")).content.decode()
    )


def test_it_is_for_staff(tournament):
    assert page(tournament, staff()).status_code == 403
    assert page(tournament, Client()).status_code == 302
