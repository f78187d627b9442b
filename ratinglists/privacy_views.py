"""The public form by which a player asks to be hidden or erased."""

from __future__ import annotations

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout, Submit
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.models import Player, PrivacyRequest
from ratinglists import privacy_requests
from ratinglists.complaint_senders import client_of
from ratinglists.person_pages import follows_merges, player_or_404
from tournaments.transitions import NotAllowedNow

Wish = PrivacyRequest.Wish


class PrivacyForm(forms.Form):
    """What a player wishes, and where the federation can ask back."""

    wish = forms.ChoiceField(label=_("What do you wish?"), widget=forms.RadioSelect)
    name = forms.CharField(
        label=_("Your name"),
        max_length=120,
        error_messages={"required": _("Give your name: staff only see it.")},
    )
    email = forms.EmailField(
        label=_("Your e-mail address"),
        help_text=_(
            "The federation asks back there. Neither name nor address nor text is shown to the public."
        ),
        error_messages={
            "required": _("Give an address at which you can be asked back."),
            "invalid": _("This is no e-mail address."),
        },
    )
    text = forms.CharField(
        label=_("How can the federation know that it is you?"),
        max_length=2000,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Your club, say. For a minor a parent can ask."),
    )
    website = forms.CharField(label=_("Leave this field empty"), required=False)

    def __init__(self, player: Player, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        first = (Wish.REVEAL, _("Show my name again")) if player.privacy else (Wish.HIDE, _("Hide my name"))
        self.fields["wish"].choices = [first, (Wish.ERASE, _("Erase me: name, birth date and numbers"))]
        self.helper = FormHelper()
        self.helper.attrs = {"novalidate": True}
        trap = Div(
            Field("website", autocomplete="off", tabindex="-1"),
            css_class="visually-hidden",
            aria_hidden="true",
        )
        shown = [name for name in self.fields if name != "website"]
        self.helper.layout = Layout(*shown, trap, Submit("send", _("Send the request")))

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise forms.ValidationError("Something filled in a field that people do not see: empty it.")
        return ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@follows_merges
def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """The form; sent, it leads back to the player's page."""
    person = player_or_404(pk)
    form = PrivacyForm(person, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("wish", "name", "email", "text")}
        try:
            asked = privacy_requests.ask(person, **given, client=client_of(request))
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, f"Request {asked.pk} is with the federation, which will write to you.")
            return redirect("player", person.pk)
    context = {"player": person, "form": form}
    return render(request, "ratinglists/privacy_form.html", context, status=400 if form.errors else 200)
