"""The register for download, for staff."""

from __future__ import annotations

from itertools import islice

from django import forms
from django.contrib import admin
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from players.access import for_user
from players.listformats.model import RATES
from players.listformats.reading import FORMATS, WRITERS
from players.models import Federation
from players.queries import standing
from ratinglists import listing
from ratinglists.register_export import AS_FIDE, exported, register_rows

_FILES = {
    "fide-txt": ("txt", "text/plain; charset=us-ascii"),
    "fide-xml": ("xml", "application/xml"),
    "csv": ("csv", "text/csv; charset=utf-8"),
}


class ExportForm(forms.Form):
    """The format of an export, and where each kind of rating comes from."""

    format = forms.ChoiceField(label=_("Format"), choices=list(FORMATS.items()))
    federation = forms.ChoiceField(label=_("Federation"), required=False)
    standard = forms.ChoiceField(label=_("Standard ratings"), required=False, initial=AS_FIDE)
    rapid = forms.ChoiceField(label=_("Rapid ratings"), required=False, initial=AS_FIDE)
    blitz = forms.ChoiceField(label=_("Blitz ratings"), required=False, initial=AS_FIDE)

    def __init__(self, user, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.lists = {str(listed.pk): listed for listed in listing.standing()}
        of_rate = {rate: [] for rate in RATES}
        for pk, listed in self.lists.items():
            of_rate.get(listed.system.rate, []).append((pk, str(listed)))
        federations = [
            (federation.pk, str(federation)) for federation in for_user(Federation.objects.all(), user)
        ]
        self.fields["federation"].choices = [("", "all"), *federations]
        for rate in RATES:
            self.fields[rate].choices = [
                (AS_FIDE, "as FIDE's lists said last"),
                ("", "none"),
                *of_rate[rate],
            ]

    def sources(self) -> dict:
        given = self.cleaned_data
        return {rate: self.lists.get(given[rate], given[rate] or None) for rate in RATES}


@staff_member_required
@permission_required("players.view_player", raise_exception=True)
@require_safe
def register_export(request: HttpRequest) -> HttpResponse:
    """The form; with ``format`` in the address, the file."""
    form = ExportForm(request.user, request.GET if "format" in request.GET else None)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        suffix, kind = _FILES[given["format"]]
        lines = WRITERS[given["format"]](register_rows(request.user, form.sources(), given["federation"]))
        chunks = iter(lambda: b"".join(islice(lines, 500)), b"")
        name = f"players-{timezone.localdate()}.{suffix}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(chunks, content_type=kind, headers=headers)
    players, held = for_user(standing(), request.user).count(), exported(request.user).count()
    context = {
        **admin.site.each_context(request),
        "title": "Export players",
        "form": form,
        "held": held,
        "left_out": players - held,
    }
    return TemplateResponse(request, "admin/players/player/export.html", context)
