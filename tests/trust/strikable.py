"""The portal for a web server; a request can ask for the process's death at a crash point."""

import os

from ratingsite.wsgi import application as portal


def application(environ, start_response):
    os.environ["PORTAL_CRASH_AT"] = environ.get("HTTP_X_CRASH_AT", "")
    return portal(environ, start_response)
