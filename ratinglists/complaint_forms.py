"""The form of a complaint, and that of its answer."""

from __future__ import annotations

from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout, Submit
from django import forms
from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from ratinglists.complaints import Subject, counted_in
from tournaments.models import Tournament

LONGEST = 4000


class ComplaintForm(forms.Form):
    """What is wrong in which row of a tournament. Everything wrong with the form itself is said at once.

    ``known`` is the account whose name and address stand for the fields; ``needs_email`` False where the
    answer need not go by mail (an arbiter of the tournament).
    """

    subject = forms.ChoiceField(label=_("What is wrong?"))
    player = forms.ModelChoiceField(
        queryset=None,
        label=_("In whose row"),
        error_messages={"invalid_choice": "This player is not in the tournament: choose one of the list."},
    )
    round = forms.TypedChoiceField(
        label=_("Round"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("For a game or its result."),
        error_messages={"invalid_choice": "The tournament has no such round: choose one of the list."},
    )
    text = forms.CharField(
        label=_("What should stand there, and how do you know?"),
        min_length=10,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Read by the federation's staff only."),
        error_messages={"required": "Say what is wrong.", "min_length": "Say it in a sentence or two."},
    )
    name = forms.CharField(
        label=_("Your name"),
        max_length=120,
        error_messages={"required": "Give your name: staff only see it."},
    )
    email = forms.EmailField(
        label=_("Your e-mail address"),
        help_text=_("For the answer. Neither name nor address nor text is shown to the public."),
        error_messages={
            "required": "Give an address for the answer.",
            "invalid": "This is no e-mail address.",
        },
    )
    website = forms.CharField(label=_("Leave this field empty"), required=False)

    def __init__(self, *args, tournament: Tournament, known=None, needs_email: bool = True, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        entered = Player.objects.filter(entries__tournament=tournament)
        self.fields["player"].queryset = entered.order_by("name", "pk")
        counted = counted_in(tournament) is not None
        self.fields["subject"].choices = [
            choice for choice in Subject.choices if counted or choice[0] != Subject.CALCULATION
        ]
        last = tournament.games.aggregate(last=Max("round"))["last"] or 0
        self.fields["round"].choices = [("", "–"), *[(number, str(number)) for number in range(1, last + 1)]]
        if known is not None:
            del self.fields["name"]
            if known.email or not needs_email:
                del self.fields["email"]
        self.helper = FormHelper()
        self.helper.attrs = {"novalidate": True}
        shown = [name for name in self.fields if name != "website"]
        field = Field("website", autocomplete="off", tabindex="-1")
        trap = Div(field, css_class="visually-hidden", aria_hidden="true")
        self.helper.layout = Layout(*shown, trap, Submit("send", _("Send the complaint")))

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise forms.ValidationError("Something filled in a field that people do not see: empty it.")
        return ""

    def clean_text(self) -> str:
        return self.cleaned_data["text"].replace("\r\n", "\n")

    def clean(self) -> None:
        super().clean()
        given = self.cleaned_data
        if given.get("subject") != Subject.GAME:
            given["round"] = None
            return
        if "round" in given and given["round"] is None and self.fields["round"].choices[1:]:
            self.add_error("round", "Choose the round of the game.")
        elif given.get("round") and given.get("player") and not self._plays(given["player"], given["round"]):
            self.add_error("round", f"{given['player']} has no game in round {given['round']}.")

    def _plays(self, player, number: int) -> bool:
        own = Q(white__player=player) | Q(black__player=player)
        return self.tournament.games.filter(own, round=number).exists()


class AnswerForm(forms.Form):
    """Staff's answer; the button says whether the complaint is upheld."""

    reason = forms.CharField(
        label=_("The answer and its reason"),
        widget=forms.Textarea({"rows": 5}),
        help_text=_("The sender reads it."),
        error_messages={"required": "Say why: the sender reads it."},
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.attrs = {"novalidate": True}
        self.helper.layout = Layout(
            "reason",
            HTML('<p class="actions">'),
            Submit("uphold", _("Uphold")),
            Submit("reject", _("Reject"), css_class="btn btn-secondary"),
            HTML("</p>"),
        )
