from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from players.languages.names import SaidNames


class RatingListsConfig(SaidNames, AppConfig):
    name = "ratinglists"
    verbose_name = _("Rating lists")

    def ready(self) -> None:
        from players.triggers import keep
        from ratinglists import access, identities, live_causes, triggers, withholding

        access.register()
        identities.register()
        withholding.register()
        live_causes.connect()
        keep(triggers.PUBLISHED, self)
