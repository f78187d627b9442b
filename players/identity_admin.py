"""Merging, splitting and undoing in the admin: each shows what it would do before it is done."""

from __future__ import annotations

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players import access, hiding, merging, services
from players.forms import IntoForm, ReasonForm, SplitForm
from players.languages.texts import said
from players.models import IdentityChange, Player
from players.privacy import named
from players.queries import suggestions
from players.read_only import ReadOnlyAdmin
from players.services import MERGE_RIGHT, IdentityRefused

_page = require_http_methods(["GET", "HEAD", "POST"])


def _require(request: HttpRequest) -> None:
    if not request.user.has_perm(MERGE_RIGHT):
        raise PermissionDenied


class MergeAndSplit:
    """Mixin for the admin of players: the pages “Merge into…” and “Split…”."""

    change_form_template = "admin/players/player/change_form.html"

    def get_urls(self):
        def view(handler):
            return never_cache(self.admin_site.admin_view(_page(handler)))

        return [
            path("<int:pk>/merge/", view(self.merge_view), name="players_player_merge"),
            path("<int:pk>/split/", view(self.split_view), name="players_player_split"),
            *super().get_urls(),
        ]

    def render_change_form(self, request, context, add=False, change=False, form_url="", obj=None):
        if obj is not None:
            changes = IdentityChange.objects.filter(source=obj) | IdentityChange.objects.filter(target=obj)
            context["may_merge"] = request.user.has_perm(MERGE_RIGHT)
            context["may_hide"] = request.user.has_perm(hiding.RIGHT)
            context["identity_changes"] = changes.select_related("source", "target", "by")
        return super().render_change_form(request, context, add, change, form_url, obj)

    def _context(self, request: HttpRequest, player: Player, title: str, **more) -> dict:
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "player": player,
            "back": reverse("admin:players_player_change", args=[player.pk]),
            **more,
        }

    def merge_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Choose the record to keep, look at what moves, confirm."""
        _require(request)
        player = get_object_or_404(self.get_queryset(request), pk=pk)
        asked = request.GET.get("into", "")
        form = IntoForm(access.for_user(Player.objects.all(), request.user), self._given(request))
        plan, reason, refused = None, ReasonForm(), []
        if form.is_bound and form.is_valid():
            target = form.player
            if request.method == "POST":
                reason = ReasonForm(request.POST)
                if reason.is_valid():
                    try:
                        change = services.merge(player, target, request.user, **reason.cleaned_data)
                    except IdentityRefused as refusal:
                        refused = refusal.reasons
                    else:
                        self.log_change(request, player, f"Merged into #{target.pk}: {change.reason}")
                        self.log_change(request, target, f"Record #{player.pk} merged into it.")
                        messages.success(request, f"{player} (#{player.pk}) is merged into {target}.")
                        return redirect("admin:players_player_change", target.pk)
            plan = merging.plan_merge(player, target)
        context = self._context(
            request,
            player,
            f"Merge {player} (#{player.pk})",
            form=form,
            asked=asked,
            plan=plan,
            reason=reason,
            refused=[] if plan and plan.obstacles == refused else refused,
            candidates=[] if plan else self._alike(player),
        )
        return TemplateResponse(request, "admin/players/player/merge.html", context)

    @staticmethod
    def _given(request: HttpRequest):
        return request.GET if "into" in request.GET else None

    def _alike(self, player: Player) -> list:
        known = player.birth_precision == Player.Precision.DAY
        return suggestions(
            player.name,
            player.fide_id,
            player.birth_date if known else player.birth_year,
            player.sex,
            player.federation_id,
            limit=9,
            without=[player.pk],
        )

    def split_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Tick what belongs to the other person, look at what moves, confirm."""
        _require(request)
        player = get_object_or_404(self.get_queryset(request), pk=pk)
        posted = request.POST if request.method == "POST" else None
        form = SplitForm(player, posted, initial={"name": "" if player.privacy else player.name})
        plan, refused = None, []
        if form.is_bound and form.is_valid():
            plan = merging.plan_split(player, form.chosen())
            if "confirm" in request.POST:
                try:
                    change = services.split(
                        player,
                        request.user,
                        form.cleaned_data["reason"],
                        form.chosen(),
                        digest=form.cleaned_data["digest"] or "-",
                        **form.person(),
                    )
                except IdentityRefused as refusal:
                    refused = refusal.reasons
                except ValidationError as error:
                    refused = error.messages
                else:
                    self.log_change(request, player, f"Split: #{change.target_id} is new.")
                    messages.success(
                        request, f"{change.target} (#{change.target_id}) is a player of his own now."
                    )
                    return redirect("admin:players_player_change", change.target_id)
        context = self._context(
            request,
            player,
            f"Split {player} (#{player.pk})",
            form=form,
            plan=plan,
            refused=[] if plan and plan.obstacles == refused else refused,
        )
        return TemplateResponse(request, "admin/players/player/split.html", context)


