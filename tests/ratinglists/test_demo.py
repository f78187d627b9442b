"""The demonstration: real services, the same on every machine and database."""

import hashlib
from collections import Counter
from datetime import date

import pytest
from django.contrib.auth import get_user_model

from ratinglists.demo.load import Loader, NotEmpty
from ratinglists.models import EventResult, ListRow, PlayerResult, RatingList
from tournaments.intake import read
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TODAY = date(2026, 11, 28)
#: of every printed figure of the lists; the same on PostgreSQL and SQLite
DIGEST = "cb8b793333addd367239c7524ffcf2f8c92780921d3c3fb5aefc50f993ecc33c"


def digest() -> str:
    rows = ListRow.objects.order_by(
        "rating_list__period__list_date", "rating_list__period__system", "fide_id"
    )
    text = "".join(
        f"{row.fide_id} {row.status} {row.rating} {row.change} {row.games} {row.k_next}\n" for row in rows
    )
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def loaded(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    said = []
    Loader(said.append, TODAY).load()
    return tmp_path / "demo"


def test_the_demonstration(loaded, settings):
    """One load for all: it takes a while."""
    lists_and_accounts(settings)
    the_practice_reports_do_what_the_tour_says(loaded)
    the_reports_that_await_the_arbiter_are_good(loaded)
    with pytest.raises(NotEmpty):
        Loader(print, TODAY).load()
    assert digest() == DIGEST


def lists_and_accounts(settings) -> None:
    published = RatingList.objects.filter(state="published")
    assert Counter(published.values_list("period__system", flat=True)) == {
        "standard": 4,
        "rapid": 4,
        "practice": 1,
    }
    assert (
        ListRow.objects.filter(rating_list__period__system="standard").values("player").distinct().count()
        == 300
    )
    assert Tournament.objects.filter(state="counted").count() == 20
    assert not EventResult.objects.filter(rated=False).exists()
    round_robins = EventResult.objects.filter(treated_as="round-robin").exclude(ra="")
    assert round_robins.exists(), "one round robin with unrated players is explained by Ra"
    for result in PlayerResult.objects.filter(change__isnull=False, list_change__isnull=False):
        assert result.change == result.list_change
    for name, password in settings.PORTAL_DEMO_ACCOUNTS.items():
        assert get_user_model().objects.get(username=name).check_password(password)


def the_practice_reports_do_what_the_tour_says(loaded) -> None:
    readings = {}
    for number in range(1, 5):
        tournament = Tournament.objects.get(name__startswith=f"Practice {number}")
        assert tournament.state == "registered"
        assert tournament.entries.exists(), "whoever types the crosstable finds the players in it"
        content = (loaded / f"practice-{number}.trf").read_bytes()
        readings[number] = read(tournament, f"practice-{number}.trf", content)

    def results(number: int) -> dict:
        names = {str(p.pk): p.name for p in readings[number].players.values()}
        return {names[p.id]: p for p in readings[number].parts[0][1].players}

    first = results(1)
    assert (first["Alba, Tomas"].k, str(first["Alba, Tomas"].change)) == (15, "24/5")
    assert first["Ciro, Pablo"].status == "unrated"
    assert any("Ciro" in issue.message and "unrated" in issue.message for issue in readings[1].issues)
    assert len(readings[2].errors) == 2
    assert {issue.line for issue in readings[2].errors} == {9, 10}
    third = results(3)
    assert [third[name].games for name in ("Alfa, A", "Beta, B", "Gama, C", "Delta, D")] == [1, 1, 1, 3]
    assert all(game.article and game.reason for p in third.values() for game in p.uncounted)
    fourth = results(4)
    assert fourth["Uno, U"].pooled is False
    assert fourth["Dos, D"].change == 12


def the_reports_that_await_the_arbiter_are_good(loaded) -> None:
    tournament = Tournament.objects.get(name__contains="to report")
    reading = read(tournament, "rapid-to-report.trf", (loaded / "rapid-to-report.trf").read_bytes())
    assert reading.ok
    assert not reading.warnings
