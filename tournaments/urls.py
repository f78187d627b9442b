"""Addresses of the arbiters' pages."""

from django.urls import path

from tournaments import (
    drafting_views,
    dryrun_views,
    entry_views,
    grid_views,
    notice_views,
    queue_views,
    upload_views,
    views,
)

urlpatterns = [
    path("queue/", queue_views.staff_queue, name="queue"),
    path("received/", queue_views.received, name="received"),
    path("me/", notice_views.me, name="me"),
    path("me/read/", notice_views.read, name="me-read"),
    path("arbiter/", views.home, name="arbiter"),
    path("arbiter/<int:pk>/", views.tournament, name="arbiter-tournament"),
    path("arbiter/<int:pk>/appeal/", views.appeal, name="arbiter-appeal"),
    path("arbiter/<int:pk>/cancel/", views.cancel, name="arbiter-cancel"),
    path("arbiter/<int:pk>/compare/", views.compare, name="compare"),
    path("arbiter/<int:pk>/entries/add/", entry_views.add, name="arbiter-entry-add"),
    path("arbiter/<int:pk>/entries/<int:entry>/", entry_views.withdraw, name="arbiter-entry-withdraw"),
    path("arbiter/<int:pk>/upload/", upload_views.upload, name="arbiter-upload"),
    path("arbiter/<int:pk>/choose/", upload_views.choose, name="arbiter-choose"),
    path("arbiter/<int:pk>/distinct/", upload_views.rule_distinct, name="arbiter-distinct"),
    path("arbiter/<int:pk>/submit/", upload_views.submit, name="arbiter-submit"),
    path("arbiter/<int:pk>/crosstable/", drafting_views.players, name="arbiter-crosstable"),
    path("arbiter/<int:pk>/crosstable/<int:number>/", drafting_views.round_page, name="arbiter-round"),
    path("arbiter/<int:pk>/crosstable/check/", drafting_views.check, name="arbiter-check"),
    path("arbiter/<int:pk>/crosstable/from/<int:report>/", drafting_views.resume, name="arbiter-resume"),
    path("arbiter/<int:pk>/crosstable/discard/", drafting_views.discard, name="arbiter-discard"),
    path("arbiter/<int:pk>/dry-run/", dryrun_views.dry_run, name="arbiter-dry-run"),
    path("arbiter/<int:pk>/dry-run/choose/", dryrun_views.choose, name="arbiter-choose-entries"),
    path("arbiter/<int:pk>/dry-run/enter/", dryrun_views.enter, name="arbiter-enter-list"),
    path("arbiter/<int:pk>/export/<slug:code>/", dryrun_views.export, name="arbiter-export"),
    path("arbiter/<int:pk>/template/<slug:code>/", dryrun_views.template, name="arbiter-template"),
    path("arbiter/<int:pk>/grid/", grid_views.grid, name="arbiter-grid"),
    path("arbiter/<int:pk>/reports/<int:report>/", views.receipt, name="arbiter-report"),
    path("arbiter/<int:pk>/reports/<int:report>/file/", views.download, name="arbiter-file"),
]
