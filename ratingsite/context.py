"""What every template knows."""

from django.conf import settings
from django.http import HttpRequest

from ratinglists.software import VERSION


def site(request: HttpRequest) -> dict[str, str]:
    """The portal's version, for the foot of each page, and the cookie with which forms prove their sender."""
    return {"portal_version": VERSION, "csrf_cookie": settings.CSRF_COOKIE_NAME}
