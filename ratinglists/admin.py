"""Periods, lists and jobs in the admin. Lists and jobs are read; only services write them."""

from __future__ import annotations

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players.access import for_user
from players.audited import AuditedAdmin
from players.doors import takes_file
from players.languages.texts import minus, said
from players.read_only import ReadOnlyAdmin
from ratinglists import services
from ratinglists.admin_forms import MAX_BYTES, OpeningForm, PeriodForm
from ratinglists.api_admin import ApiKeyAdmin, ApiSubmissionAdmin
from ratinglists.approving import PROPOSE, PUBLISH
from ratinglists.complaint_admin import ComplaintAdmin
from ratinglists.correction_admin import CorrectionAdmin
from ratinglists.explaining import explain_rows
from ratinglists.jobs import Refusal
from ratinglists.models import Job, ListRow, Period, RatingList
from ratinglists.permissions import may_see_drafts
from ratinglists.queries import proposed_period
from ratinglists.standing import progress, standing
from tournaments.models import RatingSystem
from tournaments.services import NotAllowedNow

__all__ = ["ApiKeyAdmin", "ApiSubmissionAdmin", "ComplaintAdmin", "CorrectionAdmin"]

COMPUTE = "ratinglists.compute_period"


def _of_draft(service):
    """A service of drafts as one of periods."""

    def ask(period: Period, by) -> None:
        draft = period.lists.filter(state=RatingList.State.DRAFT).select_related("period__system").first()
        if draft is None:
            raise NotAllowedNow("There is no draft: compute it first.")
        service(draft, by)

    return ask


REQUESTS = {
    "compute": (services.request_compute, "Asked for the computation."),
    "prove": (services.request_proof, "Asked for the proof of the draft."),
    "propose": (_of_draft(services.propose), "Proposed the draft for publication."),
    "approve": (_of_draft(services.approve_and_publish), "Approved the draft for publication."),
    "publish": (services.request_publish, "Asked for the publication."),
}


def public_page(listed: RatingList) -> str:
    return reverse("list", args=[listed.period.system_id, listed.list_date])


def monitoring_page(listed: RatingList) -> str:
    return reverse("monitoring", args=[listed.period.system_id, listed.list_date])


