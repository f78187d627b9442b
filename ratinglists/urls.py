"""Addresses of the public site."""

from datetime import date

from django.urls import path, register_converter

from ratinglists import register_views, verify_views, views


class Day:
    """A date as 2022-03-01; one that does not exist is no address."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(Day, "day")

urlpatterns = [
    path("", views.home, name="home"),
    path("lists/", views.archive, name="lists"),
    path("lists/<slug:system>/", views.latest, name="system-latest"),
    path("lists/<slug:system>/<day:day>/", views.list_page, name="list"),
    path("lists/<slug:system>/<day:day>/list.csv", views.list_csv, name="list-csv"),
    path("lists/<slug:system>/<day:day>/list.txt", views.list_txt, name="list-txt"),
    path("lists/<slug:system>/<day:day>/list.xml", views.list_xml, name="list-xml"),
    path("lists/<slug:system>/<day:day>/monitoring/", views.monitoring_page, name="monitoring"),
    path("lists/<slug:system>/<day:day>/monitoring/figures.csv", views.monitoring_csv, name="monitoring-csv"),
    path("players/", views.players, name="players"),
    path("players/export/", register_views.register_export, name="register-export"),
    path("players/<int:pk>/", views.player, name="player"),
    path("players/<int:pk>/games/", views.player_games, name="player-games"),
    path("players/<int:pk>/events/<int:tournament>/", views.calculation, name="calculation"),
    path("verify/", verify_views.verify_page, name="verify"),
    path("verify/<int:number>/manifest.json", verify_views.manifest, name="verify-manifest"),
    path("verify/<int:number>/manifest.sig", verify_views.signature, name="verify-signature"),
    path("verify/<int:number>/archive.tar", verify_views.publication_archive, name="verify-archive"),
    path("verify/keys/<slug:name>.pem", verify_views.key, name="verify-key"),
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/<int:pk>/", views.tournament, name="tournament"),
]
