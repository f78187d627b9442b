"""The site: settings, addresses, job system. Imports every app; no app imports it."""

from ratingsite.celery import app as celery_app

__all__ = ["celery_app"]
