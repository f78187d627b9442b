"""What raw SQL can try on what is published, on each database: all of it is refused by triggers.

Each statement is its own control: with the triggers away it goes through.
"""

from datetime import date
from threading import Event, Thread

import pytest
from django.db import Error, connection, transaction

from players.triggers import remove_all
from ratinglists import services, triggers
from ratinglists.models import (
    Correction,
    CorrectionItem,
    EventResult,
    Job,
    ListFile,
    ListRow,
    PlayerResult,
    PooledSample,
    Publication,
    RatingList,
)
from tests.factories import (
    make_list,
    make_period,
    make_player,
    make_publication,
    make_report,
    make_system,
    make_tournament,
    publish,
)

pytestmark = pytest.mark.usefixtures("transactional_db")
#: table -> a column that can be set
COLUMNS = {
    "ratinglist": "sha256",
    "period": "closes_on",
    "listrow": "rating",
    "eventresult": "rated",
    "playerresult": "games",
    "pooledsample": "games",
    "listfile": "sha256",
    "publication": "signature",
    "correction": "reason",
    "correctionitem": "reason",
}
PARENTS = {
    "listrow": "rating_list_id",
    "eventresult": "rating_list_id",
    "pooledsample": "rating_list_id",
    "listfile": "rating_list_id",
    "playerresult": "event_id",
    "correctionitem": "correction_id",
}


def filled(system, day: date, **fields) -> RatingList:
    """A draft with one row of everything, and a correction with an item."""
    player, tournament = make_player(), make_tournament(system)
    made = make_list(
        system,
        day,
        {player: 1800},
        events={tournament: {player: {"change": "4.8"}}},
        published=False,
        **fields,
    )
    PooledSample.objects.create(
        rating_list=made, player=player, list_date=day, performance="1900", games=2, score=1
    )
    ListFile.objects.create(
        rating_list=made, name="list.csv", media_type="text/csv", sha256="a" * 64, size=10
    )
    return made


@pytest.fixture
def keys() -> dict[str, tuple]:
    """table -> primary keys of a published row, and of one that is not."""
    system = make_system()
    stands, draft = filled(system, date(2022, 4, 1)), filled(system, date(2022, 5, 1))
    publish(stands)
    make_publication(stands.computed_at)
    corrections = [Correction.objects.create(system=system, reason="A wrong result") for _ in range(1)]
    items = [
        CorrectionItem.objects.create(correction=corrections[0], kind="persons", list_date=stands.list_date)
    ]
    Correction.objects.update(state="published", closed_at=stands.computed_at)
    corrections.append(Correction.objects.create(system=system, reason="Another wrong result"))
    items.append(
        CorrectionItem.objects.create(correction=corrections[1], kind="persons", list_date=stands.list_date)
    )
    pairs = {"ratinglist": (stands.pk, draft.pk), "period": (stands.period_id, draft.period_id)}
    pairs["publication"] = tuple(Publication.objects.order_by("number").values_list("pk", flat=True))
    pairs["correction"], pairs["correctionitem"] = (
        tuple(each.pk for each in corrections),
        tuple(each.pk for each in items),
    )
    for table, model in (("listrow", ListRow), ("eventresult", EventResult), ("pooledsample", PooledSample)):
        pairs[table] = tuple(model.objects.get(rating_list=each).pk for each in (stands, draft))
    pairs["listfile"] = tuple(ListFile.objects.get(rating_list=each).pk for each in (stands, draft))
    pairs["playerresult"] = tuple(
        PlayerResult.objects.get(event__rating_list=each).pk for each in (stands, draft)
    )
    return pairs


