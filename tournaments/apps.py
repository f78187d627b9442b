from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from players.languages.names import SaidNames


class TournamentsConfig(SaidNames, AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        from tournaments import access, identities, privacy

        access.register()
        identities.register()
        privacy.register()
