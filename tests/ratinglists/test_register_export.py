"""The register as a list: what is exported comes back by an import the same."""

import io
from datetime import date

import pytest

from players.listformats.model import ListRating
from players.listformats.reading import WRITERS, PlayerList
from players.models import FideListing, Identifier, Player
from players.services import merge
from ratinglists.register_export import AS_FIDE, register_rows
from tests.factories import make_list, make_player, make_system, make_user, root
from tests.players.lists import listed, take

pytestmark = pytest.mark.django_db
URL = "/players/export/"
FIDE_LISTS = dict.fromkeys(("standard", "rapid", "blitz"), AS_FIDE)
ROWS = [
    listed(103, "Berg, Bo", title="IM", other_titles="FI,LSI,SLI,NA,SI", foa_title="AFM", birth_year=None),
    listed(
        101,
        "Honoris, Hilda",
        sex="f",
        federation="XNN",
        title="WH",
        women_title="WH",
        standard=ListRating(2100, 0, None),
        rapid=ListRating(1999, 12, 20),
    ),
    listed(102, "Inactivo, Ivo", active=False, standard=ListRating(None, 0, None)),
    listed(104, "Normal, Nora", sex="f", title="WGM", women_title="WGM", blitz=ListRating(2222, 1, 10)),
]


@pytest.fixture(autouse=True)
def quiet(settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)


@pytest.fixture
def staff(client):
    client.force_login(make_user("staff", "players.view_player", is_staff=True))
    return client


def download(client, form: str, **choices) -> bytes:
    sources = {"standard": "fide", "rapid": "fide", "blitz": "fide"}
    response = client.get(URL, {"format": form, **sources, **choices})
    assert response.status_code == 200
    assert response.streaming
    return b"".join(response)


@pytest.mark.parametrize("form", list(WRITERS))
def test_export_then_import_gives_the_same(staff, form):
    take(ROWS, "csv")
    first = download(staff, form)
    assert [player._replace(line=0) for player in PlayerList(io.BytesIO(first), "x")] == ROWS
    again = take(first, form)
    assert (again.created, again.changed, again.unchanged, again.faulty) == (0, 0, 4, 0)
    assert download(staff, form) == first
    Identifier.objects.all().delete()
    Player.objects.all().delete()
    assert not FideListing.objects.exists()
    taken = take(first, form)
    assert (taken.created, taken.faulty) == (4, 0)
    assert download(staff, form) == first


@pytest.mark.parametrize("form", ["fide-xml", "csv"])
def test_accents_come_back_too(staff, form):
    player = make_player("Ñandú, Íñigo", born=date(1990, 5, 2), titles=("FM",))
    data = download(staff, form)
    player.identifiers.all().delete()
    player.delete()
    take(data, form)
    assert Player.objects.get().name == "Ñandú, Íñigo"
    assert download(staff, form) == data
    assert b"1990-05" not in data


def test_accents_survive_the_plain_letters_of_a_text_file(staff):
    make_player("Ñandú, Íñigo", sex="f", born=date(1990, 5, 2))
    assert take(download(staff, "fide-txt")).unchanged == 1
    assert Player.objects.get().name == "Ñandú, Íñigo"


def test_ratings_of_published_lists(staff):
    ana, bo, cy = (make_player(name) for name in ("Ane, Ana", "Berg, Bo", "Cantor, Cy"))
    rapid, classic = make_system("rapid"), make_system("classic", regulation="fide-standard-2004")
    day = date(2022, 3, 1)
    fast = make_list(rapid, day, rows={ana: {"rating": 1900, "games": 5, "k_next": 20}, bo: {"rating": 2000}})
    slow = make_list(classic, day, rows={ana: {"rating": 1850, "status": "inactive", "flags": ["i"]}})
    FideListing.objects.create(player=cy, list_date=day, active=False, standard=2400, blitz=2300)
    rows = {
        row.name: row for row in register_rows(root(), {"standard": slow, "rapid": fast, "blitz": AS_FIDE})
    }
    unrated = ListRating(None, 0, None)
    assert rows["Ane, Ana"].rapid == ListRating(1900, 5, 20)
    assert (rows["Ane, Ana"].standard.rating, rows["Ane, Ana"].active) == (1850, False)
    assert (rows["Berg, Bo"].rapid.rating, rows["Berg, Bo"].standard) == (2000, unrated)
    assert (rows["Cantor, Cy"].standard, rows["Cantor, Cy"].blitz.rating) == (unrated, 2300)
    data = download(staff, "csv", standard=str(slow.pk), rapid=str(fast.pk), blitz="")
    assert [row.rapid.rating for row in PlayerList(io.BytesIO(data), "x")] == [1900, 2000, None]


def test_fides_latest_word_on_each_kind_counts():
    player = make_player("Ane, Ana")
    FideListing.objects.create(player=player, list_date=date(2026, 9, 1), standard=2000, rapid=1900)
    FideListing.objects.create(player=player, list_date=date(2026, 10, 1), standard=2010, other_titles="NA")
    (row,) = register_rows(root(), FIDE_LISTS)
    assert (row.standard.rating, row.rapid.rating, row.other_titles) == (2010, 1900, "NA")
    assert next(register_rows(root(), {})).standard.rating is None


def test_a_list_older_than_a_merge_rates_the_person_under_his_record_of_now(staff):
    now, old = make_player("Ane, Ana", fide_id="101"), make_player("Ane, A.", fide_id="102")
    listed_then = make_list(make_system("rapid"), date(2022, 3, 1), rows={old: {"rating": 1900}})
    old.identifiers.all().delete()
    merge(old, now, make_user("boss", "players.merge_player"), "one person")
    (row,) = register_rows(root(), {"rapid": listed_then})
    assert (row.number, row.name, row.rapid.rating) == ("101", "Ane, Ana", 1900)
    assert "the 1 player of the register with a FIDE number." in staff.get(URL).content.decode()


def test_one_federation_and_those_without_a_number(staff):
    make_player("Ane, Ana", federation="XBB")
    make_player("Berg, Bo")
    make_player("Cantor, Cy", federation="XBB").identifiers.all().delete()
    data = download(staff, "csv", federation="XBB")
    assert [row.name for row in PlayerList(io.BytesIO(data), "x")] == ["Ane, Ana"]
    page = staff.get(URL).content.decode()
    assert "the 2 players of the register" in page
    assert "1 without one is left out" in page


def test_an_export_reads_in_a_few_queries(django_assert_max_num_queries):
    for _ in range(30):
        make_player()
    boss = root()
    with django_assert_max_num_queries(8):
        assert len(list(register_rows(boss, FIDE_LISTS))) == 30


def test_a_choice_that_does_not_exist_is_named(staff):
    page = staff.get(URL, {"format": "csv", "standard": "987"}).content.decode()
    assert "987 is not one of the available choices" in page


def test_fides_ratings_are_chosen_unless_staff_choose_otherwise(staff):
    assert staff.get(URL).content.decode().count('<option value="fide" selected>') == 3


def test_only_staff(client):
    assert client.get(URL).status_code == 302
    client.force_login(make_user("nobody", is_staff=True))
    assert client.get(URL).status_code == 403
    client.force_login(make_user("arbiter", "players.view_player"))
    assert client.get(URL).status_code == 302
