"""The portal beside a bare view and one that reads one row, behind the same middleware: for bench/web.py."""

from django.conf import settings
from django.http import HttpResponse
from django.urls import path

from ratingsite.wsgi import application  # noqa: F401

from players.models import Player  # isort: skip
from ratingsite.urls import urlpatterns as portal  # isort: skip

settings.ROOT_URLCONF = __name__
urlpatterns = [
    path("bare/", lambda request: HttpResponse("a bare view")),
    path("row/<int:pk>/", lambda request, pk: HttpResponse(Player.objects.get(pk=pk).name)),
    *portal,
]
