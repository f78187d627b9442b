"""Database triggers by which a published list cannot change.

A child's trigger reads its list row FOR SHARE on PostgreSQL, so that it waits for a publication
in progress (``services.publish`` locks that row first) and then sees its outcome. It fires once for a
statement, behind it, and looks at the lists of all rows that the statement wrote: what it refuses is
rolled back. Of an update both the old and the new rows count, since it could move a row from one list
to another.
"""

from __future__ import annotations

from players.triggers import Triggers
from ratinglists import publication_triggers

LIST, PERIOD = "ratinglists_ratinglist", "ratinglists_period"
#: child table -> SQL for the id of its list, with {row} for NEW or OLD
CHILDREN = {
    "ratinglists_listrow": "{row}.rating_list_id",
    "ratinglists_eventresult": "{row}.rating_list_id",
    "ratinglists_pooledsample": "{row}.rating_list_id",
    "ratinglists_listfile": "{row}.rating_list_id",
    "ratinglists_playerresult": (
        "(SELECT rating_list_id FROM ratinglists_eventresult WHERE id = {row}.event_id)"
    ),
}
#: kind of statement -> the rows that its trigger looks at on PostgreSQL
WRITTEN = {"insert": ("new_rows",), "update": ("old_rows", "new_rows"), "delete": ("old_rows",)}
REFUSAL = "published list: it never changes, a correction is a new revision"


def _postgresql() -> list[str]:
    statements = [
        f"""CREATE FUNCTION ratinglists_refuse_published(wanted bigint[]) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE found text;
        BEGIN
            FOR found IN SELECT state FROM {LIST} WHERE id = ANY(wanted) ORDER BY id FOR SHARE LOOP
                IF found = 'published' THEN
                    RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';
                END IF;
            END LOOP;
        END $$""",
        f"""CREATE FUNCTION ratinglists_guard_list() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF OLD.state = 'published' THEN
                RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
            RETURN NEW;
        END $$""",
        f"""CREATE TRIGGER guard_published BEFORE UPDATE OR DELETE ON {LIST}
        FOR EACH ROW EXECUTE FUNCTION ratinglists_guard_list()""",
        f"""CREATE FUNCTION ratinglists_guard_period() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT 1 FROM {LIST} WHERE period_id = OLD.id AND state = 'published') THEN
                RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
            RETURN NEW;
        END $$""",
        f"""CREATE TRIGGER guard_published BEFORE UPDATE OR DELETE ON {PERIOD}
        FOR EACH ROW EXECUTE FUNCTION ratinglists_guard_period()""",
        f"""CREATE FUNCTION ratinglists_guard_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT 1 FROM {LIST} WHERE state = 'published') THEN
                RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NULL;
        END $$""",
    ]
    for table, path in CHILDREN.items():
        checks = {
            rows: f"PERFORM ratinglists_refuse_published("
            f"ARRAY(SELECT DISTINCT {path.format(row='changed')} FROM {rows} AS changed));"
            for rows in ("old_rows", "new_rows")
        }
        # A trigger with the rows of its statement is one for each kind of statement.
        for event, rows in WRITTEN.items():
            looks = " ".join(checks[each] for each in rows)
            tables = " ".join(f"{each.replace('_rows', '').upper()} TABLE AS {each}" for each in rows)
            statements.append(
                f"""CREATE FUNCTION {table}_guard_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN {looks} RETURN NULL; END $$"""
            )
            statements.append(
                f"""CREATE TRIGGER guard_{event} AFTER {event} ON {table} REFERENCING {tables}
                FOR EACH STATEMENT EXECUTE FUNCTION {table}_guard_{event}()"""
            )
    for table in (LIST, *CHILDREN):
        statements.append(
            f"""CREATE TRIGGER guard_truncate BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION ratinglists_guard_truncate()"""
        )
    return statements


