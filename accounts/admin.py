"""The administration goes through the portal's own door; accounts show whether they have a second factor."""

from __future__ import annotations

from urllib.parse import urlencode

from allauth.account.internal.flows.reauthentication import (
    is_reauthentication_required,
    raise_if_reauthentication_required,
)
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth import REDIRECT_FIELD_NAME, get_user_model
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import second_factor
from players.accounts_admin import AccountAdmin

User = get_user_model()
# Secrets and sessions are nobody's to look at; addresses are changed with the account.
for model in (Authenticator, UserSession, EmailAddress, EmailConfirmation):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


def sign_in(request: HttpRequest, extra_context: dict | None = None) -> HttpResponse:
    """In place of the administration's own sign-in page."""
    wanted = request.GET.get(REDIRECT_FIELD_NAME, "")
    if not url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        wanted = reverse("admin:index")
    return redirect(wanted) if admin.site.has_permission(request) else redirect_to_login(wanted)


def change_password(request: HttpRequest, extra_context: dict | None = None) -> HttpResponse:
    """In place of the administration's own page."""
    return redirect("account_change_password")


def _who_are_you(request: HttpRequest) -> HttpResponse:
    """To the page that asks again, and back; nothing that was sent is kept, as there is a password in it."""
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({REDIRECT_FIELD_NAME: request.path})}")


admin.site.login = sign_in
admin.site.password_change = admin.site.password_change_done = change_password
admin.site.unregister(User)


@admin.register(User)
class AccountWithFactorAdmin(AccountAdmin):
    """An account, with whether it has a second factor."""

    list_display = (*AccountAdmin.list_display, "second_factor")

    @admin.display(boolean=True)
    def second_factor(self, user) -> bool:
        return second_factor.is_set_up(user)

    def get_readonly_fields(self, request, obj=None):
        """One's own address is changed where it has to be confirmed, by who shows again who he is."""
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "email") if obj is not None and obj.pk == request.user.pk else fields

    def user_change_password(self, request, id, form_url=""):
        """One's own is changed by who knows the old one: not by whoever finds a session open."""
        named = self.get_object(request, unquote(id))  # "07" and "+7" are 7, too
        if named is not None and named.pk == request.user.pk:
            return change_password(request)
        if self.has_change_permission(request) and is_reauthentication_required(request, app="account"):
            return _who_are_you(request)
        return super().user_change_password(request, id, form_url)

    def add_view(self, request, form_url="", extra_context=None):
        """A new account may be given rights: its maker shows again who he is."""
        if self.has_add_permission(request) and is_reauthentication_required(request, app="account"):
            return _who_are_you(request)
        return super().add_view(request, form_url, extra_context)

    def change_view(self, request, object_id, form_url="", extra_context=None):
        """What is sent waits in the session until who sent it has shown again who he is."""
        if request.method == "POST" and self.has_change_permission(request):
            raise_if_reauthentication_required(request, app="account")
        return super().change_view(request, object_id, form_url, extra_context)

    @transaction.atomic
    def save_model(self, request, obj, form, change) -> None:
        super().save_model(request, obj, form, change)
        if change and "email" in form.changed_data:  # a link sent to the old one opens nothing any more
            EmailAddress.objects.filter(user=obj).exclude(email__iexact=obj.email).delete()
