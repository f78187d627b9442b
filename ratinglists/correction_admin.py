"""Corrections in the admin: opened, filled, computed, looked at, proposed, approved, published, dropped."""

from __future__ import annotations

from datetime import date

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import for_user
from players.languages.texts import said
from players.read_only import ReadOnlyAdmin
from ratinglists import correction_preview as preview
from ratinglists import corrections
from ratinglists.corrections import CORRECT, PROPOSE, PUBLISH
from ratinglists.models import Correction, CorrectionItem
from ratinglists.standing import job_progress
from tournaments.models import RatingSystem, Report, Tournament
from tournaments.transitions import NotAllowedNow

Kind = CorrectionItem.Kind


class ReasonForm(forms.Form):
    """A correction of a system's lists."""

    system = forms.ModelChoiceField(RatingSystem.objects.all(), label=_("System"))
    reason = forms.CharField(
        label=_("Reason"),
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Stands on the corrected lists, for everybody to read."),
    )
    remark = forms.CharField(
        label=_("Remark"),
        widget=forms.Textarea({"rows": 2}),
        required=False,
        help_text=_("For staff; nobody else reads it."),
    )


class EventForm(forms.Form):
    """What is to become of an event."""

    what = forms.ChoiceField(
        widget=forms.RadioSelect({"class": "portal-choices"}), label=_("What is to be corrected?")
    )
    reason = forms.CharField(
        label=_("Reason"),
        widget=forms.Textarea({"rows": 2}),
        help_text=_("Stands on the corrected lists, for everybody to read."),
    )

    def __init__(self, data, tournament: Tournament) -> None:
        super().__init__(data)
        self.fields["what"].choices = [(key, said(words)) for key, words in _choices(tournament)]


def _choices(tournament: Tournament):
    """What a correction could do with an event, as code and words."""
    waiting = tournament.reports.filter(state=Report.State.CORRECTION).defer("content")
    for report in waiting.exclude(correction_items__correction__state=Correction.State.OPEN):
        words = f"Count by the corrected report {report.filename} ({report.submitted_at:%Y-%m-%d})"
        yield f"report-{report.pk}", words
    if preview.is_counted(tournament):
        yield "exclude", "Take the event out of the lists that counted it"
    for day in preview.missed(tournament):
        yield f"include-{day}", f"Count it in the list of {day}, which missed or refused it"


def _act(correction: Correction, tournament: Tournament, what: str, by, reason: str) -> None:
    kind, _sign, which = what.partition("-")
    if kind == "report":
        corrections.add_report(correction, tournament.reports.get(pk=which), by, reason)
    elif kind == "include":
        corrections.include(correction, tournament, date.fromisoformat(which), by, reason)
    else:
        corrections.exclude(correction, tournament, by, reason)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotAllowedNow(f"“{text[:20]}” is not a date: write YYYY-MM-DD.") from None


def _report(correction: Correction, given) -> Report:
    key = given.get("report", "")
    reports = Report.objects.filter(tournament__rating_system=correction.system)
    return get_object_or_404(reports, pk=key if key.isdecimal() and len(key) < 19 else 0)


def _event(correction: Correction, given) -> Tournament:
    key = given.get("tournament", "")
    return get_object_or_404(
        correction.system.tournaments, pk=key if key.isdecimal() and len(key) < 19 else 0
    )


def _item(correction: Correction, given) -> CorrectionItem:
    key = given.get("item", "")
    return get_object_or_404(correction.items, pk=key if key.isdecimal() and len(key) < 19 else 0)


#: what the buttons do: (correction, who, posted fields), and the words when it is done
ACTIONS = {
    "report": (
        lambda c, by, given: corrections.add_report(c, _report(c, given), by, given.get("reason", "")),
        "The report is added.",
    ),
    "include": (
        lambda c, by, given: corrections.include(
            c, _event(c, given), _day(given.get("list_date", "")), by, given.get("reason", "")
        ),
        "The event is added.",
    ),
    "persons": (
        lambda c, by, given: corrections.recount_persons(
            c, _day(given.get("list_date", "")), by, given.get("reason", "")
        ),
        "Added: persons as the register knows them now.",
    ),
    "remove": (
        lambda c, by, given: corrections.remove_item(_item(c, given), by),
        "Removed.",
    ),
    "compute": (lambda c, by, given: corrections.request_correct(c, by), "Asked for the computation."),
    "propose": (lambda c, by, given: corrections.propose(c, by), "Proposed."),
    "approve": (lambda c, by, given: corrections.approve(c, by), "Approved."),
    "publish": (lambda c, by, given: corrections.request_publish(c, by), "Asked for the publication."),
    "drop": (lambda c, by, given: corrections.drop(c, by, given.get("reason", "")), "Dropped."),
}


