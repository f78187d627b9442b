"""Complaints in the admin: read; their own pages answer them."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from players.read_only import ReadOnlyAdmin
from ratinglists.models import Complaint


@admin.register(Complaint)
class ComplaintAdmin(ReadOnlyAdmin):
    list_display = ("id", "tournament", "player", "subject", "state", "opened_at", "until", "late", "mail")
    list_filter = ("state", "subject", "late", "tournament__rating_system")
    list_select_related = ("tournament", "player")
    search_fields = ("=id", "tournament__name", "player__name")
    date_hierarchy = "opened_at"
    # Whoever has the token acts as the sender.
    exclude = ("token", "mailbox", "client")
    readonly_fields = ("page",)

    @admin.display(description=_("answered on"))
    def page(self, case: Complaint) -> str:
        return format_html('<a href="{}">{}</a>', reverse("complaint", args=[case.pk]), _("its page"))
