"""The pages that take a report file."""

from __future__ import annotations

from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.doors import takes_file
from tournaments.reports.text import MAX_BYTES


def takes_report(view):
    """A page for signed-in users that may be posted one report file."""

    @takes_file(MAX_BYTES, _("Send one event per file."))
    @login_required
    @require_http_methods(["GET", "HEAD", "POST"])
    @never_cache
    @wraps(view)
    def page(request: HttpRequest, pk: int) -> HttpResponse:
        return view(request, pk)

    return page
