from django.apps import AppConfig


class RatingSiteConfig(AppConfig):
    name = "ratingsite"
    verbose_name = "Site"

    def ready(self) -> None:
        from ratinglists.services import swept
        from ratingsite import checks, tasks, unsafe  # noqa: F401
        from ratingsite.models import Heartbeat

        swept.connect(
            lambda **_: tasks.beat(Heartbeat.SWEEP, "sweep"), weak=False, dispatch_uid="ratingsite.sweep"
        )
