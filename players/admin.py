"""The register in the admin."""

from __future__ import annotations

from django.contrib import admin

from players.import_admin import PlayerImportAdmin  # noqa: F401 (registers itself)
from players.models import Federation, FideListing, Identifier, IssuingBody, Membership, Player, Title
from players.queries import search

admin.site.site_header = admin.site.site_title = "Rating portal: administration"
admin.site.index_title = "What would you like to do?"


@admin.register(Federation)
class FederationAdmin(admin.ModelAdmin):
    list_display = ("code", "name")
    search_fields = ("code", "name")

    def get_readonly_fields(self, request, obj=None):
        return ("code",) if obj else ()


@admin.register(IssuingBody)
class IssuingBodyAdmin(FederationAdmin):
    pass


class IdentifierInline(admin.TabularInline):
    model = Identifier
    extra = 0


class TitleInline(admin.TabularInline):
    model = Title
    extra = 0


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0


class FideListingInline(admin.TabularInline):
    """What FIDE's lists said, newest first; only imports write it."""

    model = FideListing
    extra = 0
    max_num = 0
    can_delete = False

    def has_change_permission(self, request, obj=None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ("name", "highest_title", "number", "federation", "birth_year", "sex")
    list_filter = ("sex", "federation")
    list_select_related = ("federation",)
    search_fields = ("name",)
    search_help_text = "Words of the name (case and accents do not matter), or a player number."
    autocomplete_fields = ("federation",)
    inlines = (IdentifierInline, TitleInline, MembershipInline, FideListingInline)
    fieldsets = (
        (None, {"fields": ("name", "federation", "sex", ("birth_date", "birth_precision"), "otb_category")}),
    )

    def get_queryset(self, request):
        return super().get_queryset(request).prefetch_related("titles", "identifiers")

    def get_search_results(self, request, queryset, search_term):
        # By key, so that what is left can still be deleted, ordered and counted.
        return queryset.filter(pk__in=search(Player.objects.order_by(), search_term).values("pk")), False

    @admin.display(description="title")
    def highest_title(self, player: Player) -> str:
        return player.title

    @admin.display(description="FIDE number")
    def number(self, player: Player) -> str:
        return player.fide_id

    @admin.display(description="born", ordering="birth_date")
    def birth_year(self, player: Player) -> int | None:
        return player.birth_year
