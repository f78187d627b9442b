"""Years of birth of minors, where their federation hides them: pages, files, programs, choices by age."""

from __future__ import annotations

import io
import re
from datetime import date

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from players.models import Federation
from players.privacy import MINOR_UNTIL, policy, public_birth_year
from ratinglists import selfcheck
from ratinglists.forms import AGES
from ratinglists.models import ListFile, ListRow
from tests.factories import make_federation, make_list, make_player, make_system
from tests.ratinglists.corrected import World

pytestmark = pytest.mark.django_db
YEAR = timezone.localdate().year
DAY = date(YEAR, 1, 1)
PRINTS_YEARS = "fide-standard-2024"


@pytest.fixture
def hiding():
    make_federation("XAA")
    Federation.objects.filter(pk="XAA").update(hides_minors=True)


@pytest.fixture
def child(hiding):
    return make_player("Alder, Tom", born=YEAR - 10)


@pytest.fixture
def system(child):
    """A list with a minor, a grown-up and a minor of a federation that hides nothing."""
    system = make_system(regulation=PRINTS_YEARS, rate="standard")
    people = {
        child: {"rating": 1800, "k_next": 40},
        make_player("Birch, Ann", born=YEAR - 30, sex="f"): {"rating": 1700, "k_next": 20},
        make_player("Cedar, Eve", born=YEAR - 11, sex="f", federation="XBB"): {"rating": 1600, "k_next": 40},
    }
    make_list(system, DAY, rows=people)
    return system


def said(response) -> str:
    assert response.status_code == 200
    content = b"".join(response) if response.streaming else response.content
    if response.headers["Content-Type"].endswith("sheet"):
        rows = load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True)
        return "\n".join(str(row) for row in rows)
    return content.decode("latin-1")


def years(text: str) -> set[int]:
    """Which of the three years of birth a text names, as words of their own."""
    return {age for age in (10, 11, 30) if re.search(rf"(?<![\d-]){YEAR - age}(?![\d-])", text)}


LIST = f"/lists/rapid/{DAY}/"


@pytest.mark.parametrize(
    "url",
    [
        LIST,
        f"{LIST}?order=born",
        f"{LIST}list.csv",
        f"{LIST}list.txt",
        f"{LIST}list.xml",
        f"{LIST}list.xlsx",
        f"{LIST}top/",
        f"{LIST}top.csv",
        f"/api/v1/lists/rapid/{DAY}/rows",
        "/players/?federation=XAA&q=",
        "/players/?system=rapid",
    ],
)
def test_only_the_year_of_the_minor_is_missing(client, system, url):
    found = years(said(client.get(url)))
    assert 10 not in found
    assert 30 in found
    Federation.objects.update(hides_minors=False)
    fresh = make_list(system, date(YEAR, 2, 1), rows={row.player: {"rating": row.rating} for row in rows()})
    found = years(said(client.get(url.replace(str(DAY), str(fresh.list_date)))))
    assert {10, 30} <= found, "the positive control: where nothing is hidden, the year is there"


def rows():
    return ListRow.objects.filter(rating_list__period__list_date=DAY).select_related("player")


def test_a_players_own_pages(client, child, system):
    other = rows().get(name="Cedar, Eve").player
    for url, expected in (
        (f"/players/{child.pk}/", set()),
        (f"/players/{other.pk}/", {11}),
        (f"/players/{child.pk}/compare/{other.pk}/", {11}),
        (f"/api/v1/players/{child.pk}", set()),
        (f"/api/v1/players/{other.pk}", {11}),
        (f"{LIST}top-juniors/", {11}),
        (f"{LIST}top-juniors.csv", {11}),
    ):
        assert years(said(client.get(url))) == expected, url
    assert "Alder" in said(client.get(f"{LIST}top-juniors/")), "a whole band: under 20"


@pytest.mark.parametrize("url", [LIST, "/players/"])
def test_no_choice_by_age_finds_who_has_no_age(client, system, url):
    for age in filter(None, dict(AGES)):
        assert "Alder" not in said(client.get(f"{url}?age={age}&system=rapid")), age
    assert "Cedar" in said(client.get(f"{url}?age=u12&system=rapid"))
    Federation.objects.update(hides_minors=False)
    assert "Alder" in said(client.get(f"{url}?age=u12&system=rapid"))


