"""What the reads answer: the figures of the pages, tags, pages by cursor, refusals, and nothing secret."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from players.models import Player
from ratinglists.api.api import description
from tests.factories import make_list, make_player, make_system, make_user
from tests.pages import read
from tests.ratinglists.api.conftest import BORN, HIDDEN, MAIL, NEXT, V1

pytestmark = pytest.mark.django_db


def ask(client, url: str, status: int = 200, **headers):
    answer = client.get(url, headers=headers)
    assert answer.status_code == status, answer.content
    return answer


def test_every_read_answers_and_is_known_by_its_tag(client, world):
    for url in world.addresses:
        answer = ask(client, url)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        again = ask(client, url, 304, if_none_match=answer.headers["ETag"])
        assert again.content == b""
        assert again.headers["ETag"] == answer.headers["ETag"]
        head = client.head(url)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["ETag"] == answer.headers["ETag"]
    described = {path for path, operations in description()["paths"].items() if "get" in operations}
    assert len(described) == len(world.addresses) - 1  # the description itself


def test_a_player_has_his_rating_of_every_system_with_its_revision(client, world):
    found = ask(client, f"{V1}/players/{world.players[0].pk}").json()
    assert found["birth_year"] == 1987
    assert found["titles"] == [{"code": "FM", "year": None}]
    ratings = {each["system"]: each for each in found["ratings"]}
    assert (
        ratings["blitz"] | {"revision": 2, "rating": 1811, "corrected": True, "was": 1800} == ratings["blitz"]
    )
    row = world.listed.rows.get(player=world.players[0])
    assert (ratings["rapid"]["rating"], ratings["rapid"]["list_date"]) == (row.rating, "2022-04-01")


def test_former_names_are_data_and_only_those_that_the_page_shows(client, world):
    player = world.players[0]
    for name, reason, public in (("Zeisig, Tom", "marriage", True), ("Zeisig, T.", "", False)):
        player.former_names.create(name=name, reason=reason, public=public, until=date(2020, 5, 17))
    record = make_player("Zeizig, Tom")
    make_list(make_system("postal", regulation="fecap-postal"), date(2000, 1, 1), {record: 1900})
    Player.objects.filter(pk=record.pk).update(merged_into=player)
    page = read(client, f"/players/{player.pk}/")
    assert "Zeisig, Tom (until 2020, marriage); Zeizig, Tom (on lists)" in page
    assert ask(client, f"{V1}/players/{player.pk}").json()["former_names"] == [
        {"name": "Zeisig, Tom", "until": 2020, "reason": "marriage"},
        {"name": "Zeizig, Tom", "until": None, "reason": ""},
    ]


@pytest.mark.parametrize("public", [True, False])
def test_a_hidden_name_leads_to_nobody(client, world, public):
    world.players[0].former_names.create(name="Zeisig, Tom", public=public)
    found = ask(client, f"{V1}/players?q=zeisig").json()["items"]
    assert [each["id"] for each in found] == [world.players[0].pk] * public


def test_a_calculation_tells_every_step_with_its_article(client, world):
    player = world.players[0].pk
    (part,) = ask(client, f"{V1}/players/{player}/calculations/{world.event.pk}").json()["parts"]
    assert [game["opponent"]["name"] for game in part["counted"]] == ["Birch, Lou", "Cedar, Pat"]
    steps = [(step["article"], step["label"]) for step in part["steps"]]
    assert steps[0] == ("7.32b", "Score minus expected score, round 1")
    assert all(article for article, _ in steps)
    assert steps[-1][1] == "Rating change"
    assert part["change"] == part["on_list"]["shares"][0]["change"]
    assert part["on_list"]["steps"]


def test_the_figures_of_a_game_are_numbers_for_programs(client, world):
    """With the minus sign of the other figures, which every language reads."""
    urls = [f"{V1}/players/{each.pk}/calculations/{world.event.pk}" for each in world.players]
    parts = [part for url in urls for part in client.get(url).json().get("parts", [])]
    games = [game for part in parts for game in part["counted"] if game["expected"]]
    assert any(game["gain"].startswith("-") for game in games)
    assert any(game["difference"].startswith("-") for game in games)
    for game in games:
        assert Decimal(game["gain"]) == Decimal(game["score"]) - Decimal(game["expected"])
        assert isinstance(game["round"], int)


def test_what_a_revision_changed(client, world):
    found = ask(client, f"{V1}/lists/blitz/{NEXT}/changes").json()
    (change,) = found["items"]
    assert (change["points"], change["before"]["rating"], change["after"]["rating"]) == (11, 1800, 1811)
    assert [each["holds"] for each in ask(client, f"{V1}/lists/blitz/{NEXT}/revisions").json()["items"]] == [
        False,
        True,
    ]
    old = ask(client, f"{V1}/lists/blitz/{NEXT}/rows?revision=1").json()
    assert [row["rating"] for row in old["items"]] == [1800, 1700]


def test_pages_stay_whole_while_rows_come_and_go(client, world):
    seen, url = [], f"{V1}/players?limit=2"
    while True:
        found = ask(client, url).json()
        seen += [each["name"] for each in found["items"]]
        if found["next"] is None:
            break
        make_player("Aaron, First")  # before everybody: an offset would now show somebody twice
        url = f"{V1}/players?limit=2&cursor={found['next']}"
    assert seen == ["Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo"]


def test_the_pages_of_a_list_stay_with_its_revision(client, world):
    first = ask(client, f"{V1}/lists/blitz/{NEXT}/rows?limit=1").json()
    make_list(world.corrected.system, NEXT, {p: 1500 + at for at, p in enumerate(world.players)}, revision=3)
    second = ask(client, f"{V1}/lists/blitz/{NEXT}/rows?limit=1&cursor={first['next']}").json()
    assert [(each["revision"], each["items"][0]["rating"]) for each in (first, second)] == [
        (2, 1811),
        (2, 1700),
    ]
    assert second["next"] is None
    assert ask(client, f"{V1}/lists/blitz/{NEXT}/rows?limit=1").json()["revision"] == 3


@pytest.mark.parametrize("rest", ["/history", "/events", "/games"])
def test_pages_of_a_player_are_the_whole(client, world, rest):
    url = f"{V1}/players/{world.players[1].pk}{rest}"
    whole, parts, cursor = ask(client, url).json()["items"], [], ""
    while cursor is not None:
        found = ask(client, f"{url}?limit=1&cursor={cursor}").json()
        parts, cursor = parts + found["items"], found["next"]
    assert parts == whole
    assert len(whole) > 0


def test_a_tag_of_a_list_costs_no_reading_of_it(client, world, django_assert_max_num_queries):
    url = f"{V1}/lists/rapid/{NEXT}/rows"
    tag = ask(client, url).headers["ETag"]
    with django_assert_max_num_queries(3):
        ask(client, url, 304, if_none_match=tag)
    assert ask(client, f"{V1}/lists/rapid/{NEXT}/rows?limit=1").headers["ETag"] != tag


@pytest.mark.parametrize("who", [None, "staff"])
def test_nothing_secret_is_in_any_answer(client, world, who):
    if who:
        client.force_login(make_user("boss", is_superuser=True, is_staff=True, email=MAIL))
    texts = [ask(client, url).content.decode() for url in world.addresses]
    texts.append(ask(client, f"{V1}/lists/rapid/{NEXT}/rows?status=unrated").content.decode())
    for secret in (BORN.isoformat(), "05/06/1987", "1987-06", MAIL, HIDDEN, " 2999"):
        assert not any(secret in text for text in texts)
    assert client.get(f"{V1}/lists/rapid/2022-05-01").status_code == 404
    assert client.get(f"{V1}/lists/rapid/2022-05-01/rows?draft=1").status_code == 422
    for rest in ("", "/crosstable", "/findings"):
        assert client.get(f"{V1}/tournaments/{world.draft_event.pk}{rest}").status_code == 404


@pytest.mark.parametrize(
    ("url", "status", "path"),
    [
        ("/players?nam=x", 422, "query.nam"),
        ("/players?limit=0", 422, "query.limit"),
        ("/players?limit=many", 422, "query.limit"),
        ("/players?cursor=abc", 422, "query.cursor"),
        ("/players?q=%00", 422, "query.q"),
        ("/players/99999999999999999999", 422, "path.player"),
        ("/players/0x1", 422, "path.player"),
        ("/players/987654", 404, None),
        ("/players/", 404, None),
        ("/lists/rapid/2022-13-01", 422, "path.day"),
        ("/lists/rapid/2001-01-01", 404, None),
        ("/lists/blitz/2022-04-01/changes?before=2", 404, None),
        ("/nothing", 404, None),
    ],
)
def test_refusals_name_the_field_and_the_remedy(client, world, url, status, path):
    answer = ask(client, V1 + url, status)
    assert answer.headers["Content-Type"] == "application/problem+json"
    said = answer.json()
    assert (said["status"], bool(said["detail"]), bool(said["remedy"])) == (status, True, True)
    assert [each["path"] for each in said["errors"]] == ([path] if path else [])


def test_a_cursor_is_of_its_own_address_only(client, world):
    cursor = ask(client, f"{V1}/players?limit=1").json()["next"]
    for url in (f"/players?federation=XAA&cursor={cursor}", f"/tournaments?cursor={cursor}"):
        assert ask(client, V1 + url, 422).json()["errors"][0]["path"] == "query.cursor"


def test_methods_and_media_types(client, world):
    answer = client.post(f"{V1}/players")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert client.options(f"{V1}/calculator").headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert ask(client, f"{V1}/players", 406, accept="text/html").json()["status"] == 406
    ask(client, f"{V1}/players", accept="text/html, */*;q=0.1")
    asked = {"Origin": "https://club.invalid", "Access-Control-Request-Method": "POST"}
    allowed = client.options(f"{V1}/calculator", headers=asked)
    assert (allowed.status_code, "POST" in allowed.headers["Access-Control-Allow-Methods"]) == (204, True)
    assert "Authorization" not in allowed.headers["Access-Control-Allow-Headers"]


def test_a_merged_record_leads_to_the_one_that_stands(client, world):
    other = make_player("Alder, Thomas")
    Player.objects.filter(pk=other.pk).update(merged_into=world.players[0])
    answer = ask(client, f"{V1}/players/{other.pk}/history?limit=1", 307)
    assert answer.headers["Location"] == f"{V1}/players/{world.players[0].pk}/history?limit=1"


def test_filters_are_those_of_the_pages(client, world):
    found = ask(client, f"{V1}/lists/rapid/{NEXT}/rows?rating_from=1990&title=any").json()["items"]
    assert found == []
    names = [row["name"] for row in ask(client, f"{V1}/lists/rapid/{NEXT}/rows?q=alder").json()["items"]]
    assert names == ["Alder, Tom"]
    (row,) = ask(client, f"{V1}/tournaments?q=isles&year=2022&state=counted").json()["items"]
    assert row["id"] == world.event.pk
    assert ask(client, f"{V1}/tournaments?year=2021").json()["items"] == []
    assert date.fromisoformat(row["start"]) == world.event.start


def test_the_page_for_people_names_every_address_and_no_foreign_one(client, world):
    page = ask(client, "/api/").content.decode()
    for path in description()["paths"]:
        assert path in page
    assert "<br>" not in page  # the lines of the source are none of the page
    assert "<style" not in page
    assert "<script" not in page