@admin.register(IdentityChange)
class IdentityChangeAdmin(ReadOnlyAdmin):
    """What was merged and split, and the way back."""

    list_display = ("at", "kind", "from_record", "to_record", "reason", "by", "undo_link")
    list_display_links = ("at",)
    list_filter = ("kind", ("undone_at", admin.EmptyFieldListFilter))
    list_select_related = ("source", "target", "by")
    search_fields = ("source__name", "target__name", "reason")
    date_hierarchy = "at"
    fields = readonly_fields = (
        "kind",
        "from_record",
        "to_record",
        "at",
        "by",
        "reason",
        "what",
        "undone_at",
        "undone_by",
        "undone_why",
        "undo_link",
    )

    class Media:
        css = {"all": ("css/admin-portal.css",)}

    def _link(self, player: Player) -> str:
        page = reverse("admin:players_player_change", args=[player.pk])
        return format_html('<a href="{}">{} (#{})</a>', page, named(player.name), player.pk)

    @admin.display(description=_("from"))
    def from_record(self, change: IdentityChange) -> str:
        return self._link(change.source)

    @admin.display(description=_("to"))
    def to_record(self, change: IdentityChange) -> str:
        return self._link(change.target)

    @admin.display(description=_("moved"))
    def what(self, change: IdentityChange) -> str:
        labels = {rows.name: rows.label for rows in merging.followed()}
        lines = [(len(keys), said(labels.get(name, name))) for name, keys in change.moved["rows"].items()]
        return format_html_join(", ", "{} {}", lines) or said("nothing")

    @admin.display(description=_("undo"))
    def undo_link(self, change: IdentityChange) -> str:
        if change.undone_at is not None:
            return said(f"undone on {change.undone_at:%Y-%m-%d}")
        page = reverse("admin:players_identitychange_undo", args=[change.pk])
        return format_html('<a href="{}">{}</a>', page, _("Undo…"))

    def get_urls(self):
        view = never_cache(self.admin_site.admin_view(_page(self.undo_view)))
        return [path("<int:pk>/undo/", view, name="players_identitychange_undo"), *super().get_urls()]

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        _require(request)
        change = get_object_or_404(self.get_queryset(request).select_related("source", "target"), pk=pk)
        reason, refused = ReasonForm(request.POST if request.method == "POST" else None), []
        if reason.is_bound and reason.is_valid():
            try:
                services.undo(change, request.user, **reason.cleaned_data)
            except IdentityRefused as refusal:
                refused = refusal.reasons
            else:
                self.log_change(request, change, f"Undone: {reason.cleaned_data['reason']}")
                messages.success(request, f"Undone: {change}.")
                return redirect("admin:players_identitychange_changelist")
        plan = merging.plan_undo(change)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Undo the {change.get_kind_display()} of {change.at:%Y-%m-%d}",
            "change": change,
            "back": reverse("admin:players_identitychange_changelist"),
            "plan": plan,
            "reason": reason,
            "refused": [] if plan.obstacles == refused else refused,
        }
        return TemplateResponse(request, "admin/players/identitychange/undo.html", context)
