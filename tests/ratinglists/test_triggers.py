"""A published list cannot change, whoever writes."""

from datetime import date
from threading import Event, Thread

import pytest
from django.db import Error, connection, transaction

from ratinglists import triggers
from ratinglists.models import EventResult, ListRow, PlayerResult, PooledSample, RatingList
from tests.factories import make_list, make_player, make_system, make_tournament, publish

TABLES = ["listrow", "eventresult", "playerresult", "pooledsample"]


def build(published: bool) -> RatingList:
    system, player = make_system(), make_player()
    tournament = make_tournament(system)
    made = make_list(
        system,
        date(2022, 4, 1),
        {player: 1800},
        events={tournament: {player: {"change": "4.8"}}},
        published=False,
    )
    PooledSample.objects.create(
        rating_list=made, player=player, list_date=date(2022, 4, 1), performance="1900", games=2, score=1
    )
    if published:
        publish(made)
    return made


def refused(act) -> bool:
    try:
        with transaction.atomic():
            act()
    except Error as error:
        if "never changes" not in str(error):
            raise
        return True
    return False


def sql(statement: str):
    def act() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return act


CHANGES = {
    "update": lambda table: (
        sql(f"UPDATE ratinglists_{table} SET player_id = player_id")
        if table != "eventresult"
        else sql("UPDATE ratinglists_eventresult SET rated = rated")
    ),
    "delete": lambda table: sql(f"DELETE FROM ratinglists_{table}"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", TABLES)
def test_rows_of_a_published_list_stay(table, change):
    build(published=True)
    assert refused(CHANGES[change](table))


@pytest.mark.django_db
@pytest.mark.parametrize("table", TABLES)
def test_rows_of_a_draft_may_change(table):
    build(published=False)
    assert not refused(CHANGES["update"](table))


def additions(made: RatingList) -> dict:
    other = make_player()
    event = made.events.get()
    return {
        "row": lambda: ListRow.objects.create(rating_list=made, player=other, status="unrated", name="X"),
        "event": lambda: EventResult.objects.create(
            rating_list=made, tournament=event.tournament, part=2, rated=True
        ),
        "result": lambda: PlayerResult.objects.create(
            event=event, player=other, status="rated", games=1, score=1
        ),
        "sample": lambda: PooledSample.objects.create(
            rating_list=made, player=other, list_date=made.list_date, performance="1", games=1, score=1
        ),
    }


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["row", "event", "result", "sample"])
def test_nothing_is_added_to_a_published_list(kind):
    assert refused(additions(build(published=True))[kind])


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["row", "event", "result", "sample"])
def test_a_draft_takes_additions(kind):
    assert not refused(additions(build(published=False))[kind])


@pytest.mark.django_db
def test_the_list_itself_stays():
    made = build(published=True)
    assert refused(lambda: RatingList.objects.filter(pk=made.pk).update(state="draft", published_at=None))
    assert refused(lambda: RatingList.objects.filter(pk=made.pk).update(sha256="0" * 64))
    assert refused(sql(f"DELETE FROM ratinglists_ratinglist WHERE id = {made.pk}"))


@pytest.mark.django_db
def test_the_period_of_a_published_list_stays():
    """Its dates are the list's: the public page is found and ordered by them."""
    made = build(published=True)
    for change in ("list_date = '2022-05-01'", "closes_on = '2022-01-01'", "id = 99999"):
        assert refused(sql(f"UPDATE ratinglists_period SET {change} WHERE id = {made.period_id}"))
    assert refused(sql(f"DELETE FROM ratinglists_period WHERE id = {made.period_id}"))


@pytest.mark.django_db
def test_the_period_of_a_draft_may_change():
    made = build(published=False)
    assert not refused(
        sql(f"UPDATE ratinglists_period SET closes_on = '2022-01-01' WHERE id = {made.period_id}")
    )


