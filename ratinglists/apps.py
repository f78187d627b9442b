from django.apps import AppConfig
from django.db.models.signals import post_migrate


def install_triggers(sender, using, **kwargs) -> None:
    """After every migration, since SQLite rebuilds an altered table without its triggers."""
    from django.db import connections, transaction

    from ratinglists import triggers

    with transaction.atomic(using=using):
        triggers.remove(connections[using])
        triggers.install(connections[using])


class RatingListsConfig(AppConfig):
    name = "ratinglists"
    verbose_name = "Rating lists"

    def ready(self) -> None:
        from ratinglists import identities, live_causes

        identities.register()
        live_causes.connect()
        post_migrate.connect(install_triggers, sender=self)
