"""A player's pages: search, profile, games, and how each point came about."""

import re
from datetime import date
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import FormerName, Player
from ratinglists import figures, profiles
from ratinglists.drafts import detail_json
from ratinglists.models import LiveRating
from regulations.model import CountedGame, PlayerResult, Step, Uncounted
from tests import factories as make
from tests.careers import make_career
from tests.pages import fetch as page
from tests.pages import text_of as text

pytestmark = pytest.mark.django_db
XSS = "<script>alert(1)</script>, Eve"
DAY = date(2022, 4, 1)


@pytest.fixture
def system(db):
    return make.make_system("rapid", name="Isles rapid")


# --- search ---------------------------------------------------------------------------------------


def test_search_finds_names_in_any_order_and_numbers(client, system):
    found = make.make_player("Muñoz Peña, José", fide_id="88123")
    other = make.make_player("Other, Otto")
    make.make_list(system, DAY, {found: 2001, other: 1900})
    for query in ("jose munoz", "PEÑA", "88123"):
        html = page(client, f"/players/?q={query}")
        assert "Muñoz Peña, José" in html
        assert "<strong>2001</strong>" in html
        assert "Other, Otto" not in html
    assert "No player matches" in page(client, "/players/?q=nobody")
    assert "Muñoz" not in page(client, "/players/")


# --- profile --------------------------------------------------------------------------------------


def test_the_profile_shows_ratings_history_and_only_the_birth_year(client, system):
    standard = make.make_system("standard", name="Isles standard", regulation=make.STANDARD)
    player = make.make_player("Sample, Eva", born=date(1994, 7, 23), titles=("IM", "WGM"))
    make.make_list(system, date(2022, 3, 1), rows={player: {"rating": 2000, "k_next": 20}})
    make.make_list(
        system, DAY, rows={player: {"rating": 2017, "k_next": 20, "change": "16.9500", "games": 8}}
    )
    make.make_list(
        standard, date(2008, 1, 1), rows={player: {"rating": 2099, "k_next": 15, "status": "inactive"}}
    )
    make.make_list(system, date(2022, 5, 1), {player: 2555}, published=False)
    html = page(client, f"/players/{player.pk}/")
    assert "<title>Sample, Eva · Rating portal</title>" in html
    assert "<dt>Born</dt><dd>1994</dd>" in html
    assert "1994-07" not in html
    assert "July" not in html
    assert '<p class="figure">2017</p>' in html
    assert '<p class="figure">2099</p>' in html
    assert "2555" not in html
    assert "<title>Isles rapid, 2022-04-01: 2017 (+16.95 in 8 games)</title>" in html
    assert "<title>Isles standard, 2008-01-01: 2099, inactive</title>" in html
    assert "The history as a table" in html


def test_a_player_on_no_list_has_a_profile(client, system):
    player = make.make_player(born=None)
    html = page(client, f"/players/{player.pk}/")
    assert "on no published list yet" in html
    assert "<svg" not in html
    assert "Born" not in html
    assert client.get("/players/987654/").status_code == 404


def test_events_show_score_expectation_and_change(client, system):
    player = make.make_player()
    event = make.make_tournament(system, name="Harbour Open")
    results = {
        player: {
            "rating": 2000,
            "games": 8,
            "score": "5.5",
            "expected": "4.37",
            "change": "22.6",
            "list_change": "16.95",
        }
    }
    make.make_list(system, DAY, {player: 2017}, events={event: results})
    html = text(page(client, f"/players/{player.pk}/"))
    assert "Harbour Open 2022-03-05 Isles rapid 2022-04-01 2000 5.5 of 8 4.37 +16.95 calculation" in html


def test_names_are_text_and_never_markup(client, system):
    player, rival = make.make_player(XSS, titles=("GM",)), make.make_player(XSS)
    event = make.make_tournament(system, name=XSS, organiser=XSS, city=XSS, arbiter=make.make_arbiter(XSS))
    make.make_report(event, [player, rival], [(1, 1, 2, "1-0")])
    detail = detail_json(
        PlayerResult(
            str(player.pk),
            "rated",
            1,
            Fraction(1),
            counted=(CountedGame(1, str(rival.pk), True, Fraction(1), 2000, 0, Fraction(1, 2), "7.31"),),
            uncounted=(Uncounted(2, str(rival.pk), "4.1", XSS),),
            steps=(Step("7.32", "K", "20", XSS),),
        )
    )
    make.make_list(
        system, DAY, {player: 2000, rival: 2000}, events={event: {player: {"k": 20, "detail": detail}}}
    )
    for url in (
        "/",
        "/lists/rapid/2022-04-01/",
        "/players/?q=eve",
        "/players/?q=%3Cscript%3Ealert(1)%3C/script%3E",
        f"/players/{player.pk}/",
        f"/players/{player.pk}/games/?opponent=%22%3E%3Cscript%3Ealert(1)",
        f"/players/{player.pk}/events/{event.pk}/",
        "/tournaments/",
        f"/tournaments/{event.pk}/",
    ):
        html = page(client, url)
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert " style=" not in html
        assert "<style" not in html
        assert not re.search(r"\son\w+=", html)


