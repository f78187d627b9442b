"""Two players beside each other."""

from datetime import date

import pytest

from players.models import Player
from tests import factories as make
from tests.pages import fetch, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(db):
    """Eva and Rolf: a win and a loss with White, a draw with Black, a forfeit, one event not counted yet,
    and a game that nobody may see."""
    system = make.make_system("rapid", name="Isles rapid")
    eva, rolf, tim = (make.make_player(name) for name in ("Sample, Eva", "Rival, Rolf", "Third, Tim"))
    first = make.make_tournament(system, name="First Open", rounds=4)
    games = [(1, 1, 2, "1-0"), (2, 2, 1, "1/2-1/2"), (3, 2, 1, "+/-"), (4, 1, 3, "1-0")]
    make.make_report(first, [eva, rolf, tim], games)
    second = make.make_tournament(system, name="Second Open", start=date(2022, 5, 5))
    make.make_report(second, [rolf, eva], [(1, 2, 1, "0-1")])
    hidden = make.make_tournament(system, name="Hidden Open")
    make.make_report(hidden, [eva, rolf], [(1, 1, 2, "1-0")])
    type(hidden).objects.filter(pk=hidden.pk).update(state="refused")
    make.make_list(system, date(2022, 3, 1), {eva: 2000, rolf: 2111})
    game = {"round": 1, "opponent_rating": "2111"}
    results = {eva: {"detail": {"counted": [game]}}, rolf: {"detail": {"counted": [game]}}}
    make.make_list(system, date(2022, 4, 1), {eva: 2022, rolf: 2100}, events={first: results})
    return eva, rolf


def test_ratings_history_score_by_colour_and_games(client, pair):
    eva, rolf = pair
    page = read(client, f"/players/{eva.pk}/compare/{rolf.pk}/")
    assert "Isles rapid 2022 2100" in page
    assert "– highest 2022 2111" in page
    assert "2022-04-01 2022 2100 2022-03-01 2000 2111" in page
    assert "Score of Sample, Eva With Points Games Won Drawn Lost" in page
    assert "White 1 2 1 0 1 Black 0.5 1 0 1 0 either colour 1.5 3 1 1 1" in page
    assert "Without play, not in the score: 1." in page
    assert "Second Open, round 1 Isles rapid Sample, Eva 0:1 Rival, Rolf not yet" in page
    assert "Third" not in page
    assert "Hidden" not in page
    html = fetch(client, f"/players/{rolf.pk}/compare/{eva.pk}/")
    assert html.count("/events/") == 2  # one game is counted, for both
    assert html.count('id="chart-title') == 1
    assert "Black 1 2 1 0 1 either" in read(client, f"/players/{rolf.pk}/compare/{eva.pk}/")


def test_the_way_there_from_profile_and_games(client, pair):
    eva, rolf = pair
    assert f"/players/{eva.pk}/compare/" in fetch(client, f"/players/{eva.pk}/")
    assert f"/players/{eva.pk}/compare/{rolf.pk}/" in fetch(client, f"/players/{eva.pk}/games/")
    found = fetch(client, f"/players/{eva.pk}/compare/?q=rolf")
    assert f'href="/players/{eva.pk}/compare/{rolf.pk}/"' in found
    assert "No player matches" in fetch(client, f"/players/{eva.pk}/compare/?q=sample+eva")
    other = make.make_player("Sample, Eva")
    assert "No game of theirs" in fetch(client, f"/players/{eva.pk}/compare/{other.pk}/")


def test_merged_records_lead_on_and_oneself_is_nobody_else(client, pair):
    eva, rolf = pair
    old = make.make_player("Rolf, R.")
    Player.objects.filter(pk=old.pk).update(merged_into=rolf)
    assert client.get(f"/players/{eva.pk}/compare/{old.pk}/")["Location"].endswith(f"/compare/{rolf.pk}/")
    moved = client.get(f"/players/{old.pk}/compare/{eva.pk}/")["Location"]
    assert moved == f"/players/{rolf.pk}/compare/{eva.pk}/"
    assert client.get(f"/players/{eva.pk}/compare/{eva.pk}/")["Location"] == f"/players/{eva.pk}/compare/"
    assert client.get(f"/players/{eva.pk}/compare/999999/").status_code == 404
