from django.apps import AppConfig


class RatingSiteConfig(AppConfig):
    name = "ratingsite"
    verbose_name = "Site"

    def ready(self) -> None:
        from ratingsite import checks  # noqa: F401
