"""Corrections when records were merged or split since the lists were published."""

from datetime import date

import pytest

from players.services import IdentityRefused, merge, split, undo
from ratinglists import corrections
from ratinglists.models import ListRow
from tests.factories import make_player, make_user
from tests.ratinglists.corrected import JULY, OCTOBER, World, computed, published
from tests.ratinglists.test_corrections import AUGUST, GAMES, LATER, MAY, RIGHT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def world():
    """The Open was counted for a second record of Lou, without a rating."""
    made = World()
    made.officer = make_user("officer", is_superuser=True)
    made.lou = made.players[1]
    made.twin = make_player("Birch, Louis", fide_id="7000099", born=1980)
    made.players[1] = made.twin
    made.event = made.play(MAY, GAMES)
    made.players[1] = made.lou
    made.publish(JULY)
    return made


def merged(world):
    world.twin.identifiers.all().delete()
    return merge(world.twin, world.lou, world.officer, "One person, entered twice")


def row(world, player, day=JULY):
    return ListRow.objects.filter(rating_list=world.listed(day), player=player).first()


def test_two_records_are_counted_as_the_one_person_that_they_are(world):
    """Then the list is that of test_services, as if the report had named Lou."""
    assert world.ratings(JULY)[1] == 2010
    merged(world)
    correction = world.correction("Lou Birch was entered twice")
    corrections.recount_persons(correction, JULY, world.staff)
    assert computed(correction).state == "done"
    assert published(correction).state == "done"
    assert world.ratings(JULY) == [2148, 1996, None, 1915]
    assert row(world, world.twin) is None
    world.publish(OCTOBER)
    assert world.ratings(OCTOBER) == [2148, 1996, None, 1915]


def test_another_correction_leaves_them_as_the_list_counted_them(world):
    """Taken over the board the list is the same; a second record stays one, though it is merged by now."""
    before = world.ratings(JULY)
    games = row(world, world.twin).games
    merged(world)
    late = world.play(date(2004, 5, 20), [(1, 1, 4, "=")], name="Late Cup")
    correction = world.correction()
    corrections.include(correction, late, JULY, world.staff)
    assert computed(correction).state == "done"
    assert published(correction).state == "done"
    twin, lou = row(world, world.twin), row(world, world.lou)
    assert (twin.rating, twin.games, lou.rating, lou.games) == (None, games, 2010, 0)
    assert world.ratings(JULY)[0] != before[0], "the late event counts"


def test_a_corrected_report_counts_for_the_record_that_the_list_knows(world):
    """The corrected report says Lou; the list counted the event for the second record."""
    merged(world)
    correction = world.correction()
    corrections.add_report(correction, world.report(world.event, RIGHT), world.staff)
    assert computed(correction).state == "done"
    assert published(correction).state == "done"
    twin, lou = row(world, world.twin), row(world, world.lou)
    assert (lou.rating, lou.games, twin.rating) == (2010, 0, None)
    assert {entry.player for entry in world.event.entries.all()} == {*world.players}


def test_a_merge_that_was_undone_is_still_counted_as_the_list_did():
    world = World()
    officer = make_user("officer", is_superuser=True)
    lou, twin = world.players[1], make_player("Birch, Louis", fide_id="7000099", born=1980)
    world.players[1] = twin
    event = world.play(MAY, GAMES)
    world.players[1] = lou
    twin.identifiers.all().delete()
    change = merge(twin, lou, officer, "One person, entered twice")
    world.publish(JULY)
    told = world.ratings(JULY)
    assert told == [2148, 1996, None, 1915]
    undo(change, officer, "Two persons after all")
    late = world.play(date(2004, 5, 20), [(1, 1, 4, "=")], name="Late Cup")
    correction = world.correction()
    corrections.include(correction, late, JULY, world.staff)
    computed(correction)
    assert published(correction).state == "done"
    assert world.ratings(JULY)[1] == told[1], "Lou keeps what the list counted for him"
    again = world.correction("Two persons")
    corrections.recount_persons(again, JULY, world.staff)
    computed(again)
    assert published(again).state == "done"
    assert world.ratings(JULY)[1] == 2010
    assert ListRow.objects.get(rating_list=world.listed(JULY), player=twin).rating is None
    assert event.entries.filter(player=twin).exists()


def test_an_event_of_another_person_is_split_off_and_the_list_corrected():
    """The Open belongs to a second Lou: the first one is 2010 as before, the second one has the games."""
    world = World()
    officer = make_user("officer", is_superuser=True)
    event = world.play(MAY, GAMES)
    world.publish(JULY)
    world.play(AUGUST, LATER, name="Harbour Cup")
    world.publish(OCTOBER)
    entry = event.entries.get(player=world.players[1])
    change = split(world.players[1], officer, "Two persons", {"entries": [entry.pk]}, name="Birch, Louise")
    correction = world.correction("Two persons of one name")
    corrections.recount_persons(correction, JULY, world.staff)
    computed(correction)
    assert published(correction).state == "done"
    assert world.ratings(JULY)[1] == 2010
    other = ListRow.objects.get(rating_list=world.listed(JULY), player=change.target)
    assert (other.rating, other.name) == (None, "Birch, Louise")
    # October from 2010 against Jo's 1905 (his games against somebody unrated do not count): -2.1
    assert world.ratings(OCTOBER)[1] == 2008


def test_two_records_rated_on_one_list_are_merged_after_a_correction():
    """The way that the refusal names: events corrected to the other record, published, then merged."""
    world = World("fide-rapid-blitz-2022", rate="rapid", opened=date(2022, 3, 1))
    officer, lou = make_user("officer", is_superuser=True), world.players[1]
    twin = world.players[1] = make_player("Birch, Louis", fide_id="7000099", born=1980)
    games = [(n, *((2, other) if n % 2 else (other, 2)), "=") for n, other in enumerate([1, 4] * 3, start=1)]
    event = world.play(date(2022, 3, 12), games)
    listed = world.publish(date(2022, 4, 1), date(2022, 3, 31))
    assert ListRow.objects.get(rating_list=listed, player=twin).rating is not None
    twin.identifiers.all().delete()
    with pytest.raises(IdentityRefused, match="have each event that counts for"):
        merge(twin, lou, officer, "One person")
    world.players[1] = lou
    correction = world.correction("Lou Birch was entered twice")
    corrections.add_report(correction, world.report(event, games), world.staff)
    assert computed(correction).state == "done"
    assert published(correction).state == "done"
    merge(twin, lou, officer, "One person")
    assert row(world, twin, date(2022, 4, 1)) is None
    assert row(world, lou, date(2022, 4, 1)).games == 6
