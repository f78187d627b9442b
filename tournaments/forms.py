"""Forms of the registration in the admin. Those of the arbiters' pages are in ``report_forms``."""

from __future__ import annotations

from datetime import time
from fractions import Fraction

from django import forms
from django.contrib.admin.widgets import AdminDateWidget
from django.utils.translation import gettext_lazy as _

from players.accounts_forms import LinkedForm
from players.languages.texts import said, said_lazy
from players.roles import Role
from regulations import registry
from regulations.calendar import span
from regulations.model import Stage
from tournaments.clocktokens import MAX_TEXT
from tournaments.entries import store_clock
from tournaments.models import Arbiter, Round, SystemRegulation, Tournament
from tournaments.schedule import at_times, read_times, spread
from tournaments.timecontrols import EXAMPLES, Clock, parse, words


class SystemRegulationForm(forms.ModelForm):
    """A regulation is chosen from those installed; one that is set but not installed any more stays."""

    regulation = forms.ChoiceField(label=_("Regulation"))

    class Meta:
        model = SystemRegulation
        fields = ("regulation", "effective_from")

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        known = {each.code: f"{said(each.title)} ({each.code})" for each in registry.all_regulations()}
        if (present := self.instance.regulation) and present not in known:
            known[present] = said(f"{present} (not installed)")
        self.fields["regulation"].choices = [("", "---------"), *known.items()]


def typed_clock(text: str) -> Clock | None:
    """A typed time control that can be stored; None for an empty text.

    ValidationError with every fault, its place and examples.
    """
    if not text.strip():
        return None
    parsed = parse(text)
    if parsed.clock is None:
        raise forms.ValidationError(parsed.messages())
    for stage in (stage for side in parsed.clock.sides for stage in side):
        if 100 % stage.minutes.denominator:
            message = f"{words(Clock((stage,)))}: times are kept in minutes and hundredths of them."
            raise forms.ValidationError(message)
    return parsed.clock


class StageFormSet(forms.BaseInlineFormSet):
    """The stages as rows; they may be typed instead, but not otherwise at the same time."""

    def clean(self) -> None:
        super().clean()
        try:
            typed = typed_clock(self.data.get("typed_control", ""))
        except forms.ValidationError:
            return  # shown beside the text
        if typed is None or any(self.errors) or not any(form.has_changed() for form in self.forms):
            return
        rows = self._clock()
        if rows.white and rows != typed:
            raise forms.ValidationError(
                f"Typed is: {words(typed)}. These rows say: {words(rows)}. "
                "Correct one of them, or empty the text."
            )

    def _clock(self) -> Clock:
        sides = {"w": [], "b": []}
        for form in self.forms:
            given = form.cleaned_data
            if given and not given.get("DELETE"):
                stage = Stage(given["moves"], Fraction(given["minutes"]), given["increment_seconds"])
                sides[given["colour"]].append((given["number"], stage))
        white, black = (
            tuple(stage for _, stage in sorted(side, key=lambda pair: pair[0])) for side in sides.values()
        )
        return Clock(white, None if black in ((), white) else black)


class ArbiterForm(LinkedForm):
    """An arbiter with the account that submits his reports."""

    role = Role.ARBITER
    account = forms.CharField(
        max_length=150,
        required=False,
        label=_("account"),
        help_text=_("User name of the account that sends his reports."),
    )

    class Meta:
        model = Arbiter
        fields = ("name", "federation", "title", "licensed", "licensed_from", "licensed_until", "player")


class TournamentForm(forms.ModelForm):
    """A registration; its time control can be typed, and a new schedule laid out, instead of row by row."""

    typed_control = forms.CharField(
        label=_("Time control, typed"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text=said_lazy(
            f"Fills the stages below when saved. For example {' · '.join(EXAMPLES)}, or a sentence."
        ),
    )
    lay_rounds = forms.IntegerField(
        label=_("Lay out rounds"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_(
            "How many rounds to put on the days from start to end. Only while the schedule is empty."
        ),
    )
    rounds_a_day = forms.IntegerField(
        label=_("Rounds a day"),
        required=False,
        min_value=1,
        max_value=40,
        help_text=_("Empty: as many as there are times, or as few as fit."),
    )
    lay_from = forms.DateField(
        label=_("First day"),
        required=False,
        widget=AdminDateWidget,
        help_text=_("Of round 1. Empty: the day of the start."),
    )
    lay_times = forms.CharField(
        label=_("Times"),
        required=False,
        max_length=200,
        help_text=_("Of a day's rounds, such as 10:00 and 16:00. They can be edited afterwards."),
    )

    class Meta:
        model = Tournament
        fields = (
            "name",
            "rating_system",
            "federation",
            "city",
            "organiser",
            "system",
            "start",
            "end",
            "registered_on",
            "scope",
            "scheduled_games",
            "games_in_event",
            *Tournament.FLAG_FIELDS,
        )

    def clean_typed_control(self) -> Clock | None:
        return typed_clock(self.cleaned_data["typed_control"])

    def clean_lay_times(self) -> list[time]:
        try:
            return read_times(self.cleaned_data["lay_times"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict:
        given = super().clean()
        start, end, number = given.get("start"), given.get("end"), given.get("lay_rounds")
        times = given.get("lay_times")
        if not number and (times or given.get("lay_from") or given.get("rounds_a_day")):
            self.add_error("lay_rounds", "Say how many rounds are to be laid out.")
        if not (number and start and end and start <= end) or times is None:
            return given
        first = given.get("lay_from") or start
        if not start <= first <= end:
            self.add_error("lay_from", f"Round 1 must be between start and end: {span(start, end)}.")
            return given
        try:
            days = spread(first, end, number, given.get("rounds_a_day") or len(times) or None)
            self.laid = at_times(days, times)
        except ValueError as error:
            self.add_error("lay_rounds", str(error))
        return given

    def fill(self) -> list[str]:
        """Store the stages and the schedule asked for. Returns what to tell whoever asked.

        A schedule that has rounds is left as it is.
        """
        told = []
        if typed := self.cleaned_data.get("typed_control"):
            store_clock(self.instance, typed)
        if self.cleaned_data.get("lay_rounds") and not self.lay_out():
            told.append("No rounds were laid out: the schedule has rounds. Edit or delete them first.")
        return told

    def lay_out(self) -> int:
        """Store the schedule asked for, unless there is one. Returns how many rounds were added."""
        laid = getattr(self, "laid", [])
        if not laid or self.instance.rounds.exists():
            return 0
        Round.objects.bulk_create(
            Round(tournament=self.instance, number=number, date=day, time=at)
            for number, (day, at) in enumerate(laid, start=1)
        )
        return len(laid)
