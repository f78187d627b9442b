"""Addresses of the public site."""

from datetime import date

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from players.kept_pages import kept
from players.one_moment import of_one_moment
from ratinglists import (
    api_views,
    calendar_views,
    compare_views,
    complaint_views,
    federation_views,
    feeds,
    file_views,
    files,
    handled_views,
    live_views,
    player_views,
    privacy_views,
    register_views,
    revision_views,
    sitemaps,
    special,
    verify_views,
    views,
    whatif_views,
)
from ratinglists.api.api import api, openapi


class Day:
    """A date as 2022-03-01; one that does not exist is no address."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


class Sha256(StringConverter):
    regex = "[0-9a-f]{64}"


class Code(StringConverter):
    """A federation's three letters."""

    regex = "[A-Z]{3}"


class SpecialList(StringConverter):
    """A list beside a rating list, by its name."""

    regex = "|".join(sorted(special.SPECIAL, key=len, reverse=True))


register_converter(Code, "code")
register_converter(Day, "day")
register_converter(Sha256, "sha256")
register_converter(SpecialList, "special")

urlpatterns = [
    path("", kept(views.home), name="home"),
    path("lists/", kept(views.archive), name="lists"),
    path("lists/<slug:system>/", views.latest, name="system-latest"),
    path("lists/<slug:system>/live/", of_one_moment(live_views.live_page), name="live"),
    path("lists/<slug:system>/<day:day>/", kept(views.list_page), name="list"),
    *(
        path(
            f"lists/<slug:system>/<day:day>/list.{ending}",
            file_views.whole_list,
            {"ending": ending},
            name=f"list-{ending}",
        )
        for ending in files.WHOLE
    ),
    path(
        "lists/<slug:system>/<day:day>/files/<sha256:sha256>/<str:name>",
        file_views.archived_file,
        name="list-file",
    ),
    path("lists/<slug:system>/<day:day>/<special:kind>/", kept(file_views.special_page), name="special"),
    path("lists/<slug:system>/<day:day>/<special:kind>.csv", file_views.special_csv, name="special-csv"),
    path(
        "lists/<slug:system>/<day:day>/<int:revision>/players/<int:pk>/",
        kept(player_views.calculation_sheet),
        name="calculation-sheet",
    ),
    path("lists/<slug:system>/<day:day>/changed/", kept(revision_views.changes_page), name="list-changes"),
    path("lists/<slug:system>/<day:day>/changed.csv", revision_views.changes_csv, name="list-changes-csv"),
    path("lists/<slug:system>/<day:day>/events/", kept(handled_views.handled_page), name="list-events"),
    path("lists/<slug:system>/<day:day>/monitoring/", kept(views.monitoring_page), name="monitoring"),
    path("lists/<slug:system>/<day:day>/monitoring/figures.csv", views.monitoring_csv, name="monitoring-csv"),
    path("calendar/", calendar_views.page, name="calendar"),
    path("calendar/closing-dates.ics", calendar_views.ics, name="calendar-ics"),
    path("calendar/<slug:system>.ics", calendar_views.ics, name="calendar-system-ics"),
    path("feeds/lists.atom", feeds.publications, name="feed"),
    path("feeds/revisions.atom", feeds.revisions, name="feed-revisions"),
    path("feeds/lists/<slug:system>.atom", feeds.of_system, name="feed-system"),
    path("robots.txt", sitemaps.robots, name="robots"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemap-<slug:section>.xml", sitemaps.part, name="sitemap-part"),
    path("players/", of_one_moment(views.players), name="players"),
    path("players/export/", register_views.register_export, name="register-export"),
    path("players/<int:pk>/", kept(views.player), name="player"),
    path("players/<int:pk>/compare/", compare_views.choose, name="compare-choose"),
    path("players/<int:pk>/compare/<int:other>/", kept(compare_views.two), name="compare-players"),
    path("players/<int:pk>/what-if/", whatif_views.what_if, name="what-if"),
    path("players/<int:pk>/history/", kept(player_views.player_history), name="player-history"),
    path("players/<int:pk>/statistics/", kept(player_views.player_statistics), name="player-statistics"),
    path("players/<int:pk>/privacy/", privacy_views.ask, name="player-privacy"),
    path("players/<int:pk>/games/", kept(views.player_games), name="player-games"),
    path("players/<int:pk>/events/<int:tournament>/", kept(views.calculation), name="calculation"),
    path("api/", api_views.page, name="api"),
    path("api/v1/openapi.json", openapi, name="api-openapi"),
    path("api/v1/", api.urls),
    path("federations/", kept(federation_views.index), name="federations"),
    path("federations/<code:code>/", kept(federation_views.federation), name="federation"),
    path("verify/", verify_views.verify_page, name="verify"),
    path("verify/<int:number>/manifest.json", verify_views.manifest, name="verify-manifest"),
    path("verify/<int:number>/manifest.sig", verify_views.signature, name="verify-signature"),
    path("verify/<int:number>/archive.tar", verify_views.publication_archive, name="verify-archive"),
    path("verify/keys/<slug:name>.pem", verify_views.key, name="verify-key"),
    path("tournaments/", kept(views.tournaments), name="tournaments"),
    path("tournaments/<int:pk>/", kept(views.tournament), name="tournament"),
    path("tournaments/<int:pk>/complaint/", complaint_views.complain, name="complain"),
    path("complaints/", complaint_views.queue, name="complaints"),
    path("complaints/<int:pk>/", complaint_views.complaint, name="complaint"),
    path("complaints/<int:pk>/correct/", complaint_views.correct, name="complaint-correct"),
    path("complaints/case/<slug:token>/", complaint_views.case, name="complaint-case"),
]
