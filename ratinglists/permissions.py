"""Who may see what is not published yet."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from players.access import works_for
from tournaments.models import RatingSystem

#: whoever prepares, proposes or publishes lists looks at their drafts
SEES_DRAFTS = ("ratinglists.publish_list", "ratinglists.propose_list", "ratinglists.correct_list")


def may_see_drafts(user) -> bool:
    """Does this account work on lists that are not published yet?"""
    return any(user.has_perm(right) for right in SEES_DRAFTS)


def wants_draft(request: HttpRequest) -> bool:
    """Does the address ask for a draft? To all but those who work on them drafts do not exist."""
    if request.GET.get("draft") != "1":
        return False
    if not may_see_drafts(request.user):
        raise Http404("No such list.")
    return True


def check_draft(request: HttpRequest, system: RatingSystem) -> None:
    """Of a draft that was asked for: 404 to whoever does not work for the federation of its system."""
    if not works_for(request.user, system.federation_id):
        raise Http404("No such list.")
