"""Addresses of the arbiters' pages."""

from django.urls import path

from tournaments import notice_views, queue_views, views

urlpatterns = [
    path("queue/", queue_views.staff_queue, name="queue"),
    path("received/", queue_views.received, name="received"),
    path("me/", notice_views.me, name="me"),
    path("me/read/", notice_views.read, name="me-read"),
    path("arbiter/", views.home, name="arbiter"),
    path("arbiter/<int:pk>/", views.tournament, name="arbiter-tournament"),
    path("arbiter/<int:pk>/appeal/", views.appeal, name="arbiter-appeal"),
    path("arbiter/<int:pk>/compare/", views.compare, name="compare"),
    path("arbiter/<int:pk>/upload/", views.upload, name="arbiter-upload"),
    path("arbiter/<int:pk>/choose/", views.choose, name="arbiter-choose"),
    path("arbiter/<int:pk>/distinct/", views.rule_distinct, name="arbiter-distinct"),
    path("arbiter/<int:pk>/submit/", views.submit, name="arbiter-submit"),
    path("arbiter/<int:pk>/crosstable/", views.crosstable, name="arbiter-crosstable"),
    path("arbiter/<int:pk>/grid/", views.crosstable, {"grid": True}, name="arbiter-grid"),
    path("arbiter/<int:pk>/reports/<int:report>/", views.receipt, name="arbiter-report"),
    path("arbiter/<int:pk>/reports/<int:report>/file/", views.download, name="arbiter-file"),
]
