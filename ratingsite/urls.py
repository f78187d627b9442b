"""Every address of the site."""

from django.contrib import admin
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from ratingsite import health, metrics
from ratingsite.languages.views import choose

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("favicon.ico", lambda request: redirect(static("img/mark.svg"))),
    path("language/<slug:code>/", choose, name="language"),
    path("healthz", health.database, name="healthz"),
    path("healthz/queue", health.queue, name="healthz-queue"),
    path("healthz/sweep", health.sweep, name="healthz-sweep"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("status/", health.status, name="status"),
    path("", include("tournaments.urls")),
    path("", include("ratinglists.urls")),
]

handler400 = "ratingsite.bodies.bad_request"
handler403 = "ratingsite.languages.views.forbidden"
handler404 = "ratingsite.languages.views.not_found"
