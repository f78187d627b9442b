"""robots.txt, the sitemap in parts, and what pages say of themselves to who links to them."""

import re
from datetime import date
from html import unescape
from xml.etree import ElementTree as tree

import pytest
from django.test.utils import CaptureQueriesContext

from players.models import HIDDEN_NAME, Player
from ratinglists import sitemaps
from tests import factories as make
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
NEXT = date(2022, 4, 1)
DAY = date(2022, 3, 1)


def locations(client, url: str) -> list[str]:
    answer = client.get(url)
    assert answer.status_code == 200
    found = [element.text for element in tree.fromstring(answer.content).iter(f"{NS}loc")]
    assert all(each.startswith("http://testserver/") for each in found)
    return [each.removeprefix("http://testserver") for each in found]


@pytest.fixture
def world():
    system = make.make_system("rapid", name="Isles rapid")
    people = [make.make_player(f"Invented, {name}", titles=("GM",)) for name in ("Ana", "Bo", "Cy")]
    make.make_list(system, DAY, {person: 2400 - 10 * at for at, person in enumerate(people)})
    make.make_tournament(system, name="Harbour Open", start=DAY)
    make.make_tournament(system, name="Secret Open", state="draft")
    return people


def test_every_public_page_is_in_some_part(client, world):
    parts = locations(client, "/sitemap.xml")
    assert len(parts) == len(sitemaps.SECTIONS)
    pages = [page for part in parts for page in locations(client, part)]
    assert len(pages) == len(set(pages))
    for page in pages:
        assert client.get(page).status_code == 200
    assert {"/", "/lists/", "/calendar/", "/lists/rapid/2022-03-01/", "/federations/XAA/"} <= set(pages)
    assert {f"/players/{person.pk}/" for person in world} <= set(pages)
    assert sum(page.startswith("/tournaments/") and page != "/tournaments/" for page in pages) == 1


def test_a_merged_record_has_no_page_of_its_own(client, world):
    Player.objects.filter(pk=world[1].pk).update(merged_into=world[0])
    assert f"/players/{world[1].pk}/" not in locations(client, "/sitemap-players.xml")
    assert f"/players/{world[0].pk}/" in locations(client, "/sitemap-players.xml")
    Player.objects.filter(pk=world[0].pk).update(privacy="hidden", name=HIDDEN_NAME)
    assert f"/players/{world[0].pk}/" not in locations(client, "/sitemap-players.xml")


def test_players_are_parted_by_their_keys_without_being_counted(client, world, monkeypatch):
    from django.db import connection

    monkeypatch.setattr(sitemaps, "PLAYERS_A_PART", 2)
    highest = max(person.pk for person in world)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        parts = [part for part in locations(client, "/sitemap.xml") if "players" in part]
    assert len(parts) == (highest + 1) // 2
    players = [each["sql"] for each in asked if '"players_player"' in each["sql"]]
    assert len(players) == 1
    assert "MAX(" in players[0]
    found = [page for part in parts for page in locations(client, part)]
    assert found == [f"/players/{pk}/" for pk in sorted(person.pk for person in world)]
    with CaptureQueriesContext(connection) as asked:
        client.get(parts[-1])
    assert not any("OFFSET" in each["sql"] or "COUNT(" in each["sql"] for each in asked)
    assert client.get(f"/sitemap-players.xml?p={len(parts) + 1}").status_code == 404
    assert client.get("/sitemap-players.xml?p=0").status_code == 404
    assert client.get("/sitemap-players.xml?p=x").status_code == 404


def test_the_sitemap_of_an_empty_portal(client):
    assert len(locations(client, "/sitemap.xml")) == len(sitemaps.SECTIONS)
    assert locations(client, "/sitemap-players.xml") == []
    assert client.get("/sitemap-nothing.xml").status_code == 404


