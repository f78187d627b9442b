"""Database triggers: how they are put in and taken out, and those by which the audit log only grows.

An entry can be added, and sealed once with the next number; the head goes forward. Nothing else, whoever
asks and by which statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models.signals import post_migrate

ENTRY, HEAD = "players_auditentry", "players_audithead"
#: what a seal may not touch
FIXED = ("id", "at", "act", "actor_id", "actor_name", "subject", "text", "data")
REFUSAL = "audit log: entries are added and sealed, nothing else"

_CREATED = re.compile(r"CREATE TRIGGER (IF NOT EXISTS )?(?P<name>\w+) .*? ON (?P<table>\w+)", re.DOTALL)


@dataclass(frozen=True)
class Triggers:
    """The triggers of an app: for each vendor of a database, the statements that create and drop them."""

    create: dict[str, Callable[[], Iterable[str]]]
    drop: dict[str, Callable[[], Iterable[str]]]

    def install(self, connection) -> None:
        """Create the triggers in a database; ``remove`` first where they may be there."""
        self._execute(connection, self.create)

    def remove(self, connection) -> None:
        """Drop the triggers: before they are made anew, and in tests that empty their database."""
        self._execute(connection, self.drop)

    def names(self, vendor: str) -> set[tuple[str, str]]:
        """The table and the name of each trigger."""
        found = (_CREATED.search(statement) for statement in self.create[vendor]())
        return {(each["table"], each["name"]) for each in found if each}

    def _execute(self, connection, statements: dict[str, Callable[[], Iterable[str]]]) -> None:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for statement in statements[connection.vendor]():
                cursor.execute(statement)


_kept: list[Triggers] = []


def keep(triggers: Triggers, app_config) -> None:
    """Install an app's triggers after every migration, since SQLite rebuilds an altered table without its
    triggers. Called when the app is ready."""

    def install(sender, using, **kwargs) -> None:
        from django.db import connections

        with transaction.atomic(using=using):
            triggers.remove(connections[using])
            triggers.install(connections[using])

    _kept.append(triggers)
    post_migrate.connect(install, sender=app_config, weak=False)


def remove_all(connection) -> None:
    """Drop every app's triggers: to restore a backup, and for tests that empty their database."""
    for triggers in _kept:
        triggers.remove(connection)


def install_all(connection) -> None:
    """Create every app's triggers again."""
    for triggers in _kept:
        triggers.install(connection)


def missing(connection) -> set[tuple[str, str]]:
    """Table and name of each trigger that should be there and is not: ``migrate`` was broken off, or
    somebody took it away."""
    wanted = set().union(*(triggers.names(connection.vendor) for triggers in _kept))
    with connection.cursor() as cursor:
        cursor.execute(_PRESENT[connection.vendor])
        return wanted - set(cursor.fetchall())


_PRESENT = {
    "postgresql": "SELECT relname, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
    " WHERE NOT tgisinternal AND tgenabled <> 'D' AND relnamespace = current_schema()::regnamespace",
    "sqlite": "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'",
}


# --- the audit log ----------------------------------------------------------------------------------


def _refuse_postgresql(name: str, allowed: str) -> str:
    """A trigger function that lets pass what the condition allows."""
    return f"""CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {allowed} THEN RETURN NEW; END IF;
            RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';
        END $$"""


def _create_postgresql() -> Iterable[str]:
    same = " AND ".join(f"NEW.{column} IS NOT DISTINCT FROM OLD.{column}" for column in FIXED)
    following = f"NEW.number = COALESCE((SELECT MAX(number) FROM {ENTRY}), 0) + 1"
    yield _refuse_postgresql("players_audit_add", "NEW.number IS NULL AND NEW.sha256 = ''")
    yield _refuse_postgresql("players_audit_seal", f"OLD.number IS NULL AND {same} AND {following}")
    yield _refuse_postgresql("players_audit_forward", "NEW.id = OLD.id AND NEW.number > OLD.number")
    yield _refuse_postgresql("players_audit_never", "FALSE")
    for table, event, function in (
        (ENTRY, "INSERT", "add"),
        (ENTRY, "UPDATE", "seal"),
        (HEAD, "UPDATE", "forward"),
        (ENTRY, "DELETE", "never"),
        (HEAD, "DELETE", "never"),
    ):
        yield (
            f"CREATE TRIGGER guard_{event.lower()} BEFORE {event} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION players_audit_{function}()"
        )
    for table in (ENTRY, HEAD):
        yield (
            f"CREATE TRIGGER guard_truncate BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION players_audit_never()"
        )


def _drop_postgresql() -> Iterable[str]:
    for table in (ENTRY, HEAD):
        for event in ("insert", "update", "delete", "truncate"):
            yield f"DROP TRIGGER IF EXISTS guard_{event} ON {table}"
    for function in ("add", "seal", "forward", "never"):
        yield f"DROP FUNCTION IF EXISTS players_audit_{function}()"


def _create_sqlite() -> Iterable[str]:
    other = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)
    following = f"NEW.number IS (SELECT COALESCE(MAX(number), 0) + 1 FROM {ENTRY})"
    # OR REPLACE deletes the row in its way without firing DELETE triggers: refuse what would replace.
    for table, event, refused in (
        (ENTRY, "INSERT", f"NEW.number NOT NULL OR EXISTS (SELECT 1 FROM {ENTRY} WHERE id = NEW.id)"),
        (ENTRY, "UPDATE", f"OLD.number NOT NULL OR {other} OR NOT {following}"),
        (ENTRY, "DELETE", "TRUE"),
        (HEAD, "INSERT", f"EXISTS (SELECT 1 FROM {HEAD})"),
        (HEAD, "UPDATE", "NEW.id IS NOT OLD.id OR NEW.number <= OLD.number"),
        (HEAD, "DELETE", "TRUE"),
    ):
        yield (
            f"CREATE TRIGGER {table}_guard_{event} BEFORE {event} ON {table} "
            f"WHEN {refused} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
        )


def _drop_sqlite() -> Iterable[str]:
    for table in (ENTRY, HEAD):
        for event in ("INSERT", "UPDATE", "DELETE"):
            yield f"DROP TRIGGER IF EXISTS {table}_guard_{event}"


AUDIT = Triggers(
    create={"postgresql": _create_postgresql, "sqlite": _create_sqlite},
    drop={"postgresql": _drop_postgresql, "sqlite": _drop_sqlite},
)
