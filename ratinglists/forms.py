"""The filters of the public pages. Every field may stay empty; a bad one is named and left out."""

from __future__ import annotations

from datetime import date

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import TITLES
from ratinglists.computation import OUTCOMES
from ratinglists.finding import Wanted
from ratinglists.listing import DESCENDING, ORDERS, STATUSES, Choice
from ratinglists.widgets import ChoiceField, NameSelect
from regulations.monitoring import GROUP_SIZE
from tournaments.models import Tournament

ANY = ("", "any")
STATUS_LABELS = {
    "active": "active",
    "inactive": "inactive",
    "rated": "active and inactive",
    "provisional": "provisional",
    "delisted": "delisted",
    "titled-unrated": "titled, unrated",
    "unrated": "unrated",
}
AGES = [
    ANY,
    *[(f"u{age}", f"under {age}") for age in (8, 10, 12, 14, 16, 18, 20)],
    ("50", "50 and over"),
    ("65", "65 and over"),
]


TITLE_CHOICES = [ANY, ("any", "with a title"), *[(code, code) for code in TITLES]]
SEXES = [ANY, ("f", "female"), ("m", "male")]


def born(age: str, on: date) -> tuple[int | None, int | None]:
    """The years of birth of an age, from and to: under 18 is who is not older than 18 at the end of the
    day's year, 50 and over who is 50 by then."""
    if not age:
        return None, None
    year = on.year - int(age.lstrip("u"))
    return (year, None) if age.startswith("u") else (None, year)


class Filter(forms.Form):
    """A form that reads the address: what is wrong is shown and ignored."""

    template_name = "ratinglists/_filters.html"

    def value(self, name: str, default=""):
        self.is_valid()
        found = self.cleaned_data.get(name)
        return default if found in ("", None) else found

    def in_order(self, low: str, high: str, what: str) -> None:
        first, second = self.cleaned_data.get(low), self.cleaned_data.get(high)
        if first is not None and second is not None and first > second:
            self.add_error(high, f"The {what} runs from a lower to a higher number.")


class ListFilter(Filter):
    q = forms.CharField(
        label=_("Name or number"), required=False, max_length=100, widget=forms.TextInput({"type": "search"})
    )
    federation = ChoiceField(label=_("Federation"), required=False, widget=NameSelect)
    title = ChoiceField(label=_("Title"), required=False, choices=TITLE_CHOICES)
    sex = ChoiceField(label=_("Sex"), required=False, choices=SEXES)
    age = ChoiceField(label=_("Age"), required=False, choices=AGES)
    status = ChoiceField(
        label=_("Status"),
        required=False,
        choices=[(key, STATUS_LABELS[key]) for key in STATUSES],
        initial="active",
    )
    rating_from = forms.IntegerField(label=_("Rating from"), required=False, min_value=0, max_value=4000)
    rating_to = forms.IntegerField(label=_("Rating to"), required=False, min_value=0, max_value=4000)
    order = ChoiceField(
        required=False,
        choices=[(key, key) for key in (*ORDERS, *(f"-{key}" for key in ORDERS))],
        widget=forms.HiddenInput,
    )

    def __init__(self, data, federations: list[tuple[str, str]], on: date) -> None:
        super().__init__(data)
        self.on = on
        self.fields["federation"].choices = [ANY, *federations]

    def clean(self) -> None:
        super().clean()
        self.in_order("rating_from", "rating_to", "rating")

    def choice(self) -> Choice:
        """What the visitor chose. Age is by year of birth on the list's date."""
        order = self.value("order", "-rating")
        column = order.lstrip("-")
        born_from, born_to = born(self.value("age"), self.on)
        return Choice(
            text=self.value("q"),
            federation=self.value("federation"),
            sex=self.value("sex"),
            title=self.value("title"),
            status=self.value("status", "active"),
            rating_from=self.value("rating_from", None),
            rating_to=self.value("rating_to", None),
            born_from=born_from,
            born_to=born_to,
            order=column,
            turned=order.startswith("-") != (column in DESCENDING),
        )


class _GroupSize(ChoiceField):
    """The usual size may be left out of the address or stand in it."""

    def valid_value(self, value) -> bool:
        return value == str(GROUP_SIZE) or super().valid_value(value)


