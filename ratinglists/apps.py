from django.apps import AppConfig


class RatingListsConfig(AppConfig):
    name = "ratinglists"
    verbose_name = "Rating lists"

    def ready(self) -> None:
        from players.triggers import keep
        from ratinglists import identities, triggers

        identities.register()
        keep(triggers.PUBLISHED, self)
