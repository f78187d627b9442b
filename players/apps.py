from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"
    verbose_name = "Players"

    def ready(self) -> None:
        from players import erasing, hiding, merging, search_index, triggers

        merging.register_own()
        hiding.register()
        erasing.register_own()
        triggers.keep(triggers.AUDIT, self)
        triggers.keep(search_index.WORDS, self)