def _sqlite() -> list[str]:
    statements = [
        f"""CREATE TRIGGER {LIST}_guard_{event} BEFORE {event} ON {LIST}
        WHEN OLD.state = 'published' BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
        for event in ("UPDATE", "DELETE")
    ]
    statements += [
        f"""CREATE TRIGGER {PERIOD}_guard_{event} BEFORE {event} ON {PERIOD}
        WHEN EXISTS (SELECT 1 FROM {LIST} WHERE period_id = OLD.id AND state = 'published')
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
        for event in ("UPDATE", "DELETE")
    ]
    # OR REPLACE deletes the row in its way without firing DELETE triggers: refuse what would replace.
    statements += [
        f"""CREATE TRIGGER {LIST}_guard_replace_{event} BEFORE {event} ON {LIST}
        WHEN EXISTS (SELECT 1 FROM {LIST} WHERE state = 'published' AND (id = NEW.id
            OR (period_id = NEW.period_id AND revision = NEW.revision)))
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
        for event in ("INSERT", "UPDATE")
    ]
    statements += [
        f"""CREATE TRIGGER {PERIOD}_guard_replace_{event} BEFORE {event} ON {PERIOD}
        WHEN EXISTS (SELECT 1 FROM {LIST} JOIN {PERIOD} AS present ON present.id = period_id
            WHERE state = 'published' AND (present.id = NEW.id
            OR (present.system_id = NEW.system_id AND present.list_date = NEW.list_date)))
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
        for event in ("INSERT", "UPDATE")
    ]
    for table, path in CHILDREN.items():
        for event, rows in (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",))):
            condition = " OR ".join(
                f"EXISTS (SELECT 1 FROM {LIST} WHERE state = 'published' AND id = {path.format(row=row)})"
                for row in rows
            )
            if event != "DELETE":
                old = path.format(row="present")
                condition += (
                    f" OR EXISTS (SELECT 1 FROM {table} AS present JOIN {LIST} AS parent ON parent.id = {old}"
                    f" WHERE present.id = NEW.id AND parent.state = 'published')"
                )
            statements.append(
                f"""CREATE TRIGGER {table}_guard_{event} BEFORE {event} ON {table}
                WHEN {condition} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
            )
    return statements


def _drop_postgresql() -> list[str]:
    names = [f"TRIGGER IF EXISTS guard_truncate ON {table}" for table in (LIST, *CHILDREN)]
    names += [f"TRIGGER IF EXISTS guard_published ON {table}" for table in (LIST, PERIOD, *CHILDREN)]
    names += [f"TRIGGER IF EXISTS guard_{event} ON {table}" for table in CHILDREN for event in WRITTEN]
    names += [f"FUNCTION IF EXISTS {table}_guard()" for table in CHILDREN]
    names += [f"FUNCTION IF EXISTS {table}_guard_{event}()" for table in CHILDREN for event in WRITTEN]
    of_lists = ("guard_list()", "guard_period()", "guard_truncate()")
    for function in (*of_lists, "refuse_published(bigint)", "refuse_published(bigint[])"):
        names.append(f"FUNCTION IF EXISTS ratinglists_{function}")
    return [f"DROP {name}" for name in names]


def _drop_sqlite() -> list[str]:
    return [
        f"DROP TRIGGER IF EXISTS {table}_guard_{event}"
        for table in (LIST, PERIOD, *CHILDREN)
        for event in ("INSERT", "UPDATE", "DELETE", "replace_INSERT", "replace_UPDATE")
    ]


PUBLISHED = Triggers(
    create={
        "postgresql": lambda: [*_postgresql(), *publication_triggers.postgresql()],
        "sqlite": lambda: [*_sqlite(), *publication_triggers.sqlite()],
    },
    drop={
        "postgresql": lambda: [*_drop_postgresql(), *publication_triggers.drop("postgresql")],
        "sqlite": lambda: [*_drop_sqlite(), *publication_triggers.drop("sqlite")],
    },
)
install, remove = PUBLISHED.install, PUBLISHED.remove