@admin.register(Correction)
class CorrectionAdmin(ReadOnlyAdmin):
    list_display = ("number", "system", "state", "reason", "opened_by", "opened_at", "closed_at")
    list_filter = ("state", "system")
    list_select_related = ("system", "opened_by")
    fields = ("system", "state", "reason", "remark", "opened_by", "opened_at", "closed_at")

    class Media:
        css = {"all": ("css/admin-portal.css",)}
        js = ("js/job-progress.js",)

    def get_urls(self):
        def view(handler):
            return self.admin_site.admin_view(handler)

        page = require_http_methods(["GET", "HEAD", "POST"])
        return [
            path("open/", view(page(self.open_view)), name="ratinglists_correction_open"),
            path("event/<int:pk>/", view(page(self.event_view)), name="ratinglists_correction_event"),
            path(
                "<int:pk>/do/<slug:what>/", view(require_POST(self.do_view)), name="ratinglists_correction_do"
            ),
            path(
                "<int:pk>/progress/",
                view(never_cache(require_safe(self.progress_view))),
                name="ratinglists_correction_progress",
            ),
            *super().get_urls(),
        ]

    @admin.display(description=_("correction"))
    def number(self, correction: Correction) -> str:
        return said(str(correction))

    def changelist_view(self, request, extra_context=None):
        return super().changelist_view(
            request, {**(extra_context or {}), "may_open": request.user.has_perm(CORRECT)}
        )

    def render_change_form(self, request, context, add=False, change=False, form_url="", obj=None):
        job = preview.job_of(obj)
        running = job is not None and job.is_open
        open_now = obj.state == Correction.State.OPEN
        may = {
            "correct": open_now and not running and request.user.has_perm(CORRECT),
            "propose": open_now and not running and request.user.has_perm(PROPOSE),
            "publish": open_now and not running and request.user.has_perm(PUBLISH),
        }
        context |= {
            "items": preview.items_of(obj),
            "job": job,
            "running": running,
            "may": may,
            "preview": None if running else preview.of(obj),
            "published_lists": obj.lists.filter(state="published").select_related("period__system"),
        }
        if may["correct"]:
            context |= {
                "reports_waiting": preview.reports_waiting(obj.system),
                "late_events": preview.late_events(obj),
                "list_dates": preview.lists_for(obj.system),
                "counted": reverse("admin:tournaments_tournament_changelist")
                + f"?state__exact=counted&rating_system__code__exact={obj.system_id}",
            }
        return super().render_change_form(request, context, add, change, form_url, obj)

    def _correction(self, request: HttpRequest, pk: int) -> Correction:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return get_object_or_404(self.get_queryset(request).select_related("system"), pk=pk)

    def do_view(self, request: HttpRequest, pk: int, what: str) -> HttpResponse:
        if what not in ACTIONS:
            raise Http404
        correction = self._correction(request, pk)
        act, done = ACTIONS[what]
        try:
            act(correction, request.user, request.POST)
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
        else:
            self.log_change(request, correction, done)
            messages.success(request, done)
        return redirect("admin:ratinglists_correction_change", pk)

    def progress_view(self, request: HttpRequest, pk: int) -> JsonResponse:
        return JsonResponse(job_progress(preview.job_of(self._correction(request, pk))))

    def open_view(self, request: HttpRequest) -> HttpResponse:
        """Open a correction without an event, for a merge or a split."""
        if not request.user.has_perm(CORRECT):
            raise PermissionDenied
        form = ReasonForm(request.POST or None)
        form.fields["system"].queryset = for_user(RatingSystem.objects.all(), request.user)
        if request.method == "POST" and form.is_valid():
            try:
                made = corrections.open_correction(by=request.user, **form.cleaned_data)
            except NotAllowedNow as refusal:
                form.add_error(None, str(refusal))
            else:
                return redirect("admin:ratinglists_correction_change", made.pk)
        return self._form_page(request, "Open a correction", form)

    def event_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """“Correct…” of a tournament: add it to the open correction of its system, or open one for it."""
        if not request.user.has_perm(CORRECT):
            raise PermissionDenied
        events = for_user(Tournament.objects.select_related("rating_system"), request.user)
        event = get_object_or_404(events, pk=pk)
        form = EventForm(request.POST or None, event)
        if request.method == "POST" and form.is_valid():
            what, reason = form.cleaned_data["what"], form.cleaned_data["reason"]
            try:
                with transaction.atomic():
                    correction = corrections.for_event(event, request.user, reason)
                    _act(correction, event, what, request.user, reason)
            except NotAllowedNow as refusal:
                form.add_error(None, str(refusal))
            else:
                return redirect("admin:ratinglists_correction_change", correction.pk)
        return self._form_page(request, f"Correct what lists count of {event}", form, tournament=event)

    def _form_page(self, request: HttpRequest, title: str, form: forms.Form, **more) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "form": form,
            "media": self.media + form.media,
            **more,
        }
        return TemplateResponse(request, "admin/ratinglists/correction/form.html", context)