# --- games ----------------------------------------------------------------------------------------


@pytest.fixture
def games(system):
    """Eva's games: counted, uncounted, not dealt with, a bye, and one nobody may see."""
    eva, rolf, tim = (make.make_player(name) for name in ("Sample, Eva", "Rival, Rolf", "Third, Tim"))
    first = make.make_tournament(system, name="First Open")
    make.make_report(first, [eva, rolf], [(1, 1, 2, "1-0"), (2, 2, 1, "+/-"), (3, 1, None, "bye-1")])
    detail = {
        "counted": [
            {"round": 1, "opponent": str(rolf.pk), "white": True, "score": "1", "opponent_rating": 2100}
        ],
        "uncounted": [{"round": 2, "opponent": str(rolf.pk), "article": "4.1", "reason": "forfeit"}],
    }
    make.make_list(system, DAY, {eva: 2010}, events={first: {eva: {"rating": 2000, "detail": detail}}})
    second = make.make_tournament(system, name="Second Open", start=date(2023, 1, 7))
    make.make_report(second, [tim, eva], [(1, 1, 2, "1/2-1/2")], state="submitted")
    hidden = make.make_tournament(system, name="Hidden Open", state="draft")
    make.make_report(hidden, [eva, tim], [(1, 1, 2, "0-1")])
    return eva


def test_games_say_whether_they_count(client, games):
    html = text(page(client, f"/players/{games.pk}/games/"))
    assert (
        "2022-03-05 First Open, round 1 White Rival, Rolf compare Sample, Eva with Rival, Rolf 2100 1 won yes"
        in html
    )
    met = "Black Rival, Rolf compare Sample, Eva with Rival, Rolf"
    assert f"First Open, round 2 {met} - lost by forfeit no: forfeit 4.1" in html
    assert "Second Open, round 1 Black Third, Tim compare Sample, Eva with Third, Tim ½ drew not yet" in html
    assert "1 bye, one point" in html
    assert "4 games and byes" in html
    assert "Hidden Open" not in html


def test_an_average_that_an_opponent_counted_as_has_the_readers_decimal_mark(client, system):
    eva, rolf = make.make_player("Sample, Eva"), make.make_player("Rival, Rolf")
    event = make.make_tournament(system)
    make.make_report(event, [eva, rolf], [(1, 1, 2, "1-0")])
    game = {"round": 1, "opponent": str(rolf.pk), "white": True, "score": "1", "opponent_rating": "16946/9"}
    detail = {"counted": [game], "uncounted": []}
    make.make_list(system, DAY, {eva: 2010}, events={event: {eva: {"rating": 2000, "detail": detail}}})
    assert "1882.8889" in page(client, f"/players/{eva.pk}/games/")
    assert "1882,8889" in page(client, f"/players/{eva.pk}/games/", "pt")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("opponent=rolf", 2),
        ("opponent=tim third", 1),
        ("opponent=777", 0),
        ("colour=w", 1),
        ("colour=b", 2),
        ("year=2023", 1),
        ("year=2022&colour=b", 1),
        ("system=rapid", 4),
    ],
)
def test_games_are_filtered(client, games, query, count):
    html = text(page(client, f"/players/{games.pk}/games/?{query}"))
    assert (f"{count} game" if count else "No game matches") in html


# --- how a point came about -----------------------------------------------------------------------


