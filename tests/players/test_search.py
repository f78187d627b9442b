"""Players found by name and number, and in which order: the same on both databases."""

from datetime import date

import pytest
from django.db import connection

from players import search_index, services
from players.models import FormerName, Player
from players.queries import standing
from players.search import find
from tests.factories import make_player, make_user

pytestmark = pytest.mark.django_db


def names(text: str, **page) -> list[str]:
    return [hit.player.name for hit in find(standing(), text, **page).hits]


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Muñoz Peña, José", "jose MUNOZ"),
        ("Muñoz Peña, José", "peña mu"),
        ("Müller, Jörg", "mueller joerg"),
        ("Mueller, Joerg", "Müller"),
        ("Kasparin, Gennadij", "Каспарин Геннадий"),
        ("Каспарин, Геннадий", "kasparin gennady"),
        ("Papadopulis, Eleftheria", "Παπαδόπουλις"),
        ("Papadopoulis, Eleftheria", "Παπαδόπουλις Ελευθερία"),
        ("Τσιρόπουλος, Ανδρέας", "tsiropoulos andreas"),
        ("Petsov, Ivan", "pets"),
        ("Petsov, Ivan", "pecov i"),
    ],
)
def test_a_name_is_found_in_any_spelling_and_order_and_by_beginnings(name, typed):
    make_player(name)
    make_player("Somebody, Else")
    assert names(typed) == [name]


@pytest.mark.parametrize(
    "typed", ["kapsarin", "kasparni g", "kasprain", "genandij", "Kaspraen gennady", "gennadi casparin"]
)
def test_a_slip_finds_names_like_it_and_says_so(typed):
    make_player("Kasparin, Gennadij")
    make_player("Somebody, Else")
    (hit,) = find(standing(), typed).hits
    assert (hit.player.name, hit.alike) == ("Kasparin, Gennadij", True)


def test_the_order_is_number_name_beginning_likeness():
    for name in (
        "Anders, Kim",
        "Andersen, Kim",
        "Andersen, Kim Ole",
        "Anderssen, Kit",
        "Andresen, Kim",
        "Kim, Z.",
    ):
        make_player(name)
    owner = make_player("Zuse, Last", fide_id="77001")
    assert names("Kim Andersen") == ["Andersen, Kim", "Andersen, Kim Ole"]
    assert names("kim anders") == ["Anders, Kim", "Andersen, Kim", "Andersen, Kim Ole"]
    assert names("kim andersn") == ["Andersen, Kim", "Andersen, Kim Ole", "Anders, Kim"]
    assert names("kim") == ["Kim, Z.", "Anders, Kim", "Andersen, Kim", "Andersen, Kim Ole", "Andresen, Kim"]
    assert names("77001") == names("FIDE 77001")[:1] == [owner.name]
    assert names("7700") == names("?!") == names("nobody at all") == []


def test_former_names_lead_to_who_has_another_now_unless_they_are_hidden():
    player = make_player("Vidal Roca, Anna")
    FormerName.objects.create(player=player, name="Morales, Anna")
    other = make_player("Zorn, Ada")
    hidden = FormerName.objects.create(player=other, name="Morales, Adam", public=False)
    assert [(hit.player, hit.formerly) for hit in find(standing(), "morales").hits] == [
        (player, "Morales, Anna")
    ]
    (hit,) = find(standing(), "morates anna").hits
    assert (hit.player, hit.formerly, hit.alike) == (player, "Morales, Anna", True)
    FormerName.objects.filter(pk=hidden.pk).update(public=True)
    assert names("morales") == ["Vidal Roca, Anna", "Zorn, Ada"]


def test_a_merged_record_is_found_as_the_one_that_stands():
    source = make_player("Vidal, A.", fide_id="77001", born=None)
    target = make_player("Vidal Roca, Anna", fide_id="77002", born=date(1990, 1, 1))
    source.identifiers.all().delete()
    services.merge(source, target, make_user("", "players.merge_player"), "one person")
    assert [hit.player for hit in find(standing(), "vidal a").hits] == [target]


def test_the_index_follows_each_change_and_is_made_good_where_triggers_were_away():
    player = make_player("First, Ada")
    player.name = "Second, Ada"
    player.save()
    assert (names("first"), names("second")) == ([], ["Second, Ada"])
    Player.objects.bulk_create([Player(name="Third, Bo", federation=player.federation)])
    assert names("third") == ["Third, Bo"]
    if connection.vendor == "sqlite":  # PostgreSQL's index needs none
        with connection.cursor() as cursor:
            for name in ("add", "change", "remove"):
                cursor.execute(f"DROP TRIGGER players_player_words_{name}")
    player.name = "Fourth, Ada"
    player.save()
    if connection.vendor == "sqlite":
        search_index.WORDS.install(connection)
    assert (names("second"), names("fourth")) == ([], ["Fourth, Ada"])
    Player.objects.filter(name="Third, Bo").delete()
    assert names("third") == []


def test_pages_follow_each_other_without_gap_or_double():
    for number in range(12):
        make_player(f"Same, Ann{'abcdefghijkl'[number]}")
    make_player("Ann, Same")
    everybody = names("same ann", size=50)
    pages = [name for number in (1, 2, 3) for name in names("same ann", number=number, size=5)]
    assert everybody == pages
    assert everybody[0] == "Ann, Same"
    assert find(standing(), "same ann", number=2, size=5).further
    assert not find(standing(), "same ann", number=3, size=5).further
