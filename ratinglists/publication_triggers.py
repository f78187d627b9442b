"""Database triggers by which publications, and the corrections that were published, stay as they are.

Installed and removed with those of ``ratinglists.triggers``. A publication can be added and nothing else;
a published correction and its items are closed. Who may drop triggers (a superuser, the owner of the
tables) gets past them: ``manage.py verify`` finds what he did.
"""

from __future__ import annotations

PUBLICATION = "ratinglists_publication"
CORRECTION, ITEM = "ratinglists_correction", "ratinglists_correctionitem"
STAYS = "publication: it never changes, only new ones are added"
CLOSED = "published correction: it never changes"


def postgresql() -> list[str]:
    return [
        _function("guard_publication", f"{_refuse(STAYS)}"),
        f"""CREATE TRIGGER guard_publication BEFORE UPDATE OR DELETE ON {PUBLICATION}
        FOR EACH ROW EXECUTE FUNCTION ratinglists_guard_publication()""",
        _function(
            "guard_publications",
            f"IF EXISTS (SELECT 1 FROM {PUBLICATION}) THEN {_refuse(STAYS)} END IF; RETURN NULL;",
        ),
        f"""CREATE TRIGGER guard_publications BEFORE TRUNCATE ON {PUBLICATION}
        FOR EACH STATEMENT EXECUTE FUNCTION ratinglists_guard_publications()""",
        _function(
            "guard_correction",
            f"""IF OLD.state = 'published' THEN {_refuse(CLOSED)} END IF;
            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
            RETURN NEW;""",
        ),
        f"""CREATE TRIGGER guard_correction BEFORE UPDATE OR DELETE ON {CORRECTION}
        FOR EACH ROW EXECUTE FUNCTION ratinglists_guard_correction()""",
        # FOR SHARE: waits for a publication of the correction in progress, and then sees its outcome.
        f"""CREATE FUNCTION ratinglists_refuse_closed(wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE found text;
        BEGIN
            SELECT state INTO found FROM {CORRECTION} WHERE id = wanted FOR SHARE;
            IF found = 'published' THEN {_refuse(CLOSED)} END IF;
        END $$""",
        _function(
            "guard_item",
            """IF TG_OP <> 'INSERT' THEN PERFORM ratinglists_refuse_closed(OLD.correction_id); END IF;
            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
            PERFORM ratinglists_refuse_closed(NEW.correction_id);
            RETURN NEW;""",
        ),
        f"""CREATE TRIGGER guard_item BEFORE INSERT OR UPDATE OR DELETE ON {ITEM}
        FOR EACH ROW EXECUTE FUNCTION ratinglists_guard_item()""",
        _function(
            "guard_corrections",
            f"""IF EXISTS (SELECT 1 FROM {CORRECTION} WHERE state = 'published') THEN
                {_refuse(CLOSED)}
            END IF;
            RETURN NULL;""",
        ),
        *(
            f"""CREATE TRIGGER guard_corrections BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION ratinglists_guard_corrections()"""
            for table in (CORRECTION, ITEM)
        ),
    ]


def _function(name: str, body: str) -> str:
    return f"CREATE FUNCTION ratinglists_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"


def _refuse(text: str) -> str:
    return f"RAISE EXCEPTION '{text}' USING ERRCODE = 'integrity_constraint_violation';"


def sqlite() -> list[str]:
    present = "SELECT 1 FROM {table} AS present WHERE "
    in_the_way = present.format(table=PUBLICATION) + (
        "present.number = NEW.number OR present.previous_id = NEW.previous_id"
        " OR present.manifest_sha256 = NEW.manifest_sha256"
    )
    closed = f"SELECT 1 FROM {CORRECTION} WHERE state = 'published' AND id = "
    # OR REPLACE deletes the row in its way without firing DELETE triggers: refuse what would replace.
    replaced = (
        f"SELECT 1 FROM {ITEM} AS present JOIN {CORRECTION} AS parent ON parent.id = present.correction_id"
        " WHERE present.id = NEW.id AND parent.state = 'published'"
    )
    conditions = {
        (PUBLICATION, "UPDATE"): "1",
        (PUBLICATION, "DELETE"): "1",
        (PUBLICATION, "INSERT"): f"EXISTS ({in_the_way})",
        (CORRECTION, "UPDATE"): f"OLD.state = 'published' OR EXISTS ({closed} NEW.id)",
        (CORRECTION, "DELETE"): "OLD.state = 'published'",
        (CORRECTION, "INSERT"): f"EXISTS ({closed} NEW.id)",
        (ITEM, "UPDATE"): f"EXISTS ({closed} OLD.correction_id) OR EXISTS ({closed} NEW.correction_id)"
        f" OR EXISTS ({replaced})",
        (ITEM, "DELETE"): f"EXISTS ({closed} OLD.correction_id)",
        (ITEM, "INSERT"): f"EXISTS ({closed} NEW.correction_id) OR EXISTS ({replaced})",
    }
    return [
        f"""CREATE TRIGGER {table}_guard_{event} BEFORE {event} ON {table} WHEN {condition}
        BEGIN SELECT RAISE(ABORT, '{STAYS if table == PUBLICATION else CLOSED}'); END"""
        for (table, event), condition in conditions.items()
    ]


def drop(vendor: str) -> list[str]:
    """The statements that drop each trigger and function above."""
    return [f"DROP {name}" for name in _names(vendor)]


def _names(vendor: str) -> list[str]:
    if vendor == "sqlite":
        return [
            f"TRIGGER IF EXISTS {table}_guard_{event}"
            for table in (PUBLICATION, CORRECTION, ITEM)
            for event in ("INSERT", "UPDATE", "DELETE")
        ]
    triggers = {
        PUBLICATION: ("guard_publication", "guard_publications"),
        CORRECTION: ("guard_correction", "guard_corrections"),
        ITEM: ("guard_item", "guard_corrections"),
    }
    functions = {f"{name}()" for names in triggers.values() for name in names}
    return [
        *(f"TRIGGER IF EXISTS {name} ON {table}" for table, names in triggers.items() for name in names),
        *(f"FUNCTION IF EXISTS ratinglists_{name}" for name in sorted(functions)),
        "FUNCTION IF EXISTS ratinglists_refuse_closed(bigint)",
    ]
