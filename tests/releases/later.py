"""Migrations of a release to come, put into the graph behind those that there are: for tests alone."""

from __future__ import annotations

from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader


def _fill(apps, editor) -> None:
    for player in apps.get_model("players", "Player").objects.all():
        player.later_note = player.name[::-1]
        player.save(update_fields=["later_note"])


#: app -> what is done to it: rows written, a table with foreign keys, one whose rows triggers guard
OPERATIONS = {
    "players": [
        migrations.AddField("player", "later_note", models.CharField(max_length=300, default="")),
        migrations.RunPython(_fill, migrations.RunPython.noop),
        migrations.CreateModel(
            "LaterNote",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("player", models.ForeignKey("players.Player", models.CASCADE)),
                ("text", models.CharField(max_length=20, db_index=True)),
            ],
        ),
    ],
    "tournaments": [
        migrations.AddField("tournament", "later_count", models.PositiveIntegerField(default=3)),
        migrations.AddIndex("tournament", models.Index(fields=["later_count"], name="later_count_index")),
    ],
    "ratinglists": [
        migrations.AddField("listrow", "later_mark", models.CharField(max_length=5, default="new")),
        migrations.AddConstraint(
            "listrow",
            models.CheckConstraint(
                condition=models.Q(later_mark__in=["new", "old"]), name="later_mark_known"
            ),
        ),
    ],
}


def put_in() -> None:
    """Have every loader of this process find them."""
    load = MigrationLoader.load_disk

    def loaded(self) -> None:
        load(self)
        for app, operations in OPERATIONS.items():
            found = sorted(name for label, name in self.disk_migrations if label == app)
            made = migrations.Migration("9999_later", app)
            made.dependencies = [(app, name) for name in found]
            made.operations = operations
            self.disk_migrations[app, made.name] = made

    MigrationLoader.load_disk = loaded
