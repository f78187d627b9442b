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


# --- what the address leaves out -------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", [{"first": "fide-standard-2024"}, {"first": "fide-standard-2024", "second": ""}]
)
def test_one_regulation_alone_gets_a_fitting_one_beside_it(tournament, query):
    said = page(tournament, staff("tournaments.accept_report"), **query)
    assert said.context["form"].cleaned_data == {
        "first": "fide-standard-2024",
        "second": "fide-standard-2004",  # the tournament's own
    }
    assert said.context["parts"]


def test_the_second_alone_is_set_beside_the_own_one(tournament):
    client = staff("tournaments.accept_report")
    form = page(tournament, client, second="fecap-postal").context["form"]
    assert form.cleaned_data["first"] == "fide-standard-2004"
    form = page(tournament, client, second="fide-standard-2004").context["form"]
    assert form.is_valid()
    assert form.cleaned_data["second"] == "fide-standard-2004"


# --- a text for another kind of chess --------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kinds"),
    [("fecap-postal", "postal"), ("fide-rapid-blitz-2022", "rapid and blitz"), ("fide-rapid-2004", "rapid")],
)
def test_a_text_for_another_kind_of_chess_says_so_and_shows_its_formulas(tournament, code, kinds):
    said = page(tournament, staff("tournaments.accept_report"), second=code)
    text = text_of(said.content.decode())
    assert f"Rates {kinds} chess, not standard: it would rate nothing of this event." in text
    assert "Its formulas are applied for comparison only, treating the event as swiss." in text
    assert text.count("it would rate nothing of this event") == 1  # the own text rates it
    (part,) = said.context["parts"]
    assert part.lines[0].sides[1].result.change


def test_games_that_do_not_count_stand_below_the_table(tournament):
    said = page(tournament, staff("tournaments.accept_report"), second="fide-rapid-blitz-2022")
    html = said.content.decode()
    table = html[html.index("<table") : html.index("</table>")]
    assert "6.42" not in table
    below = text_of(html[html.index("</table>") :])
    assert "Games that do not count" in below
    assert "Cano, Ciro, FIDE Rating Regulations, standard chess (2004): round" in below


# --- what lists counted ----------------------------------------------------------------------------


def test_a_counted_event_keeps_the_ratings_that_held(tournament):
    """Ciro, unrated in May, is on the list that counted the event: that list did not know it yet."""
    ciro = tournament.entries.get(player__name="Cano, Ciro").player
    known = [entry.player for entry in tournament.entries.exclude(player=ciro)]
    rows = {player: {"rating": 2000, "career_games": 101} for player in known}
    results = {tournament: {player: {} for player in known}}
    make_list(
        tournament.rating_system,
        date(2004, 7, 1),
        rows={**rows, ciro: {"rating": 1900, "career_games": 2}},
        events=results,
    )
    (part,) = page(tournament, staff("tournaments.accept_report")).context["parts"]
    assert (part.counted_on, part.ratings_from) == (date(2004, 7, 1), date(2004, 4, 1))
    assert [(line.player.name, line.rating) for line in part.lines] == [
        ("Abril, Alba", "2143"),
        ("Brun, Bruno", "2010"),
        ("Cano, Ciro", "unrated"),
    ]


def test_without_a_regulation_on_the_day_the_page_says_so(tournament):
    tournament.rating_system.regulations.update(effective_from=date(2005, 1, 1))
    text = text_of(page(tournament, staff("tournaments.accept_report")).content.decode())
    assert "follows no regulation on" in text
    assert "no games to compare" not in text


@pytest.fixture
def postal():
    """Two lists have counted a game each, a third game waits."""
    system = make_system("postal", regulation="fecap-postal", rate="postal", since=date(1998, 1, 1))
    tom, lou, jo = (make_player(name) for name in ("Alder, Tom", "Birch, Lou", "Dogwood, Jo"))
    make_list(system, date(1999, 1, 1), rows={tom: {"rating": 2000}, lou: {"rating": 1800}})
    event = make_tournament(
        system, name="Postal Cup", start=date(1998, 3, 1), end=date(2001, 12, 31), rounds=0
    )
    make_report(event, [tom, lou, jo], [(1, 1, 2, "1-0"), (2, 2, 3, "1-0"), (3, 1, 3, "0-1")])
    july, january = date(1999, 7, 1), date(2000, 1, 1)
    make_list(
        system, july, rows={tom: {"rating": 2003}, lou: {"rating": 1796}}, events={event: {tom: {}, lou: {}}}
    )
    make_list(
        system,
        january,
        rows={tom: {"rating": 2003}, lou: {"rating": 1800}, jo: {"rating": 1596}},
        events={event: {lou: {}, jo: {}}},
    )
    event.games.filter(round=1).update(counted_on=july)
    event.games.filter(round=2).update(counted_on=january)
    return event


def test_a_postal_event_is_compared_list_by_list(postal):
    said = page(postal, staff("tournaments.accept_report"))
    first, second, waiting = said.context["parts"]
    lists = [(part.counted_on, part.ratings_from) for part in (first, second, waiting)]
    assert lists == [
        (date(1999, 7, 1), date(1999, 1, 1)),
        (date(2000, 1, 1), date(1999, 7, 1)),
        (None, date(2000, 1, 1)),
    ]
    told = [[(line.player.name, line.rating) for line in part.lines] for part in (first, second, waiting)]
    assert told == [
        [("Alder, Tom", "2000"), ("Birch, Lou", "1800")],
        [("Birch, Lou", "1796"), ("Dogwood, Jo", "unrated")],
        [("Alder, Tom", "2003"), ("Dogwood, Jo", "1596")],
    ]
    # a(2000) 12, PD(200) .76; a(1796) 16.08, PD(196) .75 against the newcomer's 1600
    assert [part.lines[0].sides[0].shown for part in (first, second)] == ["+2.88", "+4.02"]
    assert second.lines[0].sides[0].factor == "16.08"
    text = text_of(said.content.decode())
    assert "Counted in the list of 1 July 1999" in text
    assert "Counted in the list of 1 January 2000" in text
    assert "Not counted in a list yet" in text
