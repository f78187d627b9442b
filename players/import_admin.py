"""Imports of players in the admin: asked for, watched, applied, stopped; rules are in the services."""

from __future__ import annotations

from itertools import chain

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players import player_imports
from players.audited import AuditedAdmin
from players.doors import takes_file
from players.import_forms import ImportForm
from players.ledger import Refusal
from players.listformats.spreadsheets import lines
from players.models import PlayerImport
from players.player_imports import MAX_FILE

SHOWN_FAULTS = 50
FAULT_COLUMNS = ("line", "column", "field", "message", "remedy")


@admin.register(PlayerImport)
class PlayerImportAdmin(AuditedAdmin, admin.ModelAdmin):
    list_display = ("file_name", "kind", "list_date", "state", "created", "changed", "faulty", "requested_at")
    list_filter = ("kind", "state")
    actions = None
    fields = ("file_name", "sha256", "requested_by", "requested_at", "started_at", "finished_at")

    class Media:
        css = {"all": ("css/admin-portal.css",)}
        js = ("js/job-progress.js",)

    def has_change_permission(self, request, obj=None) -> bool:
        return False

    def has_delete_permission(self, request, obj=None) -> bool:
        return not (obj and obj.is_open) and super().has_delete_permission(request, obj)

    def delete_model(self, request, obj) -> None:
        player_imports.drop(obj, request.user)

    @takes_file(MAX_FILE, _("Send the list zipped, as FIDE does."), player_imports.IMPORT)
    def add_view(self, request: HttpRequest, form_url: str = "", extra_context=None) -> HttpResponse:
        """Choose a list and what of it is wanted; a dry run comes first, always."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
        problems: list[str] = []
        if form.is_valid():
            given = form.cleaned_data
            try:
                asked = player_imports.request_preview(
                    given["file"] or given["waiting"],
                    file_name=given["file"].name if given["file"] else given["waiting"],
                    single=given["single"],
                    list_date=given["list_date"],
                    federations=given["federations"],
                    by=request.user,
                )
            except player_imports.NotAList as refusal:
                problems = [str(fault) for fault in refusal.faults]
            except Refusal as refusal:
                problems = [str(refusal)]
            else:
                self.log_addition(request, asked, "Asked for a dry run.")
                return redirect("admin:players_playerimport_change", asked.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Import players",
            "form": form,
            "problems": problems,
            "media": self.media + form.media,
        }
        return TemplateResponse(request, "admin/players/playerimport/add.html", context)

    def render_change_form(self, request, context, add=False, change=False, form_url="", obj=None):
        if obj is not None:
            may = request.user.has_perm(player_imports.IMPORT)
            context["job"] = obj
            context["faults"] = [dict(zip(FAULT_COLUMNS, fault, strict=True)) for fault in obj.faults]
            context["faults"] = context["faults"][:SHOWN_FAULTS]
            context["why_not"] = player_imports.why_not_apply(obj)
            context["may_apply"] = may and not context["why_not"]
            context["may_stop"] = may and obj.is_open
            context["applied"] = obj.applied.first()
        return super().render_change_form(request, context, add, change, form_url, obj)

    def get_urls(self):
        def view(handler):
            return self.admin_site.admin_view(handler)

        name = "players_playerimport"
        return [
            path("<int:pk>/apply/", view(self.apply_view), name=f"{name}_apply"),
            path("<int:pk>/stop/", view(self.stop_view), name=f"{name}_stop"),
            path("<int:pk>/progress/", view(self.progress_view), name=f"{name}_progress"),
            path("<int:pk>/faults.csv", view(self.faults_view), name=f"{name}_faults"),
            *super().get_urls(),
        ]

    def _import(self, request: HttpRequest, pk: int) -> PlayerImport:
        found = self.get_object(request, str(pk))
        if found is None:
            raise Http404
        if not self.has_view_permission(request, found):
            raise PermissionDenied
        return found

    @method_decorator(require_POST)
    def apply_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        preview = self._import(request, pk)
        try:
            asked = player_imports.request_apply(preview, request.user)
        except Refusal as refusal:
            messages.error(request, str(refusal))
            return redirect("admin:players_playerimport_change", pk)
        self.log_addition(request, asked, "Asked for the import.")
        return redirect("admin:players_playerimport_change", asked.pk)

    @method_decorator(require_POST)
    def stop_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        running = self._import(request, pk)
        player_imports.stop(running, request.user)
        self.log_change(request, running, "Stopped.")
        return redirect("admin:players_playerimport_change", pk)

    @method_decorator([never_cache, require_safe])
    def progress_view(self, request: HttpRequest, pk: int) -> JsonResponse:
        job = self._import(request, pk)
        return JsonResponse(
            {
                "state": job.state,
                "stage": job.stage or job.get_state_display(),
                "progress": job.progress,
                "total": job.total,
                "finished": not job.is_open,
            }
        )

    @method_decorator(require_safe)
    def faults_view(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """The faults that are kept; a last row tells how many more were counted."""
        job = self._import(request, pk)
        more = job.fault_count - len(job.faults)
        rest = (
            [["", "", "file", f"{more} more faults are not listed.", "Correct these first."]] if more else []
        )
        rows = lines(chain([FAULT_COLUMNS], job.faults, rest))
        headers = {"Content-Disposition": f'attachment; filename="import-{job.pk}-faults.csv"'}
        return StreamingHttpResponse(rows, content_type="text/csv; charset=utf-8", headers=headers)
