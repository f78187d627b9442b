"""Keys of programs in the admin: made, shown once, revoked."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminDateWidget
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables

from players.access import for_user
from players.languages.texts import said, said_lazy
from players.models import Federation
from players.read_only import ReadOnlyAdmin
from ratinglists import api_keys
from ratinglists.models import ApiKey, ApiSubmission
from tournaments.transitions import NotAllowedNow


class KeyForm(forms.Form):
    """A key to be made."""

    name = forms.CharField(
        max_length=100, label=_("Program"), help_text=_("Which one uses the key, and where.")
    )
    federation = forms.ModelChoiceField(
        Federation.objects.all(),
        label=_("Federation"),
        help_text=_("Its tournaments are those that the key may report."),
    )
    user = forms.ModelChoiceField(
        get_user_model().objects.filter(is_active=True).order_by("username"),
        label=_("Acts for"),
        help_text=_("The program can do what this account may do at that moment, and no more."),
    )
    scopes = forms.MultipleChoiceField(
        choices=[(key, said_lazy(words)) for key, words in api_keys.SCOPES.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=_("Is for"),
        help_text=_("Reading needs no key; any key has a limit of its own for it."),
    )
    last_day = forms.DateField(
        label=_("Last day"), widget=AdminDateWidget, help_text=_("The last day on which it can be used.")
    )

    def __init__(self, maker, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["federation"].queryset = for_user(Federation.objects.all(), maker)

    def given(self) -> dict:
        """What the service takes: the key ends when its last day does."""
        told = {name: self.cleaned_data[name] for name in ("name", "federation", "user", "scopes")}
        after = self.cleaned_data["last_day"] + timedelta(days=1)
        return told | {"expires_at": timezone.make_aware(datetime.combine(after, time()))}


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    list_display = ("prefix", "name", "federation", "user", "is_for", "expires_at", "last_used_at", "state")
    list_filter = ("federation",)
    list_select_related = ("federation", "user")
    search_fields = ("prefix", "name", "user__username")
    exclude = ("sha256", "scopes")
    readonly_fields = ("is_for", "state")
    actions = ("revoke",)

    @admin.display(description=_("is for"))
    def is_for(self, key: ApiKey) -> str:
        return ", ".join(said(api_keys.SCOPES.get(scope, scope)) for scope in key.scopes) or said("reading")

    @admin.display(description=_("state"))
    def state(self, key: ApiKey) -> str:
        if key.revoked_at is not None:
            return said("revoked")
        return said("holds") if key.holds else said("expired, or its account is closed")

    def has_add_permission(self, request) -> bool:
        return request.user.has_perm(api_keys.MAKE)

    def has_revoke_permission(self, request) -> bool:
        return request.user.has_perm(api_keys.REVOKE)

    @admin.action(description=_("Revoke for good"), permissions=["revoke"])
    def revoke(self, request, queryset) -> None:
        for key in queryset:
            try:
                api_keys.revoke(key, request.user)
            except NotAllowedNow as refusal:
                self.message_user(request, str(refusal), messages.WARNING)
            else:
                self.message_user(request, f"{key} is revoked.", messages.SUCCESS)

    @method_decorator([never_cache, sensitive_variables("text")])
    def add_view(self, request: HttpRequest, form_url: str = "", extra_context=None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        a_year = timezone.localdate() + timedelta(days=365)
        form = KeyForm(
            request.user, request.POST or None, initial={"user": request.user.pk, "last_day": a_year}
        )
        context = {**self.admin_site.each_context(request), "title": "Make an API key", "opts": self.opts}
        if request.method == "POST" and form.is_valid():
            try:
                key, text = api_keys.make(request.user, **form.given())
            except (NotAllowedNow, PermissionDenied) as refusal:
                form.add_error(None, str(refusal))
            else:
                made = {"title": "API key made", "key": key, "text": text}
                return self._page(request, context | made | {"last_day": form.cleaned_data["last_day"]})
        return self._page(request, {**context, "form": form, "media": self.media + form.media})

    @staticmethod
    def _page(request: HttpRequest, context: dict) -> HttpResponse:
        return TemplateResponse(request, "admin/ratinglists/apikey/make.html", context)


@admin.register(ApiSubmission)
class ApiSubmissionAdmin(ReadOnlyAdmin):
    list_display = ("at", "key", "tournament", "status", "report", "idempotency_key")
    list_filter = ("status", "key__federation")
    list_select_related = ("key", "tournament", "report")
    raw_id_fields = ("report",)
    date_hierarchy = "at"
