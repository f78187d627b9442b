"""A player's games added up."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratinglists import statistics
from regulations import registry
from tests import factories as make
from tests.careers import make_career
from tests.pages import fetch, read, text_of

pytestmark = pytest.mark.django_db
every = pytest.mark.parametrize("regulation", registry.all_regulations(), ids=lambda each: each.code)


@pytest.fixture
def eva(db):
    """Six games in an event that a list counted, one of them a forfeit; two in another list's."""
    rapid, blitz = (make.make_system(code, name=f"Isles {code}") for code in ("rapid", "blitz"))
    eva, rolf, sue, nick = (make.make_player(f"{n}, X") for n in ("Eva", "Rolf", "Sue", "Nick"))
    event = make.make_tournament(rapid, name="First Open", rounds=7)
    games = [(1, 1, 2, "1-0"), (2, 3, 1, "1/2-1/2"), (3, 1, 2, "1-0"), (4, 2, 1, "0-1"), (5, 1, 3, "1-0")]
    make.make_report(event, [eva, rolf, sue, nick], [*games, (6, 1, 4, "0-1"), (7, 1, 4, "+/-")])
    ratings = {eva: 2000, rolf: 1999, sue: 2100, nick: None}
    results = {p: {"rating": r, "status": "rated" if r else "unrated"} for p, r in ratings.items()}
    make.make_list(rapid, date(2022, 4, 1), ratings, events={event: results})
    other = make.make_tournament(blitz, name="Second Open", start=date(2023, 1, 7))
    make.make_report(other, [rolf, eva], [(1, 1, 2, "1-0")])
    hidden = make.make_tournament(blitz, name="Hidden Open", state="draft")
    make.make_report(hidden, [eva, rolf], [(1, 1, 2, "1-0")])
    return eva


def url(player, query: str = "") -> str:
    return f"/players/{player.pk}/statistics/{query}"


def test_colours_bands_and_opponents(client, eva):
    page = read(client, url(eva))
    assert "7 games over the board" in page
    assert "White 3 4 75 % 3 0 1 Black 1.5 3 50 % 1 1 1 either colour 4.5 7 64 % 4 1 2" in page
    assert (
        "2100 to 2199 1.5 2 75 % 1 1 0 1900 to 1999 3 3 100 % 3 0 0 unrated, or not counted yet 0 2" in page
    )
    assert "Rolf, X 3 4 75 % 3 0 1 Sue, X 1.5 2 75 % 1 1 0 Nick, X 0 1 0 % 0 0 1" in page
    assert f'href="{url(eva)}"' in fetch(client, f"/players/{eva.pk}/")


def test_the_tables_are_said_in_the_readers_language(client, eva):
    page = read(client, url(eva), "es")
    assert "Blancas 3 4 75 % 3 0 1 Negras 1,5 3 50 % 1 1 1 cualquier color 4,5 7" in page
    assert "2100 a 2199 1,5 2 75 % 1 1 0 1900 a 1999 3 3 100 % 3 0 0 sin Elo, o aún no contado 0 2" in page


def test_the_best_performance_is_that_of_the_regulation(client, eva):
    """2022 7.22, 7.23: 4.5 of 5 against 3 × 1999 and 2 × 2100, 2039.4 + 20 × 4 = 2119.4, rounded 2119."""
    page = read(client, url(eva))
    assert "Best performance 2119 4.5 of 5 in First Open" in page
    formula = (
        "By the formula of first ratings, article 7.23 of FIDE Rapid and Blitz Rating Regulations (2022)"
    )
    before_the_steps = fetch(client, url(eva)).split("<details>")[0]
    assert formula in text_of(before_the_steps)
    assert "not the average of the opponents and dp (Rp)" in before_the_steps
    assert "7.22 Average rating of the opponents or the tournament (Ra) 2039.4" in page


def test_of_one_list(client, eva):
    page = read(client, url(eva, "?system=blitz"))
    assert "1 game over the board" in page
    assert "No counted event yet with 5 games against rated opponents." in page
    assert "Select a valid choice" in read(client, url(eva, "?system=nothing"))
    nobody = make.make_player()
    assert "No game of this player over the board is reported yet." in read(client, url(nobody))


@every
def test_every_regulation_has_a_performance(regulation):
    """4 of 5 against 2000 is more than 2000; of a player above every limit of first ratings, too."""
    for rating in (2000, 2700):
        games = [statistics.Played(1, True, halves, 7, rating, regulation.code) for halves in (2, 2, 2, 2, 0)]
        found, steps = statistics._performance(games)
        assert rating - 150 < found < rating + 400
        assert found > 2200 or rating == 2000
        assert all(step.article for step in steps)


def test_a_merged_opponent_keeps_the_rating_of_his_old_record(client, eva):
    rolf = type(eva).objects.get(name="Rolf, X")
    now = make.make_player("Rolf, Y")
    type(eva).objects.filter(pk=rolf.pk).update(merged_into=now)
    for entry in rolf.entries.all():
        entry.player = now
        entry.save()
    page = read(client, url(eva))
    assert "1900 to 1999 3 3 100 %" in page
    assert "Rolf, Y 3 4 75 %" in page


def test_three_hundred_events_take_as_many_queries_as_three(client):
    counts = set()
    for code, events in (("rapid", 3), ("blitz", 300)):
        player = make.make_player()
        make_career(make.make_system(code), player, events, rounds=6)
        with CaptureQueriesContext(connection) as captured:
            page = read(client, url(player))
        assert f"{5 * events} games over the board" in page
        counts.add(len(captured))
    assert len(counts) == 1
    assert counts.pop() <= 10