def test_programs_choose_no_minor_by_year(client, system):
    def names(query: str) -> list[str]:
        return [row["name"] for row in client.get(f"/api/v1/lists/rapid/{DAY}/rows?{query}").json()["items"]]

    assert names(f"born_from={YEAR - 12}") == ["Cedar, Eve"]
    assert names(f"born_to={YEAR - 1}") == ["Birch, Ann", "Cedar, Eve"]
    assert names("") == ["Alder, Tom", "Birch, Ann", "Cedar, Eve"]


def test_the_order_by_age_does_not_tell_it(client, system):
    def order(which: str) -> list[str]:
        return re.findall(r"Alder|Birch|Cedar", said(client.get(f"{LIST}?order={which}")))

    assert order("born") == ["Birch", "Cedar", "Alder"]
    assert order("-born") == ["Cedar", "Birch", "Alder"]


def test_a_tag_does_not_keep_a_year_in_a_program(client, system):
    url = f"/api/v1/lists/rapid/{DAY}/rows"
    Federation.objects.update(hides_minors=False)
    tag = client.get(url).headers["ETag"]
    assert client.get(url, headers={"If-None-Match": tag}).status_code == 304
    Federation.objects.update(hides_minors=True)
    assert client.get(url, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("age", [MINOR_UNTIL - 1, MINOR_UNTIL, MINOR_UNTIL + 1])
@pytest.mark.parametrize("day", [(1, 1), (12, 31)])
def test_the_year_comes_out_with_a_new_year_and_not_on_a_birthday(hiding, age, day):
    player = make_player(born=date(YEAR - age, *day))
    seen = {public_birth_year(player, date(YEAR, month, 15)) for month in range(1, 13)}
    assert seen == ({YEAR - age} if age > MINOR_UNTIL else {None})


def test_many_and_one_are_decided_alike(child, system):
    rule = policy()
    for row in rows():
        assert rule.birth_year(row.player) == public_birth_year(row.player)


# --- published files ------------------------------------------------------------------------------

JULY, AUGUST = date(2024, 7, 1), date(2024, 8, 1)


def faults() -> list[str]:
    return [str(fault) for fault in selfcheck.check((), lambda stage: None)[1]]


def csv_of(listed) -> str:
    from ratinglists import archive

    file = ListFile.objects.get(rating_list=listed, name__endswith=f"{listed.list_date}.csv")
    return b"".join(archive.read(file.sha256)).decode()


def test_what_files_print_is_fixed_when_the_list_is_computed(client, own_archive):
    child = make_player("Alder, Tom", fide_id="7000011", born=2011)
    players = [child, *(make_player(born=1980) for _ in range(3))]
    world = World(PRINTS_YEARS, players=players)
    unproven = faults()  # the world's opening list is in no manifest
    world.play(date(2024, 6, 8), [(1, 1, 2, "1"), (1, 3, 4, "=")])
    before = world.publish(JULY)
    Federation.objects.filter(pk="XAA").update(hides_minors=True)
    after = world.publish(AUGUST)
    assert ",2011," in csv_of(before), "a published file never changes"
    assert ",2011," not in csv_of(after)
    assert ",1980," in csv_of(after)
    assert ListRow.objects.get(rating_list=after, player=child).birth_year == 2011, "K needs it"
    assert faults() == unproven, "both lists are proven from their rows"
    for day in (JULY, AUGUST):
        page = said(client.get(f"/lists/standard/{day}/"))
        assert "Alder, Tom" in page
        assert "2011" not in page, "pages follow the setting, whatever the file printed"
    page = said(client.get(f"/players/{child.pk}/events/{before.events.get().tournament_id}/"))
    assert "2011" not in page
    assert "below 2300 in 2024" in page, "that he is a junior K says anyway"
    Federation.objects.update(hides_minors=False)
    assert "born in 2011" in said(
        client.get(f"/players/{child.pk}/events/{before.events.get().tournament_id}/")
    )
    assert ",2011," not in csv_of(after), "nor does it change when the setting does"
    assert faults() == unproven
