"""Django's ``migrate``, each migration and the note that it was applied in one transaction.

Django notes a migration that leaves statements for its end (PostgreSQL: foreign keys, indexes) in a
transaction of its own, behind it: a process that died between them left a database that no ``migrate``
could go on with.
"""

from __future__ import annotations

from django.core.management.commands import migrate
from django.db import transaction
from django.db.migrations.executor import MigrationExecutor


class WholeExecutor(MigrationExecutor):
    """Applies a migration whole or not at all; one that is not atomic goes Django's way."""

    def apply_migration(self, state, migration, fake=False, fake_initial=False):
        if not migration.atomic:
            return super().apply_migration(state, migration, fake, fake_initial)
        # SQLite heeds this outside of transactions only, and its schema editor asks for it.
        free = self.connection.vendor == "sqlite" and self.connection.disable_constraint_checking()
        try:
            with transaction.atomic(using=self.connection.alias):
                return super().apply_migration(state, migration, fake, fake_initial)
        finally:
            if free:
                self.connection.enable_constraint_checking()


class Command(migrate.Command):
    def handle(self, *args, **options) -> None:
        migrate.MigrationExecutor = WholeExecutor
        super().handle(*args, **options)
