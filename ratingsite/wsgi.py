"""The WSGI application. A server such as gunicorn runs no system checks, so they run here."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratingsite.settings")

application = get_wsgi_application()

from ratingsite.checks import refuse_unsafe_start  # noqa: E402 - needs the application registry

refuse_unsafe_start()
