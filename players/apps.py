from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from players import characters
from players.languages.names import SaidNames

# Before any form is made: the administration makes its own as soon as the apps are there.
characters.keep_out_of_forms()


class PlayersConfig(SaidNames, AppConfig):
    name = "players"
    verbose_name = _("Players")

    def ready(self) -> None:
        from players import access, erasing, hiding, merging, search_index, triggers
        from players.languages import administration

        access.register_own()
        administration.say_choices()
        merging.register_own()
        hiding.register()
        erasing.register_own()
        triggers.keep(triggers.AUDIT, self)
        triggers.keep(search_index.WORDS, self)
