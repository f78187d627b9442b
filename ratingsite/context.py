"""What every template knows."""

from django.conf import settings
from django.http import HttpRequest

from ratinglists.software import VERSION


def second_factor(request: HttpRequest) -> dict[str, bool]:
    """Whether staff and arbiters need a second factor here: a demonstration does without."""
    return {"second_factor_needed": settings.PORTAL_SECOND_FACTOR == "required"}


def site(request: HttpRequest) -> dict[str, str]:
    """The portal's version, for the foot of each page, and the cookie with which forms prove their sender."""
    return {"portal_version": VERSION, "csrf_cookie": settings.CSRF_COOKIE_NAME}
