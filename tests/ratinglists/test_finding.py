"""The search page: filters beside the text, ratings of the latest lists, pages without counting."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import FormerName, Player
from ratinglists import finding
from ratinglists.finding import Wanted
from tests import factories as make
from tests.pages import read

pytestmark = pytest.mark.django_db
YEAR = timezone.localdate().year


@pytest.fixture
def people(db):
    """Five players on an old and a new list; Nobody is on none."""
    rapid = make.make_system("rapid", name="Isles rapid")
    found = {
        "ada": make.make_player("Vidal, Ada", sex="f", born=YEAR - 15, titles=("WIM",), fide_id="77001"),
        "bo": make.make_player("Vidal, Bo", born=YEAR - 55, titles=("GM",)),
        "cai": make.make_player("Vidal, Cai", federation="XBB", born=None),
        "dov": make.make_player("Other, Dov", born=YEAR - 18),
        "eli": make.make_player("Other, Eli", born=YEAR - 17),
        "nobody": make.make_player("Nobody, Vi", born=YEAR - 30),
    }
    ratings = {"ada": 2100, "bo": 2500, "cai": 2200, "dov": 1900}
    make.make_list(rapid, date(2022, 3, 1), {found["eli"]: 2150, found["ada"]: 1500})
    rows = {found["eli"]: {"rating": 2101, "status": "inactive"}}
    make.make_list(rapid, date(2022, 4, 1), {found[key]: value for key, value in ratings.items()}, rows=rows)
    return found


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=vidal", "ada bo cai"),
        ("q=vidal&federation=XBB", "cai"),
        ("q=vidal&sex=f", "ada"),
        ("title=any", "ada bo"),
        ("title=GM&q=bo", "bo"),
        ("age=u18", "dov eli ada"),
        ("age=50", "bo"),
        ("federation=XBB", "cai"),
        ("system=rapid", "bo cai eli ada dov"),
        ("rating_from=2000&rating_to=2200", "cai eli ada"),
        ("rating_from=2000&q=other", "eli"),
        ("rating_to=1500&q=other", ""),
        ("rating_from=2150&federation=XAA", "bo"),
        ("q=77001&sex=m", ""),
    ],
)
def test_filters_narrow_what_is_found(client, people, query, expected):
    page = read(client, f"/players/?{query}")
    found = [key for key, player in people.items() if player.name in page]
    assert sorted(found) == sorted(expected.split())
    places = [page.index(people[key].name) for key in expected.split()]
    assert places == sorted(places)


def test_a_result_tells_ratings_title_federation_year_and_state(client, people):
    page = read(client, "/players/?q=other")
    assert f"Other, Eli XAA {YEAR - 17} Isles rapid 2101 inactive" in page
    assert f"Vidal, Ada WIM XAA {YEAR - 15} Isles rapid 2100" in read(client, "/players/?q=77001")
    assert "Nobody, Vi XAA" in (page := read(client, "/players/?q=nobodi+vi"))
    assert "unrated" in page


def test_names_alike_are_said_to_be_alike(client, people):
    page = read(client, "/players/?q=nobdoy")
    assert "Nobody has this name. Names like it: " in page
    assert "Nobody, Vi like it" in page
    assert "No player matches" in read(client, "/players/?q=xyzzy")


def test_ratings_of_several_lists_need_the_list(client, people):
    make.make_system("blitz", name="Isles blitz")
    assert "Choose the list of which the ratings are meant." in read(client, "/players/?rating_from=2000")
    assert "No player matches" in read(client, "/players/?system=blitz")


def test_who_was_merged_since_the_list_is_found_by_its_rating(client, people):
    kept = make.make_player("Vidal Roca, Ada")
    Player.objects.filter(pk=people["ada"].pk).update(merged_into=kept)
    FormerName.objects.create(player=kept, name="Vidal, Ada")
    for query in ("q=vidal&rating_from=2050&rating_to=2150", "rating_from=2100&rating_to=2100"):
        page = read(client, f"/players/?{query}")
        assert "Vidal Roca, Ada" in page
        assert "Isles rapid 2100" in page


def test_pages_are_bounded_and_nothing_is_counted(client, people):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert "The players end before page 2." in read(client, "/players/?federation=XAA&page=2")
    assert not [each["sql"] for each in captured if "COUNT(" in each["sql"]]
    assert finding.found(Wanted(federation="XAA"), 9999, 50).number == 20
    assert len(captured) <= 10