@pytest.mark.django_db
def test_a_row_does_not_move_into_a_published_list():
    made = build(published=True)
    draft = make_list(made.period.system, date(2022, 5, 1), {make_player(): 1700}, published=False)
    assert refused(lambda: ListRow.objects.filter(rating_list=draft).update(rating_list=made))


@pytest.mark.django_db
def test_without_the_triggers_it_would_change():
    """The positive control: the tests above see the triggers, nothing else."""
    build(published=True)
    triggers.remove(connection)
    assert not refused(CHANGES["update"]("listrow"))
    triggers.install(connection)
    assert refused(CHANGES["update"]("listrow"))


@pytest.mark.usefixtures("transactional_db")
def test_ways_around_of_each_database():
    made = build(published=True)
    row = made.rows.get()
    if connection.vendor == "postgresql":
        assert refused(sql("TRUNCATE ratinglists_ratinglist CASCADE"))
        assert refused(sql("TRUNCATE ratinglists_listrow"))
        return
    columns = (
        "id, rating_list_id, player_id, status, rating, games, name, federation, title, women_title, sex"
    )
    columns += ", fide_id, flags, steps, career_games, reached_k10, games_by_period, inactive_lists"
    values = columns.replace("rating,", "2800,")
    assert refused(
        sql(
            f"INSERT OR REPLACE INTO ratinglists_listrow ({columns}) "
            f"SELECT {values} FROM ratinglists_listrow WHERE id = {row.pk}"
        )
    )
    assert refused(
        sql(
            "INSERT OR REPLACE INTO ratinglists_ratinglist "
            f"SELECT * FROM ratinglists_ratinglist WHERE id = {made.pk}"
        )
    )
    # A draft's row that takes the number of a published one would delete that.
    player = row.player
    draft = make_list(
        made.period.system,
        date(2022, 5, 1),
        {player: 1700},
        events={make_tournament(made.period.system): {player: {}}},
        published=False,
    )
    event, published_event = draft.events.get(), made.events.get()
    for table, own, theirs in (
        ("ratinglist", draft, made),
        ("period", draft.period, made.period),
        ("listrow", draft.rows.get(), row),
        ("eventresult", event, published_event),
        ("playerresult", event.players.get(), published_event.players.get()),
    ):
        assert refused(
            sql(f"UPDATE OR REPLACE ratinglists_{table} SET id = {theirs.pk} WHERE id = {own.pk}")
        ), table
    assert refused(
        sql(
            f"UPDATE OR REPLACE ratinglists_ratinglist SET period_id = {made.period_id} WHERE id = {draft.pk}"
        )
    )
    assert refused(
        sql(
            "INSERT OR REPLACE INTO ratinglists_period (id, system_id, list_date, closes_on) "
            "SELECT id, system_id, '2022-05-02', closes_on FROM ratinglists_period "
            f"WHERE id = {made.period_id}"
        )
    )


@pytest.mark.usefixtures("transactional_db")
def test_a_writer_cannot_slip_in_while_a_list_is_published():
    """Two connections: the publisher holds the list row; a writer who comes meanwhile must lose."""
    if connection.vendor == "sqlite":
        # One writer at a time in the whole file: the second transaction starts after the first.
        made = build(published=True)
        assert refused(lambda: made.rows.update(rating=2800))
        return
    made = build(published=False)
    locked, outcome = Event(), []

    def write() -> None:
        locked.wait(10)
        try:
            outcome.append(refused(lambda: ListRow.objects.filter(rating_list=made).update(rating=2800)))
        finally:
            connection.close()

    writer = Thread(target=write)
    writer.start()
    with transaction.atomic():
        row = RatingList.objects.select_for_update().get(pk=made.pk)
        locked.set()
        writer.join(1)  # it waits for the lock
        assert writer.is_alive()
        publish(row)
    writer.join(10)
    assert outcome == [True]
    assert made.rows.get().rating == 1800