def test_each_point_of_a_rapid_event_is_explained(client, system):
    """2022 7.31-7.33. Own 2000: a win against 2000 (PD 0.5, +0.5), a loss against 2450 (D limited
    to -400, PD 0.08, -0.08). The unrated opponent and the forfeit do not count (7.31, 4.1).
    K: 2 × 20 = 40, not over 700. 20 × 0.42 = 8.4, rounded 8: 2008."""
    eva, even, strong, new = (
        make.make_player(name) for name in ("Sample, Eva", "Even, Ed", "Strong, Sue", "New, Nick")
    )
    make.make_list(system, date(2022, 3, 1), {eva: 2000, even: 2000, strong: 2450, new: None})
    event = make.make_tournament(system, name="Harbour Open", rounds=4)
    games = [(1, 1, 2, "1-0"), (2, 3, 1, "1-0"), (3, 1, 4, "1-0"), (4, 1, 2, "+/-")]
    make.make_report(event, [eva, even, strong, new], games)
    make.rate_and_list(make.make_period(system, DAY, date(2022, 3, 29)))
    html = text(page(client, f"/players/{eva.pk}/events/{event.pk}/"))
    assert "Change +8.4 before rounding to the list" in html
    assert "Own rating 2000 on the list of 1 March 2022" in html
    assert "Score 1 / 2" in html
    assert "K 20 Article 7.32" in html
    assert "1 Even, Ed White 2000 0 0.5 1 +0.5 7.31" in html
    assert "2 Strong, Sue Black 2400 (has 2450) −400 0.08 0 −0.08 7.31" in html
    assert "3 New, Nick unrated opponent 7.31" in html
    assert "4 Even, Ed forfeit 4.1" in html
    assert "Strong, Sue: D 2000 − 2450 = −450, limited to 400" in html
    assert "2000 on the list before, 2008 on this one; the sum of the changes is +8.4 in 2 games." in html
    assert "7.33 Rounded to a whole number 8 " in html
    assert "7.33 New rating (Rn) 2008 2000 + 8" in html
    profile = page(client, f"/players/{eva.pk}/")
    assert f"/players/{eva.pk}/events/{event.pk}/" in profile


def test_an_event_by_averages_shows_no_columns_of_single_games(client, db):
    """2004 10.51, 10.53, 10.54: Rc of two opponents, D 0, PD 0.5, K 15 × (1.5 - 1) = 7.5."""
    system = make.make_system("standard", name="Isles standard", regulation=make.STANDARD)
    eva, one, two, three = (make.make_player(name) for name in ("Sample, Eva", "One, O", "Two, T", "Tre, T"))
    rows = {
        p: {"rating": r, "career_games": 40}
        for p, r in ((eva, 2100), (one, 2050), (two, 2150), (three, 2100))
    }
    make.make_list(system, date(2008, 1, 1), rows=rows)
    event = make.make_tournament(
        system, name="Mill Open", start=date(2008, 2, 1), end=date(2008, 2, 4), minutes=120, increment=0
    )
    make.make_report(
        event,
        [eva, one, two, three],
        [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 3, 1, "1/2-1/2"), (2, 4, 2, "0-1")],
    )
    make.rate_and_list(make.make_period(system, date(2008, 4, 1), date(2008, 3, 1)))
    html = text(page(client, f"/players/{eva.pk}/events/{event.pk}/"))
    assert "Change +7.5" in html
    assert "Score − PD" not in html
    assert "works on the average of the opponents" in html
    assert "10.51 Average rating of the opponents (Rc) 2100 (2050 + 2150)/2" in html
    assert "K 15 Article 10.54" in html


def test_an_unrated_player_sees_his_performance(client, system):
    player = make.make_player()
    event = make.make_tournament(system)
    fields = {"status": "unrated", "games": 5, "score": "2", "performance": "1868.3333", "pooled": True}
    make.make_list(system, DAY, {player: None}, events={event: {player: fields}})
    html = text(page(client, f"/players/{player.pk}/events/{event.pk}/"))
    assert "Performance 1868.3333 kept towards a first rating" in html
    assert "Own rating unrated" in html
    assert "unrated on this one" in html


def test_a_league_cut_by_lists_shows_every_part(client, system):
    player = make.make_player()
    league = make.make_tournament(system, name="Isles League", league=True)
    listed = make.make_list(
        system, DAY, {player: 2010}, events={league: {player: {"change": "4"}}}, published=False
    )
    first = listed.events.get()
    first.ratings_from = date(2022, 1, 1)
    first.save()
    second = listed.events.create(
        tournament=league, part=2, ratings_from=date(2022, 2, 1), regulation=first.regulation, rated=True
    )
    second.players.create(player=player, status="rated", games=1, score="1", change="6", list_change="6")
    make.publish(listed)
    html = text(page(client, f"/players/{player.pk}/events/{league.pk}/"))
    assert "Part 1: games by the list of 1 January 2022" in html
    assert "Part 2: games by the list of 1 February 2022" in html
    assert "Isles League, part 2" in html


def test_a_rating_published_since_the_event_is_not_called_in_force(client, system):
    """2022 7.24: unrated on 1 March, 1700 on 1 April; the event of March comes on the list of May."""
    late, other = make.make_player("Late, Lou"), make.make_player("Known, Kim")
    make.make_list(system, date(2022, 3, 1), {other: 1800, late: None})
    event = make.make_tournament(system, start=date(2022, 3, 5))
    make.make_report(event, [late, other], [(1, 1, 2, "1-0")])
    make.make_list(system, DAY, {other: 1800, late: 1700})
    make.rate_and_list(make.make_period(system, date(2022, 5, 1)))
    html = text(page(client, f"/players/{late.pk}/events/{event.pk}/"))
    assert "1700 published after the event started" in html
    assert "in force when the event started" not in html
    html = text(page(client, f"/players/{other.pk}/events/{event.pk}/"))
    assert "1800 on the list of 1 March 2022, in force when the event started" in html