def statements(keys: dict[str, tuple]):
    """What somebody with SQL can try, by name."""
    for table, column in COLUMNS.items():
        name, key = f"ratinglists_{table}", "number" if table == "publication" else "id"
        stands, other = keys[table]
        yield f"{table}: update", f"UPDATE {name} SET {column} = {column} WHERE {key} = {stands}"
        yield f"{table}: all at once", f"UPDATE {name} SET {column} = {column}"
        yield f"{table}: delete", f"DELETE FROM {name} WHERE {key} = {stands}"
        yield f"{table}: delete all", f"DELETE FROM {name}"
        if table != "publication":  # whose own constraint refuses that too
            yield f"{table}: other primary key", f"UPDATE {name} SET {key} = 77777 WHERE {key} = {stands}"
        copy = f"INTO {name} SELECT * FROM {name} WHERE {key} = {stands}"
        yield (
            f"{table}: upsert",
            f"INSERT {copy} ON CONFLICT ({key}) DO UPDATE SET {column} = excluded.{column}",
        )
        if parent := PARENTS.get(table):
            for way, moved, to in (("out of", stands, other), ("into", other, stands)):
                target = f"(SELECT {parent} FROM {name} WHERE id = {to})"
                change = f"UPDATE {name} SET {parent} = {target}"
                if table == "listfile":
                    change += ", name = 'other.csv'"
                yield f"{table}: moved {way} it", f"{change} WHERE id = {moved}"
            instead = {"id": "77777", parent: f"(SELECT {parent} FROM {name} WHERE id = {stands})"}
            if table == "listfile":
                instead["name"] = "'other.csv'"
            values = ", ".join(_columns(name, instead))
            yield f"{table}: added", f"INSERT INTO {name} SELECT {values} FROM {name} WHERE id = {other}"
        if connection.vendor == "sqlite":
            yield f"{table}: insert or replace", f"INSERT OR REPLACE {copy}"
            yield f"{table}: replace", f"REPLACE {copy}"
            if table != "publication":
                yield (
                    f"{table}: update or replace",
                    f"UPDATE OR REPLACE {name} SET id = {stands} WHERE id = {other}",
                )
        else:
            yield f"{table}: truncate", f"TRUNCATE {name} CASCADE"
            on = f"USING (SELECT 1) AS s ON t.{key} = {stands}"
            yield f"{table}: merge", f"MERGE INTO {name} AS t {on} WHEN MATCHED THEN DELETE"
            yield (
                f"{table}: inside a query",
                f"WITH gone AS (DELETE FROM {name} WHERE {key} = {stands} RETURNING 1) SELECT * FROM gone",
            )
    if connection.vendor == "postgresql":
        for table in ("players_player", "tournaments_ratingsystem", "auth_user", "tournaments_tournament"):
            yield f"truncated from afar: {table}", f"TRUNCATE {table} CASCADE"
        yield "truncated with others", "TRUNCATE ratinglists_listfile, ratinglists_liverating"
    else:
        yield from _replacements(keys)


def _replacements(keys: dict[str, tuple]):
    """What SQLite deletes silently to make room for another row."""
    row, draft_row = keys["listrow"]
    values = ", ".join(_columns("ratinglists_listrow", {"id": "77777", "rating": "2800"}))
    name = "ratinglists_listrow"
    yield "listrow: another id", f"INSERT OR REPLACE INTO {name} SELECT {values} FROM {name} WHERE id = {row}"
    player = f"(SELECT player_id FROM {name} WHERE id = {row})"
    place = f"rating_list_id = {keys['ratinglist'][0]}, player_id = {player}"
    yield "listrow: from a draft", f"UPDATE OR REPLACE {name} SET {place} WHERE id = {draft_row}"
    name = "ratinglists_publication"
    fresh = {"number": "3", "previous_id": "2", "manifest_sha256": f"'{'b' * 64}'"}
    for column, instead in (
        ("number and previous_id", {"number": "2", "previous_id": "1"}),
        ("manifest_sha256", {"manifest_sha256": "manifest_sha256"}),
    ):
        values = ", ".join(_columns(name, fresh | instead))
        yield (
            f"publication: replaced by its {column}",
            f"REPLACE INTO {name} SELECT {values} FROM {name} WHERE number = 2",
        )


def _columns(table: str, instead: dict[str, str]) -> list[str]:
    """The columns of a table in their order, some by another expression."""
    with connection.cursor() as cursor:
        found = [each.name for each in connection.introspection.get_table_description(cursor, table)]
    return [instead.get(name, name) for name in found]


#: in the words of the lists' triggers, and of the audit log's where a TRUNCATE … CASCADE comes to it first
REFUSALS = ("never changes", "added and sealed, nothing else")


class Undo(Exception):
    """Ends a try without keeping it."""


def outcome(statement: str, *, guarded: bool) -> str:
    """ "refused" by a trigger, "done", or what else went wrong. Nothing stays."""
    try:
        with transaction.atomic():
            if not guarded:
                remove_all(connection)
            with connection.cursor() as cursor:
                cursor.execute(statement)
            raise Undo
    except Undo:
        return "done"
    except Error as error:
        return "refused" if any(words in str(error) for words in REFUSALS) else str(error)


def test_every_way_is_refused_and_open_without_the_triggers(keys):
    tried = dict(statements(keys))
    assert len(tried) > 80
    assert {n: o for n, s in tried.items() if (o := outcome(s, guarded=True)) != "refused"} == {}
    assert {n: o for n, s in tried.items() if (o := outcome(s, guarded=False)) != "done"} == {}


