"""The register in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from players.accounts_admin import AccountAdmin, RoleAdmin
from players.audit_admin import AuditEntryAdmin, OutboxMessageAdmin
from players.audited import AuditedAdmin
from players.forms import PlayerForm
from players.identity_admin import IdentityChangeAdmin, MergeAndSplit
from players.import_admin import PlayerImportAdmin
from players.models import (
    Federation,
    FideListing,
    FormerName,
    Identifier,
    IssuingBody,
    Membership,
    Player,
    Title,
)
from players.own_admin import OwnInline
from players.privacy_admin import HideAndErase, PrivacyRequestAdmin
from players.queries import search, standing
from players.services import keep_former_name

__all__ = [
    "AccountAdmin",
    "AuditEntryAdmin",
    "IdentityChangeAdmin",
    "OutboxMessageAdmin",
    "PlayerImportAdmin",
    "PrivacyRequestAdmin",
    "RoleAdmin",
]

admin.site.site_header = admin.site.site_title = _("Rating portal: administration")
admin.site.index_title = _("What would you like to do?")


@admin.register(Federation)
class FederationAdmin(AuditedAdmin, admin.ModelAdmin):
    audit_values = None
    list_display = ("code", "name", "hides_minors")
    search_fields = ("code", "name")

    def get_readonly_fields(self, request, obj=None):
        return ("code",) if obj else ()


@admin.register(IssuingBody)
class IssuingBodyAdmin(FederationAdmin):
    list_display = ("code", "name")


class IdentifierInline(OwnInline):
    model = Identifier


class TitleInline(OwnInline):
    model = Title


class MembershipInline(OwnInline):
    model = Membership


class FideListingInline(OwnInline):
    """What FIDE's lists said, newest first; only imports write it."""

    model = FideListing
    max_num = 0
    can_delete = False

    def has_change_permission(self, request, obj=None) -> bool:
        return False


class FormerNameInline(OwnInline):
    model = FormerName


@admin.register(Player)
class PlayerAdmin(AuditedAdmin, HideAndErase, MergeAndSplit, admin.ModelAdmin):
    form = PlayerForm
    list_display = ("name", "highest_title", "number", "federation", "birth_year", "sex")
    list_filter = ("sex", "federation")
    list_select_related = ("federation", "merged_into")
    search_fields = ("name",)
    search_help_text = _("Words of the name (case and accents do not matter), or a player number.")
    autocomplete_fields = ("federation",)
    inlines = (IdentifierInline, TitleInline, MembershipInline, FormerNameInline, FideListingInline)

    class Media:
        css = {"all": ("css/admin-portal.css",)}

    def get_fieldsets(self, request, obj=None):
        person = ("federation", "sex", ("birth_date", "birth_precision"), "otb_category")
        if not self.has_change_permission(request, obj):
            return [(None, {"fields": ("name", *person, "user")})]
        if obj is not None and obj.privacy:
            return [(None, {"fields": (*person, "account")})]
        name = ("name", "name_reason") if obj else ("name",)
        return [(None, {"fields": (*name, *person, "account")})]

    def has_change_permission(self, request, obj=None) -> bool:
        closed = obj is not None and (obj.merged_into_id is not None or obj.privacy == Player.Privacy.ERASED)
        return not closed and super().has_change_permission(request, obj)

    def has_delete_permission(self, request, obj=None) -> bool:
        merged = obj is not None and obj.merged_into_id is not None
        return not merged and super().has_delete_permission(request, obj)

    def save_related(self, request, form, formsets, change) -> None:
        super().save_related(request, form, formsets, change)
        form.link()
        if change and "name" in form.changed_data:
            keep_former_name(form.instance, form.initial["name"], form.cleaned_data["name_reason"])

    def get_queryset(self, request):
        return super().get_queryset(request).prefetch_related("titles", "identifiers")

    def get_search_results(self, request, queryset, search_term):
        # By key, so that what is left can still be deleted, ordered and counted.
        return queryset.filter(pk__in=search(standing().order_by(), search_term).values("pk")), False

    @admin.display(description=_("title"))
    def highest_title(self, player: Player) -> str:
        return player.title

    @admin.display(description=_("FIDE number"))
    def number(self, player: Player) -> str:
        return player.fide_id

    @admin.display(description=_("born"), ordering="birth_date")
    def birth_year(self, player: Player) -> int | None:
        return player.birth_year
