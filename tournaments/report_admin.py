"""Reports and waivers in the admin: read there, written by services only."""

from __future__ import annotations

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from players.languages.texts import said
from players.read_only import ReadOnlyAdmin
from tournaments.downloads import original_file
from tournaments.identify import withheld
from tournaments.models import (
    Report,
    Tournament,
    Waiver,
)

State = Tournament.State


class StyledAdmin(ReadOnlyAdmin):
    class Media:
        css = {"all": ("css/admin-portal.css",)}


@admin.register(Report)
class ReportAdmin(StyledAdmin):
    list_display = ("tournament", "filename", "state", "submitted_by", "submitted_at", "short_sha")
    list_filter = ("state", "tournament__rating_system")
    list_select_related = ("tournament", "submitted_by")
    search_fields = ("tournament__name", "filename", "sha256")
    fields = (
        "tournament_page",
        "state",
        "original",
        "sha256",
        "format",
        "submitted_by",
        "submitted_at",
        "decided_by",
        "decided_at",
        "remark",
        "found",
    )
    readonly_fields = fields

    def get_queryset(self, request):
        return super().get_queryset(request).defer("content")

    def get_object(self, request, object_id, from_field=None):
        report = super().get_object(request, object_id, from_field)
        if report is not None:
            now = withheld(report, request.user)
            report.all_findings = [*report.findings, *(issue.as_json() for issue in now)]
        return report

    @admin.display(description=_("SHA-256"))
    def short_sha(self, report: Report) -> str:
        return report.sha256[:12]

    @admin.display(description=_("tournament"))
    def tournament_page(self, report: Report) -> str:
        page = reverse("admin:tournaments_tournament_change", args=[report.tournament_id])
        decide = "" if report.state != Report.State.SUBMITTED else _(" (accept or return it there)")
        return format_html('<a href="{}">{}</a>{}', page, report.tournament, decide)

    @admin.display(description=_("original file"))
    def original(self, report: Report) -> str:
        address = reverse("admin:tournaments_report_download", args=[report.pk])
        return format_html('<a href="{}">{}</a>', address, report.filename)

    @admin.display(description=_("findings"))
    def found(self, report: Report) -> str:
        if not report.all_findings:
            return _("none")
        rows = format_html_join(
            "",
            "<li class='finding finding-{}'><strong>{}</strong> {} {} <em>{}</em></li>",
            (
                (
                    issue["severity"],
                    said(f"Line {issue['line']}") if issue.get("line") else _("File"),
                    f"({issue['article']})" if issue.get("article") else "",
                    said(issue["message"]),
                    said(issue["remedy"]),
                )
                for issue in report.all_findings
            ),
        )
        return format_html("<ul class='findings'>{}</ul>", rows)

    def get_urls(self):
        view = self.admin_site.admin_view(require_safe(self.download_view))
        return [path("<int:pk>/file/", view, name="tournaments_report_download"), *super().get_urls()]

    def download_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return original_file(get_object_or_404(self.get_queryset(request), pk=pk))


@admin.register(Waiver)
class WaiverAdmin(StyledAdmin):
    list_display = ("tournament", "authorization", "article", "reason", "granted_by", "granted_at")
    list_filter = ("authorization",)
    list_select_related = ("tournament", "granted_by")
    search_fields = ("tournament__name", "reason")
