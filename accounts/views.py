"""Pages of one's account, of invitations, and of resetting another's second factor."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import EmailAddress, Login
from allauth.account.views import EmailView
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required, permission_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import invitations, second_factor
from accounts.forms import AcceptForm
from accounts.invite_form import InviteForm
from accounts.models import Invitation
from accounts.people import keep_address
from ratinglists import addresses

FACTORS = {
    Authenticator.Type.TOTP: gettext_lazy("Authenticator app"),
    Authenticator.Type.WEBAUTHN: gettext_lazy("Passkeys and security keys"),
    Authenticator.Type.RECOVERY_CODES: gettext_lazy("Recovery codes"),
}


@login_required
@require_safe
@never_cache
def overview(request: HttpRequest) -> HttpResponse:
    """What there is to one's account."""
    factors = set(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    context = {
        "address": EmailAddress.objects.get_primary_email(request.user) or request.user.email,
        "factors": [name for kind, name in FACTORS.items() if kind in factors],
        "sessions": len(UserSession.objects.purge_and_list(request.user)),
        "may_invite": bool(invitations.may_invite(request.user)),
    }
    return render(request, "accounts/overview.html", context)


class AddressView(EmailView):
    """The page on which one's address is changed."""

    def dispatch(self, request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            keep_address(request.user)
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args, **kwargs) -> HttpResponse:
        """An address becomes the account's by being confirmed: allauth takes one that is not as the first
        one of an account that has none, were it somebody else's."""
        if "action_primary" in request.POST:
            raise PermissionDenied
        return super().post(request, *args, **kwargs)


# --- invitations ----------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invite(request: HttpRequest) -> HttpResponse:
    """Open invitations, and a form for another: ``?arbiter=`` or ``?player=`` names a record."""
    if not invitations.may_invite(request.user):
        raise PermissionDenied
    form = InviteForm(request.POST or None, by=request.user, record=request.GET)
    if request.method == "POST" and form.is_valid():
        try:
            new = invitations.invite(request.user, origin=addresses.origin(request), **form.wanted())
        except invitations.Refused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The invitation goes to %(address)s.") % {"address": new.email})
            return redirect("invitations")
    rows = [(each, invitations.described(each)) for each in invitations.pending(request.user)]
    return render(request, "accounts/invitations.html", {"form": form, "rows": rows})


@login_required
@require_POST
def change_invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """Send one again, or withdraw it."""
    known = {each.pk for each in invitations.pending(request.user)}
    invitation = get_object_or_404(Invitation, pk=pk if pk in known else None)
    try:
        if "withdraw" in request.POST:
            invitations.revoke(invitation, request.user)
            messages.success(request, _("The invitation was withdrawn."))
        else:
            invitations.send_again(invitation, request.user, addresses.origin(request))
            messages.success(
                request, _("The invitation goes to %(address)s.") % {"address": invitation.email}
            )
    except invitations.Refused as error:
        messages.error(request, str(error))
    return redirect("invitations")


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """The page of the link in an invitation."""
    try:
        invitation = invitations.found(token)
    except invitations.Refused as error:
        return render(request, "accounts/invitation_gone.html", {"why": str(error)}, status=404)
    user = request.user if request.user.is_authenticated else None
    form = AcceptForm(request.POST or None, email=invitation.email)
    if request.method == "POST" and (user or form.is_valid()):
        chosen = {"user": user} if user else form.chosen()
        try:
            account = invitations.accept(token, **chosen)
        except invitations.Refused as error:
            return render(request, "accounts/invitation_gone.html", {"why": str(error)}, status=409)
        if user is None:
            record_authentication(request, account, "password", username=account.get_username())
            return perform_login(request, Login(user=account))
        messages.success(request, _("You have the role now."))
        return redirect("account")
    context = {"form": form, "invitation": invitation, "what": invitations.described(invitation)}
    return render(request, "accounts/invitation.html", context)


# --- another's second factor ----------------------------------------------------------------------


@login_required
@permission_required("auth.change_user", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
@never_cache
def reset_factor(request: HttpRequest, pk: int) -> HttpResponse:
    """An administrator takes away a second factor that somebody has lost."""
    user = get_object_or_404(get_user_model(), pk=pk)
    if request.method == "POST":
        try:
            second_factor.reset(user, request.user)
        except second_factor.Refused as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("The second factor was reset."))
        return redirect("admin:auth_user_change", user.pk)
    return render(request, "accounts/reset_factor.html", {"account": user})
