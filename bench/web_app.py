"""The portal beside one bare view, behind the same middleware: what bench/web.py drives."""

from django.conf import settings
from django.http import HttpResponse
from django.urls import path

from ratingsite.wsgi import application  # noqa: F401

from ratingsite.urls import urlpatterns as portal  # isort: skip

settings.ROOT_URLCONF = __name__
urlpatterns = [path("bare/", lambda request: HttpResponse("a bare view")), *portal]