class MonitoringFilter(Filter):
    start = ChoiceField(label=_("Compare with the list of"), required=False)
    players = _GroupSize(
        label=_("Leading players"),
        required=False,
        choices=[("", str(GROUP_SIZE)), *[(str(size), str(size)) for size in (10, 20, 100, 200)]],
        error_messages={
            "invalid_choice": _("%(value)s is no size of a group: choose 10, 20, 50, 100 or 200.")
        },
    )

    def __init__(self, data, dates: list[date]) -> None:
        super().__init__(data)
        days = [day.isoformat() for day in reversed(dates)]
        start = self.fields["start"]
        start.choices = [("", "a year before"), *[(day, day) for day in days]]
        # Not f-strings: what Django puts in is found again by no catalogue.
        none = gettext("no list before this one is of %(value)s: choose one of the list, but there is none.")
        if dates:
            none = gettext(
                "no list before this one is of %%(value)s: choose one of the list, "
                "from %(first)s to %(last)s."
            ) % {"first": date_format(min(dates)), "last": date_format(max(dates))}
        start.error_messages["invalid_choice"] = none

    def faults(self) -> list[str]:
        """Each field of the address that cannot be used, by its name, and what to write instead."""
        return [f"{name}: {error}" for name, errors in self.errors.items() for error in errors]

    def start_day(self) -> date | None:
        value = self.value("start")
        return date.fromisoformat(value) if value else None

    def size(self) -> int:
        return int(self.value("players", GROUP_SIZE))


class LiveFilter(Filter):
    q = forms.CharField(
        label=_("Name or number"), required=False, max_length=100, widget=forms.TextInput({"type": "search"})
    )
    federation = ChoiceField(label=_("Federation"), required=False, widget=NameSelect)

    def __init__(self, data, federations: list[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["federation"].choices = [ANY, *federations]


class PlayerFilter(LiveFilter):
    title = ChoiceField(label=_("Title"), required=False, choices=TITLE_CHOICES)
    sex = ChoiceField(label=_("Sex"), required=False, choices=SEXES)
    age = ChoiceField(label=_("Age"), required=False, choices=AGES)
    system = ChoiceField(label=_("Rated in"), required=False)
    rating_from = forms.IntegerField(label=_("Rating from"), required=False, min_value=0, max_value=4000)
    rating_to = forms.IntegerField(label=_("Rating to"), required=False, min_value=0, max_value=4000)

    def __init__(self, data, federations: list[tuple[str, str]], systems: list[tuple[str, str]]) -> None:
        super().__init__(data, federations)
        self.fields["system"].choices = [ANY, *systems]

    def clean(self) -> None:
        super().clean()
        self.in_order("rating_from", "rating_to", "rating")
        given = [name for name in ("rating_from", "rating_to") if self.cleaned_data.get(name) is not None]
        systems = self.fields["system"].choices[1:]
        if given and not self.cleaned_data.get("system"):
            if len(systems) == 1:
                self.cleaned_data["system"] = systems[0][0]
            else:
                self.add_error("system", "Choose the list of which the ratings are meant.")

    def wanted(self, on: date) -> Wanted:
        """What the visitor wants, ages by year of birth on that day."""
        born_from, born_to = born(self.value("age"), on)
        names = ("federation", "title", "sex", "system")
        return Wanted(
            text=self.value("q").strip(),
            **{name: self.value(name) for name in names},
            rating_from=self.value("rating_from", None),
            rating_to=self.value("rating_to", None),
            born_from=born_from,
            born_to=born_to,
        )


class SystemFilter(Filter):
    system = ChoiceField(label=_("List"), required=False)

    def __init__(self, data, systems: list[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["system"].choices = [ANY, *systems]


class GameFilter(SystemFilter):
    opponent = forms.CharField(
        label=_("Opponent"), required=False, max_length=100, widget=forms.TextInput({"type": "search"})
    )
    colour = ChoiceField(label=_("Colour"), required=False, choices=[ANY, ("w", "White"), ("b", "Black")])
    year = forms.IntegerField(label=_("Year"), required=False, min_value=1900, max_value=2200)


class TournamentFilter(Filter):
    q = forms.CharField(
        label=_("Name or place"), required=False, max_length=100, widget=forms.TextInput({"type": "search"})
    )
    system = ChoiceField(label=_("List"), required=False)
    year = forms.IntegerField(label=_("Year"), required=False, min_value=1900, max_value=2200)
    state = ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ANY,
            (Tournament.State.REGISTERED, "registered"),
            (Tournament.State.REPORTED, "reported, not yet accepted"),
            (Tournament.State.RETURNED, "returned for correction"),
            (Tournament.State.ACCEPTED, "accepted"),
            (Tournament.State.COUNTED, "counted"),
            (Tournament.State.CANCELLED, "cancelled: not played"),
        ],
    )

    def __init__(self, data, systems: list[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["system"].choices = [ANY, *systems]


class HandledFilter(Filter):
    q = forms.CharField(
        label=_("Name"), required=False, max_length=100, widget=forms.TextInput({"type": "search"})
    )
    outcome = ChoiceField(label=_("Outcome"), required=False, choices=[ANY, *((o, o) for o in OUTCOMES)])


class FederationFilter(Filter):
    system = ChoiceField(label=_("List"), required=False)

    def __init__(self, data, systems: list[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["system"].choices = systems


class OpponentFilter(Filter):
    q = forms.CharField(
        label=_("Compare with"), required=False, max_length=100, widget=forms.TextInput({"type": "search"})
    )
