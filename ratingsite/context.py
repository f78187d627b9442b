"""What every template knows."""

from django.conf import settings
from django.http import HttpRequest

from ratinglists.software import VERSION


def second_factor(request: HttpRequest) -> dict[str, bool]:
    """Whether staff and arbiters need a second factor here: a demonstration does without."""
    return {"second_factor_needed": settings.PORTAL_SECOND_FACTOR == "required"}


def version(request: HttpRequest) -> dict[str, str]:
    """The portal's version, for the foot of each page."""
    return {"portal_version": VERSION}