@admin.register(Period)
class PeriodAdmin(AuditedAdmin, admin.ModelAdmin):
    audit_values = None
    form = PeriodForm
    list_display = ("list_date", "system", "closes_on", "state")
    list_filter = ("system",)
    list_select_related = ("system",)
    date_hierarchy = "list_date"
    actions = None

    class Media:
        css = {"all": ("css/admin-portal.css",)}
        js = ("js/job-progress.js",)

    def get_queryset(self, request):
        return super().get_queryset(request).prefetch_related("lists", "jobs")

    def audited_act(self, what: str, changed: dict) -> str:
        return "period.opened" if what == "added" else super().audited_act(what, changed)

    @admin.display(description=_("state"))
    def state(self, period: Period) -> str:
        states = {listed.state for listed in period.lists.all()}
        if RatingList.State.PUBLISHED in states:
            return said("published")
        if any(job.state in (Job.State.QUEUED, Job.State.RUNNING) for job in period.jobs.all()):
            return said("being worked on")
        return said("draft computed") if states else said("open")

    def get_readonly_fields(self, request, obj=None):
        return ("system", "list_date") if obj else ()

    def get_changeform_initial_data(self, request):
        given = super().get_changeform_initial_data(request)
        system = RatingSystem.objects.filter(pk=given.get("system", "")).first()
        if system is not None:
            list_date, closes_on = proposed_period(system)
            given = {"list_date": list_date, "closes_on": closes_on, **given}
        return given

    def has_change_permission(self, request, obj=None) -> bool:
        return not _published(obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request, obj=None) -> bool:
        return not _published(obj) and super().has_delete_permission(request, obj)

    def get_deleted_objects(self, objs, request):
        """A period goes with its draft and its jobs, which nobody deletes by themselves."""
        listed = [said(f"{period}, with its draft and its jobs") for period in objs]
        return listed, {self.opts.verbose_name_plural: len(listed)}, set(), []

    def delete_model(self, request, obj) -> None:
        services.drop_period(obj, request.user)

    def changelist_view(self, request, extra_context=None):
        nexts = []
        if self.has_add_permission(request):
            nexts = [
                (system, *proposed_period(system))
                for system in for_user(RatingSystem.objects.all(), request.user)
            ]
        extra = {
            "next_periods": [row for row in nexts if row[1] is not None],
            "may_open": request.user.has_perm(PROPOSE),
        }
        return super().changelist_view(request, {**(extra_context or {}), **extra})

    def render_change_form(self, request, context, add=False, change=False, form_url="", obj=None):
        if obj is not None:
            stored = Period.objects.select_related("system").get(pk=obj.pk)
            now = standing(stored)
            open_now = now["published"] is None and not now["running"]
            context["standing"] = now
            computes = request.user.has_perm(COMPUTE) and not _brought_in(now["draft"])
            context["may_compute"] = open_now and computes
            context.update(_steps(request.user, now) if open_now and now["draft"] else {})
            context["draft_page"] = self._draft_page(request, now["draft"])
            context["public_page"] = public_page(now["published"]) if now["published"] else ""
            context["monitoring_page"] = self._monitoring_page(request, now["published"], now["draft"])
        return super().render_change_form(request, context, add, change, form_url, obj)

    def _draft_page(self, request: HttpRequest, draft: RatingList | None) -> str:
        """The draft as it will look; who neither proposes nor approves gets the bare rows."""
        if draft is None:
            return ""
        if may_see_drafts(request.user):
            return f"{public_page(draft)}?draft=1"
        return f"{reverse('admin:ratinglists_listrow_changelist')}?rating_list__id__exact={draft.pk}"

    def _monitoring_page(
        self, request: HttpRequest, published: RatingList | None, draft: RatingList | None
    ) -> str:
        """Of the published list, else of the draft for those who may open it."""
        if published is not None:
            return monitoring_page(published)
        if draft is not None and may_see_drafts(request.user):
            return f"{monitoring_page(draft)}?draft=1"
        return ""

    def get_urls(self):
        def view(handler):
            return self.admin_site.admin_view(handler)

        return [
            path("open/", view(self.open_view), name="ratinglists_period_open"),
            path(
                "<int:pk>/ask/<slug:what>/", view(require_POST(self.ask_view)), name="ratinglists_period_ask"
            ),
            path(
                "<int:pk>/progress/",
                view(never_cache(require_safe(self.progress_view))),
                name="ratinglists_period_progress",
            ),
            *super().get_urls(),
        ]

    def _period(self, request: HttpRequest, pk: int) -> Period:
        if not self.has_view_permission(request):
            raise PermissionDenied
        period = self.get_object(request, str(pk))
        if period is None:
            raise Http404
        return period

    def ask_view(self, request: HttpRequest, pk: int, what: str) -> HttpResponse:
        if what not in REQUESTS:
            raise Http404
        period = self._period(request, pk)
        ask, done = REQUESTS[what]
        try:
            ask(period, request.user)
        except (NotAllowedNow, Refusal) as refusal:
            messages.error(request, str(refusal))
        else:
            self.log_change(request, period, done)
        return redirect("admin:ratinglists_period_change", pk)

    def progress_view(self, request: HttpRequest, pk: int) -> JsonResponse:
        return JsonResponse(progress(self._period(request, pk)))

    @takes_file(MAX_BYTES, _("Leave out the columns that are not needed."), PROPOSE)
    def open_view(self, request: HttpRequest) -> HttpResponse:
        """Bring in the list that a system starts from; all faults of the file at once."""
        if not request.user.has_perm(PROPOSE):
            raise PermissionDenied
        form = OpeningForm(request.POST or None, request.FILES or None)
        problems: list[str] = []
        if request.method == "POST" and form.is_valid():
            given = form.cleaned_data
            try:
                opening = services.open_system(
                    given["system"], given["list_date"], given["file"].read(), request.user
                )
            except services.OpeningRefused as refusal:
                problems = [str(problem) for problem in refusal.problems]
            except (NotAllowedNow, Refusal) as refusal:
                problems = [str(refusal)]
            else:
                told = "They are published when another person approves them."
                messages.success(request, f"{opening}: {opening.rows.count()} players. {told}")
                return redirect("admin:ratinglists_period_change", opening.period_id)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Bring in an opening list",
            "form": form,
            "problems": problems,
            "media": self.media + form.media,
        }
        return TemplateResponse(request, "admin/ratinglists/period/open.html", context)


