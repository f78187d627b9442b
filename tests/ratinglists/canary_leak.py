"""The portal with one address more, which no crawl knows."""

from django.http import HttpResponse
from django.urls import path

from ratingsite.urls import urlpatterns as of_the_portal

urlpatterns = [path("leak/", lambda request: HttpResponse("1931-01-01"), name="leak"), *of_the_portal]
