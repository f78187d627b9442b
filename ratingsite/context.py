"""What every template knows."""

from django.http import HttpRequest

from ratinglists.software import VERSION


def version(request: HttpRequest) -> dict[str, str]:
    """The portal's version, for the foot of each page."""
    return {"portal_version": VERSION}