def _steps(user, now: dict) -> dict:
    """Which of the steps to a publication this account may take with a draft as it stands."""
    draft = now["draft"]
    ready = not (now["stale"] or now["problem"] or now["unproven"])
    proposes = user.has_perm(PROPOSE) and not draft.has_two_persons
    return {
        "may_prove": now["unproven"] and not now["stale"] and user.has_perm(COMPUTE),
        "may_propose": ready and proposes and draft.proposed_by_id is None,
        "may_approve": ready
        and draft.proposed_by_id is not None
        and not draft.has_two_persons
        and draft.proposed_by_id != user.pk
        and user.has_perm(PUBLISH)
        and not now["too_early"],
        "own_proposal": draft.proposed_by_id == user.pk and not draft.has_two_persons,
        "may_publish": ready
        and not now["lacking"]
        and now["appears_on"] is None  # the portal publishes it on its day
        and user.has_perm(PUBLISH),
    }


def _brought_in(draft: RatingList | None) -> bool:
    return draft is not None and draft.is_opening


def _published(period: Period | None) -> bool:
    return period is not None and period.lists.filter(state=RatingList.State.PUBLISHED).exists()


@admin.register(RatingList)
class RatingListAdmin(ReadOnlyAdmin):
    list_display = ("period", "revision", "state", "persons", "regulation", "computed_at", "published_at")
    list_filter = ("state", "period__system")
    list_select_related = ("period__system",)
    fields = (
        "period",
        "revision",
        "state",
        "players",
        "regulation",
        "previous",
        "is_opening",
        "persons",
        "computed_at",
        "proposed_at",
        "proposed_by",
        "approved_at",
        "approved_by",
        "published_at",
        "published_by",
        "input_sha256",
        "sha256",
    )
    readonly_fields = ("players", "persons")

    @admin.display(description=_("two persons"))
    def persons(self, listed: RatingList) -> str:
        """Was it proposed by one person and approved by another?"""
        if listed.one_person:
            return said("ONE PERSON: no second one approved it")
        return said("proposed and approved") if listed.has_two_persons else said("not yet")

    @admin.display(description=_("players"))
    def players(self, listed: RatingList) -> str:
        rows = reverse("admin:ratinglists_listrow_changelist")
        link = format_html(
            '<a href="{}?rating_list__id__exact={}">{}</a>',
            rows,
            listed.pk,
            said(f"{listed.rows.count()} players"),
        )
        if listed.state == RatingList.State.PUBLISHED:
            page = f"{public_page(listed)}?revision={listed.revision}"
            return format_html('{} · <a href="{}">{}</a>', link, page, _("public page"))
        return link


@admin.register(ListRow)
class ListRowAdmin(ReadOnlyAdmin):
    list_display = ("name", "title", "federation", "rating", "change", "games", "k", "status", "birth_year")
    list_filter = ("status", "federation")
    search_fields = ("name", "fide_id")
    exclude = ("steps",)
    readonly_fields = ("explanation",)

    def lookup_allowed(self, lookup, value, request) -> bool:
        return lookup == "rating_list__id__exact" or super().lookup_allowed(lookup, value, request)

    def has_module_permission(self, request) -> bool:
        return False  # reached from its list

    @admin.display(description=_("explanation"))
    def explanation(self, row: ListRow) -> str:
        explain_rows([row])
        lines = (
            f"{step['article']} {said(step['label'])} = {said(step['value'])} {said(step['text'])}".rstrip()
            for step in row.steps
        )
        return minus("\n".join(lines))


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = (
        "kind",
        "period",
        "of_correction",
        "state",
        "at_work_on",
        "attempts",
        "requested_by",
        "requested_at",
        "told",
    )
    list_filter = ("state", "kind", "period__system")
    list_select_related = ("period__system", "requested_by")
    exclude = ("token", "stage", "message")
    readonly_fields = ("at_work_on", "told")

    @admin.display(description=_("correction"), ordering="correction")
    def of_correction(self, job: Job) -> str:
        return job.correction_id or "–"

    @admin.display(description=pgettext_lazy("job", "stage"))
    def at_work_on(self, job: Job) -> str:
        return said(job.stage)

    @admin.display(description=_("message"))
    def told(self, job: Job) -> str:
        return said(job.message)
