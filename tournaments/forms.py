"""Forms of the registration in the admin. Those of the arbiters' pages are in ``report_forms``."""

from __future__ import annotations

from django import forms

from regulations import registry
from tournaments.models import Round, SystemRegulation, Tournament
from tournaments.schedule import spread


class SystemRegulationForm(forms.ModelForm):
    """A regulation is chosen from those installed; one that is set but not installed any more stays."""

    regulation = forms.ChoiceField()

    class Meta:
        model = SystemRegulation
        fields = ("regulation", "effective_from")

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        known = {each.code: f"{each.title} ({each.code})" for each in registry.all_regulations()}
        if (present := self.instance.regulation) and present not in known:
            known[present] = f"{present} (not installed)"
        self.fields["regulation"].choices = [("", "---------"), *known.items()]


class TournamentForm(forms.ModelForm):
    """A registration; a new schedule can be laid out instead of typed round by round."""

    lay_rounds = forms.IntegerField(
        label="Lay out rounds",
        required=False,
        min_value=1,
        max_value=100,
        help_text="How many rounds to put on the days from start to end. Only while the schedule is empty.",
    )
    rounds_a_day = forms.IntegerField(
        required=False, min_value=1, max_value=40, help_text="Empty: as few as fit."
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

    def clean(self) -> dict:
        given = super().clean()
        start, end, number = given.get("start"), given.get("end"), given.get("lay_rounds")
        if number and start and end and start <= end:
            try:
                self.days = spread(start, end, number, given.get("rounds_a_day"))
            except ValueError as error:
                self.add_error("lay_rounds", str(error))
        return given

    def lay_out(self) -> int:
        """Store the schedule asked for, unless there is one. Returns how many rounds were added."""
        days = getattr(self, "days", [])
        if not days or self.instance.rounds.exists():
            return 0
        Round.objects.bulk_create(
            Round(tournament=self.instance, number=number, date=day)
            for number, day in enumerate(days, start=1)
        )
        return len(days)
