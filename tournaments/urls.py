"""Addresses of the arbiters' pages."""

from django.urls import path

from tournaments import views

urlpatterns = [
    path("arbiter/", views.home, name="arbiter"),
    path("arbiter/<int:pk>/", views.tournament, name="arbiter-tournament"),
    path("arbiter/<int:pk>/compare/", views.compare, name="compare"),
    path("arbiter/<int:pk>/upload/", views.upload, name="arbiter-upload"),
    path("arbiter/<int:pk>/submit/", views.submit, name="arbiter-submit"),
    path("arbiter/<int:pk>/crosstable/", views.crosstable, name="arbiter-crosstable"),
    path("arbiter/<int:pk>/grid/", views.crosstable, {"grid": True}, name="arbiter-grid"),
    path("arbiter/<int:pk>/reports/<int:report>/", views.receipt, name="arbiter-report"),
    path("arbiter/<int:pk>/reports/<int:report>/file/", views.download, name="arbiter-file"),
]
