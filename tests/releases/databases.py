"""What a database is made of and what is in it, to compare two of one kind; and databases copied."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection, connections

_SCHEMA = {
    "postgresql": (
        """SELECT 'column', table_name, column_name, concat_ws(' ', data_type, character_maximum_length,
            numeric_scale, is_nullable, column_default, is_identity)
            FROM information_schema.columns WHERE table_schema = 'public'""",
        """SELECT 'constraint', conrelid::regclass::text, conname,
            concat(convalidated, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
        "SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        """SELECT 'trigger', tgrelid::regclass::text, tgname, concat(tgenabled, pg_get_triggerdef(oid))
            FROM pg_trigger WHERE NOT tgisinternal""",
        """SELECT 'function', proname, '', pg_get_functiondef(oid) FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace
            AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')""",
        "SELECT 'extension', extname, '', '' FROM pg_extension",
    ),
    "sqlite": ("SELECT type, tbl_name, name, coalesce(sql, '') FROM sqlite_master",),
}
#: a dumped condition is read back with its casts in other places
_CASTS = re.compile(r"::(text|character varying)(\[\])?|[()\s\"]|public\.")
#: ids of these are given in whatever order
_BY_NAME = {
    "django_migrations": "SELECT app, name FROM django_migrations ORDER BY 1, 2",
    "django_content_type": "SELECT app_label, model FROM django_content_type ORDER BY 1, 2",
    "auth_permission": (
        "SELECT app_label, model, codename, name FROM auth_permission"
        " JOIN django_content_type t ON t.id = content_type_id ORDER BY 1, 2, 3"
    ),
    "auth_group_permissions": (
        "SELECT g.name, codename FROM auth_group_permissions JOIN auth_group g ON g.id = group_id"
        " JOIN auth_permission p ON p.id = permission_id ORDER BY 1, 2"
    ),
}


def schema() -> dict[tuple[str, ...], str]:
    """Kind, table and name of everything there is -> how it is defined."""
    found = {}
    with connection.cursor() as cursor:
        for select in _SCHEMA[connection.vendor]:
            cursor.execute(select)
            for kind, table, name, text in cursor.fetchall():
                found[kind, table, name] = _CASTS.sub("", text)
    return found


def contents() -> dict[str, str]:
    """Of each table the hash of its rows."""
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if re.search("_words_(data|idx|content|docsize|config)$", table):
                continue  # FTS5's own
            order = "rowid" if table.endswith("_words") else "1"
            cursor.execute(_BY_NAME.get(table, f'SELECT * FROM "{table}" ORDER BY {order}'))
            digest = hashlib.sha256()
            for row in cursor.fetchall():
                digest.update(repr([bytes(v) if isinstance(v, memoryview) else v for v in row]).encode())
            found[table] = digest.hexdigest()
    return found


def renew(template: str) -> None:
    """Makes the settings' database anew: a copy of ``template`` (a file, a database of the same server), or
    an empty one."""
    connections.close_all()
    if connection.vendor == "sqlite":
        path = Path(settings.DATABASES["default"]["NAME"])
        for each in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            each.unlink(missing_ok=True)
        if template:
            shutil.copy(template, path)
        return
    name = settings.DATABASES["default"]["NAME"]
    with server() as admin:
        admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        admin.execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if template else ""))


def server(url: str = ""):
    """A connection to the server's own database, in which databases are made."""
    import os

    import psycopg

    address = urlsplit(url or os.environ["PORTAL_DATABASE_URL"])
    return psycopg.connect(address._replace(path="/postgres").geturl(), autocommit=True)
