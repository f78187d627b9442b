from django.apps import AppConfig
from django.db.models.signals import post_migrate


def install_triggers(sender, using, **kwargs) -> None:
    """After every migration, since SQLite rebuilds an altered table without its triggers."""
    from django.db import connections

    from ratinglists import triggers

    with connections[using].schema_editor() as editor:
        triggers.remove(editor)
        triggers.install(editor)


class RatingListsConfig(AppConfig):
    name = "ratinglists"
    verbose_name = "Rating lists"

    def ready(self) -> None:
        post_migrate.connect(install_triggers, sender=self)
