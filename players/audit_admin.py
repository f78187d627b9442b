"""The audit log and the messages to staff in the admin: read there, by those who may."""

from __future__ import annotations

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players import audit
from players.languages.texts import said
from players.models import AuditEntry, OutboxMessage
from players.read_only import ReadOnlyAdmin

#: so many entries are verified whenever the log is looked at
LOOKED_AT = 1000
PORTAL = "the portal"


class ActorFilter(admin.AllValuesFieldListFilter):
    """By account; what nobody asked for is the portal's own doing."""

    def choices(self, changelist):
        for choice in super().choices(changelist):
            yield choice | {"display": choice["display"] or said(PORTAL)}


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Filtered by act and account, searched by subject; above the list stands whether the chain holds."""

    list_display = ("at", "act", "who", "subject", "text", "number")
    list_filter = (("act", admin.AllValuesFieldListFilter), ("actor_name", ActorFilter))
    search_fields = ("=subject", "subject", "text")
    search_help_text = _(
        "Kind and key of what was acted on, such as players.player:12, or words of the text."
    )
    date_hierarchy = "at"
    fields = readonly_fields = ("at", "act", "who", "subject", "text", "data", "number", "sha256")
    show_full_result_count = False

    class Media:
        css = {"all": ("css/admin-portal.css",)}

    @admin.display(description=_("by"), ordering="actor_name")
    def who(self, entry: AuditEntry) -> str:
        return entry.actor_name or said(PORTAL)

    def changelist_view(self, request, extra_context=None):
        number, sha256 = audit.head()
        extra = {
            "faults": audit.verify(last=LOOKED_AT),
            "head": number,
            "head_sha256": sha256,
            "waiting": AuditEntry.objects.filter(number=None).count(),
            "looked_at": min(number, LOOKED_AT),
        }
        return super().changelist_view(request, {**(extra_context or {}), **extra})

    def get_urls(self):
        view = never_cache(self.admin_site.admin_view(require_safe(self.verify_view)))
        return [path("verify/", view, name="players_auditentry_verify"), *super().get_urls()]

    def verify_view(self, request: HttpRequest) -> HttpResponse:
        """The whole chain, from its first entry."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        faults = audit.verify()
        number, sha256 = audit.head()
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Verify the audit log",
            "faults": faults,
            "head": number,
            "head_sha256": sha256,
            "waiting": AuditEntry.objects.filter(number=None).count(),
            "looked_at": number,
        }
        return TemplateResponse(request, "admin/players/auditentry/verify.html", context)


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnlyAdmin):
    """What staff were told, whether it was sent or not."""

    list_display = ("written_at", "subject", "right", "state", "attempts")
    list_filter = ("state", ("right", admin.AllValuesFieldListFilter))
    search_fields = ("subject", "text")
    date_hierarchy = "written_at"
    fields = ("written_at", "subject", "text", "link", "right", "state", "attempts", "tried_at")
