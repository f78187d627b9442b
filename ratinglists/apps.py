from django.apps import AppConfig


class RatingListsConfig(AppConfig):
    name = "ratinglists"
    verbose_name = "Rating lists"

    def ready(self) -> None:
        from players.triggers import keep
        from ratinglists import identities, live_causes, triggers, withholding

        identities.register()
        withholding.register()
        live_causes.connect()
        keep(triggers.PUBLISHED, self)