def test_calculations_of_drafts_are_for_staff(client, system):
    player, event = make.make_player(), make.make_tournament(system)
    make.make_list(system, DAY, {player: 2000}, events={event: {player: {"change": "5"}}}, published=False)
    url = f"/players/{player.pk}/events/{event.pk}/"
    assert client.get(url).status_code == 404
    assert client.get(f"{url}?draft=1").status_code == 404
    client.force_login(make.make_user("boss", "ratinglists.publish_list"))
    assert "<strong>Draft.</strong>" in page(client, f"{url}?draft=1")


# --- cost -----------------------------------------------------------------------------------------


def queries(client, url: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def test_pages_do_not_ask_more_as_history_grows(client, system, settings, tmp_path):
    """Three events or three hundred, at the first visit after a publication and afterwards."""
    little, much = make.make_player(), make.make_player()
    make_career(system, little, 3)
    make_career(make.make_system("blitz", name="Isles blitz"), much, 300)
    counts = {}
    for number, player in enumerate((little, much)):
        settings.VAR_DIR = tmp_path / str(number)
        figures._kept.clear()
        for visit in ("first", "second"):
            counts[player, visit] = queries(client, f"/players/{player.pk}/")
        counts[player, "games"] = queries(client, f"/players/{player.pk}/games/")
    assert counts[little, "first"] == counts[much, "first"] <= 12
    assert counts[little, "second"] == counts[much, "second"] == counts[much, "first"] - 1
    assert counts[little, "games"] == counts[much, "games"] <= 10
    urls = ("/lists/rapid/2000-01-01/", "/lists/blitz/2000-01-01/", "/lists/blitz/2012-06-01/?sex=m")
    first, second = ({queries(client, url) for url in urls} for _ in ("first visit", "second"))
    assert len(first) == len(second) == 1
    assert second.pop() < first.pop() <= 13


def test_several_systems_and_a_correction_are_one_query_more(client, system, settings, tmp_path):
    """And live ratings, a title and a former name: the most that a page without merges and splits asks."""
    settings.VAR_DIR = tmp_path
    player = make.make_player(titles=("IM",))
    FormerName.objects.create(player=player, name="Once, Otherwise", until=DAY)
    for code in ("rapid", "blitz", "bullet"):
        own = system if code == "rapid" else make.make_system(code)
        make_career(own, player, 3)
        newest = make.make_list(own, date(2000, 3, 1), {player: 2222}, revision=2)
        LiveRating.objects.create(
            system=own, player=player, base=newest, rating=2230, list_date=DAY, computed_at=timezone.now()
        )
    assert queries(client, f"/players/{player.pk}/") <= 13
    html = text(page(client, f"/players/{player.pk}/"))
    assert html.count("Corrected, was") == 3
    assert "Bullet 2230" in html.replace("– 2230", "2230")
    assert "Once, Otherwise" in html


def test_a_number_too_large_for_the_database_is_no_page(client):
    player = make.make_player()
    for number in (2**63, 10**19, 10**400):
        assert client.get(f"/players/{player.pk}/events/{number}/").status_code == 404


def test_former_names_are_told_in_the_readers_language(client, db):
    player = make.make_player("Invented, Ana")
    until = {"until": date(2021, 5, 1), "public": True}
    player.former_names.create(name="Invented, Anna", reason="name of a merged record", **until)
    player.former_names.create(name="White, Ana", **until)
    shown = text(page(client, f"/players/{player.pk}/", "es"))
    assert "Invented, Anna (hasta 2021, nombre de una ficha fusionada)" in shown
    assert "White, Ana (hasta 2021)" in shown


def test_results_of_merged_records_in_one_event_stand_once_on_the_pages(system):
    """Page by page, each by a query of its own: equal days leave no order to the database."""
    records = [make.make_player() for _ in range(profiles.EVENTS_PAGE + 5)]
    event = make.make_tournament(system, start=DAY)
    listed = make.make_list(system, DAY, {}, events={event: {each: {} for each in reversed(records)}})
    Player.objects.filter(pk__in=[each.pk for each in records[1:]]).update(merged_into=records[0])
    shown = [each.pk for number in ("1", "2") for each in profiles.events_page(records[0], number)]
    assert shown == sorted(listed.events.get().players.values_list("pk", flat=True))
