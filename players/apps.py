from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from players.languages.names import SaidNames


class PlayersConfig(SaidNames, AppConfig):
    name = "players"
    verbose_name = _("Players")

    def ready(self) -> None:
        from players import characters, erasing, hiding, merging, search_index, triggers

        characters.keep_out_of_forms()
        merging.register_own()
        hiding.register()
        erasing.register_own()
        triggers.keep(triggers.AUDIT, self)
        triggers.keep(search_index.WORDS, self)
