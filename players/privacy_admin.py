"""Hiding and erasing players in the admin: a page of a player's record, and the requests that wait."""

from __future__ import annotations

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players import erasing, hiding
from players.languages.texts import said
from players.models import Player, PrivacyRequest
from players.read_only import ReadOnlyAdmin

REFUSE = "refuse"
_ACTS = {"hide": hiding.hide, "reveal": hiding.reveal, "erase": hiding.erase}


class DecisionForm(forms.Form):
    """What is decided of a person, and why; an erasure names the record once more."""

    act = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        widget=forms.Textarea({"rows": 2, "cols": 60}),
        help_text=_("Kept for the staff. It is no place for the name."),
    )
    record = forms.IntegerField(
        required=False,
        label=_("Number of the record, to erase"),
        help_text=_("An erasure cannot be undone: write the number of the record to confirm it."),
    )

    def __init__(self, player: Player, asked: PrivacyRequest | None, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        choices = [("hide", _("Hide the name"))] if not player.privacy else []
        if player.privacy == Player.Privacy.HIDDEN:
            choices.append(("reveal", _("Show the name again")))
        if player.privacy != Player.Privacy.ERASED:
            choices.append(("erase", _("Erase the person for good")))
        if asked is not None:
            choices.append((REFUSE, _("Refuse the request")))
        self.fields["act"].choices = choices

    def clean(self) -> dict:
        given = super().clean()
        if given.get("act") == "erase" and given.get("record") != self.player.pk:
            self.add_error("record", f"Write {self.player.pk} to erase this record.")
        return given


class HideAndErase:
    """For the players' admin: the page on which staff hide, reveal and erase."""

    def get_urls(self):
        view = never_cache(
            self.admin_site.admin_view(require_http_methods(["GET", "HEAD", "POST"])(self.privacy_view))
        )
        return [path("<int:pk>/privacy/", view, name="players_player_privacy"), *super().get_urls()]

    def privacy_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """What stands of a person, what would stay, and the decision; ``?request=`` answers one."""
        if not request.user.has_perm(hiding.RIGHT):
            raise PermissionDenied
        player = get_object_or_404(self.get_queryset(request), pk=pk).standing
        asked = self._asked(request, player)
        form = DecisionForm(player, asked, request.POST if request.method == "POST" else None)
        refused = ""
        if form.is_bound and form.is_valid():
            act, reason = form.cleaned_data["act"], form.cleaned_data["reason"]
            try:
                if act == REFUSE:
                    hiding.refuse(asked, request.user, reason)
                else:
                    _ACTS[act](player, request.user, reason, asked)
            except hiding.PrivacyRefused as refusal:
                refused = str(refusal)
            else:
                messages.success(
                    request, f"{said(f'Record #{player.pk}')}: {dict(form.fields['act'].choices)[act]}."
                )
                return redirect("admin:players_player_change", player.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Hide or erase {player} (#{player.pk})",
            "player": player,
            "asked": asked,
            "form": form,
            "refused": refused,
            "stays": erasing.left_in(hiding.person_of(player)),
            "decisions": player.privacy_requests.exclude(state=PrivacyRequest.State.OPEN),
            "back": reverse("admin:players_player_change", args=[player.pk]),
        }
        return TemplateResponse(request, "admin/players/player/privacy.html", context)

    def _asked(self, request: HttpRequest, player: Player) -> PrivacyRequest | None:
        number = request.GET.get("request", "")
        if not (number.isascii() and number.isdigit() and len(number) < 18):
            return None
        return player.privacy_requests.filter(pk=int(number), state=PrivacyRequest.State.OPEN).first()


@admin.register(PrivacyRequest)
class PrivacyRequestAdmin(ReadOnlyAdmin):
    """Who asked for what; the page of the player's record decides."""

    list_display = ("id", "player", "wish", "state", "asked_at", "decided_at", "decided_by")
    list_filter = ("state", "wish")
    list_select_related = ("player", "decided_by")
    search_fields = ("=id", "=player__id")
    date_hierarchy = "asked_at"
    exclude = ("kept", "mailbox", "client")
    readonly_fields = ("page",)

    @admin.display(description=_("decided on"))
    def page(self, asked: PrivacyRequest) -> str:
        where = reverse("admin:players_player_privacy", args=[asked.player.standing.pk])
        return format_html('<a href="{}?request={}">{}</a>', where, asked.pk, _("its page"))