def test_what_is_not_published_stays_open(keys):
    """The other control: the triggers refuse because of the publication, not always."""
    for table, column in COLUMNS.items():
        if table != "publication":
            name, key = f"ratinglists_{table}", keys[table][1]
            assert outcome(f"UPDATE {name} SET {column} = {column} WHERE id = {key}", guarded=True) == "done"
    ok = make_publication(RatingList.objects.get(pk=keys["ratinglist"][0]).computed_at)
    assert ok.number == 3


def added(number: int, previous: str, sha256: str = "b" * 64) -> str:
    values = {
        "number": str(number),
        "previous_id": previous,
        "manifest_sha256": f"'{sha256}'",
    }
    columns = ", ".join(_columns("ratinglists_publication", values))
    return (
        f"INSERT INTO ratinglists_publication SELECT {columns} FROM ratinglists_publication WHERE number = 1"
    )


def insert(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        connection.check_constraints()


@pytest.mark.parametrize(
    ("number", "previous"),
    [(4, "2"), (4, "3"), (3, "NULL"), (7, "NULL"), (3, "1"), (2, "1"), (1, "NULL"), (0, "NULL")],
)
def test_the_chain_takes_no_gap_and_no_fork(keys, number, previous):
    """By constraints alone: the triggers are away. The next link is the control."""
    assert outcome(added(3, "2"), guarded=False) == "done"
    triggers.remove(connection)
    with pytest.raises(Error):
        insert(added(number, previous))


# --- a write that races a publication -------------------------------------------------------------


@pytest.fixture
def computed(monkeypatch):
    """A computed draft, ready to publish."""
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    system = make_system(schedule="manual")
    players = [make_player() for _ in range(3)]
    make_list(
        system,
        date(2022, 3, 1),
        dict.fromkeys(players, 1800),
        rows={p: {"career_games": 60} for p in players},
    )
    make_report(make_tournament(system), players, [(1, 1, 2, "1-0"), (2, 2, 3, "1-0"), (3, 3, 1, "1-0")])
    period = make_period(system, date(2022, 4, 1))
    services.run_job(services.request_compute(period).pk)
    return period


def published(period) -> Job:
    job = services.request_publish(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    return job


def elsewhere(act) -> Thread:
    """Run on a connection of its own."""

    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("kept", [True, False])
def test_a_write_that_came_first(computed, monkeypatch, kept):
    """Somebody writes after the files are written and before the list is locked: if it stays, the
    publication is refused whole; if it is undone, it goes on."""
    draft = computed.lists.get()
    writing, may_end = Event(), Event()

    def write() -> None:
        try:
            with transaction.atomic():
                ListRow.objects.filter(rating_list_id=draft.pk).update(name="Somebody, Else")
                writing.set()
                may_end.wait(20)
                if not kept:
                    raise Undo
        except Undo:
            pass

    real, threads = services.write_files, []

    def write_files(lists, progress):
        files = real(lists, progress)
        if connection.vendor == "sqlite":  # one writer at a time: he has come and gone
            may_end.set()
        threads.append(elsewhere(write))
        assert writing.wait(20)
        if connection.vendor == "sqlite":
            threads[0].join(20)
        else:
            threads.append(elsewhere(lambda: (threads[0].join(1), may_end.set())))
        return files

    monkeypatch.setattr(services, "write_files", write_files)
    job = published(computed)
    for thread in threads:
        thread.join(20)
    if kept:
        assert job.state == "failed"
        assert "somebody changed them" in job.message
        assert not ListFile.objects.exists()
        assert computed.lists.get().state == "draft"
    else:
        assert job.state == "done", job.message
        assert computed.lists.get().state == "published"


@pytest.mark.parametrize("guarded", [True, False])
def test_a_write_that_came_second(computed, monkeypatch, guarded):
    """The list is locked and published, not committed yet: whoever writes then waits, and is refused.
    Without the triggers he gets in."""
    draft = computed.lists.get()
    statement = f"UPDATE ratinglists_listrow SET rating = 2800 WHERE rating_list_id = {draft.pk}"
    outcomes: list[str] = []
    if not guarded:
        triggers.remove(connection)
    real, threads = services.flip, []

    def flip(*args, **kwargs):
        made = real(*args, **kwargs)
        threads.append(elsewhere(lambda: outcomes.append(outcome(statement, guarded=True))))
        threads[0].join(1)
        waits = guarded or connection.vendor == "sqlite"  # there one writes at a time
        assert threads[0].is_alive() == waits
        return made

    monkeypatch.setattr(services, "flip", flip)
    job = published(computed)
    threads[0].join(20)
    assert (job.state, outcomes) == ("done", ["refused" if guarded else "done"])
