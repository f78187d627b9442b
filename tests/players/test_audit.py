"""The audit log: numbered and chained after the commit; nothing in it changes, and what does is found."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from threading import Barrier, Event, Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, connection, transaction
from django.utils import timezone

from players import audit, triggers
from players.models import AuditEntry, AuditHead
from tests.factories import make_user

TABLE = "players_auditentry"


def log_of(number: int = 4) -> list[AuditEntry]:
    by = make_user("officer")
    return [
        audit.record("list.proposed", by if at % 2 else None, by, f"List {at}", number=at, part=["é", None])
        for at in range(1, number + 1)
    ]


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        if statement.startswith("TRUNCATE"):  # else PostgreSQL refuses it for foreign keys not checked yet
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(statement)


def refused(statement: str) -> bool:
    try:
        with transaction.atomic():
            sql(statement)
    except Error as error:
        if "added and sealed, nothing else" not in str(error):
            raise
        return True
    return False


def tried(act) -> object:
    """What ``act`` answers, in a savepoint that is undone."""
    with transaction.atomic():
        answer = act()
        transaction.set_rollback(True)
    return answer


# --- sealing ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_entries_are_numbered_in_order_and_chained():
    entries = log_of(3)
    assert audit.seal() == 3
    assert audit.seal() == 0
    rows = list(AuditEntry.objects.order_by("pk"))
    assert [(row.pk, row.number) for row in rows] == [(e.pk, n) for n, e in enumerate(entries, start=1)]
    before = ""
    for row in rows:
        assert row.sha256 == audit.link(before, row)
        before = row.sha256
    assert audit.head() == (3, before)
    assert audit.verify() == []


@pytest.mark.django_db
def test_the_hash_covers_every_column():
    log_of(1)
    audit.seal()
    row = AuditEntry.objects.get()
    hashes = {audit.link("", row), audit.link("0" * 64, row)}
    changed = {
        "number": 2,
        "pk": 10**9,
        "at": row.at + timedelta(microseconds=1),
        "act": "x",
        "actor_id": 10**9,
        "actor_name": "x",
        "subject": "x",
        "text": "x",
        "data": {},
    }
    for name, value in changed.items():
        other = AuditEntry.objects.get()
        setattr(other, name, value)
        hashes.add(audit.link("", other))
    assert len(hashes) == 2 + len(changed)
    # every column but the hash itself is among those changed
    assert {field.attname for field in AuditEntry._meta.fields} == {*changed, "id", "sha256"} - {"pk"}


@pytest.mark.django_db
def test_a_long_log_is_sealed_in_batches(monkeypatch):
    monkeypatch.setattr(audit, "BATCH", 3)
    log_of(8)
    assert audit.seal() == 8
    assert audit.verify() == []


@pytest.mark.django_db
def test_the_commit_seals_once(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        log_of(3)
    assert len(callbacks) == 1
    assert audit.head()[0] == 3


@pytest.mark.django_db
def test_an_entry_of_an_undone_savepoint_takes_the_sealing_with_it(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        tried(lambda: audit.record("list.proposed", None))
        audit.record("list.approved", None)
    assert len(callbacks) == 1
    assert [row.act for row in AuditEntry.objects.filter(number=1)] == ["list.approved"]


@pytest.mark.usefixtures("transactional_db")
def test_outside_a_transaction_nothing_is_recorded():
    with pytest.raises(transaction.TransactionManagementError, match="outside the transaction"):
        audit.record("list.proposed", None)
    with transaction.atomic():
        audit.record("list.proposed", None)
    assert audit.head()[0] == 1  # the commit sealed it


def run_aside(act) -> Thread:
    def whole() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = Thread(target=whole)
    thread.start()
    return thread


@pytest.mark.usefixtures("transactional_db")
def test_an_entry_that_commits_late_with_a_lower_id_is_sealed_later():
    if connection.vendor == "sqlite":
        # One writer at a time: a lower id is always committed first.
        with transaction.atomic():
            log_of(2)
        assert audit.verify() == []
        return
    written, go_on = Event(), Event()

    def slow() -> None:
        with transaction.atomic():
            audit.record("slow", None)
            written.set()
            go_on.wait(20)

    slower = run_aside(slow)
    assert written.wait(20)
    with transaction.atomic():
        audit.record("quick", None)
    audit.seal()
    go_on.set()
    slower.join(20)
    audit.seal()
    rows = list(AuditEntry.objects.order_by("number").values_list("act", "number"))
    assert rows == [("quick", 1), ("slow", 2)]
    quick, slow_ = (AuditEntry.objects.get(act=act).pk for act in ("quick", "slow"))
    assert slow_ < quick
    assert audit.verify() == []


def seal_at_once(sealers: int = 4) -> list[int]:
    start, done = Barrier(sealers), []

    def one() -> None:
        start.wait(20)
        done.append(audit.seal())

    threads = [run_aside(one) for _ in range(sealers)]
    for thread in threads:
        thread.join(60)
    return done


@pytest.mark.usefixtures("transactional_db")
def test_sealers_at_once_make_one_chain(monkeypatch):
    monkeypatch.setattr(audit, "_seal_soon", lambda: None)
    for _ in range(3):
        with transaction.atomic():
            for at in range(40):
                audit.record("act", None, text=str(at))
        assert sum(seal_at_once()) == 40
    assert audit.verify() == []
    assert audit.head()[0] == 120


@pytest.mark.usefixtures("transactional_db")
def test_without_the_lock_two_sealers_collide(monkeypatch):
    """The control: sealers who do not wait for each other both take the same numbers."""
    if connection.vendor == "sqlite":
        return  # BEGIN IMMEDIATE is the lock there; it cannot be taken away
    monkeypatch.setattr(audit, "_seal_soon", lambda: None)
    AuditHead.objects.create(pk=AuditHead.ONLY)
    monkeypatch.setattr(type(AuditHead.objects.all()), "select_for_update", lambda rows, **_: rows.all())
    both, failed = Barrier(2), []
    real = audit.link

    def slowly(before: str, entry: AuditEntry) -> str:
        if entry.number == 1:
            both.wait(20)
        return real(before, entry)

    monkeypatch.setattr(audit, "link", slowly)
    with transaction.atomic():
        audit.record("act", None)

    def one() -> None:
        try:
            audit.seal()
        except Error as error:
            failed.append(error)

    for thread in [run_aside(one) for _ in range(2)]:
        thread.join(60)
    assert len(failed) == 1


@pytest.mark.usefixtures("transactional_db")
def test_who_does_not_wait_leaves_it_to_the_sealer_at_work():
    with transaction.atomic():
        audit.record("first", None)
    if connection.vendor == "sqlite":
        return  # nobody writes beside a sealer
    answers = []
    with transaction.atomic():
        AuditHead.objects.select_for_update().get()
        with_open = run_aside(lambda: answers.append(_record_and_count()))
        with_open.join(20)
        assert not with_open.is_alive(), "the commit waited for the sealer"
    assert answers == [1]
    assert audit.seal() == 1


def _record_and_count() -> int:
    with transaction.atomic():
        audit.record("second", None)
    return AuditEntry.objects.filter(number=None).count()


# --- what cannot be done ------------------------------------------------------------------------------

CHANGES = {
    "text": f"UPDATE {TABLE} SET text = 'other'",
    "act": f"UPDATE {TABLE} SET act = 'other'",
    "actor": f"UPDATE {TABLE} SET actor_id = NULL, actor_name = 'other'",
    "subject": f"UPDATE {TABLE} SET subject = 'other'",
    "data": f"UPDATE {TABLE} SET data = '{{}}'",
    "time": f"UPDATE {TABLE} SET at = '2001-01-01 00:00:00+00'",
    "key": f"UPDATE {TABLE} SET id = id + 1000",
    "seal away": f"UPDATE {TABLE} SET number = NULL, sha256 = ''",
    "other hash": f"UPDATE {TABLE} SET sha256 = '{'a' * 64}'",
    "nothing": f"UPDATE {TABLE} SET id = id",
    "delete": f"DELETE FROM {TABLE}",
    "insert sealed": (
        f"INSERT INTO {TABLE} (at, act, actor_name, subject, text, data, number, sha256) "
        f"VALUES ('2001-01-01 00:00:00+00', 'x', '', '', '', '{{}}', 999, '{'a' * 64}')"
    ),
    "head": "UPDATE players_audithead SET number = 1",
    "head away": "DELETE FROM players_audithead",
}
POSTGRESQL = {"truncate": f"TRUNCATE {TABLE}", "truncate head": "TRUNCATE players_audithead"}
_COPY = "id, at, act, actor_id, actor_name, subject, 'other', data, NULL, ''"
SQLITE = {
    "insert or replace": (
        f"INSERT OR REPLACE INTO {TABLE} "
        "(id, at, act, actor_id, actor_name, subject, text, data, number, sha256) "
        f"SELECT {_COPY} FROM {TABLE} WHERE number = 2"
    ),
    "replace": (
        f"REPLACE INTO {TABLE} (id, at, act, actor_id, actor_name, subject, text, data, number, sha256) "
        f"SELECT {_COPY} FROM {TABLE} WHERE number = 2"
    ),
    "update or replace": f"UPDATE OR REPLACE {TABLE} SET id = id + 1 WHERE number = 2",
    "replace head": "INSERT OR REPLACE INTO players_audithead (id, number, sha256) VALUES (1, 0, '')",
}


def own_changes() -> dict[str, str]:
    return {**CHANGES, **(SQLITE if connection.vendor == "sqlite" else POSTGRESQL)}


@pytest.mark.django_db
def test_a_sealed_entry_stays_as_it_is():
    log_of()
    audit.seal()
    before = list(AuditEntry.objects.order_by("pk").values())
    for name, statement in own_changes().items():
        assert refused(statement), name
    assert list(AuditEntry.objects.order_by("pk").values()) == before
    assert audit.verify() == []


@pytest.mark.django_db
def test_an_entry_that_waits_for_its_seal_stays_as_it_is():
    log_of()
    audit.seal()
    waiting = audit.record("list.approved", None)
    for name in ("text", "act", "actor", "subject", "data", "time", "key", "delete"):
        assert refused(f"{CHANGES[name]} WHERE id = {waiting.pk}"), name
    seal = f"UPDATE {TABLE} SET sha256 = '{'a' * 64}', number = %s WHERE id = {waiting.pk}"
    for number in (1, 4, 6):  # taken, taken, leaves a gap
        assert refused(seal % number), number
    if connection.vendor == "sqlite":
        assert refused(seal.replace("UPDATE", "UPDATE OR REPLACE") % 4)
    assert audit.seal() == 1


@pytest.mark.django_db
def test_without_triggers_all_of_it_would_go_through():
    """The control: each statement is one that the database would carry out, and verify finds it."""
    log_of()
    audit.seal()
    triggers.AUDIT.remove(connection)
    silent = {"nothing"}
    for name, statement in own_changes().items():
        if name == "key":
            statement += " WHERE number = 2"
        if name == "other hash":
            statement += " WHERE number = 3"
        faults = tried(lambda statement=statement: sql(statement) or audit.verify())
        assert bool(faults) == (name not in silent), (name, faults)
    triggers.AUDIT.install(connection)
    assert audit.verify() == []


# --- what verify finds --------------------------------------------------------------------------------


@pytest.fixture
def opened(db):
    """Five sealed entries in a database without triggers."""
    log_of(5)
    audit.seal()
    triggers.AUDIT.remove(connection)


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_changed_entry_is_found(opened, number):
    AuditEntry.objects.filter(number=number).update(text="List 9")
    (fault,) = audit.verify()
    assert fault.startswith(f"Entry {number} (id ")


@pytest.mark.parametrize("number", [1, 3])
def test_an_entry_changed_with_its_hash_is_found(opened, number):
    entry = AuditEntry.objects.get(number=number)
    entry.text = "List 9"
    before = AuditEntry.objects.filter(number=number - 1).values_list("sha256", flat=True).first()
    entry.sha256 = audit.link(before or "", entry)
    entry.save()
    (fault,) = audit.verify()
    assert fault.startswith(f"Entry {number + 1} (id ")


def test_a_removed_entry_is_found(opened):
    AuditEntry.objects.filter(number=3).delete()
    faults = audit.verify()
    assert faults[0] == "Entries 3 to 3 are missing."
    assert len(faults) == 2


def test_a_removed_end_is_found(opened):
    AuditEntry.objects.filter(number__gt=3).delete()
    assert audit.verify() == ["The chain ends with entry 3; its head says 5."]


def test_an_inserted_entry_is_found(opened):
    AuditEntry.objects.create(act="made.up", number=6, sha256="a" * 64)
    assert audit.verify() == ["Entry 6 stands beyond the end of the chain, which is 5."]


def test_a_chain_made_anew_is_found_by_what_was_kept_elsewhere(opened):
    kept = [(n, AuditEntry.objects.get(number=n).sha256) for n in (2, 5)]
    assert audit.verify(kept) == []
    before, number = "", 0
    for entry in AuditEntry.objects.exclude(number=3).order_by("number"):
        number += 1
        entry.number = number
        entry.sha256 = before = audit.link(before, entry)
        AuditEntry.objects.filter(number=number).update(number=None, sha256="")
        entry.save()
    AuditEntry.objects.filter(number=None).delete()
    AuditEntry.objects.filter(number=5).delete()
    AuditHead.objects.update(number=number, sha256=before)
    assert audit.verify() == []
    assert audit.verify(kept) == ["Entry 5 was kept elsewhere and is missing."]
    log_of_one_more()
    assert audit.verify(kept) == ["Entry 5 has another hash than the one kept elsewhere."]


def log_of_one_more() -> None:
    audit.record("list.approved", None)
    audit.seal()


@pytest.mark.django_db
def test_an_entry_that_nobody_seals_is_found():
    log_of(2)
    assert audit.verify() == []
    (fault,) = audit.verify(now=timezone.now() + timedelta(hours=1))
    assert fault.startswith("2 entries wait for their seal")


def test_the_end_of_a_long_chain_can_be_looked_at_alone(opened):
    AuditEntry.objects.filter(number=2).update(text="List 9")
    assert audit.verify(last=3) == []
    assert len(audit.verify(last=4)) == 1
    assert len(audit.verify(last=50)) == 1


# --- the command --------------------------------------------------------------------------------------


def say(*arguments: str) -> str:
    out = StringIO()
    call_command("audit", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_command_seals_shows_and_verifies():
    log_of(3)
    assert "3 entries sealed" in say("seal")
    shown = say("show", "--act", "list", "--last", "2").splitlines()
    assert [line.split()[0] for line in shown] == ["2", "3"]
    assert "officer" in shown[1]
    assert "list.proposed" in shown[0]
    assert say("show", "--actor", "nobody") == ""
    assert len(say("show", "--subject", "auth.user").splitlines()) == 3
    number, sha256 = audit.head()
    assert f"{number} entries" in say("verify")
    assert sha256 in say("verify")
    assert "hold" in say("verify", "--kept", f"{number}:{sha256}")


def test_the_command_fails_with_every_fault(opened):
    AuditEntry.objects.filter(number__in=[2, 4]).update(text="List 9")
    with pytest.raises(CommandError) as caught:
        say("verify")
    assert "Entry 2" in str(caught.value)
    assert "Entry 4" in str(caught.value)
    with pytest.raises(CommandError, match="NUMBER:HASH"):
        say("verify", "--kept", "five")