def test_robots_are_told_where_the_sitemap_is_and_what_is_none_of_their_business(client, settings):
    settings.PORTAL_ORIGIN = "https://ratings.example/"
    text = client.get("/robots.txt").content.decode()
    assert text.startswith("User-agent: *\n")
    assert "Disallow: /admin/\n" in text
    assert "Sitemap: https://ratings.example/sitemap.xml\n" in text


def head(client, url: str) -> dict[str, str]:
    html = client.get(url).content.decode()
    said = re.findall(r'<meta (?:property|name)="((?:og:|twitter:|desc)[^"]*)" content="([^"]*)"', html)
    found = {name: unescape(content) for name, content in said}
    found["canonical"] = "".join(re.findall(r'<link rel="canonical" href="([^"]*)"', html))
    assert html.count('name="description"') <= 1
    return found


def test_a_link_to_a_player_shows_his_ratings(client, world):
    shown = head(client, f"/players/{world[0].pk}/?page=1")
    assert shown["og:title"] == "GM Invented, Ana"
    assert "Isles rapid 2400" in shown["og:description"]
    assert shown["description"] == shown["og:description"]
    assert shown["og:url"] == shown["canonical"] == f"http://testserver/players/{world[0].pk}/"
    unrated = head(client, f"/players/{make.make_player('Nobody, Ned').pk}/")
    assert "no rating yet" in unrated["og:description"]


def test_a_link_to_a_list_leads_to_it_without_its_filters(client, world):
    shown = head(client, "/lists/rapid/2022-03-01/?federation=XAA&sort=name")
    assert shown["og:title"] == "Isles rapid, list of 1 March 2022"
    assert shown["canonical"] == "http://testserver/lists/rapid/2022-03-01/"
    own = head(client, "/lists/rapid/2022-03-01/?revision=1")
    assert own["canonical"].endswith("/lists/rapid/2022-03-01/?revision=1")


def test_links_to_tournaments_and_federations(client, world, settings):
    settings.PORTAL_ORIGIN = "https://ratings.example"
    tournaments = client.get("/tournaments/").content.decode()
    (page,) = set(re.findall(r'href="(/tournaments/\d+/)"', tournaments))
    shown = head(client, page)
    assert shown["og:title"] == "Harbour Open"
    assert "Port, Aaland Isles, 2022-03-01" in shown["og:description"]
    assert shown["canonical"] == f"https://ratings.example{page}"
    assert head(client, "/federations/XAA/")["og:title"] == "Chess in Aaland Isles"


def test_a_link_to_a_calculation_says_whose_it_is(client, world):
    ana, event = world[0], Tournament.objects.get(name="Harbour Open")
    Tournament.objects.filter(pk=event.pk).update(name="Bishop & King's Open")
    results = {ana: {"rating": 2400}}
    make.make_list(event.rating_system, NEXT, {ana: 2406}, events={event: results})
    shown = head(client, f"/players/{ana.pk}/events/{event.pk}/?revision=1&from=mail")
    assert shown["og:title"] == "Invented, Ana in Bishop & King's Open"
    assert shown["description"].startswith("How the rating change of Invented, Ana in Bishop & King's Open")
    assert shown["canonical"] == f"http://testserver/players/{ana.pk}/events/{event.pk}/?revision=1"
    sheet = f"/lists/rapid/{NEXT}/1/players/{ana.pk}/"
    shown = head(client, sheet)
    assert shown["og:title"] == f"Invented, Ana, Isles rapid {NEXT}"
    assert shown["canonical"] == f"http://testserver{sheet}"


def test_a_draft_says_nothing_of_itself(client, world, admin_client):
    from tournaments.models import RatingSystem

    make.make_list(RatingSystem.objects.get(), date(2022, 4, 1), published=False)
    answer = admin_client.get("/lists/rapid/2022-04-01/?draft=1")
    assert answer.status_code == 200
    assert 'property="og:' not in answer.content.decode()
    assert 'rel="canonical"' not in answer.content.decode()
